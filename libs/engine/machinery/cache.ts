import { LRUCache } from 'lru-cache';

/**
 * A cache by text of at most `maxEntries` that drops the entry used least recently. It grows as it fills; an LRUCache
 * with `max` makes room for all entries at once, 24 bytes each, which is too much for a cache that each cluster has.
 */
export const growingCache = <V extends NonNullable<unknown>>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache<string, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });

/**
 * A pure function that remembers its last answers, `max` at most: all are forgotten when there are more. For keys that
 * are asked for again at once, a thousand times a second; `growingCache` is fairer, and slower.
 */
export function memoize<K, V extends NonNullable<unknown>>(max: number, compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value !== undefined) return value;
    if (known.size >= max) known.clear();
    known.set(key, (value = compute(key)));
    return value;
  };
}
