import { md5 } from '../../md5.js';
import { quoteText } from '../../sql/tokens.js';
import type { SqlFunction, SqlFunctions, SqlScope, SqlValue } from '../../sqlite/sqlite.js';
import { PgFailure, unsupported } from '../failure.js';
import { addInterval, formatMoment, parseTimestamp } from './moments.js';
import { compilePattern } from './patterns.js';
import { inputValue, outputValue, showType } from './types.js';

type Run = (args: readonly SqlValue[], scope: SqlScope) => SqlValue | boolean;
const plain = (arity: number, run: Run): SqlFunction => ({ arity, run });
/** NULL for a NULL argument. */
const strict = (arity: number, run: Run): SqlFunction =>
  plain(arity, (args, scope) => (args.includes(null) ? null : run(args, scope)));

const text = (value: SqlValue | undefined): string => String(value ?? '');
const number = (value: SqlValue | undefined): number => Number(value ?? 0);
/** Sequences of the schema public are kept without it. */
const sequence = (value: SqlValue | undefined): string =>
  quoteText(
    text(value)
      .replace(/^public\./, '')
      .replaceAll('"', ''),
  );
const MAX_TEXT = 1 << 20;

/** Sequences are rows; a value that is taken stays taken with its transaction. */
function nextValue([name]: readonly SqlValue[], scope: SqlScope): SqlValue {
  const own = sequence(name);
  const { rows } = scope.query(
    `UPDATE tt_sequence SET value = value + CASE WHEN called THEN step ELSE 0 END, called = 1 WHERE name = ${own} RETURNING value`,
  );
  if (rows[0] === undefined) throw new PgFailure('42P01', `relation "${text(name)}" does not exist`);
  return rows[0][0]!;
}

function currentValue([name]: readonly SqlValue[], scope: SqlScope): SqlValue {
  const { rows } = scope.query(`SELECT value, called FROM tt_sequence WHERE name = ${sequence(name)}`);
  if (rows[0] === undefined) throw new PgFailure('42P01', `relation "${text(name)}" does not exist`);
  if (rows[0][1] === 0)
    throw new PgFailure('55000', `currval of sequence "${text(name)}" is not yet defined in this session`);
  return rows[0][0]!;
}

function setValue([name, value, called = 1]: readonly SqlValue[], scope: SqlScope): SqlValue {
  scope.query(
    `UPDATE tt_sequence SET value = ${number(value)}, called = ${number(called)} WHERE name = ${sequence(name)}`,
  );
  return value ?? null;
}

function makeUUID(scope: SqlScope): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(scope.random() * 16));
  digits[12] = 4;
  digits[16] = 8 + (digits[16]! & 3);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const FIELDS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  ...{ year: [0, 4], month: [5, 7], day: [8, 10], hour: [11, 13], minute: [14, 16] },
};

function extract([field, value]: readonly SqlValue[]): SqlValue {
  const name = text(field).toLowerCase();
  const moment = parseTimestamp(text(value), 'timestamp');
  const ms = Date.parse(`${moment.replace(' ', 'T')}Z`);
  const range = FIELDS[name];
  if (range) return Number(moment.slice(...range));
  if (name === 'second') return Number(moment.slice(17));
  if (name === 'epoch') return ms / 1_000;
  if (name === 'dow') return new Date(ms).getUTCDay();
  if (name === 'isodow') return new Date(ms).getUTCDay() || 7;
  if (name === 'quarter') return Math.ceil(Number(moment.slice(5, 7)) / 3);
  if (name === 'doy') return Math.floor((ms - Date.UTC(Number(moment.slice(0, 4)), 0, 1)) / 86_400_000) + 1;
  throw new PgFailure('22023', `unit "${name}" not recognized for type timestamp without time zone`);
}

const LENGTHS: Readonly<Record<string, number>> = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19 };

function truncateDate([field, value]: readonly SqlValue[]): SqlValue {
  const length = LENGTHS[text(field).toLowerCase()];
  if (length === undefined)
    throw new PgFailure('22023', `unit "${text(field)}" not recognized for type timestamp with time zone`);
  return parseTimestamp(text(value), 'timestamp').slice(0, length) + '0000-01-01 00:00:00'.slice(length);
}

