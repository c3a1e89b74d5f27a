import { LRUCache } from 'lru-cache';

/**
 * A cache by text of at most `maxEntries` that drops the entry used least recently. It grows as it fills; an LRUCache
 * with `max` makes room for all entries at once, 24 bytes each, which is too much for a cache that each cluster has.
 */
export const growingCache = <V extends NonNullable<unknown>>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache<string, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
