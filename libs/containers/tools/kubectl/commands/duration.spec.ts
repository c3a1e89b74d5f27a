import { expect, test } from '@jest/globals';
import { durationMs } from './duration.js';

test.each([
  ['30s', 30_000],
  ['1m30s', 90_000],
  ['-1s', -1_000],
  ['0', 0],
  ['1.5h', 5_400_000],
])('%s', (text, ms) => expect(durationMs(text)).toBe(ms));

test.each([
  ['10', 'missing unit in duration "10"'],
  ['x', 'invalid duration "x"'],
])('%s is refused', (text, why) => expect(() => durationMs(text)).toThrow(why));
