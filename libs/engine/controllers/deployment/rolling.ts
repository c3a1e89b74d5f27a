import type { Deployment, ReplicaSet } from '../../api/apps_v1.js';
import { parseNumberAnnotation } from '../annotations.js';
import { getScaledValue } from '../int-or-percent.js';
import {
  active,
  bySizeNewer,
  bySizeOlder,
  DESIRED_REPLICAS,
  desiredReplicas,
  MAX_REPLICAS,
  replicasOf,
  sum,
} from './replicasets.js';

export const isRolling = (d: Deployment): boolean => d.spec.strategy?.type !== 'Recreate';

/** How far a rolling update may go above and below; never both zero. Models deployment/util ResolveFenceposts. */
function resolveFenceposts(d: Deployment): { surge: number; unavailable: number } {
  const limits = d.spec.strategy?.rollingUpdate;
  const surge = getScaledValue(limits?.maxSurge, desiredReplicas(d), 'up');
  const unavailable = getScaledValue(limits?.maxUnavailable, desiredReplicas(d), 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const maxSurge = (d: Deployment): number => (isRolling(d) ? resolveFenceposts(d).surge : 0);
export const maxUnavailable = (d: Deployment): number =>
  isRolling(d) && desiredReplicas(d) > 0 ? Math.min(resolveFenceposts(d).unavailable, desiredReplicas(d)) : 0;
const minAvailable = (d: Deployment): number => desiredReplicas(d) - maxUnavailable(d);

/** One step of a plan: what a ReplicaSet's size becomes. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly to: number;
}

/** How large the new ReplicaSet may be now, among all there are. Models deployment/util NewRSNewReplicas. */
export function newReplicaSetSize(d: Deployment, all: readonly ReplicaSet[], current: number): number {
  const desired = desiredReplicas(d);
  if (!isRolling(d)) return desired;
  const room = desired + maxSurge(d) - sum(all, replicasOf);
  return room <= 0 ? current : current + Math.min(room, desired - current);
}

/**
 * What old ReplicaSets give up now: unhealthy pods first, then what availability allows. Models rolling.go
 * reconcileOldReplicaSets.
 */
export function scaleDownOldReplicaSets(d: Deployment, old: readonly ReplicaSet[], fresh: ReplicaSet): Resize[] {
  if (old.length === 0) return [];
  const size = new Map(old.map((rs) => [rs, replicasOf(rs)]));
  const freshUnavailable = replicasOf(fresh) - (fresh.status.availableReplicas ?? 0);
  const mayShrink = sum(old, replicasOf) + replicasOf(fresh) - minAvailable(d) - freshUnavailable;
  if (mayShrink <= 0) return [];
  const resizes = [...scaleDown(old, size, mayShrink, (rs) => size.get(rs)! - (rs.status.availableReplicas ?? 0))];
  const spare = sum([...old, fresh], (rs) => rs.status.availableReplicas) - minAvailable(d);
  return [...resizes, ...scaleDown(old, size, spare, (rs) => size.get(rs)!)];
}

function* scaleDown(
  old: readonly ReplicaSet[],
  size: Map<ReplicaSet, number>,
  most: number,
  by: (rs: ReplicaSet) => number,
): Iterable<Resize> {
  let left = most;
  for (const set of old) {
    const down = Math.min(left, size.get(set)!, Math.max(0, by(set)));
    if (down <= 0) continue;
    const to = size.get(set)! - down;
    size.set(set, to);
    left -= down;
    yield { set, to };
  }
}

/**
 * Shares a change of spec.replicas among all ReplicaSets in proportion. Models sync.go scale and
 * GetReplicaSetProportion.
 */
export function scaleProportionally(d: Deployment, sets: readonly ReplicaSet[]): Resize[] {
  const desired = desiredReplicas(d);
  const all = active(sets);
  const toAdd = (desired > 0 ? desired + maxSurge(d) : 0) - sum(all, replicasOf);
  if (toAdd > 0) all.sort(bySizeNewer);
  if (toAdd < 0) all.sort(bySizeOlder);
  let added = 0;
  const sizes = all.map((rs) => {
    const share = replicaSetProportion(rs, d, toAdd, added);
    added += share;
    return replicasOf(rs) + share;
  });
  if (sizes.length > 0) sizes[0] = Math.max(0, sizes[0]! + toAdd - added);
  return all.map((set, i) => ({ set, to: sizes[i]! }));
}

function replicaSetProportion(rs: ReplicaSet, d: Deployment, toAdd: number, added: number): number {
  if (toAdd === added) return 0;
  const share = replicaSetFraction(rs, d);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

function replicaSetFraction(rs: ReplicaSet, d: Deployment): number {
  const size = replicasOf(rs);
  if (desiredReplicas(d) === 0) return -size;
  const before = parseNumberAnnotation(rs.metadata.annotations, MAX_REPLICAS) || d.status.replicas;
  if (!before) return 0;
  return Math.round((size * (desiredReplicas(d) + maxSurge(d))) / before) - size;
}

/** spec.replicas changed since the ReplicaSets were last sized. Models sync.go isScalingEvent. */
export const isScalingEvent = (d: Deployment, sets: readonly ReplicaSet[]): boolean =>
  active(sets).some((rs) => {
    const desired = parseNumberAnnotation(rs.metadata.annotations, DESIRED_REPLICAS);
    return desired !== undefined && desired !== desiredReplicas(d);
  });

/**
 * The one ReplicaSet that has pods, or the latest when none has; undefined in the middle of a rollout. Models
 * FindActiveOrLatest.
 */
export function findActiveOrLatest(
  fresh: ReplicaSet | undefined,
  oldestFirst: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const running = active(fresh ? [...oldestFirst, fresh] : oldestFirst);
  if (running.length === 0) return fresh ?? oldestFirst.at(-1);
  return running.length === 1 ? running[0] : undefined;
}

/** The new ReplicaSet is all there is to want. Models deployment/util IsSaturated. */
export const isSaturated = (d: Deployment, rs: ReplicaSet | undefined): boolean =>
  rs !== undefined &&
  parseNumberAnnotation(rs.metadata.annotations, DESIRED_REPLICAS) === desiredReplicas(d) &&
  replicasOf(rs) === desiredReplicas(d) &&
  (rs.status.availableReplicas ?? 0) === desiredReplicas(d);
