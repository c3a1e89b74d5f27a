import type { Container, Pod } from '../../../api/core_v1.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { formatTime, parseTime, type ContainerRecord, type ContainerRecords } from '../pod/pod-runtime.js';

/** The grace period that every kill has at least. Models minimumGracePeriodInSeconds. */
const MIN_GRACE = 2 * SECOND;
/** The exit code of SIGKILL. */
const KILLED = 137;

export interface KillRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly record: ContainerRecord;
  /** Undefined when the image is not known any more: nothing answers SIGTERM. */
  readonly process: Process | undefined;
  /** When it started; by default at 0. */
  readonly startedAt?: Millis;
  readonly now: Millis;
  /** Delays are off: a container stops at once. */
  readonly instant: boolean;
  /** By default the pod's own grace period. */
  readonly graceSeconds?: number;
}

/**
 * The record of a container that is told to stop: after its preStop hook it gets SIGTERM and ends by itself, or is
 * killed when the grace period is over. Models kuberuntime_container.go killContainer.
 */
export function killContainer(request: KillRequest): ContainerRecord {
  const { pod, container, process, now, instant } = request;
  const grace = (request.graceSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30) * SECOND;
  const isMachine = process?.isMachine === true;
  const sinceStart = now - (request.startedAt ?? 0);
  const command = isMachine ? container.lifecycle?.preStop?.exec?.command : undefined;
  const hookMs = command ? (process?.exec?.(command, sinceStart, grace).tookMs ?? 0) : preStopDuration(container);
  const hook = Math.min(hookMs, grace);
  const rest = Math.max(grace, MIN_GRACE) - hook;
  const isDeaf = process?.isDeaf?.(sinceStart + hook) === true;
  const stop = isDeaf ? undefined : process?.stopAt ? process.stopAt(sinceStart + hook, rest) : process?.stop;
  const after = instant ? 0 : stop ? hook + stop.afterMs : Infinity;
  const killedAt = formatTime(now + Math.max(grace, MIN_GRACE));
  const since = {
    ...(isMachine ? { since: formatTime(now + hook), ...(isDeaf ? { isDeaf } : {}) } : {}),
    ...(command || hasOtherCommand(container) ? { hook: formatTime(now) } : {}),
  };
  const dying =
    after <= grace
      ? { at: formatTime(now + after), code: stop?.code ?? KILLED, ...since }
      : { at: killedAt, code: KILLED, ...since };
  return { ...request.record, dying };
}

/** How long the preStop hook runs: its own sleep action, or the sleep of its command. */
function preStopDuration({ lifecycle }: Container): Millis {
  const hook = lifecycle?.preStop;
  if (hook?.sleep) return hook.sleep.seconds * SECOND;
  const sleep = /\bsleep\s+(\d+(?:\.\d+)?)/.exec(hook?.exec?.command?.join(' ') ?? '');
  return sleep ? Number(sleep[1]) * SECOND : 0;
}

/** A preStop command that does more than to let time pass, beside a program that an image sums up. */
const hasOtherCommand = (container: Container): boolean =>
  container.lifecycle?.preStop?.exec !== undefined && preStopDuration(container) === 0;

/**
 * Lets containers that stop already end at the pod's deletion deadline: a later delete may have brought it forward. The
 * deadline has whole seconds: an end within its second is that of the first delete.
 */
export function shortenGracePeriods(records: ContainerRecords, deadline: Millis, now: Millis): ContainerRecords {
  const latest = Math.max(deadline, now);
  const shortened: Record<string, ContainerRecord> = {};
  for (const name in records) {
    const record = records[name]!;
    const late = record.dying && parseTime(record.dying.at) >= latest + SECOND;
    shortened[name] = late ? { ...record, dying: { ...record.dying!, at: formatTime(latest) } } : record;
  }
  return shortened;
}
