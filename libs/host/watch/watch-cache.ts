import type { AppliedChange } from '@terrarium/engine';
import type { Limits } from '../limits.js';

/** When a revision was seen to be the last one, in real ms. */
interface Mark {
  readonly at: number;
  readonly revision: number;
}

type CacheLimits = Pick<Limits, 'watchCacheChanges' | 'watchCacheBytes' | 'watchCacheMs'>;

/**
 * Changes that came together, and the bytes that only this cache keeps: those of objects that they replaced. Until that
 * is measured they are as long as the changes' text.
 */
interface Batch {
  readonly changes: number;
  bytes: number;
}

/**
 * The last changes of one cluster, in order, so that most watches resume without the store. Models the watch cache of
 * apiserver/pkg/storage/cacher, which keeps what is fresh, too.
 */
export class WatchCache {
  private changes: AppliedChange[] = [];
  private batches: Batch[] = [];
  private totalBytes = 0;
  /** How many of the last batches are not measured. */
  private unsettled = 0;
  /** The oldest is the first. */
  private marks: Mark[] = [];

  /** `revision`: that of the state before the first change. */
  constructor(
    private revision: number,
    private readonly limits: CacheLimits,
  ) {}

  get length(): number {
    return this.changes.length;
  }

  /** Bytes of the objects that the state no longer has. */
  get bytes(): number {
    return this.totalBytes;
  }

  /** The cache has every change after this revision. */
  get start(): number {
    return this.changes[0] ? this.changes[0].revision - 1 : this.revision;
  }

  /** `text`: length of the changes' text. */
  add(changes: readonly AppliedChange[], text = 0): void {
    if (changes.length === 0) return;
    for (const change of changes) this.changes.push(change);
    this.batches.push({ changes: changes.length, bytes: text });
    this.totalBytes += text;
    this.unsettled++;
    this.revision = changes[changes.length - 1]!.revision;
    const { watchCacheChanges, watchCacheBytes } = this.limits;
    // At twice a limit, so that the array is copied once in a while and not at each change.
    if (this.changes.length > 2 * watchCacheChanges) this.trim(watchCacheChanges, Infinity);
    if (this.totalBytes > 2 * watchCacheBytes) this.trim(Infinity, watchCacheBytes);
  }

  /** Of the text that was added since the last call, so large a share (0 to 1) has replaced something. */
  settle(share: number): void {
    for (const batch of this.batches.slice(this.batches.length - this.unsettled)) {
      this.totalBytes -= batch.bytes * (1 - share);
      batch.bytes *= share;
    }
    this.unsettled = 0;
  }

  /** Drops the oldest changes, those that came together at once, until there are no more than so many and so large. */
  trim(maxChanges: number, maxBytes: number): void {
    let [batches, changes] = [0, 0];
    while (this.changes.length - changes > maxChanges || this.totalBytes > maxBytes) {
      const oldest = this.batches[batches++];
      if (!oldest) break;
      changes += oldest.changes;
      this.totalBytes -= oldest.bytes;
    }
    if (batches === 0) return;
    this.batches = this.batches.slice(batches);
    this.unsettled = Math.min(this.unsettled, this.batches.length);
    this.changes = this.changes.slice(changes);
  }

  /** Drops changes that are older than the limit: they have come before a call that was so long ago. */
  dropStale(now: number): void {
    const [first] = this.marks;
    if (this.marks.at(-1)?.revision !== this.revision) this.marks.push({ at: now, revision: this.revision });
    const freshFrom = now - this.limits.watchCacheMs;
    if (!first || first.at > freshFrom) return;
    const stale = this.marks.filter(({ at }) => at <= freshFrom);
    this.marks = this.marks.slice(stale.length);
    this.trim(this.revision - stale.at(-1)!.revision, Infinity);
  }

  /** The changes after a revision, at most `limit` of them; undefined when the first of them is no longer cached. */
  after(revision: number, limit: number): readonly AppliedChange[] | undefined {
    const { start } = this;
    if (revision < start) return undefined;
    return this.changes.slice(revision - start, revision - start + limit);
  }
}
