import { encodeCheckpoint } from '../clusters/checkpoint-codec.js';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import { needsCompaction } from '../clusters/cluster-space.js';
import type { HostContext } from '../host-context.js';

/**
 * In the middle of a rollout the tail may grow so many times longer: the rollout is not held up, and its end needs one
 * checkpoint instead of several.
 */
const BUSY_FACTOR = 10;
/**
 * Changes for each object before the state is written: an object that is only created is written 1.25 times in all.
 * Nearer to 1 a state that grows would never be written.
 */
const CHANGED_SHARE = 0.8;
/** Also what was written in this very moment may be cut off. */
const NO_RETENTION_MS = -60_000;

/**
 * Writes a cluster's state when the log behind the last checkpoint has outgrown it, and cuts off what is older than the
 * retention.
 */
export class Checkpointer {
  constructor(private readonly context: Pick<HostContext, 'store' | 'limits' | 'metrics' | 'now' | 'onError'>) {}

  /**
   * Returns at once; a checkpoint is taken between two runs of the engine. A busy cluster's checkpoint is due
   * later.
   */
  checkpointIfDue(cluster: LoadedCluster, isBusy: boolean): void {
    if (this.isDue(cluster, isBusy)) void this.checkpoint(cluster);
  }

  /** Resolves when the checkpoint is stored, when it could not be, or at once when another one is under way. */
  async checkpoint(cluster: LoadedCluster): Promise<void> {
    if (cluster.isCheckpointing) return;
    cluster.isCheckpointing = true;
    await this.write(cluster).finally(() => (cluster.isCheckpointing = false));
  }

  private isDue(cluster: LoadedCluster, isBusy: boolean): boolean {
    const { limits } = this.context;
    const { changes, bytes } = cluster.tail;
    if (needsCompaction(cluster)) return true;
    const factor = isBusy ? BUSY_FACTOR : 1;
    if (changes < factor * limits.tailChanges && bytes < factor * limits.tailBytes) return false;
    // A large state is not written for few changes: the work stays proportional to the log.
    return changes >= CHANGED_SHARE * cluster.objectCount;
  }

  private async write(cluster: LoadedCluster): Promise<void> {
    const { store, limits, metrics } = this.context;
    const { id } = cluster.row;
    const tail = cluster.tail;
    // Without space the log is cut off behind the checkpoint, as etcd's compaction does, whatever its retention.
    const isUrgent = needsCompaction(cluster);
    const retentionMs = isUrgent ? NO_RETENTION_MS : limits.retentionMs;
    try {
      const state = await cluster.serial.run(() => {
        cluster.tail = { changes: 0, bytes: 0 };
        return cluster.engine.checkpoint();
      });
      const encoded = await encodeCheckpoint(state, (object) => cluster.engine.textOf(object));
      cluster.checkpointBytes = encoded.length;
      await store.saveCheckpoint(id, state.revision, encoded);
      const before = this.context.now() - retentionMs;
      while ((await store.compact(id, before)) > 0 && isUrgent);
      metrics.checkpoints++;
      await this.readStoredBytes(cluster);
    } catch (error) {
      metrics.storeErrors++;
      this.context.onError(error, id);
      cluster.tail = { changes: cluster.tail.changes + tail.changes, bytes: cluster.tail.bytes + tail.bytes };
    } finally {
      cluster.checkpointBytes = 0;
    }
  }

  private async readStoredBytes({ row, space }: LoadedCluster): Promise<void> {
    const bytes = (await this.context.store.cluster(row.id))?.bytes;
    if (bytes !== undefined) space.stored = space.compacted = bytes;
  }
}
