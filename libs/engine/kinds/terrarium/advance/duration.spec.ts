import { expect, test } from '@jest/globals';
import { parseSpan } from './duration.js';

test.each([
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['', undefined],
  ['10', undefined],
  ['-1s', undefined],
  ['1m1h', undefined],
])('%j is %j ms', (text, span) => expect(parseSpan(text)).toBe(span));
