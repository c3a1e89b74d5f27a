import { describe, expect, test } from '@jest/globals';
import { parseSchedule } from './cron.js';
import type { Schedule } from './cron-schedule.js';
import { findTimeZone, UTC } from './time-zones.js';

const parse = (text: string): Schedule => parseSchedule(text) as Schedule;
const sorted = (values: ReadonlySet<number>): number[] => [...values].sort((a, b) => a - b);

describe('the fields of a schedule', () => {
  test.each<[string, number[]]>([
    ['5', [5]],
    ['5,1', [1, 5]],
    ['3-5', [3, 4, 5]],
    ['*/25', [0, 25, 50]],
    ['10/20', [10, 30, 50]],
    ['10-30/15', [10, 25]],
    ['?', Array.from({ length: 60 }, (_, i) => i)],
  ])('minutes %s', (text, minutes) => expect(sorted(parse(`${text} * * * *`).minutes)).toEqual(minutes));

  test('months and weekdays have names', () => {
    const { months, weekdays } = parse('0 0 * Jan,dec sun-TUE');
    expect([sorted(months), sorted(weekdays)]).toEqual([
      [1, 12],
      [0, 1, 2],
    ]);
  });

  test.each<[string, boolean]>([
    ['0 0 13 * 5', true],
    ['0 0 * * 5', false],
    ['0 0 13 * ?', false],
    ['0 0 */2 * 5', true],
    ['0 0 */1 * 5', false],
    ['0 0 5,* * 5', false],
  ])('%s: either day field may match: %j', (text, either) => expect(parse(text).eitherDay).toBe(either));

  test.each<[string, number]>([
    ['@every 1h30m', 5_400_000],
    ['@every 90s', 90_000],
    ['@every 1.5m', 90_000],
    ['@every 10ms', 1_000],
  ])('%s: an interval of %i ms', (text, interval) => expect(parse(text).interval).toBe(interval));

  test('are read off the clocks of a zone, of UTC by default', () => {
    const berlin = findTimeZone('Europe/Berlin')!;
    expect(parse('@daily').zone).toBe(UTC);
    expect((parseSchedule('@daily', berlin) as Schedule).zone).toBe(berlin);
  });
});

describe('a schedule that cannot be parsed', () => {
  test.each([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['-1 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ])('%s: %s', (text, message) => expect(parseSchedule(text)).toBe(message));
});
