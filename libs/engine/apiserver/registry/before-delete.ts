import type { DeleteOptions } from '../../api/meta_v1.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { conflict } from '../../machinery/meta/status.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export type DeletionPlan =
  | { readonly action: 'remove' }
  /** Already on its way; this request changes nothing. */
  | { readonly action: 'pending' }
  | { readonly action: 'mark'; readonly graceSeconds: number; readonly finalizers: readonly string[] };

/**
 * What a delete request does to this object. Models apiserver/pkg/registry/rest/delete.go BeforeDelete and store.go's
 * finalizer rules.
 */
export function planDeletion(kind: Kind, object: KubeObject, options: DeleteOptions): DeletionPlan {
  checkPreconditions(kind, object, options);
  const finalizers = finalizersAfter(object, options);
  const graceSeconds = grace(kind, object, options);
  if (graceSeconds === undefined)
    return sameList(finalizers, object.metadata.finalizers ?? [])
      ? { action: 'pending' }
      : markAgain(object, finalizers);
  if (graceSeconds === 0 && finalizers.length === 0 && !kind.blocksDeletion?.(object)) return { action: 'remove' };
  return { action: 'mark', graceSeconds, finalizers };
}

const markAgain = (object: KubeObject, finalizers: readonly string[]): DeletionPlan => ({
  action: 'mark',
  graceSeconds: object.metadata.deletionGracePeriodSeconds ?? 0,
  finalizers,
});

/** Seconds of grace; undefined when an earlier, not longer deletion is already under way. */
function grace(kind: Kind, object: KubeObject, options: DeleteOptions): number | undefined {
  if (!kind.gracePeriod) return 0;
  const asked =
    options.gracePeriodSeconds === undefined || options.gracePeriodSeconds >= 0 ? options.gracePeriodSeconds : 1;
  const current = object.metadata.deletionGracePeriodSeconds;
  if (object.metadata.deletionTimestamp !== undefined) {
    if (!current) return 0;
    if (asked === undefined || asked >= current) return undefined;
    return asked;
  }
  const own = kind.gracePeriod(object);
  if (own === 0) return 0;
  return asked ?? own;
}

function finalizersAfter(object: KubeObject, options: DeleteOptions): readonly string[] {
  const existing = object.metadata.finalizers ?? [];
  const policy =
    options.propagationPolicy ??
    (options.orphanDependents === undefined ? undefined : options.orphanDependents ? 'Orphan' : 'Background');
  if (policy === undefined) return existing;
  const rest = existing.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (policy === 'Orphan') return [...rest, ORPHAN];
  if (policy === 'Foreground') return [...rest, FOREGROUND];
  return rest;
}

function checkPreconditions({ group, kind: name }: Kind, object: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { uid: ownUid, resourceVersion: ownVersion, name: own = '' } = object.metadata;
  // Here upstream calls the resource by its kind.
  const resource = { group, plural: name };
  if (uid && uid !== ownUid)
    throw conflict(
      resource,
      own,
      `the UID in the precondition (${uid}) does not match the UID in record (${ownUid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion && resourceVersion !== ownVersion) {
    throw conflict(
      resource,
      own,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${ownVersion}). The object might have been modified`,
    );
  }
}

/** The object with its deletion written down. A repeated delete may only bring the end nearer. */
export function markForDeletion<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  plan: Extract<DeletionPlan, { action: 'mark' }>,
  now: Millis,
): T {
  const old = object.metadata;
  const metadata = { ...old };
  if (plan.finalizers.length > 0) metadata.finalizers = [...plan.finalizers];
  else delete metadata.finalizers;
  const asked =
    old.deletionTimestamp === undefined
      ? now
      : parseTimestamp(old.deletionTimestamp) - (old.deletionGracePeriodSeconds ?? 0) * SECOND;
  metadata.deletionTimestamp = timestamp(asked + plan.graceSeconds * SECOND);
  metadata.deletionGracePeriodSeconds = plan.graceSeconds;
  if (old.deletionTimestamp === undefined && old.generation) metadata.generation = old.generation + 1;
  const draft = { ...object, metadata };
  kind.prepareForDelete?.(draft);
  return draft;
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
