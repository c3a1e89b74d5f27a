import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import {
  entriesOf,
  isEmptySet,
  isReset,
  NONE,
  ownersOf,
  parseOwners,
  trackUpdate,
  type FieldSet,
  type OwnedWrite,
  type Owners,
} from '../../machinery/managedfields/index.js';
import { apiVersionOf, type KubeObject, own } from '../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { entriesWithFields, hasDeferred, ownedType } from '../../runtime/attribution.js';
import { inVersion } from '../response/print.js';

/** Who a request's changes belong to, and the version that it speaks. */
export interface Tracking {
  readonly manager: string;
  readonly kind: Kind;
  /** By default the object itself. */
  readonly subresource?: string;
}

const COMPONENTS: Readonly<Record<string, string>> = {
  'system:apiserver': 'kube-apiserver',
  'system:kube-scheduler': 'kube-scheduler',
};

/** The program that a component of the control plane or a node runs in. */
export function componentName(user: string): string {
  if (user.startsWith('system:node:')) return 'kubelet';
  return own(COMPONENTS, user) ?? 'kube-controller-manager';
}

const MAX_MANAGER = 128;

/** fieldManager, or what the user agent begins with. Models managerOrUserAgent. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  return (userAgent ?? '')
    .split('/', 1)[0]!
    .replace(/[^\x20-\x7e\u00a1-\uffff]/g, '')
    .slice(0, MAX_MANAGER);
}

export const ownedWrite = ({ manager, kind, subresource = '' }: Tracking, now: Millis): OwnedWrite => ({
  type: ownedType(kind),
  manager,
  apiVersion: apiVersionOf(kind.group, kind.version),
  time: timestamp(now),
  ...(subresource ? { subresource } : {}),
  only: writtenBy(kind, subresource),
});

/** Drops from a set what the resource resets. Models the strategies' GetResetFields. */
function writtenBy(kind: Kind, subresource: string): OwnedWrite['only'] {
  if (subresource === 'status') {
    const kept: FieldSet = { 'f:metadata': Object.fromEntries((kind.statusKeeps ?? []).map((f) => [`f:${f}`, NONE])) };
    return ({ 'f:metadata': metadata, 'f:status': status }) =>
      withoutKept({ ...(metadata ? { 'f:metadata': metadata } : {}), ...(status ? { 'f:status': status } : {}) }, kept);
  }
  if (subresource || !kind.subresources?.status) return (set) => set;
  return (set) => ('f:status' in set ? withoutStatus(set) : set);
}

/** Drops whole fields of metadata. */
function withoutKept(set: FieldSet, kept: FieldSet): FieldSet {
  const [metadata, without] = [set['f:metadata'], kept['f:metadata']!];
  if (!metadata || isEmptySet(without)) return set;
  const left = Object.fromEntries(Object.entries(metadata).filter(([field]) => !(field in without)));
  const { 'f:metadata': _metadata, ...rest } = set;
  return isEmptySet(left) ? rest : { 'f:metadata': left, ...rest };
}

function withoutStatus(set: FieldSet): FieldSet {
  const { 'f:status': _status, ...rest } = set;
  return rest;
}

/** Writes down who owns the fields of a new object. */
export function trackCreated(kind: Kind, draft: KubeObject, tracking: Tracking, now: Millis): void {
  const given = draft.metadata.managedFields;
  const owners = (given && !isReset(given) ? parseOwners(given) : undefined) ?? new Map();
  const view = viewOf(kind, tracking);
  trackUpdate(NOTHING, seen(view.kind, draft), owners, ownedWrite(view, now));
  setEntries(draft, entriesOf(owners));
}

/** Writes down who owns what an update changed. Models fieldmanager.go Update. */
export function trackUpdated(kind: Kind, draft: KubeObject, old: KubeObject, tracking: Tracking, now: Millis): void {
  const view = viewOf(kind, tracking);
  const stored = entriesWithFields(kind, old);
  const owners = ownersBefore(draft, old, stored, view.subresource);
  if (owners.size === 0) return setEntries(draft, undefined);
  trackUpdate(seen(view.kind, old), seen(view.kind, draft), owners, ownedWrite(view, now));
  const entries = entriesOf(owners);
  setEntries(draft, deepEqual(entries, stored) ? old.metadata.managedFields : entries);
}

/** The entries that the body brings, when they can be read, and else the stored ones. */
function ownersBefore(
  draft: KubeObject,
  old: KubeObject,
  stored: readonly ManagedFieldsEntry[] | undefined,
  subresource = '',
): Owners {
  const given = draft.metadata.managedFields;
  if (subresource || given === undefined || given === old.metadata.managedFields) return ownersOf(stored);
  if (isReset(given)) return new Map();
  const parsed = parseOwners(given);
  return parsed && parsed.size > 0 ? parsed : ownersOf(stored);
}

const NOTHING = Object.freeze({});

/** The object in the version that the request speaks. */
const seen = (kind: Kind, object: KubeObject): KubeObject => (kind.storedAs ? inVersion(kind, { ...object }) : object);

/** A plug-in's own writes to other kinds are seen in these kinds' storage versions. */
const viewOf = (kind: Kind, tracking: Tracking): Tracking =>
  (tracking.kind.storedAs?.kind ?? tracking.kind) === kind ? tracking : { manager: tracking.manager, kind };

export function setEntries(draft: KubeObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries) draft.metadata.managedFields = entries as ManagedFieldsEntry[];
  else if (draft.metadata.managedFields !== undefined) {
    const { managedFields: _none, ...metadata } = draft.metadata;
    draft.metadata = metadata as KubeObject['metadata'];
  }
}

/**
 * Does a draft differ from the stored object in nothing but the times of its entries? Models
 * IgnoreManagedFieldsTimestampsTransformer.
 */
export function sameButTimes(draft: KubeObject, old: KubeObject): boolean {
  const [is, was] = [draft.metadata.managedFields, old.metadata.managedFields];
  if (is === was || !is || !was || is.length !== was.length || hasDeferred(was)) return false;
  const timeless = (e: ManagedFieldsEntry): ManagedFieldsEntry => ({ ...e, time: undefined });
  if (!deepEqual(is.map(timeless), was.map(timeless))) return false;
  return deepEqual({ ...draft, metadata: { ...draft.metadata, managedFields: was } }, old);
}
