import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type AppliedChange,
  type AskingRequest,
  type OutsideResponse,
  type StreamResponse,
  type WatchResponse,
} from '@terrarium/engine';
import { ClusterNotFound, Compacted, type ClusterRow, type LogStore } from '@terrarium/store';
import type { Announcement, Announcer } from './log/announce/announcer.js';
import { asResponse, crashed, outOfReach, overloaded } from './gate/answers.js';
import { Checkpointer } from './log/checkpointer.js';
import type { ClusterEngine } from './clusters/engine.js';
import type { Listener } from './watch/feed.js';
import type { FrameStream } from './watch/frame-stream.js';
import { HeadCheck } from './log/head-check.js';
import { LIMITS, Metrics, type Limits } from './limits.js';
import { EngineFailure, LogWriter, type Done, type Run } from './log/log-writer.js';
import { Outside } from './outside/outside.js';
import { States } from './clusters/states.js';
import { followLogs, subscribe, watchFrames } from './watch/streams.js';
import { Turns } from './gate/fair-queue.js';
import { Gone, WarmClusters } from './clusters/loaded-clusters.js';
import type { QueuedRequest, Warm } from './clusters/loaded-cluster.js';

/** Changes to these decide when the worker has to run, whatever the controllers say. */
const OWN_GROUP = '.terrarium.dev';

export interface HostOptions {
  readonly store: LogStore;
  readonly announcer: Announcer;
  /** An empty engine for this cluster; the host loads it. */
  loadEngine(row: ClusterRow): ClusterEngine | Promise<ClusterEngine>;
  /** Requests have changed the cluster: `wantsAdvance` when its components have something to do now. */
  onCommitted?(cluster: string, news: { readonly wantsAdvance: boolean }): void;
  /** Something went wrong that no caller is told about. */
  onError?(error: unknown, cluster: string): void;
  /**
   * Webhooks may name URLs: of public addresses, or of any, this machine's own network included. Without, they can not
   * be called.
   */
  readonly webhookUrls?: 'public' | 'any';
  readonly limits?: Partial<Limits>;
  /** Real ms since the epoch. */
  now?(): number;
}

export interface AdvanceResult {
  /** There is more to do now. */
  readonly again: boolean;
  /** Real ms at which there will be something to do. */
  readonly nextWake: number | undefined;
}

/**
 * The shell around the engine: takes the warm cluster, catches up, runs, appends if the head has not moved (else
 * catches
 * up and runs again), publishes. The same in the process that serves requests and in the one that runs the controllers.
 */
