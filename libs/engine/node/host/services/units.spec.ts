import { expect, test } from '@jest/globals';
import { formatUnit, readUnit, unitFile, type UnitState } from './units.js';

const diskOf = (content?: string) => ({
  read: (path: string) => (path === unitFile('kubelet') ? content : undefined),
  has: () => false,
  list: () => [],
});

test('a service that nobody has touched was started with the node', () =>
  expect(readUnit(diskOf(), 'kubelet')).toEqual({ isActive: true, run: 'boot', hasFailed: false }));

test.each<UnitState>([
  { isActive: true, since: 5_000, run: 'a1', hasFailed: false },
  { isActive: true, since: 5_000, run: 'a1', hasFailed: true },
  { isActive: false, since: 6_000, run: 'b2', hasFailed: false },
])('%j is read as it was written', (state) => expect(readUnit(diskOf(formatUnit(state)), 'kubelet')).toEqual(state));

test.each(['', 'nonsense', 'STATE'])('what somebody has made of the file is taken as far as it goes: %j', (content) =>
  expect(readUnit(diskOf(content), 'kubelet').isActive).toBe(true),
);
