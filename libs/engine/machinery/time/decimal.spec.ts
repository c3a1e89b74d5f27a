import { expect, test } from '@jest/globals';
import { DecimalClock, decimalOf } from './decimal.js';

const TIMES = [
  ...[0, 1, 99_999, 100_000, 9_999_999_999, 10_000_000_000, 10_000_000_001, 1_767_225_600_000, 1_767_225_609_999],
  ...[1_767_225_610_000, 1_767_225_699_999, Number.MAX_SAFE_INTEGER, -1, -1_767_225_600_000, 0.5, 1_767_225_600_000.5],
  ...[2 ** 60, Infinity],
];

test.each(TIMES)('%p is written as String does it', (at) => {
  expect(decimalOf(at)).toBe(String(at));
});

test('a clock writes times in any order as String does', () => {
  const clock = new DecimalClock();
  for (const at of [...TIMES, ...TIMES.toReversed()]) expect(clock.decimalOf(at)).toBe(String(at));
});
