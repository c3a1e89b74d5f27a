import { expect, test } from '@jest/globals';
import type { SessionAct } from '../../api/labs.generated.js';
import { actAt, standAt } from './acts.js';

const act = (type: SessionAct['type'], revision: number, text = '', done = false): SessionAct => ({
  ...{ type, revision, text, done, at: '2026-01-01T00:00:00Z', actor: '', step: type === 'verify' ? text : '' },
});
const acts = [
  act('write', 5),
  act('check', 7, 'kept: Passed, 2 of 2', true),
  act('verify', 7, 'step-1', true),
  act('check', 9, 'kept: Failed, 0 of 2'),
];

test.each<[string, number]>([
  ['', -1],
  ['-10m', -1],
  ['4', -1],
  ['5', 0],
  ['6', 0],
  ['7', 2],
  ['100', 3],
])('at %p the act %p was the last', (at, index) => expect(actAt(acts, at)).toBe(index));

test.each<[number, number, number]>([
  [-1, 0, 0],
  [1, 0, 1],
  [2, 1, 1],
  [3, 1, 0],
])('after act %p so many steps and checks', (index, done, passed) =>
  expect(standAt(acts, index)).toEqual({ done, passed }),
);
