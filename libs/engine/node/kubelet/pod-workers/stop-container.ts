import type { Container } from '../../../api/core_v1.js';
import type { Process } from '../../cri/image.js';
import { normalEvent, warningEvent } from '../events/event.js';
import { runPreStopHook } from './lifecycle-hooks.js';
import { killContainer } from '../kuberuntime/kill.js';
import { omit, parseTime, stoppedRun, type ContainerRecord } from '../pod/pod-runtime.js';
import { forgetPull, isTurnOf } from '../images/pull-queue.js';
import { terminatedStatus } from '../status/container-status.js';
import {
  allContainers,
  applyDecision,
  processOfContainer,
  pullQueueOfSync,
  startTimeOf,
  trackContainer,
  viewOfSync,
  wakeNoLaterThan,
  type PodSync,
} from './pod-sync.js';

/** Tells a running container to stop for good, unless it was told already. True while it still runs. */
export function stopContainer(sync: PodSync, container: Container, graceSeconds?: number): boolean {
  if (!sync.statuses.get(container.name)?.state?.running) return false;
  if (!trackContainer(sync, container).record.dying)
    killRunningContainer(sync, container, `Stopping container ${container.name}`, graceSeconds);
  const { status, record } = trackContainer(sync, container);
  const { at, code } = record.dying!;
  const finishedAt = parseTime(at);
  if (finishedAt > sync.context.now) {
    wakeNoLaterThan(sync, finishedAt);
    return true;
  }
  const startedAt = startTimeOf(sync, container);
  const process = processOfContainer(sync, container);
  const message = process && keepEnd(sync, container, process, code);
  // A machine that is made again later has to begin the run at the same moment.
  if (process?.isMachine && record.startedAt !== undefined)
    sync.records.set(container.name, {
      startedAt: record.startedAt,
      ...stoppedRun(record),
      ...(record.previousStartedAt === undefined ? {} : { previousStartedAt: record.previousStartedAt }),
      ...(record.previousStopped === undefined ? {} : { previousStopped: record.previousStopped }),
    });
  else sync.records.delete(container.name);
  const ended = { startedAt, finishedAt, exitCode: code, message };
  applyDecision(sync, container, { status: terminatedStatus(status, ended) });
  return false;
}

/** Keeps what an ended container leaves behind; returns its termination message. */
export function keepEnd(
  sync: PodSync,
  container: Container,
  process: Process,
  exitCode: number,
  endsAt = sync.context.now,
): string | undefined {
  const { context, machines } = sync;
  if (!machines || !process.isMachine) return undefined;
  const view = viewOfSync(sync);
  const { containerID = '' } = trackContainer(sync, container).status;
  machines.keepEnd(context.client, view, context.now, endsAt);
  return machines.terminationMessage(view, container, containerID, exitCode !== 0, context.now);
}

/** Sends SIGTERM to a container, and reports why. */
export function killRunningContainer(
  sync: PodSync,
  container: Container,
  message: string,
  graceSeconds?: number,
): void {
  const { context, pod, delays } = sync;
  const record = killContainer({
    pod,
    container,
    record: trackContainer(sync, container).record,
    process: processOfContainer(sync, container),
    startedAt: startTimeOf(sync, container),
    now: context.now,
    instant: delays.instant,
    graceSeconds,
  });
  applyDecision(sync, container, { record, events: [normalEvent('Killing', message)] });
  const grace = graceSeconds ?? pod.spec.terminationGracePeriodSeconds;
  if (grace !== 0) runPreStopHook(sync, container);
}

/** The runtime's client, when its caller has gone. */
const CANCELED = 'rpc error: code = Canceled desc = context canceled';

/**
 * Breaks off what a pod that has to stop still pulls. A pull that waits for its turn cannot be broken off before that
 * comes: True while one does, and the pod is not stopped any further. Models pod_workers.go UpdatePod (cancelFn),
 * image_manager.go EnsureImageExists.
 */
export function cancelPulls(sync: PodSync): boolean {
  let isHeldUp = false;
  for (const container of allContainers(sync.pod)) {
    const { record } = trackContainer(sync, container);
    if (record.step !== 'pulling') continue;
    if (isWaiting(sync, container, record)) isHeldUp = true;
    else
      applyDecision(sync, container, {
        record: omit(forgetPull(record), 'step'),
        events: [
          warningEvent('Failed', `Failed to pull image "${container.image}": ${CANCELED}`),
          warningEvent('Failed', 'Error: ErrImagePull'),
        ],
      });
  }
  return isHeldUp;
}

const isWaiting = (sync: PodSync, container: Container, { due, pull }: ContainerRecord): boolean =>
  due === undefined && pull !== undefined && !isTurnOf(pullQueueOfSync(sync), pull.place);
