import { expect, it } from '@jest/globals';
import { computeHash, safeEncodeString } from './hash.js';

it('spells numbers without vowels, as upstream does', () => expect(safeEncodeString('0123456789')).toBe('456789bcdf'));

it('does not depend on the order of fields, but on the collision count', () => {
  expect(computeHash({ a: 1, b: { c: 2, d: [3] } })).toBe(computeHash({ b: { d: [3], c: 2 }, a: 1 }));
  expect(computeHash({ a: 1 }, 1)).not.toBe(computeHash({ a: 1 }));
});
