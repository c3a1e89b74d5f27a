import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind, Part } from '../../machinery/kind.js';
import { compare, difference, isEmptySet, union, UNOWNED } from '../../machinery/managedfields/index.js';
import { apiVersionOf, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import {
  deferredEntry,
  entriesWithFields,
  hasDeferred,
  ownedType,
  sameMetadata,
  untouched,
} from '../../runtime/attribution.js';
import { setEntries, trackCreated, trackUpdated } from './ownership.js';

/** An entry without its fields: see runtime/attribution.ts. */
const entryOf = (kind: Kind, manager: string, part: Part, time: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: apiVersionOf(kind.group, kind.version),
  time,
  ...(part ? { subresource: part } : {}),
});

/** What components make in one second has one list of entries. */
const made = new WeakMap<Kind, ManagedFieldsEntry[]>();

function entriesOfNew(kind: Kind, manager: string, time: string): ManagedFieldsEntry[] {
  let entries = made.get(kind);
  if (entries?.[0]?.time !== time || entries[0].manager !== manager)
    made.set(kind, (entries = [entryOf(kind, manager, '', time)]));
  return entries;
}

/** What is as it was sent: nobody touches what stands below the fields of metadata and of the object. */
export const asSent = <T extends KubeObject>(draft: T): T => ({ ...draft, metadata: { ...draft.metadata } });

/** Writes down whose a new object is that a component has made. */
export function attributeCreated(kind: Kind, draft: KubeObject, sent: KubeObject, manager: string, now: Millis): void {
  const follows = kind.attribution
    ? kind.attribution.holds(sent, draft)
    : !kind.prepareForCreate && untouched(sent, draft);
  if (follows) {
    draft.metadata.managedFields = entriesOfNew(kind, manager, timestamp(now));
    return;
  }
  trackCreated(kind, sent, { kind, manager }, now);
  setEntries(draft, sent.metadata.managedFields);
}

/** May a component's update leave the entry of what it writes without fields? */
export function staysDeferred(kind: Kind, old: KubeObject, manager: string, subresource: string): boolean {
  const entries = old.metadata.managedFields;
  if (!entries || (subresource !== '' && subresource !== 'status')) return false;
  if (subresource === '') return !kind.prepareForUpdate && deferredEntry(entries, '', manager) !== undefined;
  if (!kind.attribution) return false;
  return (
    deferredEntry(entries, 'status', manager) !== undefined ||
    (!entries.some((e) => e.subresource === 'status') && kind.attribution.holdsForStatus(old, manager))
  );
}

/** Writes down an update that stays without fields, unless it has changed more than that allows. */
export function attributeUpdated(
  kind: Kind,
  draft: KubeObject,
  old: KubeObject,
  manager: string,
  part: Part,
  now: Millis,
): void {
  const allowed =
    part === 'status'
      ? sameMetadata(draft, old)
      : !kind.attribution || deepEqual((draft as Unstructured)['spec'], (old as Unstructured)['spec']);
  if (!allowed) return trackUpdated(kind, draft, old, { kind, manager, subresource: part }, now);
  if (part === '' && !takes(kind, draft, old)) return;
  draft.metadata.managedFields = entriesAfter(kind, old.metadata.managedFields ?? [], manager, part, timestamp(now));
}

/** What came of a list of entries last time, so that pods that share one go on to share the next. */
const successors = new WeakMap<
  readonly ManagedFieldsEntry[],
  { readonly entry: ManagedFieldsEntry; readonly entries: ManagedFieldsEntry[] }
>();

function entriesAfter(
  kind: Kind,
  entries: ManagedFieldsEntry[],
  manager: string,
  part: Part,
  time: string,
): ManagedFieldsEntry[] {
  const before = deferredEntry(entries, part, manager);
  if (before?.time === time) return entries;
  const known = successors.get(entries);
  if (known?.entry.time === time && known.entry.manager === manager && (known.entry.subresource ?? '') === part)
    return known.entries;
  const entry = entryOf(kind, manager, part, time);
  const next = [...entries.filter((e) => e !== before), entry].sort(inOrder);
  successors.set(entries, { entry, entries: next });
  return next;
}

const order = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: ManagedFieldsEntry, b: ManagedFieldsEntry): number =>
  order(a.operation, b.operation) ||
  order(a.time, b.time) ||
  order(a.manager, b.manager) ||
  order(a.apiVersion, b.apiVersion) ||
  order(a.subresource, b.subresource);

/** Does an update set anything, or does it only remove? */
function takes(kind: Kind, draft: KubeObject, old: KubeObject): boolean {
  const { added, modified } = compare(old, draft, ownedType(kind));
  return !isEmptySet(difference(union(added, modified), UNOWNED));
}

/**
 * For a write that is nobody's: what it changes must not become the property of an entry that follows from the object.
 */
export function settle(kind: Kind, draft: KubeObject, old: KubeObject): void {
  const [is, was] = [draft.metadata.managedFields, old.metadata.managedFields];
  if (!hasDeferred(was)) return;
  const entries = entriesWithFields(kind, old);
  if (is === was) setEntries(draft, entries);
  else if (deepEqual(is, entries)) setEntries(draft, was);
}
