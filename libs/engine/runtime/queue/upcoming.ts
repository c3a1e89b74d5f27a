import type { Millis } from '../../machinery/time/time.js';
import type { Upcoming } from '../loop-options.js';
import type { Runner } from './runner.js';
import type { Wakes } from './wakes.js';
import type { WorkItem } from './work-queue.js';

/** What waits in a loop between two reconciles. */
interface Waiting {
  readonly runners: readonly Runner[];
  /** Index of the runner whose turn it is. */
  readonly turn: number;
  readonly wakes: Wakes;
  readonly now: Millis;
  /** Whether something is queued for a controller that is enabled. */
  canRun(runner: Runner): boolean;
}

/** What runs next: the rest of this round, then the next round, then what the first timer wakes. */
export function findUpcoming({ runners, turn, wakes, now, canRun }: Waiting): Upcoming | undefined {
  for (let i = turn; i < runners.length; i++) {
    const runner = runners[i]!;
    const item = canRun(runner) ? runner.queue.peek() : undefined;
    if (item) return upcoming(runner, item, now);
  }
  for (const runner of runners) {
    const item = canRun(runner) ? runner.queue.peekLater() : undefined;
    if (item) return upcoming(runner, item, now);
  }
  const timer = wakes.peek();
  const item = timer?.value.items.values().next().value;
  return timer && item && { ...upcoming(timer.value.runner, item, timer.due), why: timer.value.reason };
}

const upcoming = ({ controller, queue }: Runner, { key, cause, isLoaded }: WorkItem, at: Millis): Upcoming => ({
  ...{ controller, key, cause, isLoaded, at },
  why: 'change',
  queued: queue.size,
});
