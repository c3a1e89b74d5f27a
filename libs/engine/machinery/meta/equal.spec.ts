import { expect, test } from '@jest/globals';
import { deepEqual } from './equal.js';

test.each([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
  [{}, [], false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: null }, {}, false],
])('%j equals %j: %s', (a, b, equal) => expect(deepEqual(a, b)).toBe(equal));
