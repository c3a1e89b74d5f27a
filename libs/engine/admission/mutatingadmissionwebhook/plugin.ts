import { kind as Configurations } from '../../kinds/admissionregistration/mutatingwebhookconfiguration/kind.js';
import { decodeBase64Text } from '../../machinery/text/base64.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import type { Json, KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { ApiError, internalError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { normalize, jsonSyntaxFault } from '../../schema/index.js';
import { replaceDraft } from '../replace-draft.js';
import { isExempt } from '../policy/match.js';
import { ReinvocationContext } from '../webhook/reinvocation.js';
import { callHook, applyFailurePolicy, CallingWebhookError } from '../webhook/call-hook.js';
import { hooksFor, matchHook, type Hook } from '../webhook/match.js';
import { objectInVersion } from '../webhook/admission-review.js';
import type { Verdict } from '../webhook/admission-response.js';
import { applyWebhookPatch } from '../webhook/patch.js';

const NAME = 'MutatingAdmissionWebhook';

/**
 * Calls the mutating webhooks one after the other, and applies their patches. Models
 * apiserver/pkg/admission/plugin/webhook/mutating. Left out: audit annotations, since there is no audit log.
 */
export const plugin: AdmissionPlugin = {
  name: NAME,
  handlesBodies: true,
  mutate(request) {
    const configurations = request.client.list(Configurations);
    if (configurations.length === 0 || isExempt(request.kind)) return;
    const hooks = hooksFor(configurations, request);
    if (hooks.length === 0) return;
    const reinvocation = ReinvocationContext.of(request, NAME);
    for (const hook of hooks) dispatch(hook, request, reinvocation);
    reinvocation.saveOutput(request);
  },
};

function dispatch(hook: Hook, request: AdmissionRequest, reinvocation: ReinvocationContext): void {
  const kind = matchHook(hook, request);
  if (!kind || !reinvocation.shouldInvoke(request, hook.id)) return;
  const verdict = callHook(hook, request, kind, true);
  const changed = (verdict?.patch && applyFailurePolicy(hook, () => applyPatch(hook, request, kind, verdict))) || false;
  reinvocation.recordInvocation(request, hook.id, changed, hook.webhook.reinvocationPolicy === 'IfNeeded');
}

/** Applies the webhook's patch to the request's object; true if the object changed. */
function applyPatch({ webhook }: Hook, request: AdmissionRequest, kind: Kind, { patch, patchType }: Verdict): boolean {
  const operations = decodePatch(decodeBase64Text(patch));
  if (operations.length === 0) return false;
  if (!request.object)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  // A Scale is a projection of the object: a patch of it cannot be written back.
  if (request.view) return false;
  if (patchType !== 'JSONPatch') throw new CallingWebhookError(`unsupported patch type ${JSON.stringify(patchType)}`);
  const before = request.bodyType ? request.object : objectInVersion(kind, request.object)!;
  const patched = applyWebhookPatch(before as unknown as Json, operations);
  const after = request.bodyType ? (patched as unknown as KubeObject) : decodeObject(patched, kind);
  if (deepEqual(before, after)) return false;
  replaceDraft(request, (kind.storedAs && !request.bodyType ? kind.storedAs.toStorage(after) : after) as Unstructured);
  return true;
}

function decodePatch(text: string): Json[] {
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) return value;
  } catch {
    throw new CallingWebhookError(`received undecodable patch in webhook response: ${jsonSyntaxFault(text)}`);
  }
  throw new CallingWebhookError(
    'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  );
}

/** Decodes the patched JSON as an object of its kind, without unknown fields. Throws 500 for a wrong type. */
function decodeObject(value: Json, kind: Kind): KubeObject {
  try {
    return { ...normalize(value, kind.definition, { strict: false, expected: kind }).value };
  } catch (error) {
    if (error instanceof ApiError && error.code === 400)
      throw internalError(error.message.replace(/^.*? cannot be handled as a \S+: /s, ''));
    throw error;
  }
}
