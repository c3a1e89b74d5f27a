import { expect, test } from '@jest/globals';
import { memberId } from './member-id.js';

test('members have ids of 64 bits, each its own', () => {
  expect(memberId('cp-1')).toMatch(/^[0-9a-f]{16}$/);
  expect(memberId('cp-1')).toBe(memberId('cp-1'));
  expect(memberId('cp-1')).not.toBe(memberId('cp-2'));
});
