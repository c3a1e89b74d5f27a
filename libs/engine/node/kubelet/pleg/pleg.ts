import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { parseTime, type ContainerRecord } from '../pod/pod-runtime.js';

/** The kubelet asks the container runtime once a second. Models genericPlegRelistPeriod. */
export const RELIST_PERIOD = SECOND;

/** How a container's process ends. */
export interface Exit {
  readonly at: Millis;
  readonly code: number;
  /** The container runtime's: 'OOMKilled'. */
  readonly reason?: string;
  /** The process ends by itself; else the kubelet stops it. */
  readonly byItself: boolean;
}

/** The end that comes first: the process's own, or the one it was told. Undefined: it runs on. */
export function findExit(process: Process, record: ContainerRecord, startedAt: Millis): Exit | undefined {
  const own: Exit | undefined = process.exit && {
    at: startedAt + process.exit.afterMs,
    code: process.exit.code,
    reason: process.exit.reason,
    byItself: true,
  };
  const told: Exit | undefined = record.dying && {
    at: parseTime(record.dying.at),
    code: record.dying.code,
    byItself: false,
  };
  // A machine that has run so far knows the end that its process was told as its own.
  return own && (!told || own.at < told.at) ? own : told;
}

/**
 * When the kubelet learns of an end that it asked for itself: its worker is busy with the kill, and what it reports
 * then is what the next relist sees. `instant`: delays are off.
 */
export const noticedAt = (exit: Exit, instant: boolean): Millis =>
  exit.byItself || instant ? exit.at : Math.ceil(exit.at / RELIST_PERIOD) * RELIST_PERIOD;

/**
 * Whether the kubelet notices at `now` that a container has ended. A container that ends before the first relist was
 * never seen running. Models pkg/kubelet/pleg/generic.go.
 */
export const isExitNoticed = (exit: Exit, startedAt: Millis, now: Millis, instant = true): boolean =>
  noticedAt(exit, instant) < (startedAt === now ? startedAt + RELIST_PERIOD : now + 1);
