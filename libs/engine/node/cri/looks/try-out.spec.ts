import { expect, test } from '@jest/globals';
import { UnfinishedWork } from '../../../machinery/unfinished.js';
import type { LoadedMachine } from '../pods/loaded-machine.js';
import type { PodView } from '../pods/pod-view.js';
import type { BoundedMachine } from './bounded-machine.js';
import type { Trial } from './trial.js';
import { tryOut } from './try-out.js';
import { Turns } from './turns.js';

const VIEW = { pod: { metadata: { uid: 'u' } } } as unknown as PodView;
const newLoaded = (hasContacts: boolean): LoadedMachine => ({ trials: new Map(), hasContacts }) as never;

/** A trial that is over after some slices, and asks others in one of them. */
function trialOf(copy: BoundedMachine, loaded: LoadedMachine, slices: number, asksIn: number): Trial<string> {
  let slice = 0;
  return {
    copy,
    proceed: () => {
      slice++;
      if (slice === asksIn) loaded.hasContacts = true;
      return slice >= slices ? { result: 'over' } : undefined;
    },
  };
}

test.each([
  ['in one slice', false, 1, 0, false],
  ['in three slices', false, 3, 0, false],
  ['and has asked others in its first slice', false, 3, 1, true],
  ['and the machine itself has had contacts before', true, 2, 0, false],
])('a trial is over %s', (_, hadContacts, slices, asksIn, asksOthers) => {
  const loaded = newLoaded(hadContacts);
  const allowed: number[] = [];
  let copied = 0;
  const copies = {
    turns: new Turns(),
    mustFinish: () => false,
    copyOf: () => (copied++, { allow: (steps: number) => allowed.push(steps) }) as never,
  };
  const attempt = () => tryOut(copies, VIEW, loaded, 'stop', (copy) => trialOf(copy, loaded, slices, asksIn));
  for (let slice = 1; slice < slices; slice++) expect(attempt).toThrow(UnfinishedWork);
  expect(attempt()).toEqual({ result: 'over', asksOthers });
  expect([copied, allowed.length, loaded.trials.size]).toEqual([1, slices, 0]);
  expect(loaded.hasContacts).toBe(hadContacts || asksIn > 0);
});

test('a trial that has to come to its end may take any number of steps', () => {
  const allowed: number[] = [];
  const copyOf = () => ({ allow: (steps: number) => allowed.push(steps) }) as never;
  const loaded = newLoaded(false);
  tryOut({ turns: new Turns(), mustFinish: () => true, copyOf }, VIEW, loaded, 'exec', (copy) =>
    trialOf(copy, loaded, 1, 0),
  );
  expect(allowed).toEqual([Infinity]);
});
