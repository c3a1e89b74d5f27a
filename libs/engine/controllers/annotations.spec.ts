import { expect, test } from '@jest/globals';
import { parseNumberAnnotation } from './annotations.js';

test.each([
  ['12', 12],
  ['-3', -3],
  ['1.5', undefined],
  ['many', undefined],
  ['', undefined],
])('%p holds %p', (text, number) => expect(parseNumberAnnotation({ n: text }, 'n')).toBe(number));

test('no annotation holds no number', () => {
  expect(parseNumberAnnotation({}, 'n')).toBeUndefined();
  expect(parseNumberAnnotation(undefined, 'n')).toBeUndefined();
});
