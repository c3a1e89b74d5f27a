import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../api/apps_v1.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { findCondition, setCondition, filterOutCondition } from '../conditions.js';
import { omitEmpty } from '../omit-empty.js';
import { desiredReplicas, sum } from './replicasets.js';
import { maxUnavailable } from './rolling.js';

/** Upstream's way to say 'no deadline'. */
const NO_DEADLINE = 2 ** 31 - 1;
export const PROGRESSING = 'Progressing';
const TIMED_OUT = 'ProgressDeadlineExceeded';
const COMPLETED = 'NewReplicaSetAvailable';

export function deploymentCondition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: Millis,
): DeploymentCondition {
  const at = timestamp(now);
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

export const hasDeadline = (d: Deployment): boolean =>
  d.spec.progressDeadlineSeconds !== undefined && d.spec.progressDeadlineSeconds !== NO_DEADLINE;
export const hasTimedOut = (d: Deployment): boolean =>
  findCondition(d.status.conditions, PROGRESSING)?.reason === TIMED_OUT;

/** Counts and availability. Models sync.go calculateStatus. */
export function calculateStatus(
  d: Deployment,
  all: readonly ReplicaSet[],
  fresh: ReplicaSet | undefined,
  now: Millis,
): DeploymentStatus {
  const available = sum(all, (rs) => rs.status.availableReplicas);
  const total = sum(all, (rs) => rs.status.replicas);
  const availability =
    available >= desiredReplicas(d) - maxUnavailable(d)
      ? deploymentCondition(
          'Available',
          'True',
          'MinimumReplicasAvailable',
          'Deployment has minimum availability.',
          now,
        )
      : deploymentCondition(
          'Available',
          'False',
          'MinimumReplicasUnavailable',
          'Deployment does not have minimum availability.',
          now,
        );
  return {
    ...omitEmpty({
      observedGeneration: d.metadata.generation,
      replicas: total,
      updatedReplicas: fresh?.status.replicas,
      readyReplicas: sum(all, (rs) => rs.status.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, total - available),
      conditions: setCondition(d.status.conditions, availability),
    }),
    terminatingReplicas: sum(all, (rs) => rs.status.terminatingReplicas),
    ...(d.status.collisionCount === undefined ? {} : { collisionCount: d.status.collisionCount }),
  };
}

/** Counts, and how the rollout goes. Models progress.go syncRolloutStatus. */
export function calculateRolloutStatus(
  d: Deployment,
  all: readonly ReplicaSet[],
  fresh: ReplicaSet | undefined,
  now: Millis,
): DeploymentStatus {
  const status = calculateStatus(d, all, fresh, now);
  const conditions = addReplicaFailure(progressConditions(d, status, fresh, now), all, fresh);
  const { conditions: _, ...counts } = status;
  return conditions.length ? { ...counts, conditions } : counts;
}

function progressConditions(
  d: Deployment,
  status: DeploymentStatus,
  fresh: ReplicaSet | undefined,
  now: Millis,
): DeploymentCondition[] {
  if (!hasDeadline(d)) return filterOutCondition(status.conditions, PROGRESSING);
  const current = findCondition(d.status.conditions, PROGRESSING);
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === COMPLETED)
    return status.conditions ?? [];
  const subject = fresh ? `ReplicaSet "${fresh.metadata.name}"` : `Deployment "${d.metadata.name}"`;
  if (isComplete(d, status)) {
    return setCondition(
      status.conditions,
      deploymentCondition(PROGRESSING, 'True', COMPLETED, `${subject} has successfully progressed.`, now),
    );
  }
  if (hasProgressed(d.status, status)) {
    const progressing = deploymentCondition(
      PROGRESSING,
      'True',
      'ReplicaSetUpdated',
      `${subject} is progressing.`,
      now,
    );
    if (current?.status === 'True') progressing.lastTransitionTime = current.lastTransitionTime;
    return [...filterOutCondition(status.conditions, PROGRESSING), progressing];
  }
  if (isTimedOut(d, current, now)) {
    return setCondition(
      status.conditions,
      deploymentCondition(PROGRESSING, 'False', TIMED_OUT, `${subject} has timed out progressing.`, now),
    );
  }
  return status.conditions ?? [];
}

/** A ReplicaSet's ReplicaFailure is the Deployment's; the new one's counts first. */
function addReplicaFailure(
  conditions: DeploymentCondition[],
  all: readonly ReplicaSet[],
  fresh: ReplicaSet | undefined,
): DeploymentCondition[] {
  for (const rs of fresh ? [fresh, ...all] : all) {
    const failure = findCondition(rs.status.conditions, 'ReplicaFailure');
    if (failure) return setCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime });
  }
  return filterOutCondition(conditions, 'ReplicaFailure');
}

/** All pods are new and available. Models deployment/util DeploymentComplete. */
export const isComplete = (d: Deployment, status: DeploymentStatus): boolean =>
  (status.updatedReplicas ?? 0) === desiredReplicas(d) &&
  (status.replicas ?? 0) === desiredReplicas(d) &&
  (status.availableReplicas ?? 0) === desiredReplicas(d) &&
  (status.observedGeneration ?? 0) >= (d.metadata.generation ?? 0);

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = (s: DeploymentStatus): number => (s.replicas ?? 0) - (s.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isTimedOut(d: Deployment, current: DeploymentCondition | undefined, now: Millis): boolean {
  if (!current || current.reason === COMPLETED) return false;
  return current.reason === TIMED_OUT || deadline(d, current) < now;
}

const deadline = (d: Deployment, progressing: DeploymentCondition): Millis =>
  parseTimestamp(progressing.lastUpdateTime ?? '') + (d.spec.progressDeadlineSeconds ?? 0) * SECOND;

/** How long until a rollout that stands still must be called stuck. Models progress.go requeueStuckDeployment. */
export function timeUntilStuck(d: Deployment, status: DeploymentStatus, now: Millis): Millis | undefined {
  const current = findCondition(status.conditions, PROGRESSING);
  if (
    !hasDeadline(d) ||
    !current ||
    isComplete(d, status) ||
    current.reason === TIMED_OUT ||
    current.reason === COMPLETED
  )
    return undefined;
  return Math.max(SECOND, deadline(d, current) + SECOND - now);
}
