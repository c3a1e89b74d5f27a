import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ShortWakes } from './short-wakes.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function open(): { readonly woken: string[]; readonly wakes: ShortWakes } {
  const woken: string[] = [];
  return { woken, wakes: new ShortWakes((cluster) => void woken.push(cluster)) };
}

test.each([
  [-5, true, 5],
  [0, true, 5],
  [1_000, true, 1_000],
  [1_001, false, 1_001],
])('a wake in %d ms is planned here: %s, after %d ms', (delayMs, isPlanned, waitMs) => {
  const { woken, wakes } = open();
  expect(wakes.plan('c1', delayMs)).toBe(isPlanned);
  jest.advanceTimersByTime(waitMs - 1);
  expect(woken).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(woken).toEqual(isPlanned ? ['c1'] : []);
});

test('a cluster has one wake: the last that was planned', () => {
  const { woken, wakes } = open();
  wakes.plan('c1', 100);
  wakes.plan('c1', 300);
  jest.advanceTimersByTime(200);
  expect(woken).toEqual([]);
  jest.advanceTimersByTime(100);
  expect(woken).toEqual(['c1']);
});

test('one that is far away takes the place of one that was near', () => {
  const { woken, wakes } = open();
  wakes.plan('c1', 100);
  wakes.plan('c1', 60_000);
  jest.advanceTimersByTime(200);
  expect(woken).toEqual([]);
});

test('wakes are bounded', () => {
  const { wakes } = open();
  for (let i = 0; i < 5_000; i++) expect(wakes.plan(`c${i}`, 10)).toBe(true);
  expect(wakes.plan('one more', 10)).toBe(false);
  expect(wakes.takeAll()).toHaveLength(5_000);
});

test('at the end those that are left are told, and wake nobody', () => {
  const { woken, wakes } = open();
  wakes.plan('c1', 300);
  wakes.plan('c2', 50);
  jest.advanceTimersByTime(100);
  expect(wakes.takeAll()).toEqual([['c1', 200]]);
  jest.advanceTimersByTime(1_000);
  expect(woken).toEqual(['c2']);
});
