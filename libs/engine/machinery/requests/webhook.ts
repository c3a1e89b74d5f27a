import type { WebhookClientConfig } from '../../api/admissionregistration_v1.js';
import type { JsonObject } from '../meta/object.js';

/** A webhook could not be called or gave no usable answer; the message is client-go's. */
export class WebhookFailure extends Error {}

/** A webhook was not called, because its configuration is invalid. */
export class UnusableWebhook extends WebhookFailure {}

/**
 * POSTs a review to a webhook and returns the JSON object that comes back. `key` names the call within its request, for
 * answers from outside the cluster. Throws WebhookFailure, OutsideCallsNeeded.
 */
export type CallWebhook = (
  config: WebhookClientConfig,
  review: object,
  timeoutSeconds: number,
  key: () => string,
) => JsonObject;
