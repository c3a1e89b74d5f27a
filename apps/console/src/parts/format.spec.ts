import { expect, test } from '@jest/globals';
import { formatAge, formatBytes } from './format.js';

test.each([
  [-5, '0s'],
  [999, '0s'],
  [59_000, '59s'],
  [61_000, '1m1s'],
  [720_000, '12m'],
  [3 * 86_400_000 + 4 * 3_600_000, '3d4h'],
  [400 * 86_400_000, '1y35d'],
])('%d ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text));

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 KiB'],
  [20 * 1_048_576, '20 MiB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
