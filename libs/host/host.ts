import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type BodyResponse,
  type CheckpointState,
  type OutsideRecord,
  type OutsideResponse,
  type PortForwardResponse,
  type ProxiedResponse,
  type SessionResponse,
  type StreamResponse,
  type WatchResponse,
} from '@terrarium/engine';
import { ClusterNotFound, type ClusterRow, type LogStore } from '@terrarium/store';
import { CheckpointCache } from './clusters/checkpoint-cache.js';
import type { ClusterEngine } from './clusters/cluster-engine.js';
import { ComponentRunner, type AdvanceResult } from './clusters/component-runner.js';
import type { LoadedCluster } from './clusters/loaded-cluster.js';
import { LoadedClusters } from './clusters/loaded-clusters.js';
import { Space } from './clusters/space.js';
import { SliceTurns } from './clusters/slice-turns.js';
import { WebhookEgress } from './egress/webhook-egress.js';
import { ClusterPorts } from './exec/ports/cluster-ports.js';
import { ClusterSession, type ClusterSessionParts } from './exec/cluster-session.js';
import type { Command } from './exec/commands/command-streams.js';
import { ContainerSession } from './exec/container-session.js';
import { readProxied, type Proxied } from './exec/proxied/serve-proxied.js';
import type { PortDialer } from './exec/ports/port-dialer.js';
import { FairQueue } from './gate/fair-queue.js';
import { LoopTurns } from './gate/loop-turns.js';
import { prepareBody } from './gate/prepare-body.js';
import { Pacer } from './gate/pacer.js';
import { RequestBatcher, type OnCommitted } from './gate/request-batcher.js';
import { clusterNotFound, serviceUnavailable, statusResponse } from './gate/status-responses.js';
import { ThreadShare } from './gate/thread-share.js';
import type { HostContext } from './host-context.js';
import { LIMITS, type Limits } from './limits.js';
import type { Announcer } from './log/announce/announcer.js';
import { ChangeHistory } from './log/change-history.js';
import { Checkpointer } from './log/checkpointer.js';
import { HeadCheck } from './log/head-check.js';
import { LogFollower } from './log/log-follower.js';
import { LogResetter } from './log/log-resetter.js';
import { LogWriter } from './log/log-writer.js';
import { SegmentTexts } from './log/segment-texts.js';
import { settleHistory, wantsHistory } from './log/settle-history.js';
import { Metrics } from './metrics.js';
import { Past } from './past/past.js';
import { PastClusters } from './past/past-clusters.js';
import type { Tracer } from './tracer.js';
import type { ReadTenantLimits } from './tenant-limits.js';
import type { Listener } from './watch/broadcaster.js';
import type { FrameStream } from './watch/frame-stream.js';
import { openPodLogStream } from './watch/pod-log-stream.js';
import { openLimited } from './watch/stream-limit.js';
import { LastingSubscription, type SubscriptionParts } from './watch/lasting-subscription.js';
import { Parking } from './watch/parking.js';
import { resumeRequest } from './watch/resume-request.js';
import { openWatchStream, type WatchAgain } from './watch/watch-stream.js';

