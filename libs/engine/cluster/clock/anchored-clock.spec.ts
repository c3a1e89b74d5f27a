import { describe, expect, test } from '@jest/globals';
import { anchoredClock } from './anchored-clock.js';
import { anchorAt, realTimeOf, virtualNow } from './clock.js';

const FORKED = { virtual: 1_000_000, real: 5_000_000 };

describe('the time of a cluster that goes on from a past moment', () => {
  test('runs on from that moment', () => {
    const clock = anchoredClock(undefined, FORKED);
    expect([virtualNow(clock, 5_000_000, 0), virtualNow(clock, 5_060_000, 0)]).toEqual([1_000_000, 1_060_000]);
    expect(realTimeOf(clock, 1_060_000, 5_000_000)).toBe(5_060_000);
  });

  test.each([
    ['with the rate of its Clock', { rate: 60 }, 1_060_000],
    ['not while its Clock is paused', { paused: true }, 1_000_000],
  ])('%s', (_, spec, expected) => {
    const clock = { spec, status: anchorAt(900_000, 4_000_000) };
    expect(virtualNow(anchoredClock(clock, FORKED), 5_001_000, 0)).toBe(expected);
  });

  test('by its Clock alone once that is turned', () => {
    const clock = { spec: { rate: 2 }, status: anchorAt(1_010_000, 5_010_000) };
    expect(anchoredClock(clock, FORKED)).toBe(clock);
    expect(anchoredClock(clock, undefined)).toBe(clock);
  });
});
