/** Cron schedules of five fields. Models robfig/cron v3 ParseStandard and SpecSchedule.Next; UTC only. */
import { DAY, HOUR, MINUTE, SECOND, type Millis } from './time.js';
import { own } from '../meta/object.js';

/** Which values each field allows; `interval` instead for '@every 1h30m'. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Cron's old rule: with both day fields restricted, either may match. */
  readonly eitherDay: boolean;
  readonly interval?: Millis;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: MONTHS },
  { low: 0, high: 6, names: WEEKDAYS },
];
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const UNITS: Readonly<Record<string, Millis>> = { h: HOUR, m: MINUTE, s: SECOND, ms: 1 };
const MAX_DAYS_AHEAD = 5 * 366;

class Mistake extends Error {}

/** The schedule, or upstream's message about what is wrong with it. */
export function parseSchedule(text: string): Schedule | string {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof Mistake) return error.message;
    throw error;
  }
}

function parse(text: string): Schedule {
  if (text === '') throw new Mistake('empty spec string');
  if (text.startsWith('@every ')) return every(text);
  const expanded = text.startsWith('@') ? own(DESCRIPTORS, text) : text;
  if (expanded === undefined) throw new Mistake(`unrecognized descriptor: ${text}`);
  const fields = expanded.split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length)
    throw new Mistake(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  const [minutes, hours, days, months, weekdays] = fields.map((field, i) => parseField(field, FIELDS[i]!)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const star = (field: string): boolean => /^[*?]/.test(field);
  return { minutes, hours, days, months, weekdays, eitherDay: !star(fields[2]!) && !star(fields[4]!) };
}

function every(text: string): Schedule {
  const duration = text.slice('@every '.length);
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length === 0 || parts.map((p) => p[0]).join('') !== duration)
    throw new Mistake(`failed to parse duration ${text}: time: invalid duration "${duration}"`);
  const span = parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit!]!, 0);
  const none = new Set<number>();
  return {
    minutes: none,
    hours: none,
    days: none,
    months: none,
    weekdays: none,
    eitherDay: false,
    interval: Math.max(SECOND, Math.floor(span / SECOND) * SECOND),
  };
}

function parseField(field: string, bounds: Bounds): Set<number> {
  const values = new Set<number>();
  for (const range of field.split(',').filter(Boolean))
    for (const value of parseRange(range, bounds)) values.add(value);
  return values;
}

/** 'a', 'a-b', '*', each with '/step'. */
function parseRange(text: string, bounds: Bounds): number[] {
  const [span = '', stepText, ...more] = text.split('/');
  const [first = '', last, ...rest] = span.split('-');
  if (more.length > 0) throw new Mistake(`too many slashes: ${text}`);
  if (rest.length > 0) throw new Mistake(`too many hyphens: ${text}`);
  const star = first === '*' || first === '?';
  const start = star ? bounds.low : parseValue(first, bounds.names, bounds.low);
  const end =
    star || (last === undefined && stepText !== undefined)
      ? bounds.high
      : last === undefined
        ? start
        : parseValue(last, bounds.names, bounds.low);
  const step = stepText === undefined ? 1 : parseValue(stepText, undefined, 0);
  if (start < bounds.low) throw new Mistake(`beginning of range (${start}) below minimum (${bounds.low}): ${text}`);
  if (end > bounds.high) throw new Mistake(`end of range (${end}) above maximum (${bounds.high}): ${text}`);
  if (start > end) throw new Mistake(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new Mistake(`step of range should be a positive number: ${text}`);
  const values: number[] = [];
  for (let value = start; value <= end; value += step) values.push(value);
  return values;
}

function parseValue(text: string, names: readonly string[] | undefined, low: number): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + low;
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new Mistake(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  const value = Number(text);
  if (value < 0) throw new Mistake(`negative number (${value}) not allowed: ${text}`);
  return value;
}

/** The first time after `after` that the schedule names; undefined when there is none within five years. */
export function nextTime(schedule: Schedule, after: Millis): Millis | undefined {
  if (schedule.interval !== undefined) return Math.floor(after / SECOND) * SECOND + schedule.interval;
  const start = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  const firstDay = Math.floor(start / DAY) * DAY;
  for (let i = 0; i <= MAX_DAYS_AHEAD; i++) {
    const day = firstDay + i * DAY;
    if (!matchesDay(schedule, new Date(day))) continue;
    const found = firstMinute(schedule, day, start);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesDay({ days, months, weekdays, eitherDay }: Schedule, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [byDay, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
  return eitherDay ? byDay || byWeekday : byDay && byWeekday;
}

function firstMinute({ hours, minutes }: Schedule, day: Millis, start: Millis): Millis | undefined {
  for (let hour = 0; hour < 24; hour++) {
    if (!hours.has(hour) || day + (hour + 1) * HOUR <= start) continue;
    for (let minute = 0; minute < 60; minute++) {
      const at = day + hour * HOUR + minute * MINUTE;
      if (minutes.has(minute) && at >= start) return at;
    }
  }
  return undefined;
}
