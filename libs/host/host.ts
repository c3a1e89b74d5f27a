import { ApiError, type ApiRequest, type ApiResponse, type AppliedChange, type StreamResponse, type WatchResponse } from '@terrarium/engine';
import { ClusterNotFound, Compacted, encodeChanges, type ClusterRow, type LogStore, type Segment, type Wake } from '@terrarium/store';
import type { Announcement, Announcer } from './announce/announcer.js';
import { asResponse, crashed, outOfReach, tooMany, unknownOutcome } from './answers.js';
import type { ClusterEngine, Mark } from './engine.js';
import type { Listener } from './feed.js';
import { FrameStream } from './frame-stream.js';
import { HeadCheck } from './head-check.js';
import { LIMITS, Metrics, type Limits } from './limits.js';
import { packState, States } from './states.js';
import { followLogs, subscribe, watchFrames } from './streams.js';
import { Warm, type QueuedRequest } from './warm.js';

/** After so many lost races in a row a run takes the cluster's row lock first. */
const RACES_BEFORE_LOCK = 2;
/** How often work moves on to a fresh copy of its cluster. */
const RETRIES = 3;
/** Changes to these decide when the worker has to run, whatever the controllers say. */
const OWN_GROUP = '.terrarium.dev';

export interface HostOptions {
  readonly store: LogStore;
  readonly announcer: Announcer;
  /** An empty engine for this cluster; the host loads it. */
  loadEngine(row: ClusterRow): ClusterEngine;
  /** Requests have changed the cluster: `wantsAdvance` when its components have something to do now. */
  onCommitted?(cluster: string, news: { readonly wantsAdvance: boolean }): void;
  /** Something went wrong that no caller is told about. */
  onError?(error: unknown, cluster: string): void;
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

/** The engine itself failed, as opposed to the store. */
class EngineFailure extends Error {}
/** This copy has been let go; nothing was done, and a fresh copy will do it. */
class Gone extends Error {}

interface Run<T> {
  run(): T;
  /** What the result means for nextWake. */
  wake(result: T, changed: readonly AppliedChange[]): Wake | undefined;
  /** Records the wake even when nothing has changed. */
  readonly alwaysWake: boolean;
}

/** A run that is not in the store yet. */
interface Attempt<T> {
  readonly mark: Mark;
  readonly result: T;
  readonly changes: readonly AppliedChange[];
  readonly segment: Segment | undefined;
  readonly wake: Wake | undefined;
}

interface Done<T> {
  readonly result: T;
  readonly appended: boolean;
  readonly wake: Wake | undefined;
}

/**
 * The shell around the engine: takes the warm cluster, catches up, runs, appends if the head has not moved (else catches
 * up and runs again), publishes. The same in the process that serves requests and in the one that runs the controllers.
 */
export class ClusterHost {
  readonly metrics = new Metrics();
  readonly limits: Limits;
  readonly states: States;
  private readonly warm = new Map<string, Promise<Warm>>();
  private readonly loaded = new Map<string, Warm>();
  private readonly heads: HeadCheck;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: HostOptions) {
    this.limits = { ...LIMITS, ...options.limits };
    this.states = new States(options.store, this.limits.templates);
    this.heads = new HeadCheck(options.store);
    options.announcer.listen((a) => void this.heard(a), () => void this.checkHeads());
    this.sweeper = setInterval(() => void this.sweep(), this.limits.sweepMs);
    this.sweeper.unref();
  }

  now(): number {
    return this.options.now?.() ?? Date.now();
  }

  // ---- requests ----

  /** Answers one request after its changes, and all that it has seen, are in the store. Never rejects: errors are Status bodies. */
  async request(id: string, request: ApiRequest): Promise<ApiResponse> {
    this.metrics.requests++;
    try {
      return await this.onWarm(id, (warm) => this.enqueue(warm, request));
    } catch (error) {
      this.metrics.failedRequests++;
      return asResponse(this.explain(error, id));
    }
  }

  private enqueue(warm: Warm, request: ApiRequest): Promise<ApiResponse> {
    if (warm.queue.length >= this.limits.queuedRequests) throw tooMany();
    return new Promise<ApiResponse>((resolve, reject) => {
      warm.queue.push({ request, resolve, reject });
      if (warm.queue.length === 1) void warm.serial.run(() => this.drain(warm));
    });
  }

