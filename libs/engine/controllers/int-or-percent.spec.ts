import { expect, test } from '@jest/globals';
import { getScaledValue } from './int-or-percent.js';

test.each<[number | string | undefined, number, 'up' | 'down', number]>([
  [undefined, 10, 'up', 0],
  [3, 10, 'up', 3],
  ['25%', 10, 'up', 3],
  ['25%', 10, 'down', 2],
  ['100%', 7, 'down', 7],
  ['0%', 7, 'up', 0],
  ['150%', 4, 'up', 6],
])('%j of %i, rounded %s, is %i', (value, total, round, scaled) =>
  expect(getScaledValue(value, total, round)).toBe(scaled),
);
