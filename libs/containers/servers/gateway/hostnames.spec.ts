import { expect, test } from '@jest/globals';
import { closeness, commonHosts, intersect, isHost } from './hostnames.js';

test.each([
  ['', 'a.test', true],
  ['a.test', 'A.test', true],
  ['a.test', 'b.test', false],
  ['*.test', 'a.b.test', true],
  ['*.test', 'test', false],
])('%s stands for %s: %s', (name, host, expected) => {
  expect(isHost(name, host)).toBe(expected);
});

test.each([
  ['', 'a.test', 'a.test'],
  ['*.test', 'a.test', 'a.test'],
  ['a.test', '*.test', 'a.test'],
  ['*.test', '*.a.test', '*.a.test'],
  ['a.test', 'b.test', undefined],
])('%s and %s have %s in common', (one, other, expected) => {
  expect(intersect(one, other)).toBe(expected);
});

test('a route without names has those of the listener', () => {
  expect([commonHosts('*.test', []), commonHosts('a.test', ['b.test'])]).toEqual([['*.test'], undefined]);
});

test('a name without a star is closer than any with one', () => {
  const names = ['', '*.a.very.long.name.test', 'a.b', '*.test'];
  expect(names.sort((a, b) => closeness(b) - closeness(a))).toEqual(['a.b', '*.a.very.long.name.test', '*.test', '']);
});
