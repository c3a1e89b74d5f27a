import { expect, test } from '@jest/globals';
import { countIndexes } from './indexes.js';

test.each<[string, number | string]>([
  ['', 0],
  ['0', 1],
  ['1,3-5,7', 5],
  ['0,10', 'too large index: "10"'],
  ['a', 'cannot convert string to integer for index: "a"'],
  ['1-', 'cannot convert string to integer for index: ""'],
  [
    '1-2-3',
    `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
  ['5-3', 'non-increasing order, previous: 5, current: 3'],
  ['3,2', 'non-increasing order, previous: 3, current: 2'],
  ['3,3', 'non-increasing order, previous: 3, current: 3'],
])('the indexes %j of 10: %s', (text, expected) => expect(countIndexes(text, 10)).toBe(expected));
