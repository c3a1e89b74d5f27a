import { expect, test } from '@jest/globals';
import type { LoadedMachine } from '../pods/loaded-machine.js';
import type { Run } from '../records/course.js';
import { MachinesAside } from './machines-aside.js';

const machine = (more: object = {}, shared: string[] = []): LoadedMachine => {
  const state = { containers: new Map([['c1', { startedAt: 5 }]]) };
  const rest = { hasContacts: false, isWaiting: false, trees: { shared: () => shared } };
  return { machine: { state }, ...rest, ...more } as unknown as LoadedMachine;
};
const run = (containerID: string, startedAt: number): Run => ({ containerID, startedAt }) as Run;
const yes = (): boolean => true;

test('a machine is given to the look that it fits, once', () => {
  const aside = new MachinesAside();
  const one = machine();
  aside.keep('a', one);
  expect(aside.take('b', [], yes)).toBeUndefined();
  expect(aside.take('a', [], () => false)).toBeUndefined();
  expect([aside.take('a', [], yes), aside.take('a', [], yes)]).toEqual([one, undefined]);
});

test.each<[string, LoadedMachine]>([
  ['has been in contact with others', machine({ hasContacts: true })],
  ['waits for the API server', machine({ isWaiting: true })],
  ['has trees that others have, too', machine({}, ['claim'])],
])('one that %s is not kept', (_, one) => {
  const aside = new MachinesAside();
  aside.keep('a', one);
  expect(aside.take('a', [], yes)).toBeUndefined();
});

test('the oldest goes when there are many, and any that is to be forgotten', () => {
  const aside = new MachinesAside();
  for (let i = 0; i <= 8; i++) aside.keep(`${i}`, machine());
  aside.forget('5');
  const left = Array.from({ length: 9 }, (_, i) => i).filter((i) => aside.take(`${i}`, [], yes));
  expect(left).toEqual([1, 2, 3, 4, 6, 7, 8]);
});

test.each([
  [[run('c1', 5), run('c2', 9)], true],
  // The machine has it begin before the status does.
  [[run('c1', 6)], false],
])('one whose runs are %j: %s', (runs, expected) => {
  const aside = new MachinesAside();
  aside.keep('a', machine());
  expect(aside.take('a', runs, yes) !== undefined).toBe(expected);
});
