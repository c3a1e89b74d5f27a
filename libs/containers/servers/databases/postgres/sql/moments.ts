import { PgFailure } from '../failure.js';

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,6})?\d*)?/;
const ZONE = /^([+-])(\d{1,2})(?::?(\d{2}))?$/;

const pad = (n: number, length = 2): string => String(n).padStart(length, '0');

/** A moment's text in UTC without its zone: '2026-11-22 10:00:00.5'; of a date only its day. Throws PgFailure. */
export function parseTimestamp(text: string, type: 'date' | 'timestamp' | 'timestamptz'): string {
  const given = text.trim();
  const [date, year = '', month = '', day = ''] = DATE.exec(given) ?? [];
  const shown = { date: 'date', timestamp: 'timestamp', timestamptz: 'timestamp with time zone' }[type];
  if (date === undefined) throw new PgFailure('22007', `invalid input syntax for type ${shown}: "${text}"`);
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(utc).getUTCDate() !== Number(day) || Number(month) > 12)
    throw new PgFailure('22008', `date/time field value out of range: "${text}"`);
  let rest = given.slice(date.length).replace(/^(?:T|\s+)/, '');
  const [time, hour = '0', minute = '0', second = '0', fraction = ''] = TIME.exec(rest) ?? [''];
  rest = rest.slice(time.length).trim();
  const [zone, sign, hours = '0', minutes = '0'] = ZONE.exec(rest) ?? [];
  if (rest !== '' && zone === undefined && !/^(?:z|utc|gmt)$/i.test(rest))
    throw new PgFailure('22007', `invalid input syntax for type ${shown}: "${text}"`);
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60)
    throw new PgFailure('22008', `date/time field value out of range: "${text}"`);
  if (type === 'date') return `${year}-${pad(Number(month))}-${pad(Number(day))}`;
  const offset = type === 'timestamptz' && zone !== undefined ? (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
  const ms = utc + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  return formatSeconds(ms + (sign === '-' ? offset : -offset)) + trimFraction(fraction);
}

const trimFraction = (fraction: string): string => {
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === '0') end--;
  return end <= 1 ? '' : fraction.slice(0, end);
};

const formatSeconds = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Virtual ms with the fraction as now() prints it. */
export const formatMoment = (ms: number): string =>
  formatSeconds(ms) + trimFraction(`.${pad(((ms % 1_000) + 1_000) % 1_000, 3)}000`);

const UNITS: Readonly<Record<string, number>> = {
  ...{ microsecond: 0.001, millisecond: 1, second: 1_000, sec: 1_000, s: 1_000, minute: 60_000, min: 60_000 },
  ...{ hour: 3_600_000, h: 3_600_000, day: 86_400_000, d: 86_400_000, week: 604_800_000 },
};
const MONTHS: Readonly<Record<string, number>> = { month: 1, mon: 1, year: 12, y: 12, decade: 120 };

/** A moment and an interval such as '1 day 2 hours'. Throws PgFailure. */
export function addInterval(moment: string, sign: 1 | -1, interval: string): string {
  let ms = Date.parse(`${moment.slice(0, 10)}T${moment.slice(11, 23) || '00:00:00'}Z`);
  if (Number.isNaN(ms)) throw new PgFailure('22007', `invalid input syntax for type timestamp: "${moment}"`);
  const words = interval.trim().split(/\s+/);
  const clock = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(words.at(-1) ?? '');
  if (clock) {
    words.pop();
    ms += sign * ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3] ?? 0)) * 1_000;
  }
  for (let i = 0; i < words.length; i += 2) {
    const count = Number(words[i]);
    const unit = (words[i + 1] ?? 'second').toLowerCase().replace(/s$/, '');
    const size = UNITS[unit === '' ? 's' : unit];
    const months = MONTHS[unit];
    if (Number.isNaN(count) || (size === undefined && months === undefined))
      throw new PgFailure('22007', `invalid input syntax for type interval: "${interval}"`);
    if (size !== undefined) ms += sign * count * size;
    else ms = addMonths(ms, sign * count * months!);
  }
  return formatMoment(Math.round(ms));
}

function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
