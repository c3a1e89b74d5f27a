import type { Bytes } from '../../../../engine/kernel/bytes.js';

export type Item = { value: Bytes; flags: number; expiresAt: number | null; cas: number };
/** Keys with a dot before them, in the order of their last use. */
export type Items = Record<string, Item>;

export type Stats = { gets: number; sets: number; hits: number; misses: number; evictions: number; total: number };
export type Cache = { items: Items; bytes: number; mostBytes: number; cas: number; stats: Stats };

const ITEM_BYTES = 56;
const MAX_CACHE = 8 << 20;
const MONTH_SECONDS = 2_592_000;

export const makeCache = (megabytes: number): Cache => ({
  ...{ items: {}, bytes: 0, mostBytes: Math.min(MAX_CACHE, megabytes * 1_048_576), cas: 0 },
  stats: { gets: 0, sets: 0, hits: 0, misses: 0, evictions: 0, total: 0 },
});

const sizeOf = (key: Bytes, { value }: Item): number => ITEM_BYTES + key.length + value.length;

/** An item that has not expired; `uses`: it is the last used from now on. */
export function findItem(cache: Cache, key: Bytes, now: number, uses = false): Item | undefined {
  const item = cache.items[`.${key}`];
  if (item === undefined) return undefined;
  if (item.expiresAt !== null && item.expiresAt <= now) {
    removeItem(cache, key);
    return undefined;
  }
  if (uses) {
    delete cache.items[`.${key}`];
    cache.items[`.${key}`] = item;
  }
  return item;
}

export function removeItem(cache: Cache, key: Bytes): boolean {
  const item = cache.items[`.${key}`];
  if (item === undefined) return false;
  cache.bytes -= sizeOf(key, item);
  delete cache.items[`.${key}`];
  return true;
}

/** Keeps an item; those that were not used for longest make room. */
export function putItem(cache: Cache, key: Bytes, item: Omit<Item, 'cas'>): void {
  removeItem(cache, key);
  const kept = { ...item, cas: ++cache.cas };
  cache.items[`.${key}`] = kept;
  cache.bytes += sizeOf(key, kept);
  cache.stats.total++;
  for (const oldest in cache.items) {
    if (cache.bytes <= cache.mostBytes) break;
    removeItem(cache, oldest.slice(1));
    cache.stats.evictions++;
  }
}

/** 0: never. Up to 30 days: from now. Else seconds since 1970. Negative: at once. */
export function expiry(seconds: number, now: number): number | null {
  if (seconds === 0) return null;
  if (seconds < 0) return now;
  return seconds <= MONTH_SECONDS ? now + seconds * 1_000 : seconds * 1_000;
}
