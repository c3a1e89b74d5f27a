import { expect, test } from '@jest/globals';
import { parsePriorities, priorityOf } from './priority.js';

test.each([
  ['kubelet', 'E1122 16:07:35 run.go:72] "command failed"', 6],
  ['systemd', 'kubelet.service: Unable to locate executable', 3],
  ['systemd', "kubelet.service: Failed with result 'exit-code'.", 4],
  ['systemd', 'kubelet.service: Main process exited, code=exited, status=1/FAILURE', 5],
  ['systemd', 'Started kubelet.service - kubelet.', 6],
])('%s says %s: %d', (program, text, level) => expect(priorityOf({ program, text })).toBe(level));

test.each<[string, number[] | undefined]>([
  ['err', [0, 1, 2, 3]],
  ['4', [0, 1, 2, 3, 4]],
  ['notice..warning', [4, 5]],
  ['errors', undefined],
  ['8', undefined],
  ['err..', undefined],
  ['1..2..3', undefined],
])('-p %s', (text, levels) => {
  const isAsked = parsePriorities(text);
  expect(isAsked && [0, 1, 2, 3, 4, 5, 6, 7].filter(isAsked)).toEqual(levels);
});
