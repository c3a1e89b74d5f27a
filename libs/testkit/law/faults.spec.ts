import { describe, expect, test } from '@jest/globals';
import { faultTypes } from '../../engine/faults/index.js';
import { Dice } from '../fuzz/dice.js';
import { makeFaults } from './faults.js';
import { bySeconds, killedInMoments, testWays } from './runs.js';
import { makeWorkload, type Workload } from './workload.js';

/** FAULT_SEEDS=7-30 runs those alone; without it every type comes once. */
const RANGE = process.env['FAULT_SEEDS'];
const [FIRST = 1, LAST = Math.ceil(faultTypes.length / 2)] = (RANGE ?? '').split('-').filter(Boolean).map(Number);
const SEEDS = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);
const MINUTES = 2;

function workloadOf(seed: number): Workload {
  const dice = new Dice(seed);
  const workload = makeWorkload(dice, MINUTES);
  const faults = makeFaults(dice, seed, MINUTES * 60);
  return { ...workload, requests: [...workload.requests, ...faults].sort((a, b) => a.at - b.at) };
}

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = workloadOf(seed);
  const world = testWays(seed, workload, {
    'is the same at once and second by second': bySeconds,
    'and in slices, by processes that die': killedInMoments(new Dice(seed)),
  });
  test('and its faults begin', () => {
    const { log } = world();
    for (const i of [0, 1]) expect(log.some((line) => line.includes(`"name":"fault-${i}"`))).toBe(true);
  });
});
