import { describe, expect, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { makeFeatures } from './features.js';
import { atOnce, bySeconds, expectSame, inSlices, killedInMoments, run, WORLD_MS, type Advance } from './runs.js';
import { makeWorkload, type Workload } from './workload.js';
import type { World } from './world.js';

/** FEATURE_SEEDS=7-30 runs those alone. */
const RANGE = process.env['FEATURE_SEEDS'];
const [FIRST = 1, LAST = 16] = (RANGE ?? '1-16').split('-').map(Number);
/** A node that reboots, and a store that is lost while an autoscaler fails. */
const KNOWN = RANGE ? [] : [44, 53];
const SEEDS = [...Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i), ...KNOWN];
const MINUTES = 2;

function workloadOf(seed: number): Workload {
  const dice = new Dice(seed);
  const workload = makeWorkload(dice, MINUTES);
  const requests = [...workload.requests, ...makeFeatures(dice)].sort((a, b) => a.at - b.at);
  return { ...workload, requests };
}

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = workloadOf(seed);
  let once: World | undefined;
  const same = (advance: Advance): void =>
    expectSame((once ??= run(seed, workload, atOnce)), run(seed, workload, advance), workload.length);
  test('is the same at once and second by second', () => same(bySeconds), WORLD_MS);
  test('and in slices at random moments', () => same(inSlices(new Dice(seed))), WORLD_MS);
  test('and by processes that die', () => same(killedInMoments(new Dice(seed))), WORLD_MS);
  test('and what it tries is taken', () => {
    const { log } = (once ??= run(seed, workload, atOnce));
    expect(log.filter((line) => line.includes('"name":"feature-')).length).toBeGreaterThan(5);
  });
});
