import { describe, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { bySeconds, expectSame, inSlices, onceOf, run, SEEDS, WORLD_MS, workloadOf, type Advance } from './runs.js';

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = workloadOf(seed);
  const same = (advance: Advance): void =>
    expectSame(onceOf(seed, workload), run(seed, workload, advance), workload.length);
  test('has the same history and logs at once and second by second', () => same(bySeconds), WORLD_MS);
  test('and in slices at random moments', () => same(inSlices(new Dice(seed))), WORLD_MS);
});
