import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type OutsideResponse,
  type StreamResponse,
  type WatchResponse,
} from '@terrarium/engine';
import { ClusterNotFound, type ClusterRow, type LogStore } from '@terrarium/store';
import { CheckpointCache } from './clusters/checkpoint-cache.js';
import type { ClusterEngine } from './clusters/cluster-engine.js';
import { ComponentRunner, type AdvanceResult } from './clusters/component-runner.js';
import { LoadedClusters } from './clusters/loaded-clusters.js';
import { WebhookEgress } from './egress/webhook-egress.js';
import { FairQueue } from './gate/fair-queue.js';
import { RequestBatcher, type OnCommitted } from './gate/request-batcher.js';
import { clusterNotFound, serviceUnavailable, statusResponse } from './gate/status-responses.js';
import type { HostContext } from './host-context.js';
import { LIMITS, type Limits } from './limits.js';
import type { Announcer } from './log/announce/announcer.js';
import { ChangeHistory } from './log/change-history.js';
import { Checkpointer } from './log/checkpointer.js';
import { HeadCheck } from './log/head-check.js';
import { LogFollower } from './log/log-follower.js';
import { LogWriter } from './log/log-writer.js';
import { Metrics } from './metrics.js';
import type { Listener } from './watch/broadcaster.js';
import type { FrameStream } from './watch/frame-stream.js';
import { openPodLogStream } from './watch/pod-log-stream.js';
import { openLimited } from './watch/stream-limit.js';
import { subscribe } from './watch/subscription.js';
import { openWatchStream } from './watch/watch-stream.js';

export interface HostOptions {
  readonly store: LogStore;
  readonly announcer: Announcer;
  /** An empty engine for this cluster; the host loads it. */
  loadEngine(row: ClusterRow): ClusterEngine | Promise<ClusterEngine>;
  /** Called when requests have changed a cluster. */
  readonly onCommitted?: OnCommitted;
  /** Called with errors that no caller is told about. */
  onError?(error: unknown, cluster: string): void;
  /** Webhooks may name URLs: of public addresses, or of any, this machine's own network included. Without, of none. */
  readonly webhookUrls?: 'public' | 'any';
  readonly limits?: Partial<Limits>;
  /** Real ms since the epoch. */
  now?(): number;
}

/**
 * The shell around the engine: takes the loaded cluster, catches up, runs, appends if the head has not moved (else
 * catches up and runs again), publishes. The same in the process that serves requests and in the one that runs the
 * components.
 */
