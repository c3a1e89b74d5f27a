import type { LogStore } from '@terrarium/store';
import type { Tasks } from '@terrarium/platform';

const SWEEP_MS = 2_000;
/** A cluster is overdue when its task should have run this long ago. */
const LATE_MS = 1_500;
const SWEEP_LIMIT = 500;

interface Parts {
  readonly store: Pick<LogStore, 'overdue'>;
  readonly tasks: Pick<Tasks, 'advance'>;
  onError(error: unknown): void;
}

/** Adds lost tasks again: each sweep is one query of an index, however many clusters are idle. Returns what ends it. */
export function startSweep({ store, tasks, onError }: Parts): () => void {
  let timer: NodeJS.Timeout;
  const sweep = async (): Promise<void> => {
    try {
      for (const cluster of await store.overdue(Date.now() - LATE_MS, SWEEP_LIMIT)) tasks.advance(cluster);
    } catch (error) {
      onError(error);
    }
    timer = setTimeout(() => void sweep(), SWEEP_MS);
  };
  timer = setTimeout(() => void sweep(), 0);
  return () => clearTimeout(timer);
}
