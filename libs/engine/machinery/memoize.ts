/** Characters of a key; longer ones, which a user may have sent, are not worth the memory. */
const MAX_KEY_LENGTH = 256;

/**
 * A pure function that remembers its last answers, `max` at most: all are forgotten when there are more. For keys that
 * are asked for again at once, a thousand times a second; `growingCache` (cache.ts) is fairer, and slower.
 */
export function memoize<K, V extends NonNullable<unknown>>(max: number, compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (typeof key === 'string' && key.length > MAX_KEY_LENGTH) return compute(key);
    let value = known.get(key);
    if (value !== undefined) return value;
    if (known.size >= max) known.clear();
    known.set(key, (value = compute(key)));
    return value;
  };
}
