import { expect, test } from '@jest/globals';
import { changeAt, range } from '../testing.js';
import { WatchCache } from './watch-cache.js';

/** A cache of at most `limit` changes that has seen the revisions `from` to `to`. */
function cacheOf(from: number, to: number, limit = 100, bytes = 0): WatchCache {
  const cache = new WatchCache(from - 1, { watchCacheChanges: limit, watchCacheBytes: 1_000, watchCacheMs: 100 });
  for (const revision of range(from, to)) cache.add([changeAt(revision)], bytes);
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
  const cache = cacheOf(10, 9);
  expect([cache.start, cache.length, cache.after(9, 10), cache.after(8, 10)]).toEqual([9, 0, [], undefined]);
});

test('past twice the limit the oldest changes are dropped', () => {
  expect([cacheOf(1, 8, 4).start, cacheOf(1, 8, 4).length]).toEqual([0, 8]);
  expect([cacheOf(1, 9, 4).start, cacheOf(1, 9, 4).length]).toEqual([5, 4]);
});

test('past twice the limit of bytes too', () => {
  const [full, over] = [cacheOf(1, 4, 100, 500), cacheOf(1, 5, 100, 500)];
  expect([full.start, full.length, full.bytes]).toEqual([0, 4, 2_000]);
  expect([over.start, over.length, over.bytes]).toEqual([3, 2, 1_000]);
});

test.each<[changes: number, bytes: number, start: number, length: number]>([
  [2, Infinity, 5, 2],
  [0, Infinity, 7, 0],
  [10, Infinity, 4, 3],
  [10, 20, 5, 2],
  [10, 0, 7, 0],
  [1, 20, 6, 1],
])('trimmed to %i changes and %i bytes', (changes, bytes, start, length) => {
  const cache = cacheOf(5, 7, 100, 10);
  cache.trim(changes, bytes);
  expect([cache.start, cache.length, cache.bytes]).toEqual([start, length, 10 * length]);
});

test('changes that came together are dropped together', () => {
  const cache = cacheOf(1, 0);
  cache.add([changeAt(1), changeAt(2)], 10);
  cache.add([changeAt(3)], 10);
  cache.trim(2, Infinity);
  expect([cache.start, cache.length]).toEqual([2, 1]);
});

test('what is settled counts by the share that has replaced something, what came after it whole', () => {
  const cache = cacheOf(1, 3, 100, 40);
  cache.settle(1 / 4);
  expect(cache.bytes).toBe(30);
  cache.add([changeAt(4)], 40);
  expect(cache.bytes).toBe(70);
  cache.settle(1 / 2);
  expect(cache.bytes).toBe(50);
});

test('what was dropped before it is settled counts no more', () => {
  const cache = cacheOf(1, 3, 100, 40);
  cache.trim(1, Infinity);
  cache.settle(1 / 4);
  expect(cache.bytes).toBe(10);
});

test('what is older than the limit is dropped', () => {
  const cache = cacheOf(1, 3);
  const start = (now: number): number => (cache.dropStale(now), cache.start);
  expect([start(0), start(50)]).toEqual([0, 0]);
  cache.add([changeAt(4)]);
  expect([start(60), start(99), start(100)]).toEqual([0, 0, 3]);
  cache.add([changeAt(5)]);
  expect([start(159), start(160), start(170)]).toEqual([3, 4, 4]);
  expect([start(259), start(260), cache.length]).toEqual([5, 5, 0]);
});

test('the changes of a cluster that rests go, too', () => {
  const cache = cacheOf(1, 3);
  for (const now of [0, 40, 80]) cache.dropStale(now);
  expect(cache.length).toBe(3);
  cache.dropStale(100);
  expect([cache.start, cache.length]).toEqual([3, 0]);
});