  /** Those that have gathered share one run and one append. */
  private async drain(warm: Warm): Promise<void> {
    const batch = warm.queue.slice(0, this.limits.batchRequests);
    this.metrics.batches++;
    let outcome: () => void;
    try {
      const { result, appended, wake } = await this.transact(warm, {
        run: () => this.handleAll(warm, batch),
        wake: (_result, changed) => (this.wants(warm, changed) ? { by: this.now() } : undefined),
        alwaysWake: false,
      });
      if (appended) this.tell(warm.row.id, wake !== undefined);
      outcome = () => batch.forEach((entry, i) => entry.resolve(result[i]!));
    } catch (error) {
      outcome = () => batch.forEach((entry) => entry.reject(error));
    }
    warm.queue.splice(0, batch.length);
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

  /** A request that the engine throws on is answered 500, and the others run again without it. */
  private handleAll(warm: Warm, batch: readonly QueuedRequest[]): ApiResponse[] {
    const { engine } = warm;
    const mark = engine.mark();
    for (;;) {
      const responses: ApiResponse[] = [];
      const now = engine.virtualNow(this.now());
      try {
        for (const entry of batch) responses.push(entry.failed ?? engine.handle(entry.request, now));
        return responses;
      } catch (error) {
        engine.rollback(mark);
        this.options.onError?.(error, warm.row.id);
        batch[responses.length]!.failed = asResponse(crashed());
      }
    }
  }

  // ---- the components ----

  /** Runs the components, slice after slice, until nothing is left to do now or the time of one turn is over. Rejects when the store is out of reach. */
  advance(id: string): Promise<AdvanceResult> {
    return this.onWarm(id, (warm) => this.advanceWarm(warm));
  }

  private async advanceWarm(warm: Warm): Promise<AdvanceResult> {
    if (warm.row.halted !== undefined) {
      if ((await this.options.store.cluster(warm.row.id))?.halted !== undefined) return { again: false, nextWake: undefined };
      this.discard(warm);
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
    this.discard(warm);
    await this.options.store.halt(warm.row.id, failure.message);
  }

  // ---- the transaction ----

  /** Runs until what it changed is appended to an unmoved head, or, if it changed nothing, until what it saw was the head. */
  private async transact<T>(warm: Warm, job: Run<T>): Promise<Done<T>> {
    if (warm.gone) throw new Gone();
    const { store } = this.options;
    const { id } = warm.row;
    try {
      let confirmed = false;
      if (warm.announced > warm.head) await this.catchUp(warm);
      for (let lost = 0; lost < RACES_BEFORE_LOCK; lost++) {
        const attempt = this.attempt(warm, job);
        if (await this.orUndo(warm, attempt, this.write(warm, job, attempt, confirmed))) return this.committed(warm, attempt);
        warm.engine.rollback(attempt.mark);
        await this.catchUp(warm);
        confirmed = true;
      }
      return await this.transactLocked(warm, job);
    } catch (error) {
      if (warm.engine.revision !== warm.head || error instanceof Compacted || error instanceof ClusterNotFound) this.discard(warm);
      throw error;
    }
  }

  /** Whether the attempt stands: what it changed is appended, or what it saw was the head. */
  private async write<T>(warm: Warm, job: Run<T>, { segment, wake }: Attempt<T>, confirmed: boolean): Promise<boolean> {
    const { store } = this.options;
    const { id } = warm.row;
    if (segment) {
      const { ok } = await this.append(() => store.append(id, { ...segment, expected: warm.head, wake }));
      if (!ok) this.metrics.lostRaces++;
      return ok;
    }
    if (job.alwaysWake && wake) return (await store.setWake(id, warm.head, wake)).ok;
    return confirmed || (await this.headOf(id)) === warm.head;
  }

  private async transactLocked<T>(warm: Warm, job: Run<T>): Promise<Done<T>> {
    this.metrics.rowLocks++;
    let attempt: Attempt<T> | undefined;
    const locked = this.append(() =>
      this.options.store.withLock(warm.row.id, async (cluster) => {
        await this.catchUp(warm, (after) => cluster.read(after, this.limits.readSegments));
        attempt = this.attempt(warm, job);
        const { segment, wake } = attempt;
        if (segment) await cluster.append({ ...segment, expected: warm.head, wake });
        else if (job.alwaysWake && wake) await cluster.setWake(wake);
      }),
    );
    try {
      await locked;
    } catch (error) {
      if (attempt) warm.engine.rollback(attempt.mark);
      throw error;
    }
    return this.committed(warm, attempt!);
  }

  private attempt<T>(warm: Warm, job: Run<T>): Attempt<T> {
    const mark = warm.engine.mark();
    try {
      const result = job.run();
      const changes = warm.engine.since(mark);
      return { mark, result, changes, segment: changes.length > 0 ? this.segment(changes) : undefined, wake: job.wake(result, changes) };
    } catch (error) {
      warm.engine.rollback(mark);
      throw error;
    }
  }

  private async orUndo<T, R>(warm: Warm, attempt: Attempt<T>, write: Promise<R>): Promise<R> {
    try {
      return await write;
    } catch (error) {
      warm.engine.rollback(attempt.mark);
      throw error;
    }
  }

  private segment(changes: readonly AppliedChange[]): Segment {
    return { first: changes[0]!.revision, last: changes[changes.length - 1]!.revision, at: this.now(), changes: encodeChanges(changes) };
  }

  /** Whether a failed append has reached the store is not known: the caller is told so, and the next head check finds out. */
  private async append<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ClusterNotFound || error instanceof EngineFailure || error instanceof Compacted) throw error;
      this.metrics.storeErrors++;
      throw unknownOutcome(error);
    }
  }

  private committed<T>(warm: Warm, { result, changes, segment, wake }: Attempt<T>): Done<T> {
    warm.engine.commit();
    if (!segment) return { result, appended: false, wake };
    this.metrics.appends++;
    this.metrics.changes += changes.length;
    warm.grown(changes, segment.changes.length);
    const fits = segment.changes.length <= this.limits.announceBytes;
    this.options.announcer.publish({ cluster: warm.row.id, first: segment.first, last: segment.last, changes: fits ? segment.changes : undefined });
    this.checkpointIfDue(warm);
    return { result, appended: true, wake };
  }

  private async headOf(id: string): Promise<number> {
    const head = await this.heads.ask(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head;
  }

  private async catchUp(warm: Warm, read = (after: number) => this.options.store.read(warm.row.id, after, this.limits.readSegments)): Promise<void> {
    for (;;) {
      const segments = await read(warm.head);
      for (const segment of segments) this.metrics.caughtUpChanges += warm.replay(segment);
      if (segments.length < this.limits.readSegments) return;
    }
  }

  // ---- listening ----

  /**
   * Delivers every change after `fromRevision`, then each new one as soon as it is in the store. The result ends it.
   * `listener.ended('expired', oldest)` when that revision is no longer retained. Rejects when there is no such cluster.
   */
  async subscribe(id: string, fromRevision: number, listener: Listener): Promise<() => void> {
    return subscribe(this, await this.take(id), fromRevision, listener);
  }

  /** The frames of a watch that `request` has answered with. Ends at its timeout, when the reader leaves, or when it is too slow. */
  async watch(id: string, response: WatchResponse): Promise<FrameStream> {
    this.metrics.watches++;
    return watchFrames(this, await this.take(id), response);
  }

  /** The text of a stream that `request` has answered with (`kubectl logs -f`). */
  async stream(id: string, response: StreamResponse): Promise<FrameStream> {
    return followLogs(this, await this.take(id), response);
  }

  /** The last committed revision that this process knows of, after asking the store. */
  async revision(id: string): Promise<number> {
    return this.headOf(id);
  }

  /** Changes after this revision can still be subscribed to. */
  oldestRetained(id: string): Promise<number> {
    return this.options.store.oldestRetained(id);
  }

  private async heard(announcement: Announcement): Promise<void> {
    // One that is still loading may have read the store before this was there.
    const warm = this.loaded.get(announcement.cluster) ?? (await this.warm.get(announcement.cluster)?.catch(() => undefined));
    if (!warm) return;
    if (announcement.deleted) return this.discard(warm, 'deleted');
    if (announcement.last <= warm.head) return;
    warm.announced = Math.max(warm.announced, announcement.last);
    await this.quietly(warm, async () => {
      const { first, last, changes } = announcement;
      if (last <= warm.head || warm.gone) return;
      if (changes && first === warm.head + 1) this.metrics.caughtUpChanges += warm.replay({ first, last, changes });
      else if (warm.feed.size > 0 || warm.pins > 0) await this.catchUp(warm);
    });
  }

  /** Announcements may have been lost: whoever is listened to looks at the store. */
  private async checkHeads(): Promise<void> {
    const watched = [...this.loaded.values()].filter((w) => w.feed.size > 0 || w.pins > 0);
    if (watched.length === 0) return;
    try {
      const heads = await this.options.store.heads(watched.map((w) => w.row.id));
      for (const warm of watched) {
        const head = heads.get(warm.row.id);
        if (head === undefined) this.discard(warm, 'deleted');
        else if (head > warm.head) void this.quietly(warm, () => this.catchUp(warm));
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
      if (warm.engine.revision !== warm.head || error instanceof Compacted || error instanceof ClusterNotFound) this.discard(warm);
    }
  }

  // ---- warm clusters ----

  private async take(id: string): Promise<Warm> {
    let warm = this.warm.get(id);
    if (warm) this.warm.delete(id);
    else {
      warm = this.load(id);
      warm.catch(() => this.warm.get(id) === warm && this.warm.delete(id));
    }
    // A Map keeps the order of insertion: the least recently used come first.
    this.warm.set(id, warm);
    const ready = await warm;
    ready.lastUsed = this.now();
    return ready;
  }

  /** Uses the warm copy; once more when it was let go in between. */
  private async onWarm<T>(id: string, use: (warm: Warm) => Promise<T>): Promise<T> {
    for (let again = 0; ; again++) {
      try {
        return await use(await this.take(id));
      } catch (error) {
        if (!(error instanceof Gone) || again >= RETRIES) throw error;
      }
    }
  }

  private async load(id: string): Promise<Warm> {
    const { store } = this.options;
    const row = await store.cluster(id);
    if (!row) throw new ClusterNotFound(id);
    const engine = this.options.loadEngine(row);
    const state = await this.states.load(row);
    if (state) engine.load(state);
    const warm = new Warm(row, engine, this.limits);
    await this.catchUp(warm);
    this.metrics.loads++;
    this.loaded.set(id, warm);
    if (this.loaded.size > this.limits.warmClusters) this.evict(warm);
    return warm;
  }

  /** Forgets a cluster; those who listen are told, and come back to a fresh copy. */
  private discard(warm: Warm, reason: 'closed' | 'deleted' = 'closed'): void {
    if (warm.gone) return;
    warm.gone = true;
    this.warm.delete(warm.row.id);
    this.loaded.delete(warm.row.id);
    warm.feed.end(reason);
  }

  /** Lets go of what is not in use: what is over the limits, and what has been idle for long. */
  private evict(spared?: Warm): void {
    const idleSince = this.now() - this.limits.warmIdleMs;
    const all = [...this.warm.keys()].flatMap((id) => this.loaded.get(id) ?? []);
    let count = all.length;
    let bytes = all.reduce((sum, w) => sum + w.bytes, 0);
    for (const warm of all) {
      const over = count > this.limits.warmClusters || bytes > this.limits.warmBytes;
      if (warm === spared || warm.pinned || warm.checkpointing || (!over && warm.lastUsed >= idleSince)) continue;
      count--;
      bytes -= warm.bytes;
      this.metrics.evictions++;
      this.discard(warm);
    }
    if (bytes > this.limits.warmBytes) for (const warm of this.loaded.values()) warm.window.trim(this.limits.windowChanges / 20);
  }

  private async sweep(): Promise<void> {
    this.evict();
    await this.checkHeads();
  }

  // ---- checkpoints ----

  private checkpointIfDue(warm: Warm): void {
    const { tail } = warm;
    if (warm.checkpointing || (tail.changes < this.limits.tailChanges && tail.bytes < this.limits.tailBytes)) return;
    if (tail.changes < warm.objects) return;
    warm.checkpointing = true;
    void this.checkpoint(warm).finally(() => (warm.checkpointing = false));
  }

  /** Takes the state between two runs, and writes it while others go on. */
  private async checkpoint(warm: Warm): Promise<void> {
    const { store } = this.options;
    const was = warm.tail;
    try {
      const { revision, packed } = await warm.serial.run(() => {
        warm.tail = { changes: 0, bytes: 0 };
        return { revision: warm.engine.revision, packed: packState(warm.engine.checkpoint()) };
      });
      await store.saveCheckpoint(warm.row.id, revision, await packed);
      await store.compact(warm.row.id, this.now() - this.limits.retentionMs);
      this.metrics.checkpoints++;
    } catch {
      this.metrics.storeErrors++;
      warm.tail = { changes: warm.tail.changes + was.changes, bytes: warm.tail.bytes + was.bytes };
    }
  }

  // ---- the rest ----

  /** Deletes the cluster here and everywhere. Tells whether there was one. */
  async deleteCluster(id: string): Promise<boolean> {
    const deleted = await this.options.store.deleteCluster(id);
    const warm = this.loaded.get(id);
    if (warm) this.discard(warm, 'deleted');
    if (deleted) this.options.announcer.publish({ cluster: id, first: 0, last: 0, deleted: true });
    return deleted;
  }

  /** Lets a halted cluster run again. */
  async resume(id: string): Promise<void> {
    await this.options.store.halt(id, undefined);
  }

  /** Ends every stream; what is under way is still answered. Store and announcer are the caller's to close. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const all = [...this.loaded.values()];
    await Promise.all(all.map((warm) => warm.serial.run(() => undefined)));
    for (const warm of all) this.discard(warm);
  }

  private explain(error: unknown, id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClusterNotFound) return new ApiError(404, 'NotFound', `cluster ${JSON.stringify(id)} not found`);
    this.options.onError?.(error, id);
    return outOfReach();
  }
}
