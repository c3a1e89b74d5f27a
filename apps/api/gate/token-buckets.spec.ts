import { expect, test } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

test('a bucket empties by its burst and fills by its rate, apart from the others', () => {
  let now = 1_000;
  const buckets = new TokenBuckets(() => now);
  const rate = { perSecond: 4, burst: 2 };
  expect([buckets.take('a', rate), buckets.take('a', rate), buckets.take('a', rate)]).toEqual([0, 0, 250]);
  expect([buckets.take('b', rate), buckets.waitOf('a', rate), buckets.waitOf('unknown', rate)]).toEqual([0, 250, 0]);
  now += 100;
  expect(buckets.take('a', rate)).toBe(150);
  now += 150;
  expect([buckets.take('a', rate), buckets.take('a', rate)]).toEqual([0, 250]);
  now += 60_000;
  expect([buckets.take('a', rate), buckets.take('a', rate), buckets.take('a', rate)]).toEqual([0, 0, 250]);
});
