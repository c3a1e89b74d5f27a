import type { LogStore } from '@terrarium/store';
import type { Tasks } from '@terrarium/platform';
import { repeat } from './repeat.js';

/** Between two sweeps; it grows to the second while nothing is overdue. */
const SWEEP_MS = 2_000;
const IDLE_SWEEP_MS = 8_000;
/** A cluster is overdue when its task should have run this long ago. */
const LATE_MS = 1_500;
const SWEEP_LIMIT = 500;

interface Parts {
  readonly store: Pick<LogStore, 'overdue'>;
  readonly tasks: Pick<Tasks, 'advance'>;
  onError(error: unknown): void;
}

/**
 * Adds lost tasks again: each sweep is one query of an index, however many clusters are idle. The function that it
 * returns ends it, and resolves when no sweep is under way.
 */
export function startSweep({ store, tasks, onError }: Parts): () => Promise<void> {
  let waitMs = SWEEP_MS;
  return repeat(async () => {
    try {
      const overdue = await store.overdue(Date.now() - LATE_MS, SWEEP_LIMIT);
      for (const cluster of overdue) tasks.advance(cluster);
      waitMs = overdue.length > 0 ? SWEEP_MS : Math.min(2 * waitMs, IDLE_SWEEP_MS);
    } catch (error) {
      waitMs = SWEEP_MS;
      onError(error);
    }
    return waitMs;
  });
}
