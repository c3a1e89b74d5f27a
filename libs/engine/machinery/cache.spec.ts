import { expect, test } from '@jest/globals';
import { growingCache, memoize } from './cache.js';

test('drops the entry that was used least recently', () => {
  const cache = growingCache<number>(3);
  [...'abc'].forEach((key, i) => cache.set(key, i));
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
});

test('remembers answers, and forgets them all when there are too many', () => {
  const asked: string[] = [];
  const double = memoize(2, (text: string) => {
    asked.push(text);
    return text + text;
  });
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(double)).toEqual(['aa', 'aa', 'bb', 'aa', 'cc', 'aa']);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
