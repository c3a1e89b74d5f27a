import { describe, expect, test } from '@jest/globals';
import { durationSchema, formatDuration, parseDuration } from './duration.js';

const HOUR_MS = 60 * 60_000;

test.each<[string | number, number | undefined]>([
  ['2h', 2 * HOUR_MS],
  ['90s', 90_000],
  ['1h30m', 1.5 * HOUR_MS],
  ['1d12h', 36 * HOUR_MS],
  ['0s', 0],
  [90, 90_000],
  [0.5, 500],
  ['', undefined],
  ['90', undefined],
  ['2 h', undefined],
  ['-2h', undefined],
  ['1.5h', undefined],
  ['30m1h', undefined],
  ['1h1h', undefined],
  ['2w', undefined],
  [`${'9'.repeat(10)}s`, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
])('%j is %s ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  [2 * HOUR_MS, '2h'],
  [90_000, '1m30s'],
  [36 * HOUR_MS, '1d12h'],
  [1_400, '1s'],
  [0, '0s'],
])('%d ms is the text %s, which reads the same', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
  expect(parseDuration(text)).toBe(Math.round(ms / 1_000) * 1_000);
});

describe('a field of one minute to one day', () => {
  const schema = durationSchema('1m', '1d');

  test.each([
    ['1m', 60_000],
    ['1d', 24 * HOUR_MS],
    [60, 60_000],
  ])('%j is taken', (value, ms) => expect(schema.parse(value)).toBe(ms));

  test.each<[unknown, string]>([
    ['59s', 'must be from 1m to 1d'],
    [86_401, 'must be from 1m to 1d'],
    ['soon', 'must be a duration such as 2h, 90s or 1h30m, or a number of seconds'],
    [true, 'must be a duration such as 2h, 90s or 1h30m, or a number of seconds'],
    [null, 'must be a duration such as 2h, 90s or 1h30m, or a number of seconds'],
  ])('%j is refused: %s', (value, message) => {
    expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
