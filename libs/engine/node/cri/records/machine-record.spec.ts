import { beforeEach, describe, expect, test } from '@jest/globals';
import { MachineChanges, PodMachines } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';
import type { State } from '../../../runtime/state/state.js';
import { NOW } from '../../kubelet/testing.js';
import { deleteMachine, podNameOf, readRecord } from './machine-record.js';
import type { Machines } from '../machines.js';
import { clientOf, machinesOf, podOf, stateOf, toolPod } from '../testing.js';

let state: State;
let client: Client;
let machines: Machines;
let session: string;

beforeEach(() => {
  state = stateOf(toolPod([{ command: ['count'] }]));
  client = clientOf(state);
  machines = machinesOf(state);
  session = act(NOW, machines, (machine) =>
    machine.exec('containerd://c-1', { argv: ['echo'], terminal: false, stdin: true }, NOW),
  );
});

type Machine = ReturnType<Machines['at']>['machine'];
function act<T>(at: number, by: Machines, use: (machine: Machine) => T): T {
  return by.acting(by.viewOf(podOf(state)), at, (loaded) => {
    const result = use(loaded.machine);
    by.run(loaded, at);
    by.store(client, podOf(state), loaded);
    return result;
  });
}
const type = (text: string, at: number, by = machines): number => act(at, by, (m) => m.input(session, text, at));
const printed = (at: number, by: Machines): string => by.at(by.viewOf(podOf(state)), at).machine.output(session).stdout;
const counts = (): number[] => [state.list(PodMachines).length, state.list(MachineChanges).length];
const snapshots = (): number | undefined => readRecord(state, podOf(state))?.snapshot.snapshot;

test('an input is one small object beside the snapshot', () => {
  const { bytes } = state;
  for (let i = 1; i <= 10; i++) type('a', NOW + i);
  expect(counts()).toEqual([1, 10]);
  expect(state.bytes - bytes).toBeLessThan(10 * 1_000);
});

test('another process, and one that has looked before, find the machine as it was left', () => {
  const [before, after] = [machinesOf(state), machinesOf(state)];
  for (let i = 1; i <= 20; i++) {
    type(String.fromCharCode(96 + i), NOW + 100 * i);
    if (i % 7 === 0) expect(printed(NOW + 100 * i, before)).toHaveLength(i);
  }
  const save = (by: Machines): object => by.at(by.viewOf(podOf(state)), NOW + 5_000).machine.save();
  expect(printed(NOW + 5_000, after)).toBe('ABCDEFGHIJKLMNOPQRST');
  expect(save(after)).toEqual(save(machines));
  expect(save(before)).toEqual(save(machines));
});

test('two processes that take turns lose nothing and double nothing', () => {
  const all = [machines, machinesOf(state), machinesOf(state)];
  for (let i = 0; i < 30; i++) type(String(i % 10), NOW + i, all[i % 3]);
  expect(all.map((by) => printed(NOW + 60, by))).toEqual(Array(3).fill('0123456789'.repeat(3)));
});

describe('after too many changes', () => {
  test('a new snapshot is written, and the changes begin anew', () => {
    for (let i = 1; i <= 600; i++) type('a', NOW + i);
    expect(snapshots()).toBeGreaterThan(1);
    expect(counts()[1]).toBeLessThanOrEqual(256);
    expect(printed(NOW + 601, machinesOf(state))).toHaveLength(600);
  });

  test('that are long, too', () => {
    for (let i = 1; i <= 10; i++) type('a'.repeat(6_000), NOW + i);
    expect(snapshots()).toBeGreaterThan(1);
    expect(printed(NOW + 20, machinesOf(state))).toHaveLength(60_000);
  });
});

test('a change that could not be stored is gone', () => {
  type('a', NOW + 1);
  const mark = state.mark();
  type('b', NOW + 2);
  state.rollback(mark);
  expect(printed(NOW + 3, machines)).toBe('A');
  type('c', NOW + 3);
  expect(printed(NOW + 4, machines)).toBe('AC');
  expect(printed(NOW + 4, machinesOf(state))).toBe('AC');
});

test('a snapshot that could not be stored is gone, and the changes before it are there', () => {
  for (let i = 1; i <= 255; i++) type('a', NOW + i);
  const mark = state.mark();
  const before = snapshots();
  for (let i = 256; i <= 300; i++) type('b', NOW + i);
  state.rollback(mark);
  expect(snapshots()).toBe(before);
  expect(printed(NOW + 300, machines)).toBe('A'.repeat(255));
});

test('with the pod all of it goes', () => {
  for (let i = 1; i <= 5; i++) type('a', NOW + i);
  deleteMachine(client, keyOf(podOf(state)));
  expect(counts()).toEqual([0, 0]);
});

test.each([
  ['web', 'web'],
  ['web~12', 'web'],
])('%s belongs to the pod %s', (name, pod) => expect(podNameOf(name)).toBe(pod));
