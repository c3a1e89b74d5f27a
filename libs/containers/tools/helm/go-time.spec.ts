import { expect, test } from '@jest/globals';
import { ANSIC, durationText, formatGoTime, parseGoDuration, timeJson, timeText } from './go-time.js';

const AT = Date.UTC(2026, 0, 2, 15, 4, 5, 60);

test.each([
  [ANSIC, 'Fri Jan  2 15:04:05 2026'],
  ['2006-01-02T15:04:05Z07:00', '2026-01-02T15:04:05Z'],
  ['02/01/06 03:04 PM', '02/01/26 03:04 PM'],
  ['Monday, 2 January 2006 -0700 MST', 'Friday, 2 January 2026 +0000 UTC'],
  ['15:04:05.000', '15:04:05.060'],
])('%s', (layout, text) => expect(formatGoTime(layout, AT)).toBe(text));

test('as Go prints times', () => {
  expect(timeText(AT)).toBe('2026-01-02 15:04:05.06 +0000 UTC');
  expect(timeJson(AT)).toBe('2026-01-02T15:04:05.06Z');
});

test.each([
  ['5m30s', 330_000],
  ['1.5h', 5_400_000],
  ['-2s', -2_000],
  ['0', 0],
  ['300ms', 300],
  ['5', undefined],
  ['x', undefined],
])('%s', (text, ms) => expect(parseGoDuration(text)).toBe(ms));

test.each([
  [0, '0s'],
  [95_000, '1m35s'],
  [5_400_000, '1h30m0s'],
  [-1_500, '-1.5s'],
])('%d ms', (ms, text) => expect(durationText(ms)).toBe(text));
