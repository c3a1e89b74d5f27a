import { Compacted, isReset, type ClusterRow, type Segment } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import type { CheckpointCache } from '../clusters/checkpoint-cache.js';
import type { ClusterEngine } from '../clusters/cluster-engine.js';
import { LoadedCluster } from '../clusters/loaded-cluster.js';
import { loadInPieces } from '../clusters/loaded-clusters.js';
import type { HostContext } from '../host-context.js';
import { gone } from './find-point.js';
import type { PastPoint } from './point.js';

/** Nobody looks twice at most past states. */
const IDLE_MS = 60_000;
const MIN_BYTES = 64 * 1024;

/** A past state, and the latest virtual time (ms) at which it was looked at: its machines have run until then. */
export interface PastCluster {
  readonly cluster: LoadedCluster;
  latest: number;
}

/** Past states of clusters, each in an engine of its own that runs no components; the least used ones are forgotten. */
export class PastClusters {
  private readonly loaded: LRUCache<string, PastCluster>;
  private readonly loading = new Map<string, Promise<PastCluster>>();

  /** `createEngine` gives an empty engine. */
  constructor(
    private readonly context: Pick<HostContext, 'store' | 'limits' | 'onError'>,
    private readonly checkpoints: CheckpointCache,
    private readonly createEngine: (row: ClusterRow) => ClusterEngine | Promise<ClusterEngine>,
  ) {
    const { pastClusters, pastBytes } = context.limits;
    this.loaded = new LRUCache({
      max: pastClusters,
      maxSize: pastBytes,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      // One that is larger than all may take is kept alone.
      sizeCalculation: ({ cluster: { bytes } }) => Math.min(pastBytes, Math.max(MIN_BYTES, Math.ceil(bytes))),
    });
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.loaded.calculatedSize;
  }

  /**
   * The cluster as it was at a point; one that was looked at later than at this point's time is loaded anew. Rejects
   * with ApiError 410 when it is no longer retained.
   */
  async take(row: ClusterRow, { revision, now }: PastPoint): Promise<PastCluster> {
    const key = `${row.id}@${revision}`;
    const known = this.loaded.get(key) ?? (await this.loading.get(key));
    if (known && known.latest <= (now ?? known.cluster.engine.mark().now)) return known;
    const loading = this.load(row, revision);
    this.loading.set(key, loading);
    try {
      const past = await loading;
      this.loaded.set(key, past);
      return past;
    } finally {
      if (this.loading.get(key) === loading) this.loading.delete(key);
    }
  }

  /** The cluster has been deleted, or put back to another state. */
  forget(id: string): void {
    for (const key of this.loaded.keys()) if (key.startsWith(`${id}@`)) this.loaded.delete(key);
  }

  private async load(row: ClusterRow, revision: number): Promise<PastCluster> {
    const { limits } = this.context;
    const engine = await this.createEngine(row);
    try {
      const state = await this.checkpoints.load(row, revision);
      if (state) await loadInPieces(engine, state);
      const cluster = new LoadedCluster(row, engine, { ...limits, watchCacheChanges: 0, watchCacheBytes: 0 }, (error) =>
        this.context.onError(error, row.id),
      );
      await cluster.catchUp((after) => this.read(row.id, after, revision), limits.readSegments);
      if (engine.revision !== revision) throw new Compacted(engine.revision);
      return { cluster, latest: engine.mark().now };
    } catch (error) {
      throw error instanceof Compacted ? gone(`revision ${revision}`) : error;
    }
  }

  /** Segments up to the revision; the last one may be cut off within. */
  private async read(id: string, after: number, revision: number): Promise<Segment[]> {
    if (after >= revision) return [];
    const segments = await this.context.store.read(id, after, this.context.limits.readSegments);
    const past = segments.filter(({ first }) => first <= revision);
    // The state at a reset is a checkpoint: whoever comes across one has begun before what is retained.
    if (past.some(isReset)) throw new Compacted(after);
    return past.map((segment) => ({ ...segment, last: Math.min(segment.last, revision) }));
  }
}
