import { describe, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { expectSame, killed, killedInMoments, onceOf, run, SEEDS, WORLD_MS, workloadOf, type Advance } from './runs.js';

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = workloadOf(seed);
  const same = (advance: Advance): void =>
    expectSame(onceOf(seed, workload), run(seed, workload, advance), workload.length);
  test('has the same history and logs by processes that die', () => same(killed(new Dice(seed))), WORLD_MS);
  test('and by processes that die in the middle of a moment', () => same(killedInMoments(new Dice(seed))), WORLD_MS);
});
