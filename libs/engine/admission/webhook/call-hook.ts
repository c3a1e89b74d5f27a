import { activeEffects } from '../../kinds/terrarium/fault/active.js';
import { UnusableWebhook, WebhookFailure } from '../../machinery/requests/webhook.js';
import { callWebhook } from './client.js';
import type { Kind } from '../../machinery/kind.js';
import { badRequest } from '../../machinery/meta/status.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import type { Hook } from './match.js';
import { chooseReviewVersion, createAdmissionReview } from './admission-review.js';
import {
  callError,
  denialError,
  findDecodingError,
  InvalidResponseError,
  verifyAdmissionResponse,
  type Verdict,
} from './admission-response.js';

const TIMEOUT_SECONDS = 10;

/** A webhook that could not be called or broke the protocol: its failurePolicy says what becomes of the request. */
export class CallingWebhookError extends Error {}

/**
 * Calls one webhook, and returns its verdict; undefined when the call failed and the failurePolicy is Ignore. Throws
 * ApiError when the webhook denies the request or the call failed. Models callHook of the dispatchers in
 * apiserver/pkg/admission/plugin/webhook/{mutating,validating}.
 */
export function callHook(hook: Hook, request: AdmissionRequest, kind: Kind, mutating: boolean): Verdict | undefined {
  const { name, sideEffects } = hook.webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  return applyFailurePolicy(hook, () => {
    const verdict = requestVerdict(hook, request, kind, mutating);
    for (const text of verdict.warnings) request.warn(text);
    if (!verdict.allowed) throw denialError(name, verdict);
    return verdict;
  });
}

/** Runs `work`; a CallingWebhookError passes with the failurePolicy Ignore, and is a 500 otherwise. */
export function applyFailurePolicy<T>({ webhook }: Hook, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CallingWebhookError)) throw error;
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw callError(webhook.name, error.message);
  }
}

/** Identifies the call among those of one request, so that an answer from outside is used for this call alone. */
const callKey = (
  { id }: Hook,
  { operation, kind, subresource, namespace, name, old, round }: AdmissionRequest,
  mutating: boolean,
): string =>
  [
    mutating ? 'mutating' : 'validating',
    id,
    round,
    operation,
    kind.group,
    kind.plural,
    subresource,
    namespace,
    name,
    old?.metadata.resourceVersion,
  ].join(' ');

function requestVerdict(hook: Hook, request: AdmissionRequest, kind: Kind, mutating: boolean): Verdict {
  const { webhook } = hook;
  const version = chooseReviewVersion(webhook.admissionReviewVersions);
  if (!version)
    throw new CallingWebhookError(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  const uid = request.random.uuid();
  const isLate = activeEffects(request.client, 'webhook').some(
    ({ webhooks }) => !webhooks || webhooks.includes(webhook.name) || webhooks.includes(hook.id),
  );
  const caller = { isLate, read: request.client, dial: request.dial, outside: request.outside, now: request.now };
  try {
    const answer = callWebhook(
      webhook.clientConfig,
      createAdmissionReview(request, kind, version, uid, mutating),
      webhook.timeoutSeconds ?? TIMEOUT_SECONDS,
      caller,
      () => callKey(hook, request, mutating),
    );
    const fault = findDecodingError(answer, version);
    if (fault) throw new WebhookFailure(fault);
    return verifyAdmissionResponse(answer, version, uid, mutating);
  } catch (error) {
    if (error instanceof UnusableWebhook) throw new CallingWebhookError(`could not get REST client: ${error.message}`);
    if (error instanceof WebhookFailure) throw new CallingWebhookError(`failed to call webhook: ${error.message}`);
    if (error instanceof InvalidResponseError)
      throw new CallingWebhookError(`received invalid webhook response: ${error.message}`);
    throw error;
  }
}
