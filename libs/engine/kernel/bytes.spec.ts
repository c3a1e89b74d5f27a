import { expect, test } from '@jest/globals';
import { bytesOf, fromArray, textOf, toArray } from './bytes.js';

test.each([
  ['', ''],
  ['abc\n\0', 'abc\n\0'],
  ['é€😀', '\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80'],
])('%j is %j in bytes, and back', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
  expect(textOf(bytes)).toBe(text);
});

test('what is no UTF-8 becomes U+FFFD', () => {
  expect(textOf('a\xffb')).toBe('a\ufffdb');
});

test('arrays of any length', () => {
  const array = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256);
  expect(toArray(fromArray(array))).toEqual(array);
});
