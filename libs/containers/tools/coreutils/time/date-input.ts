import type { Bytes } from '../../../../engine/kernel/bytes.js';

const UNITS: Readonly<Record<string, number>> = {
  ...{ sec: 1_000, second: 1_000, min: 60_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 },
  ...{ week: 604_800_000, fortnight: 1_209_600_000 },
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Reading {
  date?: readonly [year: number, month: number, day: number];
  time?: number;
  offset: number;
  months: number;
  shift: number;
  weekday?: number;
}

type Rule = readonly [
  pattern: RegExp,
  take: (reading: Reading, match: readonly (string | undefined)[], now: number) => void,
];

const monthIndex = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

const RULES: readonly Rule[] = [
  [
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[\sTt])[Tt]?/,
    (r, [, y, m, d]) => (r.date = [Number(y), Number(m) - 1, Number(d)]),
  ],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4})/, (r, [, m, d, y]) => (r.date = [Number(y), Number(m) - 1, Number(d)])],
  [/^(\d{4})(\d\d)(\d\d)(?=$|\s)/, (r, [, y, m, d]) => (r.date = [Number(y), Number(m) - 1, Number(d)])],
  [
    /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(am|pm)?/i,
    (r, [, h, m, s, fraction, half]) => {
      const hour = half === undefined ? Number(h) : (Number(h) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
      r.time =
        ((hour * 60 + Number(m)) * 60 + Number(s ?? 0)) * 1_000 + Math.floor(Number(`0.${fraction ?? 0}`) * 1_000);
    },
  ],
  [/^(?:utc|gmt|z)(?![a-z])/i, () => undefined],
  [
    /^([-+])(\d\d):?(\d\d)(?=$|\s)/,
    (r, [, sign, h, m]) => (r.offset = (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m)) * 60_000),
  ],
  [
    /^([-+]?)\s*(?:(\d+|next|last|a|an)\s*)?(sec|second|min|minute|hour|day|week|fortnight|month|year)s?(?![a-z])(?:\s*(ago))?/i,
    (r, [, sign, amount, unit, ago]) => {
      const word = amount?.toLowerCase();
      const count =
        word === undefined || word === 'next' || word.startsWith('a') ? 1 : word === 'last' ? -1 : Number(word);
      const signed = (sign === '-' ? -1 : 1) * (ago === undefined ? 1 : -1) * count;
      const name = unit!.toLowerCase();
      if (name === 'month') r.months += signed;
      else if (name === 'year') r.months += 12 * signed;
      else r.shift += signed * UNITS[name]!;
    },
  ],
  [/^now(?![a-z])/i, () => undefined],
  [/^today(?![a-z])/i, () => undefined],
  [/^yesterday(?![a-z])/i, (r) => (r.shift -= 86_400_000)],
  [/^tomorrow(?![a-z])/i, (r) => (r.shift += 86_400_000)],
  [/^midnight(?![a-z])/i, (r) => (r.time = 0)],
  [/^noon(?![a-z])/i, (r) => (r.time = 43_200_000)],
  [
    /^(?:(\d{1,2})[\s-]+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:[\s-]+(\d{1,2})(?![\d:]))?(?:,?[\s-]+(\d{4})(?![\d:]))?/i,
    (r, [, before, name, after, year], now) => {
      r.date = [Number(year ?? new Date(now).getUTCFullYear()), monthIndex(name!), Number(before ?? after ?? 1)];
    },
  ],
  [
    /^(?:(?:next|last|this)\s+)?(sun|mon|tue|wed|thu|fri|sat)[a-z]*,?/i,
    (r, [, name]) => (r.weekday = WEEKDAYS.indexOf(name!.slice(0, 3).toLowerCase())),
  ],
  [/^(\d{4})(?![\d:])/, (r, [, year]) => (r.date = [Number(year), r.date?.[1] ?? 0, r.date?.[2] ?? 1])],
];

/** `date -d`: virtual ms, in UTC; undefined for what is no date. */
export function readDate(text: Bytes, now: number): number | undefined {
  const epoch = /^\s*@(-?\d+)(?:\.(\d+))?\s*$/.exec(text);
  if (epoch !== null) return Number(epoch[1]) * 1_000 + Math.floor(Number(`0.${epoch[2] ?? 0}`) * 1_000);
  const reading: Reading = { offset: 0, months: 0, shift: 0 };
  let rest = text.trim();
  while (rest !== '') {
    const found = RULES.map(([pattern, take]) => ({ match: pattern.exec(rest), take })).find(
      ({ match }) => match !== null && match[0] !== '',
    );
    if (found === undefined) return undefined;
    found.take(reading, found.match!, now);
    rest = rest.slice(found.match![0].length).trim();
  }
  return resolve(reading, now, text.trim() === '');
}

function resolve(reading: Reading, now: number, isEmpty: boolean): number | undefined {
  const base = new Date(now);
  const [year, month, day] = reading.date ?? [base.getUTCFullYear(), base.getUTCMonth(), base.getUTCDate()];
  if (month < 0 || month > 11 || day < 1 || day > new Date(Date.UTC(year, month + 1, 0)).getUTCDate()) return undefined;
  const hasDay = reading.date !== undefined || reading.weekday !== undefined || isEmpty;
  const timeOfDay = ((now % 86_400_000) + 86_400_000) % 86_400_000;
  const time = reading.time ?? (hasDay ? 0 : timeOfDay);
  let at = Date.UTC(year, month + reading.months, day) + time;
  if (reading.weekday !== undefined) at += ((reading.weekday - new Date(at).getUTCDay() + 7) % 7) * 86_400_000;
  return at - reading.offset + reading.shift;
}
