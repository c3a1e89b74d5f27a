import { expect, test } from '@jest/globals';
import { parseSpan } from './span.js';

test.each([
  ['250ms', 250],
  ['1.5s', 1_500],
  ['1m30s', 90_000],
  ['2h', 7_200_000],
  ['0s', 0],
  ['', undefined],
  ['5', undefined],
  ['-1s', undefined],
  ['1d', undefined],
  ['1s '.repeat(20), undefined],
])('%j', (text, ms) => expect(parseSpan(text)).toBe(ms));
