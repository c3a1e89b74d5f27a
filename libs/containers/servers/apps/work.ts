import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../../engine/machinery/time/time.js';

/** CPU time that a request needs, and when it is done, as data. */
export type Work = { cpu: number; until: number };

/** One CPU, in thousandths. */
const ONE_CPU = 1_000;

/** cpu.max's period: what a process has of it may be used at once. */
const PERIOD_MS = 100;

/**
 * Queues work behind what the process has to do already. One with less than one CPU runs at full speed as long as its
 * quota of a period lasts, and is held back then. `busyUntil`: when all that has come before is paid for.
 */
export function beginWork(sys: Syscalls, process: { busyUntil: number }, cpu: Millis): Work {
  const share = Math.min(ONE_CPU, sys.cgroup().cpuLimit ?? ONE_CPU) / ONE_CPU;
  process.busyUntil = Math.max(sys.now, process.busyUntil) + Math.ceil(cpu / share);
  const atOnce = Math.floor(PERIOD_MS * (1 - share));
  return { cpu, until: Math.max(sys.now + Math.ceil(cpu), process.busyUntil - atOnce) };
}

/** Books the CPU time that the work has used. */
export const finishWork = (sys: Syscalls, { cpu }: Work): void => sys.useCpu(cpu);
