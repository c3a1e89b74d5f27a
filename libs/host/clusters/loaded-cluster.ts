import type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  OutsideResponse,
  SessionAnswer,
  SessionRequest,
} from '@terrarium/engine';
import { decodeSegment, isReset, restore, type ClusterRow, type Segment } from '@terrarium/store';
import type { Limits } from '../limits.js';
import { Broadcaster } from '../watch/broadcaster.js';
import { WatchCache } from '../watch/watch-cache.js';
import { AnnouncedChanges } from './announced-changes.js';
import { Breaks } from './breaks.js';
import type { ClusterEngine } from './cluster-engine.js';
import { SerialQueue } from './serial-queue.js';
import type { ClusterSpace } from './cluster-space.js';

/**
 * Memory for each encoded byte of an object. Parsed it takes about as much as its text, which is kept beside it once it
 * was printed (25,000 objects of 33 MiB together take 37 MiB, and 89 MiB when they were listed in every form).
 */
const OBJECT_FACTOR = 1.5;
/** At most, in UTF-8. */
const CHARACTER_BYTES = 3;
/**
 * The state is measured again when so much text was appended, or so large a share of the state, if that is more:
 * often enough for its bounds, and most objects only once.
 */
const MEASURED_TEXT = 8 * 1024 * 1024;
const MEASURED_SHARE = 1 / 2;
/** Objects between two rounds of the event loop: a fraction of a millisecond. */
const MEASURED_OBJECTS = 64;
/** A change in the watch cache, without its objects. */
const CHANGE_BYTES = 300;
/** A loaded cluster without objects: its controllers with their queues and indexes. */
const ENGINE_BYTES = 192 * 1024;

/** What a cluster's engine answers in a transaction. */
export type EngineRequest = ApiRequest | AskingRequest | SessionRequest;
export type EngineResponse = ApiResponse | OutsideResponse | SessionAnswer;

export interface QueuedRequest {
  readonly request: EngineRequest;
  /** What the pacer knows it by. */
  readonly costClass: string;
  resolve(response: EngineResponse): void;
  reject(error: unknown): void;
  /** The span that waits for the answer. */
  readonly traceparent?: string;
  /** Set when the engine threw on this request: the rest of its batch runs again without it. */
  failed?: ApiResponse;
}

/** The copy that work was begun on has been unloaded; nothing was done, and a fresh copy can do it. */
export class ClusterUnloaded extends Error {}

/** The cluster was put back to another state at this revision: a copy of before cannot follow its log. */
export class LogReset extends ClusterUnloaded {
  constructor(readonly revision: number) {
    super(`the cluster was put back to another state at revision ${revision}`);
  }
}

/** One cluster in memory: its engine, caught up to `head`, its listeners, and the requests that wait for it. */
export class LoadedCluster {
  /** Every use of the engine goes through this queue. */
  readonly serial = new SerialQueue();
  readonly broadcaster: Broadcaster;
  readonly watchCache: WatchCache;
  readonly queue: QueuedRequest[] = [];
  /** Revision of the last change that is known to be stored; the engine is ahead while an append is under way. */
  head: number;
  readonly announced = new AnnouncedChanges();
  /** Real ms since the epoch. */
  lastUsed = 0;
  /** When the components' last run has planned the next one: real ms since the epoch. */
  plannedWake: number | undefined;
  /** The log's growth since the last checkpoint that this process knows of. */
  tail = { changes: 0, bytes: 0 };
  isCheckpointing = false;
  /** Bytes of a checkpoint that is being encoded or written. */
  checkpointBytes = 0;
  /** Bodies of queued requests. */
  queuedBytes = 0;
  /** The state's encoded size when it was measured, and the characters of what was appended since. */
  private stateBytes: number;
  private textSince = 0;
  private isMeasuring = false;
  readonly space: ClusterSpace;
  /** Watches and followed pod logs that are open. */
  streams = 0;
  /** Listeners that still read past changes and have not joined the broadcaster yet. */
  pins = 0;
  /** This copy is no longer used; nothing may be run on it. */
  isUnloaded = false;

  constructor(
    readonly row: ClusterRow,
    readonly engine: ClusterEngine,
    limits: Pick<Limits, 'watchCacheChanges' | 'watchCacheBytes' | 'watchCacheMs' | 'clusterBytes'>,
    onError: (error: unknown) => void,
  ) {
    this.broadcaster = new Broadcaster(onError);
    this.head = engine.revision;
    const { bytes } = row;
    this.space = {
      quota: limits.clusterBytes,
      stored: bytes,
      compacted: bytes,
      isTenantFull: false,
      readAt: -Infinity,
    };
    this.watchCache = new WatchCache(this.head, limits);
    this.stateBytes = engine.state.bytes;
  }

  get hasListeners(): boolean {
    return this.broadcaster.size > 0 || this.pins > 0;
  }

  /** Something runs or waits here that cannot go on elsewhere. */
  get isBusy(): boolean {
    return this.pins > 0 || this.isCheckpointing || this.queue.length > 0 || this.serial.isBusy;
  }

