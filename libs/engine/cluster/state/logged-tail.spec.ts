import { describe, expect, test } from '@jest/globals';
import type { AppliedChange } from '../../machinery/requests/http.js';
import { LoggedTail } from './logged-tail.js';

const change = (revision: number, at: number): AppliedChange => ({ revision, at }) as AppliedChange;

/** A tail of changes at these times; the state was at 0 before. */
function tailOf(times: readonly number[]) {
  const dropped: number[] = [];
  const tail = new LoggedTail(({ revision }) => dropped.push(revision));
  let before = 0;
  times.forEach((at, i) => {
    tail.add(change(i + 1, at), before);
    before = at;
  });
  const { kept } = tail.split();
  return { tail, dropped, kept: kept.map((logged) => logged.change.revision) };
}

describe('what is kept', () => {
  test.each([
    ['everything of the last seconds', [1_000, 2_000, 3_000], [1, 2, 3]],
    ['nothing older than 20 s', [1_000, 30_000, 31_000], [2, 3]],
    ['whole moments', [10_999, 11_000, 11_000, 31_000], [2, 3, 4]],
    ['the last moment, however long before the others were', [1_000, 90_000, 90_000], [2, 3]],
  ])('%s', (_, times, kept) => expect(tailOf(times).kept).toEqual(kept));

  test('the last 500 of many, from the beginning of a moment', () => {
    const { kept, tail } = tailOf(Array.from({ length: 600 }, (_, i) => 1_000 + Math.floor(i / 7)));
    expect(kept.length).toBeLessThanOrEqual(500);
    expect(kept.length).toBeGreaterThan(490);
    expect((kept[0]! - 1) % 7).toBe(0);
    expect(tail.isComplete).toBe(false);
  });

  test('a moment of thousands as a whole, and nothing of one that is longer', () => {
    expect(tailOf(Array.from({ length: 4_000 }, () => 1_000)).kept).toHaveLength(4_000);
    expect(tailOf(Array.from({ length: 6_000 }, () => 1_000)).kept).toHaveLength(0);
  });
});

test('changes at the time of the checkpoint come after what it has', () => {
  expect(tailOf([0, 0, 1_000])).toMatchObject({ kept: [1, 2, 3], tail: { isComplete: true } });
});

test('what is dropped is told in its order, once', () => {
  const { tail, dropped } = tailOf([1_000, 2_000]);
  tail.dropAll();
  tail.dropAll();
  expect(dropped).toEqual([1, 2]);
  tail.add(change(3, 2_000), 2_000);
  // Nobody knows any more what of this moment came before it.
  expect(tail.split().kept).toEqual([]);
  tail.add(change(4, 3_000), 2_000);
  expect(tail.split().kept.map((logged) => logged.change.revision)).toEqual([4]);
  expect(tail.isComplete).toBe(false);
});

test('what was gone through is not told', () => {
  const { tail, dropped } = tailOf([1_000]);
  tail.forget();
  tail.dropAll();
  expect(dropped).toEqual([]);
});
