import { describe, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { expectSame, killed, killedInMoments, onceOf, run, SEEDS, WORLD_MS, workloadOf, type Advance } from './runs.js';

/** Every other seed dies between moments, the others in the middle of one: both for all take minutes. */
describe.each(SEEDS)('seed %i', (seed) => {
  const workload = workloadOf(seed);
  const same = (advance: Advance): void =>
    expectSame(onceOf(seed, workload), run(seed, workload, advance), workload.length);
  const inMoments = seed % 2 === 1;
  test(
    `has the same history and logs by processes that die${inMoments ? ' in the middle of a moment' : ''}`,
    () => {
      same((inMoments ? killedInMoments : killed)(new Dice(seed)));
    },
    WORLD_MS,
  );
});
