import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { Random } from '../../machinery/random.js';
import { delaysFor, type Delays } from './delays.js';
import { readerOf } from './testing.js';

const clock = (speedProfile: string): KubeObject =>
  ({ kind: 'Clock', metadata: { name: 'clock' }, spec: { speedProfile } }) as unknown as KubeObject;
const drawing = (value: number): Random => ({ next: () => value }) as Random;
const all = (delays: Delays): number[] => [delays.sandbox(), delays.create(), delays.pull(30_000_000), delays.sync()];

test.each([
  ['the shortest', 0, [300, 100, 1_350, 900]],
  ['the longest', 1, [1_000, 300, 1_900, 1_900]],
])('realistic delays: %s; a pull of 30 MB takes a second more than asking the registry', (_case, draw, expected) => {
  const delays = delaysFor(readerOf(clock('realistic')), drawing(draw));
  expect([delays.instant, ...all(delays)]).toEqual([false, ...expected]);
});

describe('the instant profile', () => {
  test('takes no time, and draws nothing', () => {
    let draws = 0;
    const delays = delaysFor(readerOf(clock('instant')), { next: () => draws++ } as unknown as Random);
    expect([delays.instant, ...all(delays), draws]).toEqual([true, 0, 0, 0, 0, 0]);
  });
});

test('a cluster without a Clock is realistic', () => {
  expect(delaysFor(readerOf(), drawing(0)).instant).toBe(false);
});
