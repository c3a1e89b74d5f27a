import { expect, test } from '@jest/globals';
import { growingCache } from './cache.js';

test('drops the entry that was used least recently', () => {
  const cache = growingCache<number>(3);
  [...'abc'].forEach((key, i) => cache.set(key, i));
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
});
