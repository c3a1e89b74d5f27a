import type { BodyResponse } from '../../machinery/requests/http.js';
import type { Action, ActionRequest } from '../../machinery/kind.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { keyOfCall, type Call } from '../call.js';
import { clientOf, untrackedWriteOptions, writeOptions } from '../call-options.js';
import { setManagedFields } from '../ownership/managed-fields.js';
import type { WriteOptions } from '../registry/write-options.js';
import { decodeBody } from '../request/decode.js';
import { mutationOptions, type MutationOptions } from '../request/options.js';
import { textResult } from '../response/respond.js';
import { applyToObject } from './patch/apply.js';
import { getCurrent } from './get.js';
import { APPLY_PATCH, patchMediaType } from './patch/patch-type.js';
import { patchObject } from './patch/patch-object.js';

type Verb = ActionRequest['verb'];
type Options = Pick<MutationOptions, 'dryRun' | 'fieldValidation'>;

const OPTIONS_KIND = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' } as const;
const NO_OPTIONS: Options = { dryRun: false, fieldValidation: 'Ignore' };

/** A subresource of the kind's own (pods/binding): decodes the body, runs the kind's action, prints its answer. */
export function handleAction(call: Call, verb: Verb): BodyResponse {
  const action = call.kind.subresources!.actions![call.subresource]!;
  const object = getCurrent(call);
  if (verb === 'patch' && patchMediaType(call, true) === APPLY_PATCH) return applyAction(call, object, action);
  const options = isMutation(verb) ? mutationOptions(OPTIONS_KIND[verb], call.query) : NO_OPTIONS;
  const request = actionRequest(call, object, options.dryRun);
  const body = decodeActionBody(call, verb, action, request, options);
  if (verb === 'create') admitActionBody(call, action, body as Unstructured, options);
  const answer = action.handle({ ...request, verb, body });
  return textResult(call, verb === 'create' ? 201 : 200, JSON.stringify(answer));
}

const isMutation = (verb: Verb): verb is keyof typeof OPTIONS_KIND => verb in OPTIONS_KIND;

type RequestWithoutBody = Omit<ActionRequest, 'verb' | 'body'>;

function actionRequest(call: Call, object: KubeObject, dryRun: boolean): RequestWithoutBody {
  const { kind, subresource, server, query } = call;
  return {
    object,
    query,
    client: clientOf(call, dryRun),
    context: server.writer.context(call.request.user),
    store: (draft) => server.writer.update(kind, draft, storeOptions(call, dryRun), subresource),
  };
}

/** A Binding is not tracked: it owns no fields of the pod. */
const storeOptions = (call: Call, dryRun: boolean): WriteOptions =>
  call.subresource === 'binding' ? untrackedWriteOptions(call, dryRun) : writeOptions(call, dryRun);

/** The body that the action takes; for a patch, the action's answer to `get` with the patch applied. */
function decodeActionBody(
  call: Call,
  verb: Verb,
  action: Action,
  request: RequestWithoutBody,
  { fieldValidation }: Options,
): unknown {
  const definition = action.body ?? call.kind.definition;
  const expected = action.kind ?? call.kind;
  switch (verb) {
    case 'create':
    case 'update':
      return decodeBody(call, definition, fieldValidation, expected);
    case 'patch': {
      const current = action.handle({ ...request, verb: 'get', body: undefined }) as KubeObject;
      return patchObject(call, current, definition, fieldValidation, expected);
    }
    default:
      return undefined;
  }
}

/** Runs admission of the body that is posted to the subresource: a Binding, an Eviction. */
function admitActionBody(call: Call, { kind: type }: Action, object: Unstructured, { dryRun }: Options): void {
  const { kind, subresource, server } = call;
  object.metadata ??= {};
  const body = { key: keyOfCall(call), type: type ?? kind, object };
  server.writer.admitBody('CREATE', kind, subresource, body, writeOptions(call, dryRun));
}

/** Server-side apply to a part of the object that the action writes: pods/resize. */
function applyAction(call: Call, object: KubeObject, action: Action): BodyResponse {
  const { kind, server, subresource } = call;
  const options = mutationOptions('PatchOptions', call.query, true);
  const request = actionRequest(call, object, options.dryRun);
  const body = applyToObject(call, object, options);
  const store = (draft: KubeObject): KubeObject => {
    const tracked = { ...draft, metadata: { ...draft.metadata } };
    setManagedFields(tracked, body.metadata.managedFields);
    return server.writer.update(kind, tracked, untrackedWriteOptions(call, options.dryRun), subresource);
  };
  const answer = action.handle({ ...request, verb: 'patch', body, store });
  return textResult(call, 200, JSON.stringify(answer));
}
