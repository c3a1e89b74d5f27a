import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import {
  entriesOf,
  isReset,
  ownersOf,
  parseOwners,
  trackUpdate,
  type OwnedWrite,
  type Owners,
} from '../../machinery/managedfields/index.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { completeEntries, hasDeferred, ownedType } from '../../runtime/managed-fields.js';
import { convertToVersion } from '../response/conversion.js';
import type { FieldManager } from './field-owner.js';
import { resetFieldsFilter } from './reset-fields.js';

const NOTHING = Object.freeze({});

/** A manager's write, as the machinery of managed fields takes it. */
export const ownedWrite = ({ manager, kind, subresource }: FieldManager, now: Millis): OwnedWrite => ({
  type: ownedType(kind),
  manager,
  apiVersion: apiVersionOf(kind.group, kind.version),
  time: timestamp(now),
  ...(subresource ? { subresource } : {}),
  only: resetFieldsFilter(kind, subresource),
});

/** Makes the manager the owner of the fields of a new object, beside the owners that its draft names. */
export function setManagedFieldsOnCreate(kind: Kind, draft: KubeObject, requested: FieldManager, now: Millis): void {
  const given = draft.metadata.managedFields;
  const owners = (given && !isReset(given) ? parseOwners(given) : undefined) ?? new Map();
  const manager = managerFor(kind, requested);
  trackUpdate(NOTHING, inManagerVersion(manager.kind, draft), owners, ownedWrite(manager, now));
  setManagedFields(draft, entriesOf(owners));
}

/** Makes the manager the owner of the fields that an update changes. Models fieldmanager.go Update. */
export function setManagedFieldsOnUpdate(
  kind: Kind,
  draft: KubeObject,
  old: KubeObject,
  requested: FieldManager,
  now: Millis,
): void {
  const manager = managerFor(kind, requested);
  const stored = completeEntries(kind, old);
  const owners = ownersBeforeUpdate(draft, old, stored, manager.subresource);
  if (owners.size === 0) return setManagedFields(draft, undefined);
  const [live, next] = [inManagerVersion(manager.kind, old), inManagerVersion(manager.kind, draft)];
  trackUpdate(live, next, owners, ownedWrite(manager, now));
  const entries = entriesOf(owners);
  setManagedFields(draft, deepEqual(entries, stored) ? old.metadata.managedFields : entries);
}

/** The owners that the draft names, when its entries can be parsed, and else the stored ones. */
function ownersBeforeUpdate(
  draft: KubeObject,
  old: KubeObject,
  stored: readonly ManagedFieldsEntry[] | undefined,
  subresource: string,
): Owners {
  const given = draft.metadata.managedFields;
  if (subresource || given === undefined || given === old.metadata.managedFields) return ownersOf(stored);
  if (isReset(given)) return new Map();
  const parsed = parseOwners(given);
  return parsed && parsed.size > 0 ? parsed : ownersOf(stored);
}

/** The object in the version that the manager writes. */
const inManagerVersion = (kind: Kind, object: KubeObject): KubeObject =>
  kind.storedAs ? convertToVersion(kind, { ...object }) : object;

/** The manager as it writes this kind: writes to other kinds that a request leads to are in their storage versions. */
const managerFor = (kind: Kind, requested: FieldManager): FieldManager =>
  (requested.kind.storedAs?.kind ?? requested.kind) === kind
    ? requested
    : { manager: requested.manager, kind, subresource: '' };

/** Sets metadata.managedFields; undefined removes them. */
export function setManagedFields(draft: KubeObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries) draft.metadata.managedFields = entries as ManagedFieldsEntry[];
  else if (draft.metadata.managedFields !== undefined) {
    const { managedFields: _removed, ...metadata } = draft.metadata;
    draft.metadata = metadata as KubeObject['metadata'];
  }
}

/**
 * Whether a draft differs from the stored object in the timestamps of its managedFields alone; such a write is dropped.
 * Models fieldmanager/equality.go IgnoreManagedFieldsTimestampsTransformer.
 */
export function differsOnlyInTimestamps(draft: KubeObject, old: KubeObject): boolean {
  const [entries, before] = [draft.metadata.managedFields, old.metadata.managedFields];
  if (entries === before || !entries || !before || entries.length !== before.length || hasDeferred(before))
    return false;
  const withoutTime = (e: ManagedFieldsEntry): ManagedFieldsEntry => ({ ...e, time: undefined });
  if (!deepEqual(entries.map(withoutTime), before.map(withoutTime))) return false;
  return deepEqual({ ...draft, metadata: { ...draft.metadata, managedFields: before } }, old);
}
