import { describe, expect, it, test } from '@jest/globals';
import { computeHash, fnv32a, safeEncodeString } from './hash.js';

it('spells numbers without vowels, as upstream does', () => expect(safeEncodeString('0123456789')).toBe('456789bcdf'));

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the FNV-1a hash of %j is %i', (text, hash) => expect(fnv32a(text)).toBe(hash));

describe('the hash of a template', () => {
  it('does not depend on the order of fields, but on the collision count', () => {
    expect(computeHash({ a: 1, b: { c: 2, d: [3] } })).toBe(computeHash({ b: { d: [3], c: 2 }, a: 1 }));
    expect(computeHash({ a: 1 }, 1)).not.toBe(computeHash({ a: 1 }));
  });

  it('depends on the order of lists, and not on fields without a value', () => {
    expect(computeHash({ a: [1, 2] })).not.toBe(computeHash({ a: [2, 1] }));
    expect(computeHash({ a: 1, b: undefined })).toBe(computeHash({ a: 1 }));
  });

  it('is made of letters that spell no words', () => {
    for (let i = 0; i < 20; i++) expect(computeHash({ i })).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  });
});
