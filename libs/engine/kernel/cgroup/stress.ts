import type { Millis } from '../../machinery/time/time.js';
import type { Container } from '../container-state.js';

/** cpu.max's period. */
const PERIOD_MS = 100;
/** What a process that computes asks for, in thousandths of a CPU. */
const ONE = 1_000;

/** What a container's cgroup has used of CPUs, and how often it was held back. */
export interface CpuUse {
  /** ms. */
  readonly used: number;
  readonly periods: number;
  readonly throttledPeriods: number;
  readonly throttledMs: number;
}

/** What a stressor leaves a container's own processes of its limit: the rest, or their fair share. */
export function ownLimit({ cpuLimit, trouble }: Pick<Container, 'cpuLimit' | 'trouble'>): number | undefined {
  const stress = trouble?.stress ?? 0;
  if (cpuLimit === undefined || stress === 0) return cpuLimit;
  return Math.max(cpuLimit - stress, (cpuLimit * ONE) / (ONE + stress));
}

/** The account of a container at a time, with what a stressor has used until then. */
export function cpuUseOf({ cpu, cpuLimit, trouble, stressedAt }: Container, now: Millis): CpuUse {
  const stress = trouble?.stress ?? 0;
  const elapsed = stress === 0 || stressedAt === undefined ? 0 : Math.max(0, now - stressedAt);
  if (elapsed === 0) return cpu;
  const limit = cpuLimit ?? Infinity;
  const periods = limit === Infinity ? 0 : Math.floor(elapsed / PERIOD_MS);
  const isHeldBack = stress > limit;
  return {
    used: cpu.used + (Math.min(stress, limit) * elapsed) / ONE,
    periods: cpu.periods + periods,
    throttledPeriods: cpu.throttledPeriods + (isHeldBack ? periods : 0),
    throttledMs: cpu.throttledMs + (isHeldBack ? elapsed * (1 - limit / stress) : 0),
  };
}

/** Writes down what a stressor has used: another one, or another limit, is there from now on. */
export function settleStress(container: Container, now: Millis): void {
  Object.assign(container.cpu, plainUse(cpuUseOf(container, now)));
  container.stressedAt = now;
}

const plainUse = ({ used, periods, throttledPeriods, throttledMs }: CpuUse): CpuUse => ({
  used,
  periods,
  throttledPeriods,
  throttledMs,
});
