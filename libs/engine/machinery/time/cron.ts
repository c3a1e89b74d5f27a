/** Cron schedules of five fields. Models robfig/cron v3 ParseStandard. */
import { memoize } from '../memoize.js';
import { own } from '../meta/object.js';
import type { Schedule } from './cron-schedule.js';
import { UTC, type TimeZone } from './time-zones.js';
import { HOUR, MINUTE, SECOND, type Millis } from './time.js';

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

/** What is wrong with a schedule, in upstream's words. */
class ScheduleError extends Error {}

type Fields = Omit<Schedule, 'zone'>;

const MAX_SCHEDULES = 1_000;
const MAX_ZONES = 10;

/** The schedule, read off the zone's clocks; or upstream's message about what is wrong with it. */
export function parseSchedule(text: string, zone: TimeZone = UTC): Schedule | string {
  const found = tryParse(text);
  return typeof found === 'string' ? found : found(zone);
}

/**
 * A CronJob's text is read at each of its syncs. The message of what is wrong with it, not the error: its stack would
 * keep the cluster.
 */
const tryParse = memoize(MAX_SCHEDULES, (text: string): ((zone: TimeZone) => Schedule) | string => {
  try {
    const fields = parse(text);
    return memoize(MAX_ZONES, (zone) => ({ ...fields, zone }));
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
});

function parse(text: string): Fields {
  if (text === '') throw new ScheduleError('empty spec string');
  if (text.startsWith('@every ')) return parseEvery(text);
  const expanded = text.startsWith('@') ? own(DESCRIPTORS, text) : text;
  if (expanded === undefined) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  const fields = expanded.split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length)
    throw new ScheduleError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  const [minutes, hours, days, months, weekdays] = fields.map((field, i) => parseField(field, FIELDS[i]!)) as [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  return { minutes, hours, days, months, weekdays, eitherDay: !isStar(fields[2]!) && !isStar(fields[4]!) };
}

/** Does the field leave its values open? A star with a step of more than one does not. */
const isStar = (field: string): boolean =>
  field.split(',').some((range) => /^[*?]/.test(range) && Number(range.split('/')[1] ?? 1) <= 1);

/** Characters of the duration behind @every. */
const MAX_DURATION = 64;

function parseEvery(text: string): Fields {
  const duration = text.slice('@every '.length);
  // oxlint-disable-next-line regexp/no-super-linear-move -- of at most MAX_DURATION characters
  const parts = duration.length > MAX_DURATION ? [] : [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length === 0 || parts.map((p) => p[0]).join('') !== duration)
    throw new ScheduleError(`failed to parse duration ${text}: time: invalid duration "${duration}"`);
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

function parseField(field: string, bounds: Bounds): ReadonlySet<number> {
  const values = new Set<number>();
  for (const range of field.split(',').filter(Boolean))
    for (const value of parseRange(range, bounds)) values.add(value);
  return values;
}

/** 'a', 'a-b', '*', each with '/step'. */
function parseRange(text: string, bounds: Bounds): number[] {
  const [span = '', stepText, ...more] = text.split('/');
  const [first = '', last, ...rest] = span.split('-');
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  if (rest.length > 0) throw new ScheduleError(`too many hyphens: ${text}`);
  const star = first === '*' || first === '?';
  const start = star ? bounds.low : parseValue(first, bounds.names, bounds.low);
  const end =
    star || (last === undefined && stepText !== undefined)
      ? bounds.high
      : last === undefined
        ? start
        : parseValue(last, bounds.names, bounds.low);
  const step = stepText === undefined ? 1 : parseValue(stepText, undefined, 0);
  if (start < bounds.low)
    throw new ScheduleError(`beginning of range (${start}) below minimum (${bounds.low}): ${text}`);
  if (end > bounds.high) throw new ScheduleError(`end of range (${end}) above maximum (${bounds.high}): ${text}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  const values: number[] = [];
  for (let value = start; value <= end; value += step) values.push(value);
  return values;
}

function parseValue(text: string, names: readonly string[] | undefined, low: number): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + low;
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  const value = Number(text);
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
