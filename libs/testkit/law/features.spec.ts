import { describe, expect, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { makeFeatures } from './features.js';
import { bySeconds, inSlices, killedInMoments, testWays } from './runs.js';
import { makeWorkload, type Workload } from './workload.js';

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
  const world = testWays(seed, workload, {
    'is the same at once and second by second': bySeconds,
    'and in slices at random moments': inSlices(new Dice(seed)),
    'and by processes that die': killedInMoments(new Dice(seed)),
  });
  test('and what it tries is taken', () => {
    const { log } = world();
    expect(log.filter((line) => line.includes('"name":"feature-')).length).toBeGreaterThan(5);
  });
});
