/**
 * For an LRUCache with a `ttl` that every request reads: entries end up to a second late. By default the cache sets a
 * timer in each millisecond in which it is read.
 */
export const COARSE_TTL = { ttlResolution: 1_000 } as const;
