import { invalidValue, Path, type FieldError } from '../../machinery/meta/field.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { badRequest, invalid } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';

const METADATA = Path.of('metadata');
const IMMUTABLE = 'field is immutable';

/**
 * Gives the object the namespace of the path: none when it is cluster-scoped. Throws 400 when the object has another
 * one. Models registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace.
 */
export function ensureNamespaceMatchesRequest({ kind, namespace }: Call, draft: KubeObject): void {
  const given = draft.metadata.namespace;
  if (kind.scope === 'Cluster') {
    const { namespace: _, ...metadata } = draft.metadata;
    if (given) draft.metadata = metadata;
    return;
  }
  if (given && given !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (!given) draft.metadata.namespace = namespace;
}

/** Throws 400 when the object is not the one that the path names. Models endpoints/handlers/rest.go checkName. */
export function checkName(call: Call, { metadata: { name = '', namespace } }: KubeObject): void {
  if (!name)
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  if (call.namespace && namespace && namespace !== call.namespace)
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${call.namespace})`,
    );
}

/**
 * Throws 422 for metadata that a client may leave out of an object, but not change. Models
 * apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate.
 */
export function validateImmutableMetadata(
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
