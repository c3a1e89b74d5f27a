import { describe, expect, test } from '@jest/globals';
import { parseSchedule } from './cron.js';
import { nextTime, type Schedule } from './cron-schedule.js';
import { findTimeZone } from './time-zones.js';
import { timestamp } from './time.js';

const AT = '2026-01-30T23:59:30Z';

/** The next times of a schedule, one after the other. */
function nextTimes(zone: string, text: string, after: string, count: number): string[] {
  const schedule = parseSchedule(text, findTimeZone(zone)) as Schedule;
  const times: string[] = [];
  for (let at = Date.parse(after); times.length < count; times.push(timestamp(at))) at = nextTime(schedule, at)!;
  return times;
}

describe('in UTC', () => {
  test.each([
    ['*/5 * * * *', '2026-01-31T00:00:00Z'],
    ['30 8 * * mon-fri', '2026-02-02T08:30:00Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00Z'],
    ['0 0 13 * 5', '2026-02-06T00:00:00Z'],
    ['@monthly', '2026-02-01T00:00:00Z'],
    ['@every 1h30m', '2026-01-31T01:29:30Z'],
  ])('%s next at %s', (text, next) => expect(nextTimes('UTC', text, AT, 1)).toEqual([next]));

  test.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *'])('%s: a day that never comes', (text) =>
    expect(nextTime(parseSchedule(text) as Schedule, Date.parse(AT))).toBeUndefined(),
  );

  test('leap days are eight years apart at the turn of a century: too far to be found', () => {
    const schedule = parseSchedule('0 0 29 2 *') as Schedule;
    expect(nextTime(schedule, Date.parse('2096-03-01T00:00:00Z'))).toBeUndefined();
  });
});

// The expected times are those of robfig/cron v3.0.1 with the same release of the time zone database.
describe('by the clocks of a zone', () => {
  test.each([
    ['Europe/Berlin', '0 9 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T07:00:00Z', '2026-03-30T07:00:00Z']],
    ['Europe/Berlin', '0 9 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T08:00:00Z', '2026-10-26T08:00:00Z']],
    ['Europe/Berlin', '@daily', '2026-03-28T12:00:00Z', ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']],
    ['America/New_York', '0 0 1 * *', '2026-10-15T00:00:00Z', ['2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z']],
    ['Asia/Kolkata', '0 9 * * mon-fri', '2026-01-01T03:30:00Z', ['2026-01-02T03:30:00Z', '2026-01-05T03:30:00Z']],
    ['Pacific/Kiritimati', '0 0 1 1 *', '2026-06-01T00:00:00Z', ['2026-12-31T10:00:00Z', '2027-12-31T10:00:00Z']],
    ['Africa/Casablanca', '0 12 * * *', '2026-02-13T18:00:00Z', ['2026-02-14T11:00:00Z', '2026-02-15T12:00:00Z']],
  ])('%s %s after %s', (zone, text, after, times) => expect(nextTimes(zone, text, after, 2)).toEqual(times));
});

describe('where clocks go forward, the time that they leave out is not made up for', () => {
  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z']],
    ['America/New_York', '30 2 * * *', '2026-03-07T12:00:00Z', ['2026-03-09T06:30:00Z', '2026-03-10T06:30:00Z']],
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T00:00:00Z', ['2026-10-04T15:15:00Z', '2026-10-05T15:15:00Z']],
    ['Asia/Beirut', '0 0 * * *', '2026-03-27T12:00:00Z', ['2026-03-27T22:00:00Z', '2026-03-29T21:00:00Z']],
    ['Europe/Berlin', '*/30 * * * *', '2026-03-29T00:30:00Z', ['2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z']],
  ])('%s %s after %s', (zone, text, after, times) => expect(nextTimes(zone, text, after, 2)).toEqual(times));
});

describe('where clocks go back, the time that they show twice is named twice', () => {
  test.each([
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T06:30:00Z'],
    ],
    [
      'Australia/Lord_Howe',
      '45 1 * * *',
      '2026-04-04T00:00:00Z',
      ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z', '2026-04-05T15:15:00Z'],
    ],
    [
      'Europe/Berlin',
      '0 * * * *',
      '2026-10-24T23:30:00Z',
      ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z'],
    ],
  ])('%s %s after %s', (zone, text, after, times) => expect(nextTimes(zone, text, after, 3)).toEqual(times));
});

test('hours are counted in steps from a clock that has gone back by half an hour, so that a day is missed', () => {
  expect(nextTimes('Australia/Lord_Howe', '0 5 * * *', '2026-04-03T12:00:00Z', 2)).toEqual([
    '2026-04-03T18:00:00Z',
    '2026-04-05T18:30:00Z',
  ]);
});
