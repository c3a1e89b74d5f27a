import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { Machine } from '../../kernel/machine.js';
import { MINUTE } from '../../machinery/time/time.js';
import { UnfinishedWork } from '../../machinery/unfinished.js';
import { NOW } from '../kubelet/testing.js';
import type { State } from '../../runtime/state/state.js';
import { SLICE_STEPS } from './looks/bounded-machine.js';
import type { LoadedMachine, Machines } from './machines.js';
import { clientOf, machinesOf, podOf, stateOf, toolPod } from './testing.js';

const ID = 'containerd://c-1';
/** The longest step of the programs here, and what a step costs at least. */
const STEP = 10_100;

let state: State;
const begin = (...pods: readonly Pod[]): Machines => {
  state = stateOf(...pods);
  return machinesOf(state);
};
const loadedOf = (machines: Machines): Machine =>
  (machines as unknown as { loaded: Map<string, LoadedMachine> }).loaded.get('u1')!.machine;
const workOf = (machine: Machine): number =>
  [...machine.state.processes.values()].reduce((sum, { cpu }) => sum + cpu, 0);

/** Asks until there is an answer: it, and the steps of each time. */
function ask<T>(machines: Machines, look: () => T): { readonly answer: T; readonly steps: number[] } {
  const steps: number[] = [];
  for (let before = 0; ;) {
    try {
      return { answer: look(), steps };
    } catch (error) {
      if (!(error instanceof UnfinishedWork)) throw error;
      const done = workOf(loadedOf(machines));
      steps.push(done - before);
      before = done;
    }
  }
}

test('a fork bomb after a while is looked at a slice at a time, and is what it is at many looks', () => {
  const machines = begin(toolPod([{ command: ['breed'] }]));
  const view = machines.viewOf(podOf(state));
  const end = NOW + 15 * MINUTE;
  const { answer, steps } = ask(machines, () => machines.at(view, end));
  expect(steps.length).toBeGreaterThan(8);
  expect(Math.max(...steps)).toBeLessThan(SLICE_STEPS + STEP);
  const others = machinesOf(state);
  const lookAt = (at: number): unknown => ask(others, () => others.at(view, at));
  for (let at = NOW; at < NOW + 6_000; at += 100) lookAt(at);
  for (let at = NOW + 6_000; at < end; at += MINUTE) lookAt(at);
  expect(answer.machine.save()).toEqual(ask(others, () => others.at(view, end)).answer.machine.save());
});

test('what acts on a machine waits until it has come to its time, and acts once', () => {
  const machines = begin(toolPod([{ command: ['labour', '350'] }, { command: ['count'] }]));
  const view = machines.viewOf(podOf(state));
  let acts = 0;
  const { steps } = ask(machines, () =>
    machines.acting(view, NOW + 4_000, (loaded) => {
      acts++;
      machines.store(clientOf(state), podOf(state), loaded);
    }),
  );
  expect([steps.length > 4, acts]).toEqual([true, 1]);
  expect(
    machinesOf(state)
      .at(view, NOW + 4_000)
      .machine.container(ID).logs,
  ).toHaveLength(4);
});

test('a look whose progress is taken away again and again comes to its end all the same', () => {
  const machines = begin(toolPod([{ command: ['labour', '350'] }]));
  const view = machines.viewOf(podOf(state));
  const forget = (): void => (machines as unknown as { drop(uid: string): void }).drop('u1');
  let looks = 0;
  for (let isDone = false; !isDone; looks++) {
    forget();
    try {
      isDone = machines.at(view, NOW + 4_000).machine.container(ID).logs.length === 4;
    } catch (error) {
      if (!(error instanceof UnfinishedWork)) throw error;
    }
  }
  expect(looks).toBe(1_001);
});

test('what is tried out in a copy goes on where it was', () => {
  const machines = begin(toolPod([{ command: ['rest', '999999'] }]));
  const view = machines.viewOf(podOf(state));
  const run = (): unknown => machines.tryCommand(view, ID, ['labour', '350'], NOW + 10, 9_000);
  let slices = 0;
  for (;;) {
    try {
      expect(run()).toEqual({ code: 0, output: '300\n200\n100\n0\n', tookMs: 3_503 });
      break;
    } catch (error) {
      if (!(error instanceof UnfinishedWork)) throw error;
      slices++;
    }
  }
  expect(slices).toBeGreaterThan(50);
  expect(machines.at(view, NOW + 10).machine.state.processes.size).toBe(1);
});
