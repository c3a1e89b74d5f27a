import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind, Part } from '../../machinery/kind.js';
import { compare, difference, isEmptySet, union, UNOWNED } from '../../machinery/managedfields/index.js';
import { apiVersionOf, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import {
  findDeferredEntry,
  completeEntries,
  hasDeferred,
  ownedType,
  hasSameMetadata,
  isUnchanged,
} from '../../runtime/managed-fields.js';
import { setManagedFields, setManagedFieldsOnCreate, setManagedFieldsOnUpdate } from './managed-fields.js';

/** A deferred entry of managedFields has no fields; they follow from the object: see runtime/managed-fields.ts. */
const newDeferredEntry = (kind: Kind, manager: string, part: Part, time: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: apiVersionOf(kind.group, kind.version),
  time,
  ...(part ? { subresource: part } : {}),
});

/** The newest list of entries of each kind: all objects that a component creates in one second share it. */
const newestEntries = new WeakMap<Kind, ManagedFieldsEntry[]>();

function entriesOnCreate(kind: Kind, manager: string, time: string): ManagedFieldsEntry[] {
  let entries = newestEntries.get(kind);
  if (entries?.[0]?.time !== time || entries[0].manager !== manager)
    newestEntries.set(kind, (entries = [newDeferredEntry(kind, manager, '', time)]));
  return entries;
}

/** A copy that keeps the fields of the object and its metadata, which admission replaces and does not mutate. */
export const copyBeforeAdmission = <T extends KubeObject>(draft: T): T => ({
  ...draft,
  metadata: { ...draft.metadata },
});

/** Makes a component the owner of the fields that it has sent, by a deferred entry where the kind allows it. */
export function setComponentFieldsOnCreate(
  kind: Kind,
  draft: KubeObject,
  sent: KubeObject,
  manager: string,
  now: Millis,
): void {
  const follows = kind.attribution
    ? kind.attribution.holds(sent, draft)
    : !kind.prepareForCreate && isUnchanged(sent, draft);
  if (follows) {
    draft.metadata.managedFields = entriesOnCreate(kind, manager, timestamp(now));
    return;
  }
  setManagedFieldsOnCreate(kind, sent, { kind, manager, subresource: '' }, now);
  setManagedFields(draft, sent.metadata.managedFields);
}

/** Whether the entry of a component's update may be deferred, as far as the stored object tells. */
export function canDefer(kind: Kind, old: KubeObject, manager: string, subresource: string): boolean {
  const entries = old.metadata.managedFields;
  if (!entries || (subresource !== '' && subresource !== 'status')) return false;
  if (subresource === '') return !kind.prepareForUpdate && findDeferredEntry(entries, '', manager) !== undefined;
  if (!kind.attribution) return false;
  return (
    findDeferredEntry(entries, 'status', manager) !== undefined ||
    (!entries.some((e) => e.subresource === 'status') && kind.attribution.holdsForStatus(old, manager))
  );
}

/**
 * Makes a component the owner of the fields that its update changes, by a deferred entry unless the update has changed
 * more than such an entry stands for.
 */
export function setComponentFieldsOnUpdate(
  kind: Kind,
  draft: KubeObject,
  old: KubeObject,
  manager: string,
  part: Part,
  now: Millis,
): void {
  const allowed =
    part === 'status'
      ? hasSameMetadata(draft, old)
      : !kind.attribution || deepEqual((draft as Unstructured)['spec'], (old as Unstructured)['spec']);
  if (!allowed) return setManagedFieldsOnUpdate(kind, draft, old, { kind, manager, subresource: part }, now);
  if (part === 'status' ? !setsStatus(draft, old) : !setsFields(kind, draft, old)) return;
  draft.metadata.managedFields = entriesOnUpdate(kind, old.metadata.managedFields ?? [], manager, part, timestamp(now));
}

/** The list that last followed on a list of entries, so that pods that share the one go on to share the other. */
const successors = new WeakMap<
  readonly ManagedFieldsEntry[],
  { readonly entry: ManagedFieldsEntry; readonly entries: ManagedFieldsEntry[] }
>();

function entriesOnUpdate(
  kind: Kind,
  entries: ManagedFieldsEntry[],
  manager: string,
  part: Part,
  time: string,
): ManagedFieldsEntry[] {
  const before = findDeferredEntry(entries, part, manager);
  if (before?.time === time) return entries;
  const known = successors.get(entries);
  if (known?.entry.time === time && known.entry.manager === manager && (known.entry.subresource ?? '') === part)
    return known.entries;
  const entry = newDeferredEntry(kind, manager, part, time);
  const next = [...entries.filter((e) => e !== before), entry].sort(compareEntries);
  successors.set(entries, { entry, entries: next });
  return next;
}

const compareText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** Models managedfields/internal/managedfields.go sortEncodedManagedFields. */
const compareEntries = (a: ManagedFieldsEntry, b: ManagedFieldsEntry): number =>
  compareText(a.operation, b.operation) ||
  compareText(a.time, b.time) ||
  compareText(a.manager, b.manager) ||
  compareText(a.apiVersion, b.apiVersion) ||
  compareText(a.subresource, b.subresource);

/** Whether an update adds or modifies a field: one that only removes fields owns nothing. */
function setsFields(kind: Kind, draft: KubeObject, old: KubeObject): boolean {
  const { added, modified } = compare(old, draft, ownedType(kind));
  return !isEmptySet(difference(union(added, modified), UNOWNED));
}

/** The same of a status, as far as its fields themselves tell. */
function setsStatus(draft: KubeObject, old: KubeObject): boolean {
  const [next, before] = [statusOf(draft), statusOf(old)];
  for (const field in next) if (next[field] !== before[field] && !deepEqual(next[field], before[field])) return true;
  return false;
}

const statusOf = (object: KubeObject): Unstructured => ((object as Unstructured)['status'] ?? {}) as Unstructured;

/**
 * For an update without an owner: gives the deferred entries of the stored object their fields, so that they do not
 * come to stand for the changes of this update.
 */
export function completeDeferredEntries(kind: Kind, draft: KubeObject, old: KubeObject): void {
  const [given, stored] = [draft.metadata.managedFields, old.metadata.managedFields];
  if (!hasDeferred(stored)) return;
  const entries = completeEntries(kind, old);
  if (given === stored) setManagedFields(draft, entries);
  else if (deepEqual(given, entries)) setManagedFields(draft, stored);
}
