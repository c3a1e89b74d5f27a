import { HOUR, SECOND, type Millis } from '../../machinery/time/time.js';
import type { Container, CpuAccount } from '../container-state.js';
import { noteUse } from './cpu-window.js';
import { ownLimit } from './stress.js';

/** Charged steps of one ms of virtual time. */
export const STEPS_PER_MS = 1_000;
/** cpu.max's period. */
const PERIOD_MS = 100;
/**
 * What a container may really run: so many steps at once, and so many more in each virtual second. A loop that never
 * rests gets half of that after each hour: it costs 12 million steps in the first virtual hour and 25 million in a day,
 * while it seems to use its CPU all the time.
 */
export const BURST_STEPS = 5_000_000;
const REFILL_PER_SECOND = 2_000;
const LEAST_PER_SECOND = 50;
/** Steps that are waited for when there are none left. */
const QUANTUM = 1_000;

export const newCpuAccount = (at: Millis): CpuAccount => ({
  tokens: BURST_STEPS,
  refilledAt: at,
  used: 0,
  period: 0,
  usedInPeriod: 0,
  periods: 0,
  throttledPeriods: 0,
  throttledMs: 0,
  throttledUntil: at,
});

/** Counts steps of a container, and says until when it may run no more: by its cgroup's quota, or by its bucket. */
export const chargeCpu = (container: Container, steps: number, now: Millis): void =>
  chargeAccount(container.cpu, ownLimit(container), steps, now);

/** `limit`: of the container, in thousandths of a CPU. */
export function chargeAccount(cpu: CpuAccount, limit: number | undefined, steps: number, now: Millis): void {
  refill(cpu, now);
  const ms = steps / STEPS_PER_MS;
  cpu.tokens -= steps;
  cpu.used += ms;
  if (limit !== undefined) throttle(cpu, limit, ms, now);
  if (cpu.tokens <= 0) pauseForTokens(cpu, limit, now);
}

/**
 * Counts time that a program only stands for: it costs nobody any steps, and the program spreads it by its quota.
 * `steady`: it has used that all the while since it booked last, and goes on, in thousandths of a CPU.
 */
export function useCpu({ cpu }: Container, ms: Millis, now: Millis, steady?: number): void {
  cpu.used += ms;
  if (steady === undefined) noteUse(cpu, ms, now);
  else if (steady > 0) cpu.steady = steady;
  else delete cpu.steady;
}

function refill(cpu: CpuAccount, now: Millis): void {
  const elapsed = now - cpu.refilledAt;
  if (elapsed <= 0) return;
  cpu.tokens = Math.min(BURST_STEPS, cpu.tokens + earnedIn(elapsed));
  cpu.refilledAt = now;
  if (isRested(cpu.tokens)) cpu.exhaustedSince = undefined;
}

/** Steps that a container gets in a time. */
export const earnedIn = (elapsed: Millis): number => (elapsed * REFILL_PER_SECOND) / SECOND;

/** It is not known any more that a container with so many steps left has ever had none. */
export const isRested = (tokens: number): boolean => tokens > BURST_STEPS / 2;

function throttle(cpu: CpuAccount, limit: number, ms: number, now: Millis): void {
  const period = Math.floor(now / PERIOD_MS);
  const quota = (limit / 1_000) * PERIOD_MS;
  if (period > cpu.period) {
    // What a long step has used above the quota is paid back in the periods after it.
    cpu.usedInPeriod = Math.max(0, cpu.usedInPeriod - quota * (period - cpu.period));
    cpu.period = period;
    cpu.periods++;
  }
  cpu.usedInPeriod += ms;
  if (cpu.usedInPeriod < quota) return;
  const until = (period + Math.max(1, Math.floor(cpu.usedInPeriod / quota))) * PERIOD_MS;
  cpu.throttledPeriods++;
  cpu.throttledMs += until - now;
  cpu.throttledUntil = Math.max(cpu.throttledUntil, until);
}

/** The loop goes on slowly; as far as the container can see it uses its CPU all the while. */
function pauseForTokens(cpu: CpuAccount, limit: number | undefined, now: Millis): void {
  cpu.exhaustedSince ??= now;
  const hours = Math.floor((now - cpu.exhaustedSince) / HOUR);
  const perSecond = Math.max(LEAST_PER_SECOND, REFILL_PER_SECOND / 2 ** hours);
  const wait = Math.ceil(((QUANTUM - cpu.tokens) * SECOND) / perSecond);
  cpu.tokens = QUANTUM;
  cpu.refilledAt = now + wait;
  cpu.throttledUntil = Math.max(cpu.throttledUntil, now + wait);
  const share = Math.min(limit ?? 1_000, 1_000) / 1_000;
  cpu.used += wait * share;
  noteUse(cpu, wait * share, now, wait);
}
