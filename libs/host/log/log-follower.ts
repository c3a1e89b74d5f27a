import { setTimeout as sleep } from 'node:timers/promises';
import { Breaks } from '../clusters/breaks.js';
import { LogReset, type LoadedCluster } from '../clusters/loaded-cluster.js';
import type { LoadedClusters } from '../clusters/loaded-clusters.js';
import type { HostContext } from '../host-context.js';
import type { Announcement, Announcer } from './announce/announcer.js';
import type { Parking } from '../watch/parking.js';
import type { LogWriter } from './log-writer.js';

/** Clusters without listeners are replayed for so many ms at a time, and for this share of the thread. */
const IDLE_MS = 2;
const IDLE_SHARE = 0.2;

/** Keeps loaded clusters up to date with what other processes append. */
export class LogFollower {
  /** Clusters with announced changes that somebody listens to, in the order of their turns. */
  private readonly behind = new Set<LoadedCluster>();
  /** The others, which can wait: a request replays what its cluster has missed. */
  private readonly idle = new Set<LoadedCluster>();
  private isReplaying = false;
  private isReplayingIdle = false;

  constructor(
    private readonly context: Pick<HostContext, 'store' | 'metrics' | 'onError'>,
    private readonly clusters: LoadedClusters,
    private readonly parking: Parking,
    private readonly writer: Pick<LogWriter, 'catchUp'>,
  ) {}

  listen(announcer: Announcer): void {
    announcer.listen(
      (announcement) => void this.follow(announcement),
      () => void this.checkHeads(),
    );
  }

  /** Announcements may have been lost: reads the heads of all clusters that have listeners. */
  async checkHeads(): Promise<void> {
    const clusters = this.clusters.withListeners();
    const parked = this.parking.revisions();
    if (clusters.length === 0 && parked.size === 0) return;
    try {
      const heads = await this.context.store.heads([...clusters.map((cluster) => cluster.row.id), ...parked.keys()]);
      for (const [id, revision] of parked) {
        const head = heads.get(id);
        if (head === undefined) this.parking.end(id, 'deleted');
        else if (head > revision) this.resumeParked(id);
      }
      for (const cluster of clusters) {
        const head = heads.get(cluster.row.id);
        if (head === undefined) this.clusters.unload(cluster, 'deleted');
        else if (head > cluster.head) void this.runInBackground(cluster, () => this.writer.catchUp(cluster));
      }
    } catch (error) {
      this.context.metrics.storeErrors++;
      this.context.onError(error, '');
    }
  }

  private async follow(announcement: Announcement): Promise<void> {
    // A copy that is still loading may have read the store before the announced change was there.
    const { cluster: id, deleted } = announcement;
    const cluster = await this.clusters.peek(id);
    if (deleted) this.parking.end(id, 'deleted');
    if (!cluster) return this.resumeParked(id);
    if (deleted) return this.clusters.unload(cluster, 'deleted');
    if (announcement.last <= cluster.head) return;
    cluster.announced.add(announcement);
    this.enqueue(cluster);
  }

  private enqueue(cluster: LoadedCluster): void {
    const [queue, other] = cluster.hasListeners ? [this.behind, this.idle] : [this.idle, this.behind];
    other.delete(cluster);
    queue.add(cluster);
    if (this.behind.size > 0 && !this.isReplaying) void this.replayAll();
    if (this.idle.size > 0 && !this.isReplayingIdle) void this.replayIdle();
  }

  /** Clusters take turns, a segment each; of a burst a few are replayed at a time, and requests answered in between. */
  private async replayAll(): Promise<void> {
    this.isReplaying = true;
    const breaks = new Breaks();
    for (const cluster of this.behind) {
      this.behind.delete(cluster);
      await this.replayTurn(cluster);
      await breaks.take();
    }
    this.isReplaying = false;
  }

  /** At a share of the thread: a burst of all clusters is replayed while less is to be done. */
  private async replayIdle(): Promise<void> {
    this.isReplayingIdle = true;
    let since = performance.now();
    for (const cluster of this.idle) {
      this.idle.delete(cluster);
      await this.replayTurn(cluster);
      const ms = performance.now() - since;
      if (ms < IDLE_MS) continue;
      await sleep(ms / IDLE_SHARE - ms, undefined, { ref: false });
      for (const one of this.idle) if (one.hasListeners) this.enqueue(one);
      since = performance.now();
    }
    this.isReplayingIdle = false;
  }

  private async replayTurn(cluster: LoadedCluster): Promise<void> {
    const isFree = !cluster.serial.isBusy;
    const replayed = this.runInBackground(cluster, () => this.replayNext(cluster));
    // A cluster that waits for the store holds up no other.
    if (isFree) await replayed;
  }

  /** Loads a cluster that listeners wait for. */
  private resumeParked(id: string): void {
    if (this.parking.has(id)) this.clusters.take(id).catch((error: unknown) => this.context.onError(error, id));
  }

  /** A cluster without listeners reads the store at its next use, when announcements are missing. */
  private replayNext(cluster: LoadedCluster): void {
    if (cluster.isUnloaded) return;
    const changes = cluster.replayNext();
    this.context.metrics.caughtUpChanges += changes ?? 0;
    if (changes !== undefined) this.enqueue(cluster);
    else if (cluster.announced.last > cluster.head && cluster.hasListeners)
      void this.runInBackground(cluster, () => this.writer.catchUp(cluster));
  }

  /** No caller waits for this work. A copy that cannot follow its log is unloaded. */
  private async runInBackground(cluster: LoadedCluster, work: () => Promise<void> | void): Promise<void> {
    try {
      await cluster.serial.run(work);
    } catch (error) {
      if (!(error instanceof LogReset)) this.context.onError(error, cluster.row.id);
      this.clusters.unloadIfDiverged(cluster, error);
    }
  }
}
