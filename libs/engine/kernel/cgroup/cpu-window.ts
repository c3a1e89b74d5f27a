import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { Container, CpuAccount } from '../container-state.js';
import { cpuUseOf, ownLimit } from './stress.js';

/** How often metrics are scraped: what was used is known by these windows, whoever looks and when. */
export const CPU_WINDOW: Millis = 15 * SECOND;
/** Those that a scrape may ask for, and those that a loop without tokens is in already. */
const KEPT = 6;

const windowAt = (now: Millis): number => Math.floor(now / CPU_WINDOW);

/**
 * Notes ms of CPU that a program stands for, or that a loop seems to use: at a time, or evenly in so many ms after it.
 */
export function noteUse(cpu: CpuAccount, ms: Millis, now: Millis, lasting: Millis = 0): void {
  const first = windowAt(now);
  const last = windowAt(now + lasting);
  if (first === last) return add(cpu, first, ms);
  for (let window = Math.max(first, last - KEPT); window <= last; window++) {
    const from = Math.max(now, window * CPU_WINDOW);
    const to = Math.min(now + lasting, (window + 1) * CPU_WINDOW);
    add(cpu, window, (ms * (to - from)) / lasting);
  }
}

function add(cpu: CpuAccount, window: number, ms: Millis): void {
  const recent = (cpu.recent ??= []);
  const at = recent.length - 2;
  if (at >= 0 && recent[at] === window) recent[at + 1]! += ms;
  else recent.push(window, ms);
  if (recent.length > 2 * KEPT) recent.splice(0, 2);
}

/**
 * What a container used on the average in the last whole window before a time, in thousandths of a CPU. Of one that has
 * only run its own steps, which are few: on the average since it began.
 */
export function cpuRateOf(container: Container, now: Millis): number {
  const { cpu, trouble, stressedAt, startedAt } = container;
  const own =
    cpu.steady === undefined ? ownRate(cpu, startedAt, now) : Math.min(cpu.steady, ownLimit(container) ?? Infinity);
  if (!trouble?.stress || stressedAt === undefined) return own;
  const elapsed = Math.max(1, now - stressedAt);
  return own + ((cpuUseOf(container, now).used - cpu.used) / elapsed) * 1_000;
}

function ownRate({ recent, used }: CpuAccount, startedAt: Millis, now: Millis): number {
  if (!recent) return (used / Math.max(CPU_WINDOW, now - startedAt)) * 1_000;
  const window = windowAt(now) - 1;
  let sum = 0;
  for (let i = 0; i < recent.length; i += 2) if (recent[i] === window) sum += recent[i + 1]!;
  return (sum / CPU_WINDOW) * 1_000;
}
