import type { WebhookClientConfig } from '../api/admissionregistration_v1.js';
import type { JsonObject } from './meta/object.js';

/** A webhook that could not be called or gave no usable answer, in client-go's words. */
export class WebhookFailure extends Error {}

/** A webhook whose configuration does not even allow a try. */
export class UnusableWebhook extends WebhookFailure {}

/**
 * POSTs a review to a webhook and returns the JSON object that comes back. `key` names the call within its request, for
 * answers from outside the cluster. Throws WebhookFailure, OutsideWanted.
 */
export type CallWebhook = (
  config: WebhookClientConfig,
  review: object,
  timeoutSeconds: number,
  key: () => string,
) => JsonObject;
