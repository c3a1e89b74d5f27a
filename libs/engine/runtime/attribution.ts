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
import type { KubeObject, Unstructured } from '../machinery/meta/object.js';
import { fieldsType } from '../schema/index.js';

/**
 * Entries of managedFields without their field sets. A component that is the only writer of a part of an object owns
 * what stands in
 * it: its entry is kept without `fieldsType` and `fieldsV1`, and these are worked out when the object is printed or
 * first written
 * by somebody else.
 */
const isDeferred = (entry: ManagedFieldsEntry): boolean => entry.fieldsType === undefined;

export const hasDeferred = (entries: readonly ManagedFieldsEntry[] | undefined): boolean =>
  entries !== undefined && entries.some(isDeferred);

/** The component's entry of a part, when it is the part's only one and is kept without its fields. */
export function deferredEntry(
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

/** The object with every entry complete, as clients see it; `kind` is the one that it is stored as. */
export function withFields<T extends KubeObject>(kind: Kind, object: T): T {
  return hasDeferred(object.metadata.managedFields)
    ? { ...object, metadata: { ...object.metadata, managedFields: entriesWithFields(kind, object) } }
    : object;
}

/** The object's entries, all of them complete. */
export function entriesWithFields(kind: Kind, object: KubeObject): ManagedFieldsEntry[] | undefined {
  const entries = object.metadata.managedFields;
  return hasDeferred(entries) ? entries?.map((e) => completed(kind, object, e)) : entries;
}

function completed(kind: Kind, object: KubeObject, entry: ManagedFieldsEntry): ManagedFieldsEntry {
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
  const { of, except } = kind.attribution?.owned(object, part) ?? { of: bare(kind, object) };
  const { added } = compare(NOTHING, of, ownedType(kind));
  const set = difference(added, UNOWNED);
  return except ? difference(set, except) : set;
}

const NOTHING = Object.freeze({});
/** What a deletion writes down is nobody's. */
const DELETION = ['orphan', 'foregroundDeletion'];

/** The object without status and without the marks of its deletion. */
export function bare(kind: Kind, object: KubeObject): Unstructured {
  const {
    deletionTimestamp: _at,
    deletionGracePeriodSeconds: _grace,
    managedFields: _entries,
    ...metadata
  } = object.metadata;
  if (_at !== undefined && metadata.finalizers?.some((f) => DELETION.includes(f)))
    metadata.finalizers = metadata.finalizers.filter((f) => !DELETION.includes(f));
  if (metadata.finalizers?.length === 0) delete metadata.finalizers;
  const rest: Unstructured = { ...object, metadata };
  if (kind.subresources?.status) delete rest['status'];
  return rest;
}

/** Whether nothing but bookkeeping has changed between what was sent and what is stored. */
export function untouched(sent: KubeObject, stored: KubeObject): boolean {
  const [a, b] = [sent as Unstructured, stored as Unstructured];
  for (const field in b) if (field !== 'metadata' && field !== 'status' && a[field] !== b[field]) return false;
  return sameMetadata(sent, stored);
}

export const sameMetadata = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean =>
  a.labels === b.labels &&
  a.annotations === b.annotations &&
  a.finalizers === b.finalizers &&
  a.ownerReferences === b.ownerReferences;
