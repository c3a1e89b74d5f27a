import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../../engine/machinery/time/time.js';

/** CPU time that a request needs, and when it is done, as data. */
export type Work = { cpu: number; until: number };

/** One CPU, in thousandths. */
const ONE_CPU = 1_000;

/**
 * Queues work behind what the process has to do already: a process with less than one CPU takes the longer.
 * `busyUntil`: when all that has come before is done.
 */
export function beginWork(sys: Syscalls, process: { busyUntil: number }, cpu: Millis): Work {
  const share = Math.min(ONE_CPU, sys.cgroup().cpuLimit ?? ONE_CPU) / ONE_CPU;
  process.busyUntil = Math.max(sys.now, process.busyUntil) + Math.ceil(cpu / share);
  return { cpu, until: process.busyUntil };
}

/** Books the CPU time that the work has used. */
export const finishWork = (sys: Syscalls, { cpu }: Work): void => sys.useCpu(cpu);
