import { describe, expect, test } from '@jest/globals';
import { TZDATA_VERSION } from './time-zones.generated.js';
import { findTimeZone, formatInZone, offsetAt, timeOfWall, UTC, type TimeZone } from './time-zones.js';
import { MINUTE, timestamp } from './time.js';

const zone = (name: string): TimeZone => findTimeZone(name)!;
const minutesAt = (name: string, at: string): number => offsetAt(zone(name), Date.parse(at)) / MINUTE;

test('the table says which release of the database it is', () => expect(TZDATA_VERSION).toMatch(/^20\d\d[a-z]$/));

describe('findTimeZone', () => {
  test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'US/Pacific', 'EST5EDT'])(
    'knows %s',
    (name) => expect(findTimeZone(name)).toBeDefined(),
  );

  test.each(['europe/berlin', 'Europe', 'Factory', 'Local', '', 'constructor'])('does not know %p', (name) =>
    expect(findTimeZone(name)).toBeUndefined(),
  );
});

describe('the offset from UTC, in minutes,', () => {
  test.each<[string, string, number]>([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 60],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 120],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', 120],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 60],
    ['America/New_York', '2026-03-08T06:59:59Z', -300],
    ['America/New_York', '2026-03-08T07:00:00Z', -240],
    ['America/New_York', '2026-11-01T06:00:00Z', -300],
    ['Asia/Kolkata', '2026-07-01T00:00:00Z', 330],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 660],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 630],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 660],
    // Standard time is the summer's there, and daylight saving time the winter's.
    ['Europe/Dublin', '2026-07-01T00:00:00Z', 60],
    ['Europe/Dublin', '2026-12-31T23:59:59Z', 0],
    ['Pacific/Chatham', '2026-01-01T00:00:00Z', 825],
    ['America/Nuuk', '2026-03-29T01:00:00Z', -60],
    // By a list of changes, and then for ever by a rule.
    ['Africa/Casablanca', '2026-03-01T00:00:00Z', 0],
    ['Africa/Casablanca', '2026-04-01T00:00:00Z', 60],
    ['Asia/Gaza', '2086-10-26T23:59:00Z', 120],
    ['Asia/Gaza', '2100-07-01T00:00:00Z', 180],
    ['Europe/Berlin', '2099-07-01T00:00:00Z', 120],
  ])('%s at %s', (name, at, minutes) => expect(minutesAt(name, at)).toBe(minutes));
});

describe('the time at which clocks show', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01T09:00:00Z', '2026-07-01T07:00:00Z'],
    ['Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z'],
    ['America/New_York', '2026-03-08T02:30:00Z', '2026-03-08T06:30:00Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-11-01T01:30:00Z', '2026-11-01T05:30:00Z'],
    ['Europe/London', '2026-10-25T01:30:00Z', '2026-10-25T01:30:00Z'],
  ])('in %s %s', (name, wall, at) => expect(timestamp(timeOfWall(zone(name), Date.parse(wall)))).toBe(at));
});

describe('a time in its zone', () => {
  test.each([
    ['UTC', '2026-07-01T00:00:00Z'],
    ['Europe/London', '2026-07-01T01:00:00+01:00'],
    ['America/St_Johns', '2026-06-30T21:30:00-02:30'],
    ['Pacific/Kiritimati', '2026-07-01T14:00:00+14:00'],
  ])('%s: %s', (name, text) => expect(formatInZone(zone(name), Date.parse('2026-07-01T00:00:00Z'))).toBe(text));

  test('in winter London shows UTC', () => {
    const at = Date.parse('2026-01-01T00:00:00Z');
    expect(formatInZone(zone('Europe/London'), at)).toBe(formatInZone(UTC, at));
  });
});
