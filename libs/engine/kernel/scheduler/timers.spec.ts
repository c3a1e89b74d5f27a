import { expect, test } from '@jest/globals';
import { SeededRandom } from '../../machinery/random.js';
import { Timers, type Timer } from './timers.js';

const KINDS = ['container', 'process', 'socket'] as const;

const drain = (timers: Timers): Timer[] => {
  const all: Timer[] = [];
  for (let timer = timers.take(); timer !== undefined; timer = timers.take()) all.push(timer);
  return all;
};

test('an empty heap has nothing', () => {
  expect([new Timers().first(), new Timers().take()]).toEqual([undefined, undefined]);
});

test('timers of one instant have a fixed order: containers, sockets, processes by their ids', () => {
  const timers = new Timers();
  timers.add({ at: 5, kind: 'process', id: 2 });
  timers.add({ at: 5, kind: 'process', id: 1 });
  timers.add({ at: 5, kind: 'socket', id: 9 });
  timers.add({ at: 5, kind: 'container', id: 'c' });
  timers.add({ at: 4, kind: 'process', id: 7 });
  expect(drain(timers).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'process 7',
    'container c',
    'socket 9',
    'process 1',
    'process 2',
  ]);
});

test.each([1, 2, 3])('seed %i: whatever order they are set in, they come by their time', (seed) => {
  const random = new SeededRandom(seed);
  const all = Array.from({ length: 500 }, (_, id) => ({ at: random.below(50), kind: KINDS[random.below(3)]!, id }));
  const [one, other] = [new Timers(), new Timers()];
  for (const timer of all) one.add(timer);
  for (const timer of [...all].reverse()) other.add(timer);
  const order = drain(one);
  expect(drain(other)).toEqual(order);
  expect(order.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((a, b) => a - b));
});
