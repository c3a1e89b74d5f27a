import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Decision, TrackedContainer } from '../container/decision.js';
import type { Delays } from '../delays.js';
import { formatDuration } from '../duration.js';
import { warningEvent } from '../events/event.js';
import { formatTime, omit, parseTime, type ContainerRecord } from '../pod/pod-runtime.js';
import { tellOfBackOff, withoutTelling } from '../retry.js';
import { START_ERROR } from './create.js';
import { waitingStatus } from '../status/container-status.js';

/** Models pkg/kubelet/container/sync_result.go ErrRunContainer. */
export const RUN_CONTAINER_ERROR = 'RunContainerError';
/** Models pkg/kubelet/kuberuntime/kuberuntime_container.go ErrPostStartHook. */
export const POST_START_HOOK_ERROR = 'PostStartHookError';
export const CRASH_LOOP_BACKOFF = 'CrashLoopBackOff';
const FIRST_BACKOFF_SECONDS = 10;
const MAX_BACKOFF_SECONDS = 300;
/** A container that ran this long starts its back-off anew. */
const BACKOFF_RESET = 10 * MINUTE;

export interface BackOffRequest extends TrackedContainer {
  readonly pod: Pod;
  readonly container: Container;
  readonly delays: Delays;
  readonly now: Millis;
}

export interface BackOffDecision extends Decision {
  /** The back-off is over: the container starts again now. */
  readonly restart: boolean;
}

/** Decides how long an ended container rests before its next run. Models kuberuntime_manager.go doBackOff. */
export function doBackOff(request: BackOffRequest): BackOffDecision {
  const { pod, container, status, now } = request;
  const record = request.record.notBefore === undefined ? beginBackOff(request) : request.record;
  const noticedAt = parseTime(record.due);
  if (now < noticedAt) return { restart: false, record, ...showStartFailure(status, record), wakeAt: noticedAt };
  const until = parseTime(record.notBefore);
  if (record.backoff === 0 || now >= until)
    return { restart: true, record: { ...omit(record, 'due', 'notBefore'), restarting: true } };
  const rest = formatDuration((record.backoff ?? 0) * SECOND);
  const message = `back-off ${rest} restarting failed container=${container.name} pod=${placeOf(pod)}`;
  const waiting = waitingStatus(status, { message, reason: CRASH_LOOP_BACKOFF });
  return {
    ...restOn({ ...request, record: omit(record, 'due') }),
    restart: false,
    status: { ...waiting, ready: false, started: false },
  };
}

const placeOf = ({ metadata: { name, namespace, uid } }: Pod): string => `${name}_${namespace}(${uid})`;

/** What a sync says of a container whose back-off is not over. */
export function restOn({ pod, container, record, delays, now }: BackOffRequest): Decision & { wakeAt: Millis } {
  const { isTold, wakeAt, record: told } = tellOfBackOff(record, delays, now);
  const words = `Back-off restarting failed container ${container.name} in pod ${placeOf(pod)}`;
  return {
    record: told,
    ...(isTold ? { events: [warningEvent('BackOff', words)] } : {}),
    wakeAt: Math.min(parseTime(record.notBefore), wakeAt),
  };
}

/** A container that could not be started waits with the reason, until the kubelet sees that it has ended. */
function showStartFailure(status: ContainerStatus, { hookError }: ContainerRecord): Pick<BackOffDecision, 'status'> {
  const { reason, message } = status.state?.terminated ?? {};
  if (hookError !== undefined && status.state?.terminated)
    return { status: waitingStatus(status, { message: hookError, reason: POST_START_HOOK_ERROR }) };
  return reason === START_ERROR ? { status: waitingStatus(status, { message, reason: RUN_CONTAINER_ERROR }) } : {};
}

/** The first crash rests not at all, the second 10 s, each further one twice as long, up to 5 min. */
function beginBackOff({ status, record, delays, now }: BackOffRequest): ContainerRecord {
  const { startedAt, finishedAt, reason } = status.state!.terminated!;
  const finished = parseTime(finishedAt);
  // A container that could not be started has run for no time.
  const ranMs = reason === START_ERROR ? 0 : finished - parseTime(startedAt);
  const isAnew = ranMs > BACKOFF_RESET;
  const backoff = nextBackOff(isAnew ? undefined : record.backoff);
  const notBefore = formatTime(Math.max(now, finished) + backoff * SECOND);
  // A container that the kubelet stopped itself starts again in the same sync, unless its start has failed with that.
  const isStopped = record.dying !== undefined && record.hookError === undefined;
  const due = formatTime(now + (isStopped ? 0 : delays.sync()));
  const told = isAnew ? omit(record, 'told', 'tellAt') : withoutTelling(record);
  return omit({ ...told, backoff, notBefore, due }, 'dying');
}

const nextBackOff = (last: number | undefined): number =>
  last === undefined ? 0 : last === 0 ? FIRST_BACKOFF_SECONDS : Math.min(last * 2, MAX_BACKOFF_SECONDS);
