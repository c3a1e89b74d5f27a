import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { isEmptySet, parseSet, union, type FieldSet } from './set.js';

/** One entry of metadata.managedFields. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** RFC 3339 in seconds. */
  readonly time?: string;
  readonly subresource?: string;
  readonly fields: FieldSet;
}
/** Owners by identifier. A manager that applies is one owner in every version. */
export type Owners = Map<string, Owner>;

const MAX_UPDATE_OWNERS = 10;
/** Entries beyond which a client's managedFields are not decoded. */
const MAX_ENTRIES = 1_000;
const ANCIENT = 'ancient-changes';

/** Models BuildManagerIdentifier. */
export const ownerId = (o: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  `${o.manager}\0${o.operation}\0${o.operation === 'Apply' ? '' : o.apiVersion}\0${o.subresource ?? ''}`;

/** The owners in stored entries, whose sets are canonical. */
export function ownersOf(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  const owners: Owners = new Map();
  for (const e of entries ?? []) {
    const owner: Owner = {
      manager: e.manager ?? '',
      operation: e.operation as Owner['operation'],
      apiVersion: e.apiVersion ?? '',
      time: e.time,
      subresource: e.subresource,
      fields: (e.fieldsV1 ?? {}) as FieldSet,
    };
    owners.set(ownerId(owner), owner);
  }
  return owners;
}

/** The owners in a client's entries; undefined when they cannot be decoded. Models DecodeManagedFields. */
export function parseOwners(entries: readonly ManagedFieldsEntry[]): Owners | undefined {
  if (entries.length > MAX_ENTRIES) return undefined;
  const parsed: ManagedFieldsEntry[] = [];
  for (const e of entries) {
    if ((e.operation !== 'Apply' && e.operation !== 'Update') || !e.apiVersion || e.fieldsType !== 'FieldsV1')
      return undefined;
    const fields = parseSet(e.fieldsV1 ?? {});
    if (!fields) return undefined;
    parsed.push({ ...e, fieldsV1: fields });
  }
  return ownersOf(parsed);
}

/** Whether a client resets the owners: with an empty list or a list of one empty entry. */
export const isReset = (entries: readonly ManagedFieldsEntry[] | undefined): boolean =>
  entries !== undefined &&
  (entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0));

/** The entries in upstream's order: by operation, time, manager, version, subresource; undefined without owners. */
export const entriesOf = (owners: Owners): ManagedFieldsEntry[] | undefined => entriesFrom([...owners.values()]);

export function entriesFrom(all: Owner[]): ManagedFieldsEntry[] | undefined {
  if (all.length === 0) return undefined;
  if (all.length > 1) all.sort(byTime);
  return all.map(entryOf);
}

/** Written out for owners of a time, which nearly all are: spreads are slow, and this runs for each write. */
function entryOf(owner: Owner): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time, fields: fieldsV1, subresource } = owner;
  const fieldsType = 'FieldsV1';
  const entry: ManagedFieldsEntry = time
    ? { manager, operation, apiVersion, time, fieldsType, fieldsV1 }
    : { manager, operation, apiVersion, fieldsType, fieldsV1 };
  if (subresource) entry.subresource = subresource;
  return entry;
}

function byTime(a: Owner, b: Owner): number {
  return (
    order(a.operation, b.operation) ||
    order(a.time, b.time) ||
    order(a.manager, b.manager) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource, b.subresource)
  );
}
const order = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges the oldest updates beyond the tenth into one owner for each version. Models capmanagers.go. */
export function capOwners(owners: Owners): void {
  const updates = [...owners].filter(([, o]) => o.operation === 'Update');
  let count = updates.length;
  if (count <= MAX_UPDATE_OWNERS) return;
  updates.sort(([x, a], [y, b]) => order(a.time, b.time) || order(x, y));
  const firsts = new Map<string, string>();
  for (const [id, owner] of updates) {
    if (count <= MAX_UPDATE_OWNERS) return;
    const { apiVersion } = owner;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, id);
      continue;
    }
    const bucket = ownerId({ manager: ANCIENT, operation: 'Update', apiVersion });
    const gathered = owners.get(bucket) ?? owners.get(first)!;
    if (!owners.has(bucket)) owners.delete(first);
    owners.delete(id);
    owners.set(bucket, {
      manager: ANCIENT,
      operation: 'Update',
      apiVersion,
      ...(owner.time ? { time: owner.time } : {}),
      fields: union(owner.fields, gathered.fields),
    });
    count--;
  }
}

export function setFields(owners: Owners, id: string, owner: Owner): void {
  if (isEmptySet(owner.fields)) owners.delete(id);
  else owners.set(id, owner);
}
