import { SECOND, type Millis } from '../../machinery/time/time.js';

export interface RateLimit {
  /** So many tokens can be taken at once. */
  readonly burst: number;
  /** So many come back in a second of virtual time. */
  readonly perSecond: number;
}

/** Buckets that are full again are dropped when there are twice as many as after the last time, and more than these. */
const MIN_SWEEP_SIZE = 64;

/**
 * Token buckets by name, in virtual time. What is known of a bucket is one number: when it will be full. A bucket may
 * be overdrawn, for what a reconcile costs is known only after it. Models golang.org/x/time/rate.
 */
export class RateLimiter {
  private readonly fullAt = new Map<string, Millis>();
  private sweepSize = MIN_SWEEP_SIZE;
  private readonly interval: Millis;
  private undo: { readonly name: string; readonly fullAt: Millis | undefined }[] = [];

  constructor(private readonly limit: RateLimit) {
    this.interval = SECOND / limit.perSecond;
  }

  get size(): number {
    return this.fullAt.size;
  }

  /** Whole ms until the bucket has so many tokens; 0 when it has them. */
  delay(name: string, now: Millis, tokens = 1): Millis {
    const fullAt = Math.max(now, this.fullAt.get(name) ?? now);
    return Math.max(0, Math.ceil(fullAt - now - (this.limit.burst - tokens) * this.interval));
  }

  take(name: string, now: Millis, tokens = 1): void {
    const fullAt = this.fullAt.get(name);
    this.undo.push({ name, fullAt });
    this.fullAt.set(name, Math.max(now, fullAt ?? now) + tokens * this.interval);
    if (this.fullAt.size > this.sweepSize) this.sweep(now);
  }

  private sweep(now: Millis): void {
    for (const [name, fullAt] of this.fullAt) if (fullAt <= now) this.fullAt.delete(name);
    this.sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * this.fullAt.size);
  }

  /** Buckets that are not full, each with the time at which it will be. */
  save(now: Millis): [string, Millis][] {
    return [...this.fullAt].filter(([, fullAt]) => fullAt > now);
  }

  restore(buckets: readonly (readonly [string, Millis])[]): void {
    this.fullAt.clear();
    for (const [name, fullAt] of buckets) this.fullAt.set(name, fullAt);
    this.undo = [];
  }

  commit(): void {
    if (this.undo.length > 0) this.undo = [];
  }

  /** Gives back what has been taken since the last commit. */
  rollback(): void {
    for (const { name, fullAt } of this.undo.reverse())
      if (fullAt === undefined) this.fullAt.delete(name);
      else this.fullAt.set(name, fullAt);
    this.undo = [];
  }
}
