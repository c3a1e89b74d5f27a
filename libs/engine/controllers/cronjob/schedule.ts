import { DAY, HOUR, MINUTE, type Millis } from '../../machinery/time.js';

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@hourly': '0 * * * *',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** 29 February comes at least every eight years. */
const HORIZON = 9 * 366 * DAY;

/** A standard cron line of five fields, in UTC. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly daysOfWeek: ReadonlySet<number>;
  /** Both day fields are restricted: either will do. */
  readonly eitherDay: boolean;
}

/** Undefined when the text is no cron line. */
export function parseSchedule(text: string): Schedule | undefined {
  const fields = (MACROS[text.trim()] ?? text.trim()).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minutes, hours, daysOfMonth, months, weekdays] = [
    parseField(fields[0]!, 0, 59), parseField(fields[1]!, 0, 23), parseField(fields[2]!, 1, 31), parseField(fields[3]!, 1, 12, MONTHS, 1), parseField(fields[4]!, 0, 7, DAYS, 0),
  ];
  if (!minutes || !hours || !daysOfMonth || !months || !weekdays) return undefined;
  const daysOfWeek = new Set([...weekdays].map((d) => d % 7));
  const isStar = (field: string): boolean => field.startsWith('*') || field.startsWith('?');
  return { minutes, hours, daysOfMonth, months, daysOfWeek, eitherDay: !isStar(fields[2]!) && !isStar(fields[4]!) };
}

function parseField(text: string, low: number, high: number, names: readonly string[] = [], firstName = 0): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\?|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, range, from, to, every] = match;
    const whole = range === '*' || range === '?';
    const first = whole ? low : numberOf(from!, names, firstName);
    const last = whole || (every && !to) ? high : numberOf(to ?? from!, names, firstName);
    const step = every ? Number(every) : 1;
    if (!(first >= low && last <= high && first <= last && step >= 1)) return undefined;
    for (let v = first; v <= last; v += step) values.add(v);
  }
  return values;
}

function numberOf(text: string, names: readonly string[], firstName: number): number {
  const named = names.indexOf(text.toLowerCase());
  return named >= 0 ? named + firstName : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** The first time after `after` that the schedule names; undefined when there is none (30 February). */
export function nextTime(schedule: Schedule, after: Millis): Millis | undefined {
  let at = (Math.floor(after / MINUTE) + 1) * MINUTE;
  const end = after + HORIZON;
  while (at < end) {
    const date = new Date(at);
    if (!schedule.months.has(date.getUTCMonth() + 1)) at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    else if (!isDay(schedule, date)) at = (Math.floor(at / DAY) + 1) * DAY;
    else if (!schedule.hours.has(date.getUTCHours())) at = (Math.floor(at / HOUR) + 1) * HOUR;
    else if (!schedule.minutes.has(date.getUTCMinutes())) at += MINUTE;
    else return at;
  }
  return undefined;
}

function isDay(schedule: Schedule, date: Date): boolean {
  const [ofMonth, ofWeek] = [schedule.daysOfMonth.has(date.getUTCDate()), schedule.daysOfWeek.has(date.getUTCDay())];
  return schedule.eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
}
