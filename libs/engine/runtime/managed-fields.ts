import type { ManagedFieldsEntry } from '../api/meta_v1.js';
import type { Kind, Part } from '../machinery/kind.js';
import {
  compare,
  customType,
  difference,
  UNOWNED,
  type FieldSet,
  type FieldsType,
} from '../machinery/managedfields/index.js';
import { ownFinalizers } from '../machinery/meta/finalizers.js';
import type { KubeObject, Unstructured } from '../machinery/meta/object.js';
import { fieldsType } from '../schema/index.js';

/**
 * Entries of managedFields without their field sets: the only writer of a part of an object owns all that stands in it,
 * so that a component's entry is stored without `fieldsType` and `fieldsV1`. They are computed when the object is shown
 * to a client, or before another manager writes the part.
 */
const isDeferred = (entry: ManagedFieldsEntry): boolean => entry.fieldsType === undefined;

export const hasDeferred = (entries: readonly ManagedFieldsEntry[] | undefined): boolean =>
  entries !== undefined && entries.some(isDeferred);

/** The component's entry of a part, when it is the part's only one and is kept without its fields. */
export function findDeferredEntry(
  entries: readonly ManagedFieldsEntry[],
  part: Part,
  manager: string,
): ManagedFieldsEntry | undefined {
  let found: ManagedFieldsEntry | undefined;
  for (const entry of entries) {
    if ((entry.subresource === 'status') !== (part === 'status')) continue;
    if (found || !isDeferred(entry) || entry.manager !== manager) return undefined;
    found = entry;
  }
  return found;
}

const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const types = new WeakMap<Kind, FieldsType>();

/** The type of a kind's objects, as ownership sees it. */
export function ownedType(kind: Kind): FieldsType {
  let type = types.get(kind);
  if (!type)
    types.set(
      kind,
      (type = kind.definition ? fieldsType(kind.definition) : customType(kind.schema, fieldsType(METADATA))),
    );
  return type;
}

/** The object with every entry complete, as clients see it; `kind` is the stored version's. */
export function completeManagedFields<T extends KubeObject>(kind: Kind, object: T): T {
  return hasDeferred(object.metadata.managedFields)
    ? { ...object, metadata: { ...object.metadata, managedFields: completeEntries(kind, object) } }
    : object;
}

/** The object's entries, all of them complete. */
export function completeEntries(kind: Kind, object: KubeObject): ManagedFieldsEntry[] | undefined {
  const entries = object.metadata.managedFields;
  return hasDeferred(entries) ? entries?.map((e) => completeEntry(kind, object, e)) : entries;
}

function completeEntry(kind: Kind, object: KubeObject, entry: ManagedFieldsEntry): ManagedFieldsEntry {
  if (!isDeferred(entry)) return entry;
  const { subresource, ...rest } = entry;
  return {
    ...rest,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsOfPart(kind, object, subresource === 'status' ? 'status' : ''),
    ...(subresource ? { subresource } : {}),
  };
}

function fieldsOfPart(kind: Kind, object: KubeObject, part: Part): FieldSet {
  const { of, except } = kind.attribution?.owned(object, part) ?? { of: ownedContent(kind, object) };
  const { added } = compare(EMPTY_OBJECT, of, ownedType(kind));
  const set = difference(added, UNOWNED);
  return except ? difference(set, except) : set;
}

const EMPTY_OBJECT = Object.freeze({});
/** The object without its status and without what its deletion has added. */
function ownedContent(kind: Kind, object: KubeObject): Unstructured {
  const {
    deletionTimestamp: _at,
    deletionGracePeriodSeconds: _grace,
    managedFields: _entries,
    finalizers: _finalizers,
    ...metadata
  } = object.metadata;
  const finalizers = ownFinalizers(object.metadata);
  const rest: Unstructured = { ...object, metadata: finalizers ? { ...metadata, finalizers } : metadata };
  if (kind.subresources?.status) delete rest['status'];
  return rest;
}

/** Whether the object that is stored differs from the one that was sent in nothing but server-side metadata. */
export function isUnchanged(sent: KubeObject, stored: KubeObject): boolean {
  const [a, b] = [sent as Unstructured, stored as Unstructured];
  for (const field in b) if (field !== 'metadata' && field !== 'status' && a[field] !== b[field]) return false;
  return hasSameMetadata(sent, stored);
}

export const hasSameMetadata = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean =>
  a.labels === b.labels &&
  a.annotations === b.annotations &&
  a.finalizers === b.finalizers &&
  a.ownerReferences === b.ownerReferences;
