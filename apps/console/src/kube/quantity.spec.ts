import { expect, test } from '@jest/globals';
import { parseQuantity } from './quantity.js';

test.each<[string, number | undefined]>([
  ['250m', 0.25],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['2', 2],
  ['-1k', -1_000],
  ['3Pi', 3 * 2 ** 50],
  ['', undefined],
  ['5m30s', undefined],
  ['two', undefined],
])('%s is %p', (text, value) => {
  if (value === undefined) expect(parseQuantity(text)).toBeUndefined();
  else expect(parseQuantity(text)).toBeCloseTo(value);
});
