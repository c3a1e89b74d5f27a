import { describe, expect, test } from '@jest/globals';
import { nextTime, parseSchedule, type Schedule } from './cron.js';
import { timestamp } from './time.js';

const AT = Date.parse('2026-01-30T23:59:30Z');

describe('cron schedules', () => {
  test.each([
    ['*/5 * * * *', '2026-01-31T00:00:00Z'],
    ['30 8 * * mon-fri', '2026-02-02T08:30:00Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00Z'],
    ['0 0 13 * 5', '2026-02-06T00:00:00Z'],
    ['@monthly', '2026-02-01T00:00:00Z'],
    ['@every 1h30m', '2026-01-31T01:29:30Z'],
  ])('%s next at %s', (text, next) => expect(timestamp(nextTime(parseSchedule(text) as Schedule, AT)!)).toBe(next));

  test('a day that never comes', () => expect(nextTime(parseSchedule('0 0 31 2 *') as Schedule, AT)).toBeUndefined());

  test.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['@often', 'unrecognized descriptor: @often'],
  ])('%s: %s', (text, message) => expect(parseSchedule(text)).toBe(message));
});
