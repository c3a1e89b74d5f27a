import { LRUCache } from 'lru-cache';

interface Bucket {
  tokens: number;
  /** Real ms since the epoch. */
  filledAt: number;
}

const MAX_BUCKETS = 20_000;
const SECOND_MS = 1_000;

/** How fast one bucket fills, and how much it holds. */
export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket a key. One that was not used for long is forgotten: it would be full. */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });

  constructor(private readonly now: () => number = Date.now) {}

  /** Takes a token. Returns 0, or the ms until there is one. */
  take(key: string, rate: BucketRate): number {
    const bucket = this.fill(key, rate);
    if (bucket.tokens < 1) return msUntilToken(bucket, rate);
    bucket.tokens--;
    return 0;
  }

  /** The ms until there is a token; 0 when there is one. Takes none. */
  waitOf(key: string, rate: BucketRate): number {
    return this.buckets.has(key) ? msUntilToken(this.fill(key, rate), rate) : 0;
  }

  private fill(key: string, { perSecond, burst }: BucketRate): Bucket {
    const now = this.now();
    let bucket = this.buckets.get(key);
    if (!bucket) this.buckets.set(key, (bucket = { tokens: burst, filledAt: now }));
    const gained = (Math.max(0, now - bucket.filledAt) * perSecond) / SECOND_MS;
    bucket.tokens = Math.min(burst, bucket.tokens + gained);
    bucket.filledAt = now;
    return bucket;
  }
}

const msUntilToken = ({ tokens }: Bucket, { perSecond }: BucketRate): number =>
  tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * SECOND_MS) / perSecond);
