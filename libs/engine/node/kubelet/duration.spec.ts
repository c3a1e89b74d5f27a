import { expect, test } from '@jest/globals';
import { formatDuration } from './duration.js';

// As Go's time.Duration prints itself.
test.each([
  [0, '0s'],
  [-5, '0s'],
  [147, '147ms'],
  [1_000, '1s'],
  [2_345, '2.345s'],
  [10_000, '10s'],
  [62_500, '1m2.5s'],
  [160_000, '2m40s'],
  [300_000, '5m0s'],
])('%d ms is %s', (span, expected) => {
  expect(formatDuration(span)).toBe(expected);
});
