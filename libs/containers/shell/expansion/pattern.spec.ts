import { expect, test } from '@jest/globals';
import { hasWildcard } from './pattern.js';

test.each([
  ['plain', false, false],
  ['a*', false, true],
  ['a\\*', false, false],
  ['a\\\\*', false, true],
  ['[', false, false],
  ['a[b', false, false],
  [']a[', false, false],
  ['[ab]', false, true],
  ['\\[ab]', false, false],
  ['@(a|b)', false, false],
  ['@(a|b)', true, true],
  ['(a)', true, false],
])('%j, extended: %s, has a wildcard: %s', (pattern, isExtended, expected) =>
  expect(hasWildcard(pattern, isExtended)).toBe(expected),
);

test('a long word of brackets is looked through once', () => {
  const started = performance.now();
  expect(hasWildcard('['.repeat(4_000_000), false)).toBe(false);
  expect(performance.now() - started).toBeLessThan(3_000);
});
