import { expect, test } from '@jest/globals';
import { formatTime } from '../pod/pod-runtime.js';
import { NOW, process } from '../testing.js';
import { findExit, isExitNoticed, type Exit } from './pleg.js';

const dyingAt = (ms: number): { at: string; code: number } => ({ at: formatTime(NOW + ms), code: 137 });
const own = { afterMs: 5_000, code: 3, reason: 'OOMKilled' };

test.each([
  ['runs on', undefined, undefined, undefined],
  ['ends by itself', own, undefined, { at: NOW + 5_000, code: 3, reason: 'OOMKilled', byItself: true }],
  ['is stopped', undefined, dyingAt(100), { at: NOW + 100, code: 137, byItself: false }],
  ['is stopped first', own, dyingAt(100), { at: NOW + 100, code: 137, byItself: false }],
  ['ends before it is killed', own, dyingAt(9_000), { at: NOW + 5_000, code: 3, reason: 'OOMKilled', byItself: true }],
])('a process that %s', (_case, exit, dying, expected) => {
  expect(findExit(process({ exit }), { dying }, NOW)).toEqual(expected);
});

test.each([
  ['at the start: an end before the first relist', 0, 999, true],
  ['at the start: an end at the first relist', 0, 1_000, false],
  ['later: an end now', 5_000, 5_000, true],
  ['later: an end in the future', 5_000, 5_001, false],
])('%s', (_case, now, at, expected) => {
  const exit: Exit = { at: NOW + at, code: 0, byItself: true };
  expect(isExitNoticed(exit, NOW, NOW + now)).toBe(expected);
});
