import { timeZonesText } from './time-zones.generated.js';
import { DAY, HOUR, MINUTE, SECOND, timestamp, type Millis } from './time.js';

/** A zone of the IANA time zone database: how far its clocks are ahead of UTC, and when that changes. */
export interface TimeZone {
  /** The offset before the first change. */
  readonly initial: Millis;
  /** Changes that no rule describes, earliest first. */
  readonly changes: readonly OffsetChange[];
  /** What holds after the last of them, for ever. */
  readonly rule: YearlyRule;
}

interface OffsetChange {
  readonly at: Millis;
  readonly offset: Millis;
}

/** A POSIX TZ string: 'CET-1CEST,M3.5.0,M10.5.0/3', or 'JST-9' where clocks never change. */
interface YearlyRule {
  readonly standard: Millis;
  readonly daylight?: { readonly offset: Millis; readonly starts: YearlyDate; readonly ends: YearlyDate };
}

/** 'M10.5.0/3': in October, on the last Sunday, when the wall clock says 3:00. */
interface YearlyDate {
  readonly month: number;
  /** 1 to 5; 5 means the last. */
  readonly week: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly time: Millis;
}

export const UTC: TimeZone = { initial: 0, changes: [], rule: { standard: 0 } };

/** A name and its offset: 'CET-1', '<+1030>-10:30'. */
const OFFSET = /^(?:[A-Za-z]+|<[^>]+>)([+-]?[\d:]+)/;
const DATE = /^M(?<month>\d+)\.(?<week>\d)\.(?<weekday>\d)(?:\/(?<time>[+-]?[\d:]+))?$/;
/** The wall-clock time of a change whose rule does not name one. */
const USUAL_TIME = 2 * HOUR;

let descriptions: ReadonlyMap<string, string> | undefined;
// oxlint-disable-next-line house/no-module-state -- the zones of the table
const zones = new Map<string, TimeZone>();

/** Names to what stands before them in the table; it is read when the first zone is looked up. */
function descriptionsByName(): ReadonlyMap<string, string> {
  descriptions ??= new Map(
    timeZonesText
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [description = '', names = ''] = line.split(': ');
        return names.split(' ').map((name) => [name, description] as const);
      }),
  );
  return descriptions;
}

/** Models time.LoadLocation: names are case-sensitive, and those of before a renaming are still known. */
export function findTimeZone(name: string): TimeZone | undefined {
  const known = zones.get(name);
  if (known) return known;
  const description = descriptionsByName().get(name);
  if (description === undefined) return undefined;
  const zone = parseZone(description);
  zones.set(name, zone);
  return zone;
}

/** How far the zone's clocks are ahead of UTC at this time. Models Go's Location.lookup. */
export function offsetAt({ initial, changes, rule }: TimeZone, at: Millis): Millis {
  const last = changes.at(-1);
  if (!last || at >= last.at) return offsetByRule(rule, at);
  return changes.findLast((change) => change.at <= at)?.offset ?? initial;
}

/**
 * The time at which the zone's clocks show what a UTC clock shows at `wall`. Where they never show it, the time is off
 * by the size of the gap; where they show it twice, it is one of the two. Models Go's time.Date.
 */
export function timeOfWall(zone: TimeZone, wall: Millis): Millis {
  const guess = offsetAt(zone, wall);
  return guess === 0 ? wall : wall - offsetAt(zone, wall - guess);
}

/** '2026-03-29T09:00:00+02:00', with 'Z' where the clocks show UTC: Go's time.RFC3339 in the zone. */
export function formatInZone(zone: TimeZone, at: Millis): string {
  const offset = offsetAt(zone, at);
  const wall = timestamp(at + offset);
  if (offset === 0) return wall;
  const clock = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${wall.slice(0, -1)}${offset < 0 ? '-' : '+'}${clock}`;
}

/** Models Go's tzset. */
function offsetByRule({ standard, daylight }: YearlyRule, at: Millis): Millis {
  if (!daylight) return standard;
  const year = new Date(at).getUTCFullYear();
  const starts = wallTimeOf(daylight.starts, year) - standard;
  const ends = wallTimeOf(daylight.ends, year) - daylight.offset;
  const isDaylight = starts < ends ? at >= starts && at < ends : at >= starts || at < ends;
  return isDaylight ? daylight.offset : standard;
}

function wallTimeOf({ month, week, weekday, time }: YearlyDate, year: number): Millis {
  const first = Date.UTC(year, month - 1, 1);
  const day = 1 + ((weekday - new Date(first).getUTCDay() + 7) % 7) + (week - 1) * 7;
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return first + ((day > daysInMonth ? day - 7 : day) - 1) * DAY + time;
}

function parseZone(description: string): TimeZone {
  const [rule = '', initial = '', ...changes] = description.split(' ');
  return {
    rule: parseRule(rule),
    initial: Number(initial) * MINUTE,
    changes: changes.map((change) => {
      const [at = '', offset = ''] = change.split(',');
      return { at: Number.parseInt(at, 36) * MINUTE, offset: Number(offset) * MINUTE };
    }),
  };
}

/** Offsets count westwards in a POSIX TZ string; daylight saving time is an hour ahead unless it says otherwise. */
function parseRule(text: string): YearlyRule {
  const [names = '', starts, ends] = text.split(',');
  const [standardName, west] = OFFSET.exec(names)!;
  const standard = 0 - parseClock(west!);
  if (starts === undefined || ends === undefined) return { standard };
  const daylightWest = OFFSET.exec(names.slice(standardName.length))?.[1];
  const offset = daylightWest === undefined ? standard + HOUR : 0 - parseClock(daylightWest);
  return { standard, daylight: { offset, starts: parseDate(starts), ends: parseDate(ends) } };
}

function parseDate(text: string): YearlyDate {
  const { month, week, weekday, time } = DATE.exec(text)!.groups!;
  return {
    month: Number(month),
    week: Number(week),
    weekday: Number(weekday),
    time: time === undefined ? USUAL_TIME : parseClock(time),
  };
}

/** '-9:30', '3', '24' or '-1' -> ms. */
function parseClock(text: string): Millis {
  const [hours = '', minutes = '0', seconds = '0'] = text.replace(/^[+-]/, '').split(':');
  const span = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return text.startsWith('-') ? -span : span;
}
