import { expect, test } from '@jest/globals';
import { readDuration } from './duration.js';

test.each([
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['45s', 45_000],
  ['0', 0],
])('%s', (text, expected) => {
  expect(readDuration(text, 'ttl')).toBe(expected);
});

test.each(['', '5', '1d', 'h'])('%j is refused', (text) => {
  expect(() => readDuration(text, 'ttl')).toThrow(
    `invalid argument "${text}" for "--ttl" flag: time: invalid duration "${text}"`,
  );
});
