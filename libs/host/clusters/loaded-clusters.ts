import type { CheckpointState } from '@terrarium/engine';
import { ClusterNotFound, Compacted, type ClusterRow } from '@terrarium/store';
import type { HostContext } from '../host-context.js';
import type { EndReason } from '../watch/broadcaster.js';
import type { Parking } from '../watch/parking.js';
import { Breaks } from './breaks.js';
import type { CheckpointCache } from './checkpoint-cache.js';
import type { ClusterEngine } from './cluster-engine.js';
import { ClusterUnloaded, LoadedCluster, LogReset } from './loaded-cluster.js';

/** Objects that are put in place at once. */
const LOADED_OBJECTS = 500;

/** How often work moves on to a fresh copy of its cluster. */
const RETRIES = 3;
/** Over the limit, clusters are unloaded down to this share of it: looking at all of them costs as much as a load. */
const EVICTION_SHARE = 15 / 16;
/** Over the limit of bytes, the watch cache of a cluster in use keeps this share of its limits. */
const TRIM_SHARE = 1 / 20;
/** Growth by this share of the limit of bytes makes room at once. */
const GROWTH_SHARE = 1 / 16;

/** The clusters in this process's memory: loaded at their first use, unloaded when idle or too many. */
export class LoadedClusters {
  /** Loading and loaded clusters in order of use: a Map keeps the order of insertion. */
  private readonly byUse = new Map<string, Promise<LoadedCluster>>();
  private readonly loaded = new Map<string, LoadedCluster>();
  /** The cluster that was used last. */
  private latest: string | undefined;
  /** Bytes by which the clusters have grown since room was made. */
  private grown = 0;

  /** `createEngine` gives an empty engine. */
  constructor(
    private readonly context: Pick<HostContext, 'store' | 'limits' | 'metrics' | 'now' | 'onError'>,
    private readonly checkpoints: CheckpointCache,
    private readonly parking: Parking,
    private readonly createEngine: (row: ClusterRow) => ClusterEngine | Promise<ClusterEngine>,
  ) {}

  all(): LoadedCluster[] {
    return [...this.loaded.values()];
  }

  withListeners(): LoadedCluster[] {
    return this.all().filter((cluster) => cluster.hasListeners);
  }

  /** The copy that is loaded or loading; never loads one. */
  async peek(id: string): Promise<LoadedCluster | undefined> {
    // Who loads the copy is told why it could not be loaded.
    return this.loaded.get(id) ?? this.byUse.get(id)?.catch(() => undefined);
  }

