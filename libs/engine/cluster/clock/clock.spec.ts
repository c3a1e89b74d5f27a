import { describe, expect, test } from '@jest/globals';
import { anchorAt, isTurned, realTimeOf, virtualNow, type ClockLike } from './clock.js';

/** At the real time 1000 s it was the virtual time 5000 s. */
const status = { real: new Date(1_000_000).toISOString(), virtual: new Date(5_000_000).toISOString() };
const clock = (spec: ClockLike['spec']): ClockLike => ({ spec, status });

describe('virtual time at the real time 1060 s', () => {
  test.each<[string, ClockLike | undefined, number, number]>([
    ['without a Clock is real time', undefined, 0, 1_060_000],
    ['by a Clock that was never turned is real time', { spec: { rate: 60 } }, 0, 1_060_000],
    ['runs on from the anchor', clock({}), 0, 5_060_000],
    ['runs at the rate', clock({ rate: 60 }), 0, 8_600_000],
    ['is in whole ms', clock({ rate: 0.00001 }), 0, 5_000_000],
    ['stands at the anchor while paused', clock({ paused: true }), 0, 5_000_000],
    ['stands where it was while a Clock that was never turned is paused', { spec: { paused: true } }, 7, 7],
    ['does not go back', clock({}), 9_000_000, 9_000_000],
    ['does not go back to real time', undefined, 9_000_000, 9_000_000],
  ])('%s', (_, of, floor, expected) => expect(virtualNow(of, 1_060_000, floor)).toBe(expected));

  test('does not run before the anchor', () => expect(virtualNow(clock({}), 900_000, 0)).toBe(5_000_000));
});

describe('the real time at which the virtual time 5600 s comes', () => {
  test.each<[string, ClockLike | undefined, number | undefined]>([
    ['is the same without a Clock', undefined, 5_600_000],
    ['is as far from the anchor', clock({}), 1_600_000],
    ['is nearer by the rate', clock({ rate: 60 }), 1_010_000],
    ['is never while paused', clock({ paused: true }), undefined],
  ])('%s', (_, of, expected) => expect(realTimeOf(of, 5_600_000, 1_005_000)).toBe(expected));

  test('is now, when it has passed', () =>
    expect(realTimeOf(clock({ rate: 60 }), 5_600_000, 1_020_000)).toBe(1_020_000));

  test('agrees with the virtual time then', () => {
    const at = realTimeOf(clock({ rate: 60 }), 5_600_000, 0)!;
    expect(virtualNow(clock({ rate: 60 }), at, 0)).toBe(5_600_000);
  });
});

describe('a Clock is turned', () => {
  test.each<[string, ClockLike | undefined, ClockLike, boolean]>([
    ['by another rate', { spec: { rate: 1 } }, { spec: { rate: 60 } }, true],
    ['by a pause', { spec: { rate: 1 } }, { spec: { rate: 1, paused: true } }, true],
    ['by its creation with a rate', undefined, { spec: { rate: 60 } }, true],
    ['not by its creation without one', undefined, { spec: { rate: 1, paused: false } }, false],
    ['not by another profile', { spec: {} }, { spec: { paused: false } }, false],
  ])('%s', (_, old, next, turned) => expect(isTurned(old, next)).toBe(turned));

  test('from the time that its anchors say', () =>
    expect(virtualNow({ spec: { rate: 2 }, status: anchorAt(5_000_000, 1_000_000) }, 1_000_010, 0)).toBe(5_000_020));
});
