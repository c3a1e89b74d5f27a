import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { NOT_PREPARED } from '../../dra/prepare.js';
import { warningEvent, type PodEvent } from '../events/event.js';

/** The first look comes this late, since what a pod mounts is often made just after the pod. */
const FIRST_MOUNT = Math.round(SECOND / 3);
/** Models durationBeforeRetry's bounds of pkg/util/goroutinemap/exponentialbackoff. */
const FIRST_BACKOFF = SECOND / 2;
const MAX_BACKOFF = 122 * SECOND;
/**
 * A claim that cannot be used, and a device that is not prepared, ends the sync of the pod, which is done again so soon
 * (backOffPeriod).
 */
const CLAIM_BACKOFF = 10 * SECOND;
const CLAIM = 'Unable to attach or mount volumes';

/** The next try to mount a pod's volumes. */
export interface MountRetry {
  readonly retryAt: Millis;
  /** Tries that have failed; 0 before the first. */
  readonly failures: number;
}

export interface MountRequest {
  /** Why the volumes cannot be mounted now (findMountFailures), or the devices not be prepared (findDeviceProblem). */
  readonly problems: readonly string[];
  /** The retry that an earlier sync decided. */
  readonly retry: MountRetry | undefined;
  readonly now: Millis;
  /** Delays are off: the first look is now. */
  readonly instant: boolean;
}

export interface MountDecision {
  /** Absent: all volumes are mounted. */
  readonly retry?: MountRetry;
  readonly events?: readonly PodEvent[];
}

/**
 * Decides whether a pod's containers may start, and when the next try to mount is due.
 * Models pkg/kubelet/volumemanager/volume_manager.go WaitForAttachAndMount.
 */
export function waitForAttachAndMount({ problems, retry, now, instant }: MountRequest): MountDecision {
  if (problems.length === 0) return {};
  if (retry && now < retry.retryAt) return { retry };
  if (!retry && !instant) return { retry: { retryAt: now + FIRST_MOUNT, failures: 0 } };
  const failures = retry ? retry.failures + 1 : 0;
  const isWhole = problems.some((problem) => problem.startsWith(CLAIM) || problem.startsWith(NOT_PREPARED));
  const longest = isWhole ? CLAIM_BACKOFF : MAX_BACKOFF;
  const backoff = Math.min(FIRST_BACKOFF * 2 ** Math.min(failures - 1, 10), longest);
  return {
    retry: { retryAt: now + backoff, failures },
    events: problems.map(eventOf),
  };
}

/** Volumes are attached by the controller manager. */
function eventOf(problem: string): PodEvent {
  if (problem.startsWith(NOT_PREPARED)) return warningEvent('FailedPrepareDynamicResources', problem);
  return problem.startsWith('AttachVolume.')
    ? { ...warningEvent('FailedAttachVolume', problem), component: 'attachdetach-controller' }
    : warningEvent('FailedMount', problem);
}
