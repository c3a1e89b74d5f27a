import { expect, test } from '@jest/globals';
import { formatDuration, formatTime, parseDuration } from './go.js';

test('as Go prints times', () =>
  expect(formatTime(Date.UTC(2026, 0, 2, 15, 4, 5, 60))).toBe('2026-01-02 15:04:05.06 +0000 UTC'));

test.each([
  ['5m30s', 330_000],
  ['1.5h', 5_400_000],
  ['-2s', -2_000],
  ['0', 0],
  ['300ms', 300],
  ['5', undefined],
  ['2us', 0.002],
  ['.5s', undefined],
  ['x', undefined],
  ['', undefined],
])('%s', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  [0, '0s'],
  [95_000, '1m35s'],
  [5_400_000, '1h30m0s'],
  [-1_500, '-1.5s'],
])('%d ms', (ms, text) => expect(formatDuration(ms)).toBe(text));
