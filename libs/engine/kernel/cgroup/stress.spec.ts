import { expect, test } from '@jest/globals';
import type { Container } from '../container-state.js';
import { newCpuAccount } from './cpu.js';
import { cpuUseOf, ownLimit, settleStress } from './stress.js';

const containerOf = (cpuLimit: number | undefined, stress: number): Container =>
  ({ cpuLimit, trouble: { stress }, stressedAt: 1_000, cpu: { ...newCpuAccount(0), used: 7 } }) as unknown as Container;

test.each<[number | undefined, number, number | undefined]>([
  [undefined, 4_000, undefined],
  [500, 0, 500],
  [2_000, 500, 1_500],
  [1_000, 1_000, 500],
  [500, 4_000, 100],
])('of a limit of %j a stressor of %d leaves %j', (cpuLimit, stress, left) => {
  expect(ownLimit({ cpuLimit, trouble: { stress } })).toBe(left);
});

test.each([
  [undefined, 2_000, { used: 20_007, periods: 0, throttledPeriods: 0, throttledMs: 0 }],
  [1_000, 500, { used: 5_007, periods: 100, throttledPeriods: 0, throttledMs: 0 }],
  [500, 2_000, { used: 5_007, periods: 100, throttledPeriods: 100, throttledMs: 7_500 }],
])('with a limit of %j, ten seconds of a stressor of %d', (cpuLimit, stress, expected) => {
  const container = containerOf(cpuLimit, stress);
  expect(cpuUseOf(container, 11_000)).toMatchObject(expected);
  settleStress(container, 11_000);
  expect(cpuUseOf(container, 11_000)).toMatchObject(expected);
  expect(container.stressedAt).toBe(11_000);
});
