import type { DeleteOptions } from '../../api/meta_v1.js';
import { invalidValue, Path, type FieldError } from '../../machinery/meta/field.js';
import type { BodyResponse } from '../../machinery/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError, badRequest, invalid, notFound } from '../../machinery/meta/status.js';
import { requireCreate } from '../request/authorize.js';
import { clientOf, keyOfCall, writeOptions, type Call } from '../call.js';
import { bodyOf, decodeBody, decodeObject } from '../request/codec.js';
import { listResponse } from './list.js';
import { deleteOptions, listOptions, mutationOptions } from '../request/options.js';
import { objectText, wholeInVersion } from '../response/print.js';
import { finish, objectResponse } from '../response/respond.js';
import { selection, selects } from '../request/select.js';

/** POST. Models apiserver/pkg/endpoints/handlers/create.go. */
export function create(call: Call): BodyResponse {
  const { kind, server } = call;
  const { dryRun, fieldValidation } = mutationOptions('CreateOptions', call.query);
  const draft = decodeObject(call, fieldValidation);
  placeInNamespace(call, draft);
  if (kind.evaluate) return evaluate(call, draft, dryRun);
  return objectResponse(call, 201, server.writer.create(kind, draft, writeOptions(call, dryRun)));
}

/** Reviews are answered, not stored. */
function evaluate(call: Call, draft: KubeObject, dryRun: boolean): BodyResponse {
  const context = call.server.writer.context(call.request.user);
  const answer = call.kind.evaluate!(draft, clientOf(call, dryRun), context);
  return finish(call, 201, objectText(call.kind, answer));
}

/**
 * The namespace is the path's: none for objects of the cluster. Throws 400 when the object of a namespace says
 * otherwise.
 */
export function placeInNamespace(call: Call, draft: KubeObject): void {
  const { kind, namespace } = call;
  const given = draft.metadata.namespace;
  if (kind.scope === 'Cluster') {
    const { namespace: _, ...metadata } = draft.metadata;
    if (given) draft.metadata = metadata;
    return;
  }
  if (given && given !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  draft.metadata = { ...draft.metadata, namespace };
}

/** PUT of the object or its status. Models apiserver/pkg/endpoints/handlers/update.go. */
export function update(call: Call): BodyResponse {
  const { kind, server } = call;
  const { dryRun, fieldValidation } = mutationOptions('UpdateOptions', call.query);
  const draft = decodeObject(call, fieldValidation);
  placeInNamespace(call, draft);
  checkName(call, draft);
  const stored = server.state.get(kind, keyOfCall(call));
  if (!stored && kind.createOnUpdate && !call.subresource) {
    requireCreate(call);
    return objectResponse(call, 201, server.writer.create(kind, draft, writeOptions(call, dryRun)));
  }
  // Another uid is a conflict, which the writer finds.
  if (stored && (draft.metadata.uid || stored.metadata.uid) === stored.metadata.uid)
    checkUnchanged(call, draft, stored);
  if (stored && kind.needsVersion && !draft.metadata.resourceVersion) throw withoutVersion(call);
  return objectResponse(call, 200, server.writer.update(kind, draft, writeOptions(call, dryRun), call.subresource));
}

/** Here alone upstream calls the kind by its resource. */
const withoutVersion = ({ kind, name }: Call): ApiError =>
  invalid({ group: kind.group, kind: kind.plural }, name, [
    invalidValue(Path.of('metadata', 'resourceVersion'), 0, 'must be specified for an update'),
  ]);

export function checkName(call: Call, draft: KubeObject): void {
  const { name = '', namespace } = draft.metadata;
  if (!name)
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  if (call.namespace && namespace && namespace !== call.namespace) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${call.namespace})`,
    );
  }
}

const IMMUTABLE = 'field is immutable';

/**
 * What a client may leave out of an object's metadata, but not change. Models ValidateObjectMetaAccessorUpdate. Throws
 * 422.
 */
export function checkUnchanged(
  { kind, name }: Call,
  { metadata: draft }: KubeObject,
  { metadata: live }: KubeObject,
): void {
  const errors: FieldError[] = [];
  if (draft.uid && draft.uid !== live.uid) errors.push(invalidValue(METADATA.child('uid'), draft.uid, IMMUTABLE));
  if (draft.deletionTimestamp && live.deletionTimestamp === undefined)
    errors.push(invalidValue(METADATA.child('deletionTimestamp'), draft.deletionTimestamp, IMMUTABLE));
  if (errors.length > 0) throw invalid(kind, name, errors);
}

const METADATA = Path.of('metadata');
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

function optionsOfDelete(call: Call): DeleteOptions {
  if (bodyOf(call).length === 0) return deleteOptions(call.query, undefined);
  try {
    return deleteOptions(call.query, decodeBody(call, DELETE_OPTIONS, 'Ignore') as unknown as DeleteOptions);
  } catch (error) {
    // Upstream does not say here what the body was to be.
    if (error instanceof ApiError && error.code === 400)
      throw badRequest(error.message.replace(OF_THE_BODY, '').replace(/ \([0-9a-f]*\)$/, ''));
    throw error;
  }
}

const OF_THE_BODY =
  /^(\S+ in version "\S+" cannot be handled as a DeleteOptions|the object provided is unrecognized \(must be of type DeleteOptions\)): /;

/**
 * DELETE of one object: a Status when it is gone (for some kinds the object), else the object on its way. Models
 * handlers/delete.go DeleteResource.
 */
export function remove(call: Call): BodyResponse {
  const options = optionsOfDelete(call);
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const { object, deleted } = call.server.writer.delete(
    call.kind,
    keyOfCall(call),
    options,
    writeOptions(call, dryRun),
  );
  if (!deleted || call.kind.returnsDeleted) return objectResponse(call, 200, object);
  const { group, plural } = call.kind;
  const details = { name: call.name, ...(group ? { group } : {}), kind: plural, uid: object.metadata.uid };
  return finish(
    call,
    200,
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }),
  );
}

/** DELETE of a collection: the list of what was in it before. Models registry/store.go DeleteCollection. */
export function removeCollection(call: Call): BodyResponse {
  const options = optionsOfDelete(call);
  listOptions(call.query, false);
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const { kind, server, namespace } = call;
  const chosen = selection(kind, namespace, call.query);
  const found = server.state
    .list(kind.storedAs?.kind ?? kind, namespace || undefined)
    .filter((o) => selects(chosen, o));
  const removed: KubeObject[] = [];
  for (const object of found) {
    const { metadata } = object;
    try {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      server.writer.delete(kind, key, options, writeOptions(call, dryRun));
      removed.push(object);
    } catch (error) {
      // Another object's deletion may have taken this one with it.
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }
  return listResponse(call, removed, { resourceVersion: String(server.state.revision) });
}

/** GET of one object. */
export function get(call: Call): BodyResponse {
  return objectResponse(call, 200, storedObject(call));
}

/** The object that the path names, as it is stored. Throws 404. */
export function storedObject(call: Call): KubeObject {
  const object = call.server.state.get(call.kind, keyOfCall(call));
  if (!object) throw notFound(call.kind, call.name);
  return object;
}

/** The same in the call's version. */
export const currentObject = (call: Call): KubeObject => wholeInVersion(call.kind, storedObject(call));
