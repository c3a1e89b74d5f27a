import type { ApiRequest, ApiResponse, AppliedChange, AskingRequest, OutsideResponse } from '@terrarium/engine';
import { decodeChanges, restore, type ClusterRow, type Segment } from '@terrarium/store';
import type { Limits } from '../limits.js';
import { Broadcaster } from '../watch/broadcaster.js';
import { WatchCache } from '../watch/watch-cache.js';
import type { ClusterEngine } from './cluster-engine.js';
import { SerialQueue } from './serial-queue.js';

/** Rough memory of an object of the state, and of a change in the watch cache. */
const OBJECT_BYTES = 6 * 1024;
const CHANGE_BYTES = 3 * 1024;

export interface QueuedRequest {
  readonly request: ApiRequest | AskingRequest;
  resolve(response: ApiResponse | OutsideResponse): void;
  reject(error: unknown): void;
  /** Set when the engine threw on this request: the rest of its batch runs again without it. */
  failed?: ApiResponse;
}

/** One cluster in memory: its engine, caught up to `head`, its listeners, and the requests that wait for it. */
export class LoadedCluster {
  /** Every use of the engine goes through this queue. */
  readonly serial = new SerialQueue();
  readonly broadcaster = new Broadcaster();
  readonly watchCache: WatchCache;
  readonly queue: QueuedRequest[] = [];
  /** Revision of the last change that is known to be stored; the engine is ahead while an append is under way. */
  head: number;
  /** The latest revision that another process has announced. */
  announced = 0;
  /** Real ms since the epoch. */
  lastUsed = 0;
  /** The log's growth since the last checkpoint that this process knows of. */
  tail = { changes: 0, bytes: 0 };
  isCheckpointing = false;
  /** Watches and followed pod logs that are open. */
  streams = 0;
  /** Listeners that still read past changes and have not joined the broadcaster yet. */
  pins = 0;
  /** This copy is no longer used; nothing may be run on it. */
  isUnloaded = false;

  constructor(
    readonly row: ClusterRow,
    readonly engine: ClusterEngine,
    limits: Pick<Limits, 'watchCacheChanges'>,
  ) {
    this.head = engine.revision;
    this.watchCache = new WatchCache(this.head, limits.watchCacheChanges);
  }

  get hasListeners(): boolean {
    return this.broadcaster.size > 0 || this.pins > 0;
  }

  /** The copy must stay in memory. */
  get isInUse(): boolean {
    return this.hasListeners || this.isCheckpointing || this.queue.length > 0 || this.serial.isBusy;
  }

  get objectCount(): number {
    let count = 0;
    for (const resource of this.engine.state.resources()) count += this.engine.state.count(resource);
    return count;
  }

  /** Rough memory of this copy. */
  get bytes(): number {
    return this.objectCount * OBJECT_BYTES + this.watchCache.length * CHANGE_BYTES;
  }

  /**
   * Replays the segments of the log after `head`; `read` gives at most `pageSize` of them. Returns the number of
   * changes.
   */
  async catchUp(read: (after: number) => Promise<readonly Segment[]>, pageSize: number): Promise<number> {
    for (let replayed = 0; ;) {
      const segments = await read(this.head);
      for (const segment of segments) replayed += this.replay(segment);
      if (segments.length < pageSize) return replayed;
    }
  }

  /** Applies a segment that another process has written. Returns the number of changes; throws when one is missing. */
  replay(segment: Pick<Segment, 'first' | 'last' | 'changes'>): number {
    const { state } = this.engine;
    const applied: AppliedChange[] = [];
    for (const stored of decodeChanges(segment.changes, segment.first)) {
      if (stored.revision <= this.engine.revision || stored.revision > segment.last) continue;
      const previous = stored.shared ? state.lookup(stored.resource, stored.namespace, stored.name) : undefined;
      applied.push(this.engine.replay(restore(stored, previous)));
    }
    this.recordAppend(applied, segment.changes.length);
    return applied.length;
  }

  /** Moves the head over changes that the log has now, and broadcasts them. `bytes`: the size of their segment. */
  recordAppend(changes: readonly AppliedChange[], bytes: number): void {
    this.head = this.engine.revision;
    this.tail.changes += changes.length;
    this.tail.bytes += bytes;
    this.watchCache.add(changes);
    this.broadcaster.publish(changes);
  }
}
