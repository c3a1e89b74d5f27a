import { expect } from '@jest/globals';
import type { Dice } from '../fuzz/dice.js';
import type { Workload } from './workload.js';
import { World } from './world.js';

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

/** The process dies again and again, and another goes on from a checkpoint and the log. */
export const killed =
  (dice: Dice): Advance =>
  (world, from, to) => {
    for (let now = from; now < to; now += 10_000 + dice.roll(40_000)) {
      world.advance(now);
      if (dice.chance(50)) world.writeCheckpoint();
      world.kill();
    }
    world.advance(to);
  };

/** Carries a workload out. */
export function run(seed: number, { speed, requests, length }: Workload, advance: Advance): World {
  const world = new World(seed, speed);
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

/** Every visible object at every revision, and every line of every log. */
export function expectSame(one: World, other: World, length: number): void {
  const [a, b] = [one.visible(), other.visible()];
  const first = a.findIndex((line, i) => b[i] !== line);
  expect(difference(a[first], b[first])).toBe('');
  expect(b.length).toBe(a.length);
  expect(other.logs(length)).toEqual(one.logs(length));
}
