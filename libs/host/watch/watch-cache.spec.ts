import { expect, test } from '@jest/globals';
import { changeAt, range } from '../testing.js';
import { WatchCache } from './watch-cache.js';

/** A cache of at most `limit` changes that has seen the revisions `from` to `to`. */
function cacheOf(from: number, to: number, limit = 100): WatchCache {
  const cache = new WatchCache(from - 1, limit);
  for (const revision of range(from, to)) cache.add([changeAt(revision)]);
  return cache;
}

test.each<[after: number, limit: number, revisions: number[] | undefined]>([
  [4, 10, [5, 6, 7]],
  [5, 10, [6, 7]],
  [4, 2, [5, 6]],
  [7, 10, []],
  [3, 10, undefined],
])('after revision %i, at most %i changes: %j', (after, limit, revisions) => {
  expect(
    cacheOf(5, 7)
      .after(after, limit)
      ?.map((change) => change.revision),
  ).toEqual(revisions);
});

test('an empty cache begins at the revision of the state', () => {
  const cache = new WatchCache(9, 100);
  expect([cache.start, cache.length, cache.after(9, 10), cache.after(8, 10)]).toEqual([9, 0, [], undefined]);
});

test('past twice the limit the oldest changes are dropped', () => {
  expect([cacheOf(1, 8, 4).start, cacheOf(1, 8, 4).length]).toEqual([0, 8]);
  expect([cacheOf(1, 9, 4).start, cacheOf(1, 9, 4).length]).toEqual([5, 4]);
});

test.each<[limit: number, start: number, length: number]>([
  [2, 5, 2],
  [0, 7, 0],
  [10, 4, 3],
])('trimmed to %i changes', (limit, start, length) => {
  const cache = cacheOf(5, 7);
  cache.trim(limit);
  expect([cache.start, cache.length]).toEqual([start, length]);
});