const NAMES = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const MONTHS = [...NAMES, 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The patterns of dates that people use; numbers with 9 and 0. */
function toChar([value, pattern]: readonly SqlValue[]): SqlValue {
  const format = text(pattern);
  if (typeof value === 'number' || /[09]/.test(format)) return toCharNumber(number(value), format);
  const moment = parseTimestamp(text(value), 'timestamp');
  const month = MONTHS[Number(moment.slice(5, 7)) - 1]!;
  const day = DAYS[new Date(`${moment.slice(0, 10)}T00:00:00Z`).getUTCDay()]!;
  const hour = Number(moment.slice(11, 13));
  const parts: Readonly<Record<string, string>> = {
    ...{ YYYY: moment.slice(0, 4), YY: moment.slice(2, 4), MM: moment.slice(5, 7), DD: moment.slice(8, 10) },
    ...{ HH24: moment.slice(11, 13), HH12: String(hour % 12 || 12).padStart(2, '0'), MI: moment.slice(14, 16) },
    ...{ HH: String(hour % 12 || 12).padStart(2, '0'), SS: moment.slice(17, 19), MS: moment.slice(20).padEnd(3, '0') },
    ...{ Month: month.padEnd(9), Mon: month.slice(0, 3), Day: day.padEnd(9), Dy: day.slice(0, 3) },
    ...{ AM: hour < 12 ? 'AM' : 'PM', PM: hour < 12 ? 'AM' : 'PM' },
  };
  return format.replace(/YYYY|YY|MM|DD|HH24|HH12|HH|MI|SS|MS|Month|Mon|Day|Dy|AM|PM/g, (word) => parts[word]!);
}

function groupThousands(digits: string): string {
  const head = digits.length % 3;
  const groups = head === 0 ? [] : [digits.slice(0, head)];
  for (let at = head; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}

function toCharNumber(value: number, format: string): string {
  const isFilled = !format.startsWith('FM');
  const body = isFilled ? format : format.slice(2);
  const places = body.includes('.') ? body.length - body.indexOf('.') - 1 : 0;
  const digits = Math.abs(value).toFixed(places);
  const [whole = '', fraction] = digits.split('.');
  const grouped = body.includes(',') ? groupThousands(whole) : whole;
  const shown = `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
  return isFilled ? shown.padStart(body.length + 1) : shown;
}

function splitPart([value, separator, index]: readonly SqlValue[]): SqlValue {
  const parts = text(separator) === '' ? [text(value)] : text(value).split(text(separator));
  const at = number(index);
  return parts[at > 0 ? at - 1 : parts.length + at] ?? '';
}

function replaceMatches([value, pattern, replacement, flags = '']: readonly SqlValue[]): SqlValue {
  const compiled = compilePattern(text(pattern), text(flags).includes('i'));
  const matcher = compiled.matcher(text(value));
  const own = text(replacement)
    .replaceAll('$', '\\$')
    .replace(/\\(\d)/g, '$$$1');
  return text(flags).includes('g') ? matcher.replaceAll(own) : matcher.replaceFirst(own);
}

function prettySize([bytes]: readonly SqlValue[]): SqlValue {
  let size = number(bytes);
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; Math.abs(size) >= 10 * 1_024 && unit < units.length - 1; unit++) size = Math.round(size / 1_024);
  return `${size} ${units[unit]}`;
}

const isFound = (pattern: SqlValue, value: SqlValue, ignoresCase: boolean): boolean =>
  compilePattern(text(pattern), ignoresCase).matcher(text(value)).find();

/** LIKE without regard to case, over code points, in linear time for each %. */
function matchesLike(pattern: string, value: string): boolean {
  let p = 0;
  let v = 0;
  let star = -1;
  let mark = 0;
  while (v < value.length) {
    const one = pattern[p];
    if (one === '%') [star, mark] = [p++, v];
    else if (one === '_' || (one === '\\' ? pattern[p + 1] : one) === value[v]) {
      p += one === '\\' ? 2 : 1;
      v++;
    } else if (star >= 0) [p, v] = [star + 1, ++mark];
    else return false;
  }
  while (pattern[p] === '%') p++;
  return p === pattern.length;
}

const moment = (_args: readonly SqlValue[], { now }: SqlScope): SqlValue => formatMoment(now);
const setting =
  (name: string, otherwise: string): Run =>
  (_args, { settings }) =>
    settings[name] ?? otherwise;

/** 0 as SQLite's integer, which is what a boolean becomes. */
function needNonZero([value]: readonly SqlValue[]): boolean {
  if (number(value) === 0) throw new PgFailure('22012', 'division by zero');
  return false;
}

const REPEATED = strict(2, ([value, count]) => {
  const times = Math.max(0, Math.trunc(number(count)));
  if (text(value).length * times > MAX_TEXT) throw new PgFailure('54000', 'requested length too large');
  return text(value).repeat(times);
});

/** A column's type and value by turns: whether all are kept as they are. */
function areKept(args: readonly SqlValue[]): boolean {
  for (let i = 0; i < args.length; i += 2) if (inputValue(text(args[i]), args[i + 1]!) !== args[i + 1]) return false;
  return true;
}

/** What PostgreSQL has and SQLite has not, or has otherwise. */
export const FUNCTIONS: SqlFunctions = {
  tt_in: plain(2, ([type, value]) => inputValue(text(type), value!)),
  tt_note: plain(-1, (args, scope) => {
    scope.note([...args]);
    return null;
  }),
  tt_kept: plain(-1, (args) => areKept(args)),
  tt_cast: plain(2, ([value, type]) => castValue(text(type), value!)),
  tt_add: strict(3, ([value, sign, interval]) =>
    addInterval(parseTimestamp(text(value), 'timestamp'), sign === '-' ? -1 : 1, text(interval)),
  ),
  tt_extract: strict(2, extract),
  tt_bool: strict(1, ([value]) => value === 1 || value === 't' || value === 'true'),
  tt_nonzero: strict(1, needNonZero),
  tt_today: plain(0, (_args, { now }) => formatMoment(now).slice(0, 10)),
  tt_time: plain(0, (_args, { now }) => formatMoment(now).slice(11)),
  tt_user: plain(0, (_args, { user }) => user),
  now: plain(0, moment),
  clock_timestamp: plain(0, moment),
  statement_timestamp: plain(0, moment),
  transaction_timestamp: plain(0, moment),
  date_part: strict(2, extract),
  date_trunc: strict(2, truncateDate),
  to_char: strict(2, toChar),
  to_timestamp: strict(1, ([seconds]) => formatMoment(number(seconds) * 1_000)),
  random: plain(0, (_args, scope) => scope.random()),
  gen_random_uuid: plain(0, (_args, scope) => makeUUID(scope)),
  uuid_generate_v4: plain(0, (_args, scope) => makeUUID(scope)),
  nextval: plain(1, nextValue),
  currval: plain(1, currentValue),
  setval: plain(-1, setValue),
  left: strict(2, ([value, n]) => Array.from(text(value)).slice(0, number(n)).join('')),
  right: strict(2, ([value, n]) => (number(n) === 0 ? '' : Array.from(text(value)).slice(-number(n)).join(''))),
  reverse: strict(1, ([value]) => Array.from(text(value)).reverse().join('')),
  repeat: REPEATED,
  lpad: plain(-1, ([value, n, fill = ' ']) => pad(text(value), number(n), text(fill), true)),
  rpad: plain(-1, ([value, n, fill = ' ']) => pad(text(value), number(n), text(fill), false)),
  initcap: strict(1, ([value]) =>
    text(value)
      .toLowerCase()
      .replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  btrim: strict(1, ([value]) => text(value).trim()),
  split_part: strict(3, splitPart),
  strpos: strict(2, ([value, part]) => text(value).indexOf(text(part)) + 1),
  starts_with: strict(2, ([value, part]) => text(value).startsWith(text(part))),
  char_length: strict(1, ([value]) => Array.from(text(value)).length),
  md5: strict(1, ([value]) => md5(text(value))),
  regexp_replace: plain(-1, (args) => (args.includes(null) ? null : replaceMatches(args))),
  regexp: strict(2, ([pattern, value]) => isFound(pattern!, value!, false)),
  glob: strict(2, ([pattern, value]) => isFound(pattern!, value!, true)),
  match: strict(2, ([pattern, value]) => matchesLike(text(pattern).toLowerCase(), text(value).toLowerCase())),
  greatest: plain(-1, (args) => args.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)),
  least: plain(-1, (args) => args.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)),
  version: plain(0, setting('version', '')),
  current_database: plain(0, (_args, { database }) => database),
  current_schema: plain(0, () => 'public'),
  // Dumps empty the search path: all their names have a schema.
  set_config: strict(3, ([, value]) => text(value)),
  current_setting: strict(1, ([name], { settings }) => settings[text(name)] ?? ''),
  pg_backend_pid: plain(0, (_args, { settings }) => Number(settings['pid'] ?? 1)),
  pg_is_in_recovery: plain(0, () => 0),
  pg_postmaster_start_time: plain(0, setting('started', '')),
  pg_size_pretty: strict(1, prettySize),
  pg_database_size: strict(1, (_args, { settings }) => Number(settings['size'] ?? 0) + 7_500_000),
  pg_relation_size: strict(1, () => 8_192),
  pg_total_relation_size: strict(1, () => 16_384),
  pg_table_is_visible: plain(1, () => 1),
  pg_get_userbyid: plain(1, ([oid], { settings, user }) => settings[`role ${text(oid)}`] ?? user),
  pg_encoding_to_char: plain(1, () => 'UTF8'),
  format_type: plain(2, ([type]) => (type === null ? null : showType(text(type)))),
  obj_description: plain(2, () => null),
  col_description: plain(2, () => null),
  inet_server_addr: plain(0, setting('address', '')),
  inet_server_port: plain(0, () => 5_432),
  quote_ident: strict(1, ([name]) => text(name)),
  pg_sleep: strict(1, () => {
    throw unsupported('pg_sleep');
  }),
};

function pad(value: string, length: number, fill: string, isLeft: boolean): string {
  if (length > MAX_TEXT) throw new PgFailure('54000', 'requested length too large');
  if (value.length >= length || fill === '') return value.slice(0, Math.max(0, length));
  return isLeft ? value.padStart(length, fill) : value.padEnd(length, fill);
}

function castValue(type: string, value: SqlValue): SqlValue {
  if (value === null) return null;
  if (type === 'text' || type.startsWith('varchar')) {
    const shown = value instanceof Uint8Array ? outputValue('bytea', value) : String(value);
    return inputValue(type, shown, true);
  }
  return inputValue(type, value, true);
}
