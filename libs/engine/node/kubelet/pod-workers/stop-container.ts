import type { Container } from '../../../api/core_v1.js';
import { normalEvent } from '../events/event.js';
import { killContainer } from '../kuberuntime/kill.js';
import { parseTime } from '../pod/pod-runtime.js';
import { terminatedStatus } from '../status/container-status.js';
import {
  applyDecision,
  processOfContainer,
  startTimeOf,
  trackContainer,
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
  sync.records.delete(container.name);
  applyDecision(sync, container, { status: terminatedStatus(status, { startedAt, finishedAt, exitCode: code }) });
  return false;
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
    now: context.now,
    instant: delays.instant,
    graceSeconds,
  });
  applyDecision(sync, container, { record, events: [normalEvent('Killing', message)] });
}
