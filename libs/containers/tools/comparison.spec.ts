import { expect, test } from '@jest/globals';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import { compareOperands } from './comparison.js';

test.each<[string, string, string, boolean]>([
  ['a', '=', 'a', true],
  ['a', '==', 'b', false],
  ['a', '!=', 'b', true],
  ['10', '<', '9', true],
  ['10', '>', '9', false],
  ['10', '-gt', '9', true],
  ['10', '-ge', '10', true],
  ['9', '-lt', '10', true],
  ['10', '-le', '9', false],
  ['1', '-ne', '1', false],
  ['9007199254740993', '-eq', '9007199254740992', false],
])('%s %s %s: %j', (left, operator, right, expected) => {
  expect(compareOperands({} as Syscalls, [left, operator, right], BigInt)).toBe(expected);
});