export interface HostOptions {
  readonly store: LogStore;
  readonly announcer: Announcer;
  /** An empty engine for this cluster; the host loads it. */
  loadEngine(row: ClusterRow): ClusterEngine | Promise<ClusterEngine>;
  /** Called when requests have changed a cluster. */
  readonly onCommitted?: OnCommitted;
  /** Called when a cluster has been deleted here. */
  onDeleted?(cluster: string): void;
  /** Called with errors that no caller is told about. */
  onError?(error: unknown, cluster: string): void;
  /** Webhooks may name URLs: of public addresses, or of any, this machine's own network included. Without, of none. */
  readonly webhookUrls?: 'public' | 'any';
  /** Traces of requests, when they are switched on. */
  readonly tracer?: Tracer;
  readonly limits?: Partial<Limits>;
  /** Limits of a tenant; without, its clusters have those of `limits` alone. */
  readonly tenantLimits?: ReadTenantLimits;
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
  /** Holds back work that is expensive while other tenants are at work. */
  readonly pacer: Pacer;
  /** Turns of work that keeps this process's one thread busy. */
  readonly loopTurns: LoopTurns;
  /** What requests may take of this process's one thread. */
  readonly threadShare: ThreadShare;
  /** What the clusters were. */
  readonly past: Past;
  private readonly context: HostContext;
  private readonly clusters: LoadedClusters;
  private readonly requests: RequestBatcher;
  private readonly egress: WebhookEgress;
  private readonly turns: SliceTurns;
  private readonly checkpointer: Checkpointer;
  private readonly components: ComponentRunner;
  private readonly history: ChangeHistory;
  private readonly subscriptions: SubscriptionParts;
  private readonly sessions: ClusterSessionParts;
  private readonly heads: HeadCheck;
  private readonly parking = new Parking();
  /** The requests that watches were answered to: a watch is asked for again when its cluster was unloaded. */
  private readonly watchRequests = new WeakMap<WatchResponse, ApiRequest>();
  private readonly follower: LogFollower;
  private readonly resetter: LogResetter;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: HostOptions) {
    const { store, announcer, webhookUrls, onCommitted, tenantLimits } = options;
    const limits = { ...LIMITS, ...options.limits };
    const context: HostContext = {
      store,
      limits,
      metrics: this.metrics,
      tracer: options.tracer,
      segmentTexts: new SegmentTexts(limits.historyTextBytes),
      now: () => options.now?.() ?? Date.now(),
      onError: (error, cluster) => {
        // Deleted meanwhile: whose cluster it was knows.
        if (!(error instanceof ClusterNotFound)) options.onError?.(error, cluster);
      },
    };
    this.context = context;
    this.pacer = new Pacer(limits);
    this.threadShare = new ThreadShare({ atWorkMs: limits.atWorkMs, burstMs: limits.burstMs });
    this.fairQueue = new FairQueue(limits, this.metrics, this.threadShare);
    this.loopTurns = new LoopTurns(this.threadShare);
    const checkpoints = new CheckpointCache(store, limits.templates);
    this.history = new ChangeHistory(store, checkpoints, limits.readSegments);
    this.subscriptions = { history: this.history, parking: this.parking };
    this.clusters = new LoadedClusters(context, checkpoints, this.parking, (row) => options.loadEngine(row));
    this.heads = new HeadCheck(store);
    const space = new Space(context, tenantLimits);
    const writer = new LogWriter(context, this.clusters, announcer, this.heads, space);
    const pasts = new PastClusters(context, checkpoints, (row) => options.loadEngine(row));
    this.past = new Past({
      context,
      clusters: this.clusters,
      pasts,
      pacer: this.pacer,
      writer,
      prepare: (t, r) => this.prepare(t, r),
    });
    const checkpointer = new Checkpointer(context);
    this.checkpointer = checkpointer;
    this.requests = new RequestBatcher(context, {
      writer,
      checkpointer,
      fairQueue: this.fairQueue,
      pacer: this.pacer,
      loopTurns: this.loopTurns,
      onCommitted,
    });
    const { clusters, requests, subscriptions, fairQueue, loopTurns } = this;
    this.sessions = { context, clusters, requests, subscriptions, fairQueue, loopTurns };
    this.egress = new WebhookEgress(limits, webhookUrls ?? 'none', options.tracer);
    this.turns = new SliceTurns(limits);
    this.components = new ComponentRunner(context, this.clusters, this.turns, writer, checkpointer);
    this.resetter = new LogResetter(context, this.clusters, announcer);
    this.follower = new LogFollower(context, this.clusters, this.parking, writer);
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
      const response = await this.egress.settle((outside) => this.run(id, askingRequest(request, outside)));
      if (response.type === 'watch') this.watchRequests.set(response, request);
      return response;
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
    const subscription = new LastingSubscription(
      this.subscriptions,
      () => listener,
      (reason) => listener.ended(reason),
    );
    await subscription.join(await this.clusters.take(id), fromRevision);
    return () => subscription.end();
  }

  /**
   * The frames of a watch that `request` has answered with. The stream ends at its timeout, when the reader leaves, or
   * when the reader is too slow. Rejects with 429 when the cluster has too many streams.
   */
  async watch(id: string, response: WatchResponse): Promise<FrameStream> {
    this.metrics.watches++;
    const cluster = await this.clusters.take(id);
    const watchAgain = this.watchAgain(this.watchRequests.get(response));
    return openLimited(cluster, this.context, () =>
      openWatchStream(this.context, this.subscriptions, cluster, response, watchAgain),
    );
  }

  /** The text of a followed pod log that `request` has answered with. Rejects with 429, as `watch` does. */
  async stream(id: string, response: StreamResponse): Promise<FrameStream> {
    const cluster = await this.clusters.take(id);
    return openLimited(cluster, this.context, () => openPodLogStream(this.context, this.history, cluster, response));
  }

  /** The command, or the container's own streams, that `request` has opened; it lasts until its session is closed. */
  session(id: string, { opened, streams, command }: SessionResponse): Command {
    const { stdin, stdout, stderr, tty } = streams;
    const session =
      opened.session && new ContainerSession(new ClusterSession(this.sessions, id, opened.session), {}, opened.over);
    return { session, failure: opened.failure, command, stdin, stdout, stderr, tty };
  }

  /** The answer of a process that `request` has promised, which rejects with ApiError; and what ends its session. */
  proxied(id: string, response: ProxiedResponse, method: string): { answer: Promise<Proxied>; close(): void } {
    const session = new ContainerSession(new ClusterSession(this.sessions, id, response.pending.session));
    return { answer: readProxied(response, session, method), close: () => session.close() };
  }

  /** The ports of the pod that `request` lets the client connect to. */
  ports(id: string, { target }: PortForwardResponse): PortDialer {
    return new ClusterPorts(this.sessions, id, target);
  }

  /** The whole state of the present. Its objects are shared with the copy in memory: they are never changed. */
  async state(id: string): Promise<CheckpointState> {
    return this.past.stateNow(id);
  }

  /** The revision of the log's last change. Rejects with ClusterNotFound. */
  async revision(id: string): Promise<number> {
    const head = await this.heads.headOf(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head;
  }

  /**
   * Deletes the cluster here and in every other process. False when there was none, or, with `expiredBefore` (real ms),
   * when it had not expired by then.
   */
  async deleteCluster(id: string, expiredBefore?: number): Promise<boolean> {
    const deleted = await this.options.store.deleteCluster(id, expiredBefore);
    if (!deleted && expiredBefore !== undefined) return false;
    const cluster = await this.clusters.peek(id);
    if (cluster) this.clusters.unload(cluster, 'deleted');
    this.parking.end(id, 'deleted');
    this.past.forget(id);
    if (!deleted) return false;
    this.options.announcer.publish({ cluster: id, first: 0, last: 0, deleted: true });
    this.options.onDeleted?.(id);
    return true;
  }

  /** Stores the cluster's state, so that its log can be cut off behind it. Rejects with ClusterNotFound. */
  async checkpoint(id: string): Promise<void> {
    await this.clusters.use(id, (cluster) => this.checkpointer.checkpoint(cluster));
  }

  /** Cuts off, by one step each, at most `limit` logs that reach further back than the retention. Returns how many. */
  async compact(limit: number): Promise<number> {
    const { store } = this.options;
    const before = this.now() - this.context.limits.retentionMs;
    const ids = await store.compactable(before, limit);
    for (const id of ids) await store.compact(id, before).catch((error: unknown) => this.context.onError(error, id));
    return ids.length;
  }

  /** Replaces the cluster's whole state, as LogResetter.reset. */
  async reset(id: string, state: CheckpointState, settings: Readonly<Record<string, unknown>>): Promise<number> {
    return this.resetter.reset(id, state, settings);
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
      listeners: clusters.reduce((sum, cluster) => sum + cluster.broadcaster.size, this.parking.size),
    };
  }

  /** Ends every stream; requests under way are still answered. Store and announcer are the caller's to close. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const clusters = this.clusters.all();
    await Promise.all(clusters.map((cluster) => cluster.serial.run(() => undefined)));
    for (const cluster of clusters) this.clusters.unload(cluster);
    this.parking.endAll('closed');
  }

  private run(
    id: string,
    request: ApiRequest | AskingRequest,
  ): Promise<{ tenant: string; response: ApiResponse | OutsideResponse }> {
    return this.clusters.use(id, async (cluster) => {
      const { tenantId } = cluster.row;
      const first = await this.requests.run(cluster, request);
      const response = wantsHistory(first) ? await this.readHistory(cluster, request, first) : first;
      const isWhole = response.type !== 'body' || !response.prepare;
      return { tenant: tenantId, response: isWhole ? response : await this.prepare(tenantId, response) };
    });
  }

  /** Runs a request again with what it asks of the log. */
  private readHistory(
    cluster: LoadedCluster,
    request: ApiRequest | AskingRequest,
    first: ApiResponse | OutsideResponse,
  ): Promise<ApiResponse | OutsideResponse> {
    const { store, limits, segmentTexts } = this.context;
    const { id, base, settings } = cluster.row;
    const beginning = base && 'template' in base ? base.revision : 0;
    const { template } = settings as { readonly template?: string };
    const source = { store, limits, segmentTexts, id, beginning, template, head: () => cluster.head };
    return settleHistory(source, first, (history) =>
      this.requests.run(
        cluster,
        'outside' in request ? askingRequest(request, { ...request.outside, history }) : request,
      ),
    );
  }

  /** A large body is made in pieces, between which other tenants have their turns. */
  private prepare(tenantId: string, response: BodyResponse): Promise<BodyResponse> {
    return prepareBody(response, (ms) => {
      this.fairQueue.recordCost(tenantId, 1, ms);
      return this.loopTurns.next(tenantId);
    });
  }

  /** The same watch from a later revision; undefined when it is no longer answered with a watch. */
  private watchAgain(request: ApiRequest | undefined): WatchAgain {
    return async (cluster, fromRevision) => {
      const response = request && (await this.requests.run(cluster, resumeRequest(request, fromRevision)));
      return response?.type === 'watch' ? response : undefined;
    };
  }

  private toApiError(error: unknown, id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClusterNotFound) return clusterNotFound(id);
    this.context.onError(error, id);
    return serviceUnavailable();
  }

  private async sweep(): Promise<void> {
    this.clusters.sweep();
    await this.follower.checkHeads();
  }
}

/** Field by field: a copy of the request with one more field costs several times as much. */
const askingRequest = (
  { method, path, query, headers, body, clientCertificate, user, takesEnd, visit }: ApiRequest,
  outside: OutsideRecord,
): AskingRequest => ({ method, path, query, headers, body, clientCertificate, user, takesEnd, visit, outside });
