import type { ApiRequest, ApiResponse, AppliedChange, AskingRequest, OutsideResponse } from '@terrarium/engine';
import { decodeChanges, restore, type ClusterRow, type Segment } from '@terrarium/store';
import type { ClusterEngine } from './engine.js';
import { Feed } from '../watch/feed.js';
import type { Limits } from '../limits.js';
import { Serial } from './serial.js';
import { Window } from '../watch/watch-cache.js';

/** Rough memory of an object of the state, and of a change that is kept for resumes. */
const OBJECT_BYTES = 6 * 1024;
const CHANGE_BYTES = 3 * 1024;

export interface QueuedRequest {
  readonly request: ApiRequest | AskingRequest;
  resolve(response: ApiResponse | OutsideResponse): void;
  reject(error: unknown): void;
  /** Set when the engine threw on it: the rest of its batch runs again without it. */
  failed?: ApiResponse;
}

/**
 * One cluster in memory: its engine, caught up to `head`, those who listen to it, and the requests that wait for it.
 */
export class Warm {
  readonly serial = new Serial();
  readonly feed = new Feed();
  readonly window: Window;
  readonly queue: QueuedRequest[] = [];
  /**
   * Revision of the last change that is known to be in the store; the engine may be ahead while an append is under way.
   */
  head: number;
  /** The latest revision that another process has announced. */
  announced = 0;
  lastUsed = 0;
  /** What follows the last checkpoint that this process knows of. */
  tail = { changes: 0, bytes: 0 };
  checkpointing = false;
  /** Watches and followed logs that are open. */
  streams = 0;
  /** Streams that are not in the feed but read from the engine. */
  pins = 0;
  gone = false;

  constructor(
    readonly row: ClusterRow,
    readonly engine: ClusterEngine,
    limits: Limits,
  ) {
    this.head = engine.revision;
    this.window = new Window(this.head, limits.windowChanges);
  }

  get pinned(): boolean {
    return this.pins > 0 || this.checkpointing || this.queue.length > 0 || this.serial.busy || this.feed.size > 0;
  }

  get objects(): number {
    let n = 0;
    for (const resource of this.engine.state.resources()) n += this.engine.state.count(resource);
    return n;
  }

  get bytes(): number {
    return this.objects * OBJECT_BYTES + this.window.length * CHANGE_BYTES;
  }

  /** Replays what the log has after `head`; tells how many changes. `read` gives at most `page` segments. */
  async catchUp(read: (after: number) => Promise<readonly Segment[]>, page: number): Promise<number> {
    for (let replayed = 0; ;) {
      const segments = await read(this.head);
      for (const segment of segments) replayed += this.replay(segment);
      if (segments.length < page) return replayed;
    }
  }

  /** Steps over a segment written elsewhere, and passes it on. Throws when it does not follow. */
  replay(segment: Pick<Segment, 'first' | 'last' | 'changes'>): number {
    const applied: AppliedChange[] = [];
    for (const stored of decodeChanges(segment.changes, segment.first)) {
      if (stored.revision <= this.engine.revision || stored.revision > segment.last) continue;
      const previous = stored.shared
        ? this.engine.state.lookup(stored.resource, stored.namespace, stored.name)
        : undefined;
      applied.push(this.engine.replay(restore(stored, previous)));
    }
    this.grown(applied, segment.changes.length);
    return applied.length;
  }

  /** The log has these changes now: everyone who listens gets them. */
  grown(changes: readonly AppliedChange[], bytes: number): void {
    this.head = this.engine.revision;
    this.tail.changes += changes.length;
    this.tail.bytes += bytes;
    this.window.add(changes);
    this.feed.publish(changes);
  }
}
