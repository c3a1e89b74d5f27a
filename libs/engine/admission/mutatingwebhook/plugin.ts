import { kind as Configurations } from '../../kinds/admissionregistration/mutatingwebhookconfiguration/kind.js';
import { base64Decode } from '../../machinery/crypto/base64.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import type { Json, KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { ApiError, internalError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { normalize, syntaxFault } from '../../schema/index.js';
import { replaceDraft } from '../mutated.js';
import { isExempt } from '../policy/match.js';
import { Turns } from '../webhook/reinvocation.js';
import { ask, tolerating, Uncallable } from '../webhook/call.js';
import { hooksFor, versionFor, type Hook } from '../webhook/match.js';
import { objectIn, type Verdict } from '../webhook/review.js';
import { patchedBy } from '../webhook/patch.js';

const NAME = 'MutatingAdmissionWebhook';

/**
 * Lets webhooks change what is written, one after the other. Models apiserver/pkg/admission/plugin/webhook/mutating.
 * Left out: audit annotations, since there is no audit log.
 */
export const plugin: AdmissionPlugin = {
  name: NAME,
  general: true,
  mutate(request) {
    const configurations = request.client.list(Configurations);
    if (configurations.length === 0 || isExempt(request.kind)) return;
    const hooks = hooksFor(configurations, request);
    if (hooks.length === 0) return;
    const turns = Turns.of(request, NAME);
    for (const hook of hooks) callInTurn(hook, request, turns);
    turns.end(request);
  },
};

function callInTurn(hook: Hook, request: AdmissionRequest, turns: Turns): void {
  const kind = versionFor(hook, request);
  if (!kind || !turns.has(request, hook.id)) return;
  const verdict = ask(hook, request, kind, true);
  const changed = (verdict?.patch && tolerating(hook, () => change(hook, request, kind, verdict))) || false;
  turns.taken(request, hook.id, changed, hook.webhook.reinvocationPolicy === 'IfNeeded');
}

/** Applies the webhook's patch; says whether it changed anything. */
function change({ webhook }: Hook, request: AdmissionRequest, kind: Kind, { patch, patchType }: Verdict): boolean {
  const operations = decoded(base64Decode(patch));
  if (operations.length === 0) return false;
  if (!request.object)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  // A Scale is only looked at: what it shows is not written back.
  if (request.view) return false;
  if (patchType !== 'JSONPatch') throw new Uncallable(`unsupported patch type ${JSON.stringify(patchType)}`);
  const before = request.body ? request.object : objectIn(kind, request.object)!;
  const patched = patchedBy(before as unknown as Json, operations);
  const after = request.body ? (patched as unknown as KubeObject) : typed(patched, kind);
  if (deepEqual(before, after)) return false;
  replaceDraft(request, (kind.storedAs && !request.body ? kind.storedAs.toStorage(after) : after) as Unstructured);
  return true;
}

function decoded(text: string): Json[] {
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) return value;
  } catch {
    throw new Uncallable(`received undecodable patch in webhook response: ${syntaxFault(text)}`);
  }
  throw new Uncallable(
    'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  );
}

/** The patched JSON as an object of its kind: what the kind does not know is dropped. */
function typed(value: Json, kind: Kind): KubeObject {
  try {
    return { ...normalize(value, kind.definition, { strict: false, expected: kind }).value };
  } catch (error) {
    if (error instanceof ApiError && error.code === 400)
      throw internalError(error.message.replace(/^.*? cannot be handled as a \S+: /s, ''));
    throw error;
  }
}