export class ClusterHost {
  readonly metrics = new Metrics();
  readonly limits: Limits;
  readonly states: States;
  /** For whoever serves several tenants: which request is next. */
  readonly turns: Turns;
  private readonly outside: Outside | undefined;
  private readonly warm: WarmClusters;
  private readonly heads: HeadCheck;
  private readonly writer: LogWriter;
  private readonly checkpointer: Checkpointer;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: HostOptions) {
    const { store, announcer } = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.turns = new Turns(this.limits);
    this.outside = options.webhookUrls && new Outside(this.limits, options.webhookUrls === 'any');
    this.states = new States(store, this.limits.templates);
    this.heads = new HeadCheck(store);
    const shared = { store, limits: this.limits, metrics: this.metrics, now: () => this.now() };
    this.warm = new WarmClusters({ ...shared, states: this.states, loadEngine: (row) => options.loadEngine(row) });
    this.writer = new LogWriter({ ...shared, announcer, heads: this.heads });
    this.checkpointer = new Checkpointer(shared);
    announcer.listen(
      (a) => void this.heard(a),
      () => void this.checkHeads(),
    );
    this.sweeper = setInterval(() => void this.sweep(), this.limits.sweepMs);
    this.sweeper.unref();
  }

  now(): number {
    return this.options.now?.() ?? Date.now();
  }

  // ---- requests ----

  /**
   * Answers one request after its changes, and all that it has seen, are in the store. Never rejects: errors are Status
   * bodies.
   */
  async request(id: string, request: ApiRequest): Promise<ApiResponse> {
    this.metrics.requests++;
    try {
      if (this.outside) return await this.outside.settle((outside) => this.run(id, { ...request, outside }));
      return (await this.run(id, request)).response as ApiResponse;
    } catch (error) {
      this.metrics.failedRequests++;
      return asResponse(this.explain(error, id));
    }
  }

  private run(
    id: string,
    request: ApiRequest | AskingRequest,
  ): Promise<{ tenant: string; response: ApiResponse | OutsideResponse }> {
    return this.warm.use(id, async (warm) => ({
      tenant: warm.row.tenantId,
      response: await this.enqueue(warm, request),
    }));
  }

  private enqueue(warm: Warm, request: ApiRequest | AskingRequest): Promise<ApiResponse | OutsideResponse> {
    if (warm.queue.length >= this.limits.queuedRequests) throw overloaded();
    return new Promise<ApiResponse | OutsideResponse>((resolve, reject) => {
      warm.queue.push({ request, resolve, reject });
      if (warm.queue.length === 1) void warm.serial.run(() => this.drain(warm));
    });
  }

  /** Those that have gathered share one run and one append. */
  private async drain(warm: Warm): Promise<void> {
    const batch = warm.queue.slice(0, this.limits.batchRequests);
    this.metrics.batches++;
    let outcome: () => void;
    let served = batch.length;
    try {
      const { result, appended, wake } = await this.transact(warm, {
        run: () => this.handleAll(warm, batch),
        wake: (_result, changed) => (this.wants(warm, changed) ? { by: this.now() } : undefined),
        alwaysWake: false,
      });
      if (appended) {
        this.checkpointer.considered(warm, false);
        this.tell(warm.row.id, wake !== undefined);
      }
      served = result.length;
      outcome = () => result.forEach((response, i) => batch[i]!.resolve(response));
    } catch (error) {
      outcome = () => batch.forEach((entry) => entry.reject(error));
    }
    warm.queue.splice(0, served);
    if (warm.queue.length > 0) void warm.serial.run(() => this.drain(warm));
    outcome();
  }

  /** The changes are committed: whatever the callback does, their requests are answered. */
  private tell(id: string, wantsAdvance: boolean): void {
    try {
      this.options.onCommitted?.(id, { wantsAdvance });
    } catch (error) {
      this.options.onError?.(error, id);
    }
  }

  private wants(warm: Warm, changed: readonly AppliedChange[]): boolean {
    return changed.length > 0 && (warm.engine.wantsAdvance() || changed.some((c) => c.resource.endsWith(OWN_GROUP)));
  }

  /**
   * Answers the first of the batch, at least one, until its time is up. One that the engine throws on is answered 500,
   * and the others run again without it.
   */
  private handleAll(warm: Warm, batch: readonly QueuedRequest[]): (ApiResponse | OutsideResponse)[] {
    const { engine } = warm;
    const mark = engine.mark();
    const started = performance.now();
    for (;;) {
      const responses: (ApiResponse | OutsideResponse)[] = [];
      const now = engine.virtualNow(this.now());
      try {
        for (const entry of batch) {
          responses.push(entry.failed ?? engine.handle(entry.request, now));
          if (performance.now() - started > this.limits.batchMs) break;
        }
        this.turns.spent(warm.row.tenantId, responses.length, performance.now() - started);
        return responses;
      } catch (error) {
        engine.rollback(mark);
        this.options.onError?.(error, warm.row.id);
        batch[responses.length]!.failed = asResponse(crashed());
      }
    }
  }

  // ---- the components ----

  /**
   * Runs the components, slice after slice, until nothing is left to do now or the time of one turn is over. Rejects
   * when the store is out of reach.
   */
  async advance(id: string): Promise<AdvanceResult> {
    try {
      return await this.warm.use(id, (warm) => this.advanceWarm(warm));
    } catch (error) {
      // Deleted since its task was added: there is nothing left to do.
      if (error instanceof ClusterNotFound) return { again: false, nextWake: undefined };
      throw error;
    }
  }

  private async advanceWarm(warm: Warm): Promise<AdvanceResult> {
    if (warm.row.halted !== undefined) {
      if ((await this.options.store.cluster(warm.row.id))?.halted !== undefined)
        return { again: false, nextWake: undefined };
      this.warm.discard(warm);
      throw new Gone();
    }
    const end = performance.now() + this.limits.advanceMs;
    for (;;) {
      const result = await warm.serial.run(() => this.slice(warm));
      if (!result.again || performance.now() > end) return result;
    }
  }

  private async slice(warm: Warm): Promise<AdvanceResult> {
    const { engine } = warm;
    const nextWake = (progress: { settled: boolean; nextWake: number | undefined }): number | undefined => {
      if (!progress.settled) return this.now();
      return progress.nextWake === undefined ? undefined : engine.realTimeOf(progress.nextWake, this.now());
    };
    try {
      const { result } = await this.transact(warm, {
        run: () => this.guarded(() => engine.advance(engine.virtualNow(this.now()), this.limits.sliceChanges)),
        wake: (progress) => ({ exactly: nextWake(progress) }),
        alwaysWake: true,
      });
      this.checkpointer.considered(warm, !result.settled);
      return { again: !result.settled, nextWake: nextWake(result) };
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      await this.halt(warm, error);
      return { again: false, nextWake: undefined };
    }
  }

  private guarded<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw new EngineFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** A broken assertion stops this one cluster. Its log stays, and it still answers. */
  private async halt(warm: Warm, failure: EngineFailure): Promise<void> {
    this.metrics.halted++;
    this.options.onError?.(failure.cause, warm.row.id);
    this.warm.discard(warm);
    await this.options.store.halt(warm.row.id, failure.message);
  }

  /** One run in the cluster's log. A copy that no longer agrees with its log is thrown away. */
  private async transact<T>(warm: Warm, job: Run<T>): Promise<Done<T>> {
    try {
      return await this.writer.transact(warm, job);
    } catch (error) {
      this.discardIfBroken(warm, error);
      throw error;
    }
  }

  private discardIfBroken(warm: Warm, error: unknown): void {
    if (warm.engine.revision !== warm.head || error instanceof Compacted || error instanceof ClusterNotFound)
      this.warm.discard(warm);
  }

  // ---- listening ----

  /**
   * Delivers every change after `fromRevision`, then each new one as soon as it is in the store. The result ends it.
   * `listener.ended('expired', oldest)` when that revision is no longer retained. Rejects when there is no such
   * cluster.
   */
  async subscribe(id: string, fromRevision: number, listener: Listener): Promise<() => void> {
    return subscribe(this, await this.warm.take(id), fromRevision, listener);
  }

  /**
   * The frames of a watch that `request` has answered with. Ends at its timeout, when the reader leaves, or when it is
   * too slow.
   */
  async watch(id: string, response: WatchResponse): Promise<FrameStream> {
    this.metrics.watches++;
    return this.counted(await this.warm.take(id), (warm) => watchFrames(this, warm, response));
  }

  /** The text of a stream that `request` has answered with (`kubectl logs -f`). */
  async stream(id: string, response: StreamResponse): Promise<FrameStream> {
    return this.counted(await this.warm.take(id), (warm) => followLogs(this, warm, response));
  }

  /** Rejects with 429 when the cluster has too many streams. */
  private async counted(warm: Warm, open: (warm: Warm) => Promise<FrameStream>): Promise<FrameStream> {
    if (warm.streams >= this.limits.clusterStreams) throw overloaded();
    warm.streams++;
    try {
      const stream = await open(warm);
      stream.onEnd(() => warm.streams--);
      return stream;
    } catch (error) {
      warm.streams--;
      throw error;
    }
  }

  /** The revision of the log's last change. */
  async revision(id: string): Promise<number> {
    const head = await this.heads.ask(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head;
  }

  /** Changes after this revision can still be subscribed to. */
  oldestRetained(id: string): Promise<number> {
    return this.options.store.oldestRetained(id);
  }

  private async heard(announcement: Announcement): Promise<void> {
    // One that is still loading may have read the store before this was there.
    const warm = await this.warm.peek(announcement.cluster);
    if (!warm) return;
    if (announcement.deleted) return this.warm.discard(warm, 'deleted');
    if (announcement.last <= warm.head) return;
    warm.announced = Math.max(warm.announced, announcement.last);
    await this.quietly(warm, async () => {
      const { first, last, changes } = announcement;
      if (last <= warm.head || warm.gone) return;
      if (changes && first === warm.head + 1) this.metrics.caughtUpChanges += warm.replay({ first, last, changes });
      else if (warm.feed.size > 0 || warm.pins > 0) await this.writer.catchUp(warm);
    });
  }

  /** Announcements may have been lost: whoever is listened to looks at the store. */
  private async checkHeads(): Promise<void> {
    const watched = this.warm.listened();
    if (watched.length === 0) return;
    try {
      const heads = await this.options.store.heads(watched.map((w) => w.row.id));
      for (const warm of watched) {
        const head = heads.get(warm.row.id);
        if (head === undefined) this.warm.discard(warm, 'deleted');
        else if (head > warm.head) void this.quietly(warm, () => this.writer.catchUp(warm));
      }
    } catch {
      this.metrics.storeErrors++;
    }
  }

  /** Work that nobody waits for. A copy that cannot follow its log is thrown away and loaded anew when needed. */
  private async quietly(warm: Warm, work: () => Promise<void>): Promise<void> {
    try {
      await warm.serial.run(work);
    } catch (error) {
      this.options.onError?.(error, warm.row.id);
      this.discardIfBroken(warm, error);
    }
  }

  private async sweep(): Promise<void> {
    this.warm.evict();
    await this.checkHeads();
  }

  // ---- the rest ----

  /** Deletes the cluster here and everywhere. Tells whether there was one. */
  async deleteCluster(id: string): Promise<boolean> {
    const deleted = await this.options.store.deleteCluster(id);
    const warm = await this.warm.peek(id);
    if (warm) this.warm.discard(warm, 'deleted');
    if (deleted) this.options.announcer.publish({ cluster: id, first: 0, last: 0, deleted: true });
    return deleted;
  }

  /** Cuts logs off that reach further back than the retention: housekeeping. Tells for how many clusters. */
  async compact(limit: number): Promise<number> {
    const before = this.now() - this.limits.retentionMs;
    const ids = await this.options.store.compactable(before, limit);
    for (const id of ids) await this.options.store.compact(id, before);
    return ids.length;
  }

  /** What is in memory now. */
  gauges(): { readonly warmClusters: number; readonly warmBytes: number; readonly listeners: number } {
    const all = this.warm.all();
    return {
      warmClusters: all.length,
      warmBytes: all.reduce((n, w) => n + w.bytes, 0),
      listeners: all.reduce((n, w) => n + w.feed.size, 0),
    };
  }

  /** Lets a halted cluster run again. */
  async resume(id: string): Promise<void> {
    await this.options.store.halt(id, undefined);
  }

  /** Ends every stream; what is under way is still answered. Store and announcer are the caller's to close. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const all = this.warm.all();
    await Promise.all(all.map((warm) => warm.serial.run(() => undefined)));
    for (const warm of all) this.warm.discard(warm);
  }

  private explain(error: unknown, id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClusterNotFound)
      return new ApiError(404, 'NotFound', `cluster ${JSON.stringify(id)} not found`);
    this.options.onError?.(error, id);
    return outOfReach();
  }
}
