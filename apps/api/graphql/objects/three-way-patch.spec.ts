import { expect, test } from '@jest/globals';
import { threeWayPatch } from './three-way-patch.js';

test.each<[string, object, object, object]>([
  ['sets what is new', {}, { a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }],
  ['removes what was applied before and is no longer there', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: null }],
  ['removes inside objects', { a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { b: 1, c: null } }],
  ['replaces lists as a whole', { a: [1, 2] }, { a: [2] }, { a: [2] }],
  ['replaces a scalar by an object', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
  ['leaves alone what was never applied', {}, {}, {}],
])('%s', (_, before, wanted, patch) => expect(threeWayPatch(before, wanted)).toEqual(patch));