  /** Works on the loaded copy, and anew on a fresh one when it was unloaded meanwhile. Rejects with ClusterNotFound. */
  async use<T>(id: string, work: (cluster: LoadedCluster) => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await work(this.takeLoaded(id) ?? (await this.take(id)));
      } catch (error) {
        if (!(error instanceof ClusterUnloaded) || retries >= RETRIES) throw error;
      }
    }
  }

  /** The loaded copy. Rejects with ClusterNotFound. */
  async take(id: string): Promise<LoadedCluster> {
    const cluster = await this.moveToEnd(id, this.byUse.get(id) ?? this.startLoad(id));
    cluster.lastUsed = this.context.now();
    return cluster;
  }

  /** The copy that is in memory already. */
  private takeLoaded(id: string): LoadedCluster | undefined {
    const cluster = this.loaded.get(id);
    if (!cluster) return undefined;
    void this.moveToEnd(id, this.byUse.get(id)!);
    cluster.lastUsed = this.context.now();
    return cluster;
  }

  private moveToEnd(id: string, loading: Promise<LoadedCluster>): Promise<LoadedCluster> {
    if (id === this.latest && this.byUse.has(id)) return loading;
    this.latest = id;
    this.byUse.delete(id);
    this.byUse.set(id, loading);
    return loading;
  }

  private startLoad(id: string): Promise<LoadedCluster> {
    const loading = this.load(id);
    // The caller is told why.
    loading.catch(() => this.byUse.get(id) === loading && this.byUse.delete(id));
    return loading;
  }

  private async load(id: string): Promise<LoadedCluster> {
    const { store, limits, metrics } = this.context;
    const row = await store.cluster(id);
    if (!row) throw new ClusterNotFound(id);
    const engine = await this.createEngine(row);
    const state = await this.checkpoints.load(row);
    if (state) await loadInPieces(engine, state);
    const cluster = new LoadedCluster(row, engine, limits, (error) => this.context.onError(error, id));
    metrics.caughtUpChanges += await cluster.catchUp(
      (after) => store.read(id, after, limits.readSegments),
      limits.readSegments,
    );
    metrics.loads++;
    this.loaded.set(id, cluster);
    this.parking.resume(cluster);
    if (this.loaded.size > limits.loadedClusters)
      this.evict(cluster, Math.ceil(limits.loadedClusters * EVICTION_SHARE));
    else this.recordGrowth(cluster, cluster.bytes);
    return cluster;
  }

  /** A cluster has grown by about so many bytes: others may have to make room for it. */
  recordGrowth(cluster: LoadedCluster, bytes: number): void {
    this.grown += bytes;
    if (this.grown > this.context.limits.loadedBytes * GROWTH_SHARE) this.evict(cluster);
  }

  /** Forgets a copy and ends its listeners, who may come back to a fresh one. */
  unload(cluster: LoadedCluster, reason: EndReason = 'closed', oldest?: number): void {
    if (cluster.isUnloaded) return;
    cluster.isUnloaded = true;
    this.byUse.delete(cluster.row.id);
    this.loaded.delete(cluster.row.id);
    cluster.broadcaster.end(reason, oldest);
  }

  /** Unloads a copy that, after this error, cannot go on with its log. */
  unloadIfDiverged(cluster: LoadedCluster, error: unknown): void {
    if (error instanceof LogReset) return this.unload(cluster, 'expired', error.revision);
    const hasDiverged = cluster.engine.revision !== cluster.head;
    if (hasDiverged || error instanceof Compacted || error instanceof ClusterNotFound) this.unload(cluster);
  }

  /** To be called now and then. */
  sweep(): void {
    const now = this.context.now();
    for (const cluster of this.loaded.values()) cluster.dropStaleHistory(now);
    this.evict();
  }

  /**
   * Unloads clusters that are not in use: those over the limits, and those that have been idle for long. Over the
   * limits, listeners wait elsewhere for the next change of their cluster.
   */
  evict(spared?: LoadedCluster, maxClusters = this.context.limits.loadedClusters): void {
    const { limits, metrics, now } = this.context;
    this.grown = 0;
    const idleSince = now() - limits.loadedIdleMs;
    const clusters = [...this.byUse.keys()].flatMap((id) => this.loaded.get(id) ?? []);
    let count = clusters.length;
    let bytes = clusters.reduce((sum, cluster) => sum + cluster.bytes, 0);
    for (const cluster of clusters) {
      const isOver = count > maxClusters || bytes > limits.loadedBytes;
      const isIdle = cluster.lastUsed < idleSince;
      if (
        cluster === spared ||
        cluster.isBusy ||
        !(isOver ? cluster.broadcaster.canPark : isIdle && !cluster.hasListeners)
      )
        continue;
      count--;
      bytes -= cluster.bytes;
      metrics.evictions++;
      cluster.broadcaster.park();
      this.unload(cluster);
    }
    if (bytes > limits.loadedBytes)
      for (const cluster of this.loaded.values())
        cluster.trimHistory(limits.watchCacheChanges * TRIM_SHARE, limits.watchCacheBytes * TRIM_SHARE);
  }
}

/** Between two pieces the event loop goes round: the cluster is not in use yet. */
export async function loadInPieces(engine: ClusterEngine, { objects, ...state }: CheckpointState): Promise<void> {
  const breaks = new Breaks();
  engine.load({ ...state, objects: objects.slice(0, LOADED_OBJECTS) });
  const bytes = state.bytes === undefined ? undefined : 0;
  for (let at = LOADED_OBJECTS; at < objects.length; at += LOADED_OBJECTS) {
    await breaks.take();
    engine.load({ ...state, bytes, objects: objects.slice(at, at + LOADED_OBJECTS) });
  }
}
