import type { LogStore } from '@terrarium/store';
import type { Limits, Metrics } from '../limits.js';
import { packState } from '../clusters/states.js';
import type { Warm } from '../clusters/loaded-cluster.js';

/**
 * In the middle of a rollout the tail may grow so many times longer: the rollout is not held up, and its end needs one
 * checkpoint instead of several.
 */
const BUSY_FACTOR = 10;

/**
 * Writes a cluster's state when the log behind the last checkpoint has outgrown it, and cuts off what is older than the
 * retention.
 */
export class Checkpointer {
  constructor(
    private readonly options: {
      readonly store: LogStore;
      readonly limits: Limits;
      readonly metrics: Metrics;
      now(): number;
    },
  ) {}

  /**
   * Returns at once; the work is done between the cluster's runs. While the cluster is `busy` it waits, but not for
   * ever.
   */
  considered(warm: Warm, busy: boolean): void {
    const { tail } = warm;
    const { limits } = this.options;
    const due = busy ? BUSY_FACTOR : 1;
    if (warm.checkpointing || (tail.changes < due * limits.tailChanges && tail.bytes < due * limits.tailBytes)) return;
    // A large state is not written for few changes: the work stays proportional to the log.
    if (2 * tail.changes < warm.objects) return;
    warm.checkpointing = true;
    void this.write(warm).finally(() => (warm.checkpointing = false));
  }

  private async write(warm: Warm): Promise<void> {
    const { store, limits, metrics } = this.options;
    const was = warm.tail;
    try {
      const { revision, packed } = await warm.serial.run(() => {
        warm.tail = { changes: 0, bytes: 0 };
        return { revision: warm.engine.revision, packed: packState(warm.engine.checkpoint()) };
      });
      await store.saveCheckpoint(warm.row.id, revision, await packed);
      await store.compact(warm.row.id, this.options.now() - limits.retentionMs);
      metrics.checkpoints++;
    } catch {
      metrics.storeErrors++;
      warm.tail = { changes: warm.tail.changes + was.changes, bytes: warm.tail.bytes + was.bytes };
    }
  }
}
