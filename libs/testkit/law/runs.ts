import { afterAll, describe, expect, test } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { makeWorkload, type Workload } from './workload.js';
import { World } from './world.js';

/** LAW_SEED=7 runs that one alone; LAW_SEEDS=1000 runs more. */
const ONE = process.env['LAW_SEED'];
const COUNT = Number(process.env['LAW_SEEDS'] ?? 200);
/** A pod in it is looked at before and after its container is replaced, in one sync that takes several slices. */
const TWO_LOOKS = 5_002;
export const SEEDS = ONE ? [Number(ONE)] : [...Array.from({ length: COUNT }, (_, i) => i + 1), TWO_LOOKS];
/** Of so many workloads one lasts ten minutes. */
const LONG_EVERY = 25;
const [MINUTES, LONG_MINUTES] = [2, 10];
/** Two of so many run by one process, too. */
const ALONE_EVERY = 10;
/** A machine that does much else takes its time. */
export const WORLD_MS = 300_000;

/** Lets a world's time pass, in ms after its beginning. */
export type Advance = (world: World, from: number, to: number) => void;

export const atOnce: Advance = (world, _from, to) => void world.advance(to);

export const bySeconds: Advance = (world, from, to) => {
  for (let now = from; now < to; now += 1_000) world.advance(now);
  world.advance(to);
};

/** As a worker does at real time: at any moment, and no more than a few changes in one slice. */
export const inSlices =
  (dice: Dice): Advance =>
  (world, from, to) => {
    for (let now = from; now < to; now += dice.roll(4_000)) while (!world.advance(now, 1 + dice.roll(40)));
    while (!world.advance(to, 1 + dice.roll(40)));
  };

/** The process dies, and another goes on from a checkpoint and the log. */
function die(world: World, dice: Dice): void {
  if (dice.chance(50)) world.writeCheckpoint();
  world.kill();
}

/** Processes that work in slices die when everything is done that was due. */
export const killed = (dice: Dice): Advance => {
  const advance = inSlices(dice);
  return (world, from, to) => {
    let now = from;
    for (let next = now + 10_000 + dice.roll(40_000); next < to; next += 10_000 + dice.roll(40_000)) {
      advance(world, now, next);
      die(world, dice);
      now = next;
    }
    advance(world, now, to);
  };
};

/** They die after a slice of a few changes, when more is due at the same moment. */
export const killedInMoments = (dice: Dice): Advance => {
  const advance = (world: World, to: number): void => {
    while (!world.advance(to, 1 + dice.roll(40))) if (dice.chance(4)) die(world, dice);
  };
  return (world, from, to) => {
    for (let now = from; now < to; now += dice.roll(4_000)) advance(world, now);
    advance(world, to);
  };
};

export const workloadOf = (seed: number): Workload =>
  makeWorkload(new Dice(seed), seed % LONG_EVERY === 0 ? LONG_MINUTES : MINUTES);

export function run(
  seed: number,
  { speed, requests, length }: Workload,
  advance: Advance,
  world = new World(seed, speed),
): World {
  let now = 0;
  for (const request of requests) {
    advance(world, now, request.at);
    now = request.at;
    world.send(request);
  }
  advance(world, now, length);
  return world;
}

/** What differs, around the place where it begins. */
function difference(one = '', other = ''): string {
  if (one === other) return '';
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string): string => `${text.slice(0, 120)} … ${text.slice(Math.max(0, at - 80), at + 120)}`;
  return `${around(one)}\n  not ${around(other)}`;
}

/** The same history of every visible object, and the same logs. */
export function expectSame(one: World, other: World, length: number): void {
  const [a, b] = [one.visible(), other.visible()];
  const first = a.findIndex((line, i) => b[i] !== line);
  expect(difference(a[first], b[first])).toBe('');
  expect(b.length).toBe(a.length);
  expect(other.logs(length)).toEqual(one.logs(length));
}

/**
 * The law for some seeds, in one suite for all ways of letting their time pass: the run at once, with which the others
 * are compared, is made once.
 */
export function expectLaw(seeds: readonly number[], deaths: string, dying: (dice: Dice) => Advance): void {
  // LAW_SEED is one of the others.
  if (seeds.length === 0) return test.skip('none of these seeds is asked for', () => undefined);
  describe.each(seeds)('seed %i', (seed) => {
    const workload = workloadOf(seed);
    let once: World | undefined;
    const same = (advance: Advance): void =>
      expectSame((once ??= run(seed, workload, atOnce)), run(seed, workload, advance), workload.length);
    // All seeds are known before the first one runs: what one has made is let go with it.
    afterAll(() => void (once = undefined));
    test('has the same history and logs at once and second by second', () => same(bySeconds), WORLD_MS);
    test(
      `and in slices at random moments, by processes that die ${deaths}`,
      () => same(dying(new Dice(seed))),
      WORLD_MS,
    );
    // Deaths must not hide what slices do.
    if (seed % ALONE_EVERY <= 1) test('and in slices, by one process', () => same(inSlices(new Dice(seed))), WORLD_MS);
  });
}

/** Tests that a world is the same in whichever of these ways its time passes. Returns the world of all at once. */
export function testWays(seed: number, workload: Workload, ways: Readonly<Record<string, Advance>>): () => World {
  let once: World | undefined;
  const world = (): World => (once ??= run(seed, workload, atOnce));
  for (const [title, advance] of Object.entries(ways))
    test(title, () => expectSame(world(), run(seed, workload, advance), workload.length), WORLD_MS);
  return world;
}
