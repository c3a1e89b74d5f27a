import { expect, test } from '@jest/globals';
import { editDistance } from './edit-distance.js';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['install', 'instal', 1],
  ['foo', 'top', 2],
  ['get', 'GET', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j', (a, b, count) => {
  expect(editDistance(a, b)).toBe(count);
  expect(editDistance(b, a)).toBe(count);
});