export class ClusterHost {
  readonly metrics = new Metrics();
  /** Seats of requests, for a caller that serves several tenants. */
  readonly fairQueue: FairQueue;
  private readonly context: HostContext;
  private readonly clusters: LoadedClusters;
  private readonly requests: RequestBatcher;
  private readonly egress: WebhookEgress | undefined;
  private readonly components: ComponentRunner;
  private readonly history: ChangeHistory;
  private readonly heads: HeadCheck;
  private readonly follower: LogFollower;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: HostOptions) {
    const { store, announcer, webhookUrls, onCommitted } = options;
    const limits = { ...LIMITS, ...options.limits };
    const context: HostContext = {
      store,
      limits,
      metrics: this.metrics,
      now: () => options.now?.() ?? Date.now(),
      onError: (error, cluster) => options.onError?.(error, cluster),
    };
    this.context = context;
    this.fairQueue = new FairQueue(limits);
    const checkpoints = new CheckpointCache(store, limits.templates);
    this.history = new ChangeHistory(store, checkpoints, limits.readSegments);
    this.clusters = new LoadedClusters(context, checkpoints, (row) => options.loadEngine(row));
    this.heads = new HeadCheck(store);
    const writer = new LogWriter(context, this.clusters, announcer, this.heads);
    const checkpointer = new Checkpointer(context);
    this.requests = new RequestBatcher(context, { writer, checkpointer, fairQueue: this.fairQueue, onCommitted });
    this.egress = webhookUrls && new WebhookEgress(limits, webhookUrls === 'any');
    this.components = new ComponentRunner(context, this.clusters, writer, checkpointer);
    this.follower = new LogFollower(context, this.clusters, writer);
    this.follower.listen(announcer);
    this.sweeper = setInterval(() => void this.sweep(), limits.sweepMs);
    this.sweeper.unref();
  }

  /** Real ms since the epoch. */
  now(): number {
    return this.context.now();
  }

  /**
   * Answers one request when its changes, and all changes that it has read, are stored. Never rejects: an error is a
   * Status body.
   */
  async request(id: string, request: ApiRequest): Promise<ApiResponse> {
    this.metrics.requests++;
    try {
      if (this.egress) return await this.egress.settle((outside) => this.run(id, { ...request, outside }));
      return (await this.run(id, request)).response as ApiResponse;
    } catch (error) {
      this.metrics.failedRequests++;
      return statusResponse(this.toApiError(error, id));
    }
  }

  /** Runs the cluster's components for a while. Rejects when the store does not answer. */
  advance(id: string): Promise<AdvanceResult> {
    return this.components.advance(id);
  }

  /**
   * Delivers every change after `fromRevision`, then each new one as soon as it is stored. Resolves with a function
   * that removes the listener. Calls `listener.ended('expired', oldest)` when the revision is no longer retained.
   * Rejects with ClusterNotFound.
   */
  async subscribe(id: string, fromRevision: number, listener: Listener): Promise<() => void> {
    return subscribe(this.history, await this.clusters.take(id), fromRevision, listener);
  }

  /**
   * The frames of a watch that `request` has answered with. The stream ends at its timeout, when the reader leaves, or
   * when the reader is too slow. Rejects with 429 when the cluster has too many streams.
   */
  async watch(id: string, response: WatchResponse): Promise<FrameStream> {
    this.metrics.watches++;
    const cluster = await this.clusters.take(id);
    return openLimited(cluster, this.context.limits, () =>
      openWatchStream(this.context, this.history, cluster, response),
    );
  }

  /** The text of a followed pod log that `request` has answered with. Rejects with 429, as `watch` does. */
  async stream(id: string, response: StreamResponse): Promise<FrameStream> {
    const cluster = await this.clusters.take(id);
    return openLimited(cluster, this.context.limits, () =>
      openPodLogStream(this.context, this.history, cluster, response),
    );
  }

  /** The revision of the log's last change. Rejects with ClusterNotFound. */
  async revision(id: string): Promise<number> {
    const head = await this.heads.headOf(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head;
  }

  /** Deletes the cluster here and in every other process. False when there was none. */
  async deleteCluster(id: string): Promise<boolean> {
    const deleted = await this.options.store.deleteCluster(id);
    const cluster = await this.clusters.peek(id);
    if (cluster) this.clusters.unload(cluster, 'deleted');
    if (deleted) this.options.announcer.publish({ cluster: id, first: 0, last: 0, deleted: true });
    return deleted;
  }

  /** Cuts off at most `limit` logs that reach further back than the retention. Returns how many. */
  async compact(limit: number): Promise<number> {
    const { store } = this.options;
    const before = this.now() - this.context.limits.retentionMs;
    const ids = await store.compactable(before, limit);
    for (const id of ids) await store.compact(id, before);
    return ids.length;
  }

  /** Lets a halted cluster run again. */
  async resume(id: string): Promise<void> {
    await this.options.store.halt(id, undefined);
  }

  /** What is in memory now. */
  gauges(): { readonly loadedClusters: number; readonly loadedBytes: number; readonly listeners: number } {
    const clusters = this.clusters.all();
    return {
      loadedClusters: clusters.length,
      loadedBytes: clusters.reduce((sum, cluster) => sum + cluster.bytes, 0),
      listeners: clusters.reduce((sum, cluster) => sum + cluster.broadcaster.size, 0),
    };
  }

  /** Ends every stream; requests under way are still answered. Store and announcer are the caller's to close. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const clusters = this.clusters.all();
    await Promise.all(clusters.map((cluster) => cluster.serial.run(() => undefined)));
    for (const cluster of clusters) this.clusters.unload(cluster);
  }

  private run(
    id: string,
    request: ApiRequest | AskingRequest,
  ): Promise<{ tenant: string; response: ApiResponse | OutsideResponse }> {
    return this.clusters.use(id, async (cluster) => ({
      tenant: cluster.row.tenantId,
      response: await this.requests.run(cluster, request),
    }));
  }

  private toApiError(error: unknown, id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClusterNotFound) return clusterNotFound(id);
    this.context.onError(error, id);
    return serviceUnavailable();
  }

  private async sweep(): Promise<void> {
    this.clusters.evict();
    await this.follower.checkHeads();
  }
}
