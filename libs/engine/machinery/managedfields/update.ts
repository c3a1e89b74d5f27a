import { deepEqual } from '../meta/equal.js';
import { compare, type Comparison } from './compare.js';
import { fieldsOf, removeFields, withNamedFields } from './fields.js';
import { mergeFields } from './merge.js';
import { capOwners, ownerId, setFields, type Owner, type Owners } from './owners.js';
import { difference, eachPath, intersection, isEmptySet, NONE, union, type FieldSet } from './set.js';
import type { FieldsType } from './type.js';

/** A write whose fields are to be tracked. */
export interface OwnedWrite {
  readonly type: FieldsType;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339 in seconds. */
  readonly time: string;
  /** Removes the fields that this endpoint does not write: the status, or all but the status. */
  only(set: FieldSet): FieldSet;
}

export interface OwnershipConflict {
  readonly owner: Owner;
  readonly path: readonly string[];
}

/** Identity and bookkeeping, which no manager owns. Models stripmeta.go. */
const META = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];
export const UNOWNED: FieldSet = {
  'f:apiVersion': NONE,
  'f:kind': NONE,
  'f:metadata': { '.': NONE, ...Object.fromEntries(META.map((f) => [`f:${f}`, NONE])) },
};

/**
 * Gives the fields that a create or an update has changed to its manager, and takes removed fields from every owner.
 * Changes `owners`.
 * Models merge.Updater.Update with managedfieldsupdater.go around it.
 */
export function trackUpdate(live: unknown, next: unknown, owners: Owners, write: OwnedWrite): void {
  const change = changeOf(live, next, write);
  if (owners.size > 0) yieldFields(owners, change);
  const taken = difference(union(change.modified, change.added), UNOWNED);
  if (isEmptySet(taken)) return;
  const { manager, apiVersion, subresource, time } = write;
  const operation = 'Update';
  const id = ownerId({ manager, operation, apiVersion, subresource });
  const fields = union(taken, owners.get(id)?.fields ?? NONE);
  owners.set(id, { manager, operation, apiVersion, time, subresource, fields });
  capOwners(owners);
}

export interface ApplyResult {
  /** The live object with the configuration merged in; undefined when that changes nothing. */
  readonly object: unknown;
  /** When there are any, nothing has changed. */
  readonly conflicts: readonly OwnershipConflict[];
}

/**
 * Merges a manager's configuration into the live object. Changes `owners` unless there are conflicts. Models
 * merge.Updater.Apply.
 */
export function applyFields(
  live: unknown,
  config: unknown,
  owners: Owners,
  write: OwnedWrite,
  force: boolean,
): ApplyResult {
  const identity = {
    manager: write.manager,
    operation: 'Apply' as const,
    apiVersion: write.apiVersion,
    ...(write.subresource ? { subresource: write.subresource } : {}),
  };
  const id = ownerId(identity);
  const last = owners.get(id);
  const fields = write.only(fieldsOf(config, write.type));
  const others = new Map([...owners].filter(([key]) => key !== id));
  const owned = [...others.values()].reduce((set, o) => union(set, o.fields), fields);
  const merged = prune(mergeFields(live, config, write.type), owned, last?.fields, write.type);
  const change = changeOf(live, merged, write);
  const conflicts = force ? [] : conflictsWith(others, change);
  if (conflicts.length > 0) return { object: undefined, conflicts };
  yieldFields(others, change);
  owners.clear();
  for (const [key, owner] of others) owners.set(key, owner);
  const object = deepEqual(live, merged) ? undefined : merged;
  const time = object === undefined ? last?.time : write.time;
  setFields(owners, id, { ...identity, ...(time ? { time } : {}), fields: difference(fields, UNOWNED) });
  return { object, conflicts };
}

function changeOf(live: unknown, next: unknown, { type, only }: OwnedWrite): Comparison {
  const { added, modified, removed } = compare(live, next, type);
  return { added: only(added), modified: only(modified), removed: only(removed) };
}

/** Takes changed and removed fields from every owner. */
function yieldFields(owners: Owners, { added, modified, removed }: Comparison): void {
  const changed = union(union(modified, added), removed);
  if (isEmptySet(changed)) return;
  for (const [id, owner] of [...owners]) {
    const left = difference(owner.fields, changed);
    setFields(owners, id, { ...owner, fields: left });
  }
}

function conflictsWith(others: Owners, { added, modified }: Comparison): OwnershipConflict[] {
  const changed = union(modified, added);
  if (isEmptySet(changed)) return [];
  const conflicts: OwnershipConflict[] = [];
  for (const id of [...others.keys()].sort()) {
    const owner = others.get(id)!;
    eachPath(intersection(owner.fields, changed), (path) => conflicts.push({ owner, path }));
  }
  return conflicts;
}

/**
 * Removes the fields of the manager's last configuration that the new one lacks and no other manager owns. Models
 * Updater.prune.
 */
function prune(merged: unknown, owned: FieldSet, last: FieldSet | undefined, type: FieldsType): unknown {
  if (!last || isEmptySet(difference(last, owned))) return merged;
  const [lastNamed, ownedNamed, all] = [withNamedFields(last, type), withNamedFields(owned, type), setIn(merged, type)];
  const without = removeFields(merged, lastNamed, type);
  const kept = removeFields(merged, difference(all, union(setIn(without, type), ownedNamed)), type);
  return removeFields(merged, intersection(difference(all, setIn(kept, type)), lastNamed), type);
}

const setIn = (value: unknown, type: FieldsType): FieldSet =>
  value === undefined ? NONE : withNamedFields(fieldsOf(value, type), type);