  get objectCount(): number {
    let count = 0;
    for (const resource of this.engine.state.resources()) count += this.engine.state.count(resource);
    return count;
  }

  /** The live objects are not larger together: they have not grown by more than what was appended. */
  get maxStateBytes(): number {
    return this.stateBytes + CHARACTER_BYTES * this.textSince;
  }

  /** Memory of this copy: its objects, what it keeps of past changes, and what is on its way in and out. */
  get bytes(): number {
    const { watchCache, broadcaster } = this;
    // The text that was appended since is in the state or, of what was replaced, in the watch cache.
    const objects = OBJECT_FACTOR * (this.stateBytes + Math.max(this.textSince, watchCache.bytes));
    const changes = watchCache.length * CHANGE_BYTES + broadcaster.bufferedBytes;
    return ENGINE_BYTES + objects + changes + this.announced.bytes + this.queuedBytes + this.checkpointBytes;
  }

  /** Makes the memory of past changes smaller: watches that resume from before read the store. */
  trimHistory(maxChanges: number, maxBytes: number): void {
    this.watchCache.trim(maxChanges, maxBytes);
    this.forgetHistory();
  }

  /** The same of changes that are too old. */
  dropStaleHistory(now: number): void {
    this.watchCache.dropStale(now);
    this.forgetHistory();
  }

  private forgetHistory(): void {
    this.engine.state.forgetHistoryUpTo(this.watchCache.start);
  }

  /**
   * Replays the segments of the log after `head`; `read` gives at most `pageSize` of them. Returns the number of
   * changes.
   */
  async catchUp(read: (after: number) => Promise<readonly Segment[]>, pageSize: number): Promise<number> {
    const breaks = new Breaks();
    for (let replayed = 0; ;) {
      const segments = await read(this.head);
      for (const segment of segments) {
        replayed += this.replay(segment);
        await breaks.take();
      }
      if (segments.length < pageSize) return replayed;
    }
  }

  /** Replays all that was announced, as far as it follows the head. Returns the number of changes. */
  async replayAnnounced(): Promise<number> {
    const breaks = new Breaks();
    let replayed = 0;
    for (let changes = this.replayNext(); changes !== undefined; changes = this.replayNext()) {
      replayed += changes;
      await breaks.take();
    }
    return replayed;
  }

  /** Replays the announced segment that follows the head. Returns the number of changes; undefined without one. */
  replayNext(): number | undefined {
    const next = this.announced.take(this.head);
    return next && this.replay(next);
  }

  /** Applies a segment that another process has written. Returns the number of changes; throws when one is missing. */
  replay(segment: Pick<Segment, 'first' | 'last' | 'changes'>): number {
    if (isReset(segment)) throw new LogReset(segment.last);
    // Another process has planned anew.
    this.plannedWake = undefined;
    const { state } = this.engine;
    const applied: AppliedChange[] = [];
    const { changes, textLength } = decodeSegment(segment.changes, segment.first);
    for (const stored of changes) {
      if (stored.revision <= this.engine.revision || stored.revision > segment.last) continue;
      const previous = stored.shared ? state.lookup(stored.resource, stored.namespace, stored.name) : undefined;
      const change = this.engine.replay(restore(stored, previous));
      if (stored.bodyBytes !== undefined) state.recordSize(change.object, stored.bodyBytes);
      applied.push(change);
    }
    this.space.stored += segment.changes.length;
    this.recordAppend(applied, { stored: segment.changes.length, text: textLength });
    return applied.length;
  }

  /** Moves the head over changes that the log has now, and broadcasts them. Sizes: of their segment. */
  recordAppend(changes: readonly AppliedChange[], size: { readonly stored: number; readonly text: number }): void {
    this.head = this.engine.revision;
    this.tail.changes += changes.length;
    this.tail.bytes += size.stored;
    this.textSince += size.text;
    const { start } = this.watchCache;
    this.watchCache.add(changes, size.text);
    const isDue = this.textSince >= Math.max(MEASURED_TEXT, MEASURED_SHARE * this.stateBytes);
    if (isDue && !this.isMeasuring) this.measure();
    if (this.watchCache.start > start) this.forgetHistory();
    this.broadcaster.publish(changes);
  }

  /** Beside other work, a few objects at a time. What is appended meanwhile counts with the rest. */
  private measure(): void {
    this.isMeasuring = !this.isUnloaded;
    if (!this.isMeasuring) return;
    if (this.engine.state.measureSome(MEASURED_OBJECTS) > 0) {
      setImmediate(() => this.measure());
      return;
    }
    this.isMeasuring = false;
    const { bytes } = this.engine.state;
    // Of what is new, all that the state has not grown by has replaced something.
    const replaced = Math.max(0, this.textSince - (bytes - this.stateBytes));
    this.watchCache.settle(Math.min(1, replaced / this.textSince));
    this.stateBytes = bytes;
    this.textSince = 0;
  }
}
