import { expect, test } from '@jest/globals';
import { grownAge, humanDuration, parseDuration } from './age.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5_000, '<invalid>'],
  [-10, '0s'],
  [119_000, '119s'],
  [2 * MINUTE, '2m'],
  [2 * MINUTE + 5_000, '2m5s'],
  [179 * MINUTE, '179m'],
  [3 * HOUR, '3h'],
  [7 * HOUR + 59 * MINUTE, '7h59m'],
  [47 * HOUR, '47h'],
  [2 * DAY, '2d'],
  [7 * DAY + 5 * HOUR, '7d5h'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [8 * 365 * DAY, '8y'],
])('%d ms are %s', (ms, text) => expect(humanDuration(ms)).toBe(text));

test.each([
  ['3d4h', 3 * DAY + 4 * HOUR],
  ['90s', 90_000],
  ['1/2', undefined],
  ['', undefined],
])('%s is read back as %s', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  ['5s', 60_000, '65s'],
  ['2m5s', 10 * MINUTE, '12m'],
  ['2 (14s ago)', 10_000, '2 (24s ago)'],
  ['5s', -1, '5s'],
  ['<none>', 60_000, '<none>'],
  ['0', 60_000, '0'],
])('%s is %d ms later %s', (text, ms, later) => expect(grownAge(text, ms)).toBe(later));
