import type { BodyResponse } from '../../machinery/http.js';
import type { Action, ActionRequest } from '../../machinery/kind.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { applied, APPLY_PATCH } from '../ownership/apply.js';
import { clientOf, keyOfCall, untracked, writeOptions, type Call } from '../call.js';
import { decodeBody } from '../request/codec.js';
import { currentObject } from './mutate.js';
import { mutationOptions, type MutationOptions } from '../request/options.js';
import { setEntries } from '../ownership/ownership.js';
import { patched, patchMediaType } from './patch.js';
import { finish } from '../response/respond.js';
import type { WriteOptions } from '../registry/store.js';

const OPTIONS = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  get: '',
  delete: '',
} as const;

/** A binding is not a write of the pod's fields. */
const optionsFor = (call: Call, dryRun: boolean): WriteOptions =>
  call.subresource === 'binding' ? untracked(call, dryRun) : writeOptions(call, dryRun);

function withMetadata(body: Unstructured): Unstructured {
  body.metadata ??= {};
  return body;
}

/** A kind's own subresource: decodes the body, lets the kind act, prints what it returns. */
export function act(call: Call, verb: ActionRequest['verb']): BodyResponse {
  const { kind } = call;
  const action = kind.subresources!.actions![call.subresource]!;
  const object = currentObject(call);
  const isApply = verb === 'patch' && patchMediaType(call, true) === APPLY_PATCH;
  const options = OPTIONS[verb]
    ? mutationOptions(OPTIONS[verb], call.query, isApply)
    : { dryRun: false, fieldValidation: 'Ignore' as const };
  const { dryRun, fieldValidation } = options;
  const { writer } = call.server;
  const request = {
    object,
    query: call.query,
    client: clientOf(call, dryRun),
    context: writer.context(call.request.user),
    store: (draft: KubeObject) => writer.update(kind, draft, optionsFor(call, dryRun), call.subresource),
  };
  const expected = action.kind ?? kind;
  const definition = action.body ?? kind.definition;
  if (isApply) return applyAction(call, object, options as MutationOptions, action.handle);
  let body: unknown;
  if (verb === 'create' || verb === 'update') body = decodeBody(call, definition, fieldValidation, expected);
  else if (verb === 'patch')
    body = patched(
      call,
      action.handle({ ...request, verb: 'get', body: undefined }) as KubeObject,
      definition,
      fieldValidation,
      expected,
    );
  if (verb === 'create')
    writer.admitBody(
      'CREATE',
      kind,
      keyOfCall(call),
      call.subresource,
      expected,
      withMetadata(body as Unstructured),
      writeOptions(call, dryRun),
    );
  const answer = action.handle({ ...request, verb, body });
  return finish(call, verb === 'create' ? 201 : 200, JSON.stringify(answer));
}

/** Server-side apply to a part of the object that the action writes: pods/resize. */
function applyAction(call: Call, object: KubeObject, options: MutationOptions, handle: Action['handle']): BodyResponse {
  const { writer } = call.server;
  const body = applied(call, object, options);
  const store = (draft: KubeObject): KubeObject => {
    const own = { ...draft, metadata: { ...draft.metadata } };
    setEntries(own, body.metadata.managedFields);
    return writer.update(call.kind, own, untracked(call, options.dryRun), call.subresource);
  };
  const answer = handle({
    verb: 'patch',
    object,
    body,
    query: call.query,
    client: clientOf(call, options.dryRun),
    context: writer.context(call.request.user),
    store,
  });
  return finish(call, 200, JSON.stringify(answer));
}
