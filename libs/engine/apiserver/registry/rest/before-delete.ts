import type { DeleteOptions } from '../../../api/meta_v1.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject, ObjectMeta } from '../../../machinery/meta/object.js';
import { conflict } from '../../../machinery/meta/status.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export type DeletionPlan =
  | { readonly action: 'remove' }
  /** The deletion is under way, and this request changes nothing about it: upstream's gracefulPending. */
  | { readonly action: 'pending' }
  | { readonly action: 'mark'; readonly graceSeconds: number; readonly finalizers: readonly string[] };

/**
 * Decides what a deletion does to an object. Throws 409 for preconditions that do not hold. Models
 * apiserver/pkg/registry/rest/delete.go BeforeDelete and store.go's deletionFinalizersForGarbageCollection.
 */
export function planDeletion(kind: Kind, object: KubeObject, options: DeleteOptions): DeletionPlan {
  checkPreconditions(kind, object, options);
  const finalizers = finalizersForGarbageCollection(object, options);
  const graceSeconds = gracePeriod(kind, object, options);
  if (graceSeconds === undefined) {
    if (hasFinalizers(object, finalizers)) return { action: 'pending' };
    return { action: 'mark', graceSeconds: object.metadata.deletionGracePeriodSeconds ?? 0, finalizers };
  }
  if (graceSeconds === 0 && finalizers.length === 0 && !kind.blocksDeletion?.(object)) return { action: 'remove' };
  return { action: 'mark', graceSeconds, finalizers };
}

const hasFinalizers = ({ metadata: { finalizers = [] } }: KubeObject, others: readonly string[]): boolean =>
  finalizers.length === others.length && finalizers.every((name, i) => name === others[i]);

/** Seconds of grace; undefined when a deletion is under way whose grace is not longer. */
function gracePeriod(kind: Kind, object: KubeObject, { gracePeriodSeconds }: DeleteOptions): number | undefined {
  if (!kind.gracePeriod) return 0;
  const requested = gracePeriodSeconds === undefined || gracePeriodSeconds >= 0 ? gracePeriodSeconds : 1;
  const current = object.metadata.deletionGracePeriodSeconds;
  if (object.metadata.deletionTimestamp !== undefined) {
    if (!current) return 0;
    return requested === undefined || requested >= current ? undefined : requested;
  }
  return kind.gracePeriod(object, requested);
}

/** The object's finalizers, with the one that the propagation policy calls the garbage collector by. */
function finalizersForGarbageCollection(object: KubeObject, options: DeleteOptions): readonly string[] {
  const existing = object.metadata.finalizers ?? [];
  const policy = options.propagationPolicy ?? policyOf(options.orphanDependents);
  if (policy === undefined) return existing;
  const others = existing.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (policy === 'Orphan') return [...others, ORPHAN];
  if (policy === 'Foreground') return [...others, FOREGROUND];
  return others;
}

function policyOf(orphanDependents: boolean | undefined): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function checkPreconditions({ group, kind }: Kind, object: KubeObject, { preconditions = {} }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const { metadata } = object;
  // Here upstream names the resource by its kind.
  const refuse = (message: string): Error => conflict({ group, plural: kind }, metadata.name ?? '', message);
  if (uid && uid !== metadata.uid)
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
}

/** A copy of the object that is marked for deletion. A repeated deletion may only shorten the grace. */
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
  Object.assign(metadata, deletionFields(object, plan.graceSeconds, now));
  if (old.deletionTimestamp === undefined && old.generation) metadata.generation = old.generation + 1;
  const draft = { ...object, metadata };
  kind.prepareForDelete?.(draft);
  return draft;
}

/** A grace that is shortened to a time that has passed ends now, with one second left for the kubelet. */
function deletionFields(
  object: KubeObject,
  graceSeconds: number,
  now: Millis,
): Pick<ObjectMeta, 'deletionTimestamp' | 'deletionGracePeriodSeconds'> {
  const due = deletionRequestedAt(object, now) + graceSeconds * SECOND;
  const isShortened = graceSeconds !== (object.metadata.deletionGracePeriodSeconds ?? graceSeconds);
  if (!isShortened || due >= now)
    return { deletionTimestamp: timestamp(due), deletionGracePeriodSeconds: graceSeconds };
  return { deletionTimestamp: timestamp(now), deletionGracePeriodSeconds: Math.min(graceSeconds, 1) };
}

/** When the first deletion was requested: the grace counts from then. */
const deletionRequestedAt = ({ metadata }: KubeObject, now: Millis): Millis =>
  metadata.deletionTimestamp === undefined
    ? now
    : parseTimestamp(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * SECOND;
