import { expect, test } from '@jest/globals';
import type { Plain } from './plain.js';
import { sizeOfPlain } from './size.js';

test.each<[string, Plain, number]>([
  ['null', null, 16],
  ['text', 'x'.repeat(100), 116],
  ['a list', ['a', 'b'], 50],
  ['fields', { a: 'xx', b: { c: 1 } }, 66],
])('%s', (_, data, bytes) => {
  expect(sizeOfPlain(data)).toBe(bytes);
});

test('a look at very much is bounded', () => {
  expect(sizeOfPlain(Array.from({ length: 100_000 }, () => 1))).toBe(2_000 * 16);
});
