import { encodeCheckpoint } from '../clusters/checkpoint-codec.js';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { HostContext } from '../host-context.js';

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
  constructor(private readonly context: Pick<HostContext, 'store' | 'limits' | 'metrics' | 'now'>) {}

  /**
   * Returns at once; a checkpoint is taken between two runs of the engine. A busy cluster's checkpoint is due
   * later.
   */
  checkpointIfDue(cluster: LoadedCluster, isBusy: boolean): void {
    if (cluster.isCheckpointing || !this.isDue(cluster, isBusy)) return;
    cluster.isCheckpointing = true;
    void this.write(cluster).finally(() => (cluster.isCheckpointing = false));
  }

  private isDue(cluster: LoadedCluster, isBusy: boolean): boolean {
    const { limits } = this.context;
    const { changes, bytes } = cluster.tail;
    const factor = isBusy ? BUSY_FACTOR : 1;
    if (changes < factor * limits.tailChanges && bytes < factor * limits.tailBytes) return false;
    // A large state is not written for few changes: the work stays proportional to the log.
    return 2 * changes >= cluster.objectCount;
  }

  private async write(cluster: LoadedCluster): Promise<void> {
    const { store, limits, metrics } = this.context;
    const { id } = cluster.row;
    const tail = cluster.tail;
    try {
      const { revision, encoded } = await cluster.serial.run(() => {
        cluster.tail = { changes: 0, bytes: 0 };
        return { revision: cluster.engine.revision, encoded: encodeCheckpoint(cluster.engine.checkpoint()) };
      });
      await store.saveCheckpoint(id, revision, await encoded);
      await store.compact(id, this.context.now() - limits.retentionMs);
      metrics.checkpoints++;
    } catch {
      metrics.storeErrors++;
      cluster.tail = { changes: cluster.tail.changes + tail.changes, bytes: cluster.tail.bytes + tail.bytes };
    }
  }
}
