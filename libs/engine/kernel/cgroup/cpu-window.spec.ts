import { describe, expect, test } from '@jest/globals';
import type { Container } from '../container-state.js';
import { chargeCpu, newCpuAccount, useCpu } from './cpu.js';
import { cpuRateOf } from './cpu-window.js';

const T = 1_800_000_000_000;
const SECOND = 1_000;
const container = (more: Partial<Container> = {}): Container =>
  ({ cpu: newCpuAccount(T), startedAt: T, ...more }) as unknown as Container;

describe('the rate of a container', () => {
  test('is what programs stood for in the last whole window, whoever looks and when', () => {
    const one = container();
    for (let at = 0; at < 15; at++) useCpu(one, 300, T + at * SECOND);
    useCpu(one, 1_500, T + 16 * SECOND);
    expect([15, 20, 29].map((at) => cpuRateOf(one, T + at * SECOND))).toEqual([300, 300, 300]);
    expect([30, 44, 45].map((at) => cpuRateOf(one, T + at * SECOND))).toEqual([100, 100, 0]);
  });

  test('is all of its CPU for a loop that has used up its steps, as far as its limit goes', () => {
    for (const [cpuLimit, rate] of [
      [undefined, 1_000],
      [250, 250],
    ] as const) {
      const one = container({ cpuLimit } as Partial<Container>);
      let now = T;
      while (now < T + 90 * SECOND) {
        chargeCpu(one, 1_000, now);
        now = Math.max(now + 1, one.cpu.throttledUntil);
      }
      expect(Math.round(cpuRateOf(one, T + 89 * SECOND) / 50) * 50).toBe(rate);
    }
  });

  test('is the average since it began for one that runs its own steps', () => {
    const one = container();
    chargeCpu(one, 60_000, T + SECOND);
    expect(cpuRateOf(one, T + 60 * SECOND)).toBe(1);
  });

  test('is what a program says that uses the same all the while', () => {
    const one = container({ cpuLimit: 600 } as Partial<Container>);
    useCpu(one, 0, T, 800);
    expect(cpuRateOf(one, T + 100 * SECOND)).toBe(600);
    useCpu(one, 0, T + 100 * SECOND, 0);
    expect(cpuRateOf(one, T + 200 * SECOND)).toBe(0);
  });
});
