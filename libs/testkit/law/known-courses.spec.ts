import { describe, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Dice } from '../fuzz/dice.js';
import { atOnce, bySeconds, expectSame, inSlices, killedInMoments, run, testWays, WORLD_MS } from './runs.js';
import { shortPodsOf } from './short-pods.js';
import { World } from './world.js';

const SEEDS = [2, 3, 4, 5, 6, 7, 8, 9];
/** The same images, of whose command lines nobody knows that they tell their course. */
const unread = { ...catalog, programs: { ...catalog.programs!, isSelfContained: () => false } };

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = shortPodsOf(seed);
  const once = testWays(seed, workload, {
    'is the same at once and second by second': bySeconds,
    'and in slices at random moments': inSlices(new Dice(seed)),
    'and by processes that die in the middle of a moment': killedInMoments(new Dice(seed)),
  });
  test(
    'and where a machine runs each pod',
    () => {
      const machines = run(seed, workload, atOnce, new World(seed, workload.speed, unread));
      expect(machines.log.length).toBeGreaterThan(200);
      expectSame(once(), machines, workload.length);
    },
    WORLD_MS,
  );
});
