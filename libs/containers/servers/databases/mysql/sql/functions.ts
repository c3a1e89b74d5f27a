import { md5 } from '../../md5.js';
import { addInterval, formatMoment } from '../../postgres/sql/moments.js';
import { compilePattern } from '../../postgres/sql/patterns.js';
import type { SqlFunction, SqlFunctions, SqlScope, SqlValue } from '../../sqlite/sqlite.js';
import { unsupported } from '../failure.js';
import { inputValue } from './types.js';

type Run = (args: readonly SqlValue[], scope: SqlScope) => SqlValue | boolean;
const plain = (arity: number, run: Run): SqlFunction => ({ arity, run });
const strict = (arity: number, run: Run): SqlFunction =>
  plain(arity, (args, scope) => (args.includes(null) ? null : run(args, scope)));
const text = (value: SqlValue | undefined): string => String(value ?? '');

const seconds = (now: number): string => formatMoment(now).slice(0, 19);
const CODES: Readonly<Record<string, (moment: string) => string>> = {
  ...{ Y: (m) => m.slice(0, 4), m: (m) => m.slice(5, 7), d: (m) => m.slice(8, 10), H: (m) => m.slice(11, 13) || '00' },
  ...{ i: (m) => m.slice(14, 16) || '00', s: (m) => m.slice(17, 19) || '00', y: (m) => m.slice(2, 4) },
  ...{ T: (m) => m.slice(11, 19) || '00:00:00', '%': () => '%' },
};
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ year: [0, 4], month: [5, 7], day: [8, 10], hour: [11, 13], minute: [14, 16], second: [17, 19] },
};
const part = (name: string): SqlFunction => strict(1, ([value]) => Number(text(value).slice(...PARTS[name]!)));

/** A text that tt_interval has made, taken from or added to a date. */
function addTo(value: SqlValue | undefined, sign: 1 | -1, interval: SqlValue | undefined): string {
  const whole = addInterval(text(value), sign, text(interval));
  return text(value).length <= 10 && whole.endsWith(' 00:00:00') ? whole.slice(0, 10) : whole;
}

function areKept(args: readonly SqlValue[]): boolean {
  for (let i = 0; i < args.length; i += 2) if (inputValue(text(args[i]), args[i + 1]!) !== args[i + 1]) return false;
  return true;
}

export const FUNCTIONS: SqlFunctions = {
  tt_note: plain(-1, (args, scope) => {
    scope.note([...args]);
    return null;
  }),
  tt_in: plain(2, ([check, value]) => inputValue(text(check), value!)),
  tt_kept: plain(-1, areKept),
  tt_variable: plain(1, ([name], { settings }) => settings[text(name)] ?? null),
  tt_interval: plain(2, ([amount, unit]) => `${text(amount)} ${text(unit) === 'quarter' ? 'month' : text(unit)}`),
  tt_part: strict(2, ([name, value]) => Number(text(value).slice(...(PARTS[text(name)] ?? [0, 0])))),
  now: plain(-1, (_args, { now }) => seconds(now)),
  sysdate: plain(0, (_args, { now }) => seconds(now)),
  curdate: plain(0, (_args, { now }) => seconds(now).slice(0, 10)),
  curtime: plain(0, (_args, { now }) => seconds(now).slice(11)),
  unix_timestamp: plain(-1, ([value], { now }) =>
    Math.floor((value === undefined ? now : Date.parse(`${text(value).replace(' ', 'T')}Z`)) / 1_000),
  ),
  from_unixtime: strict(1, ([value]) => seconds(Number(value) * 1_000)),
  date_add: strict(2, ([value, interval]) => addTo(value, 1, interval)),
  date_sub: strict(2, ([value, interval]) => addTo(value, -1, interval)),
  date_format: strict(2, ([value, format]) =>
    text(format).replace(/%(.)/g, (whole, code: string) => CODES[code]?.(text(value)) ?? whole),
  ),
  year: part('year'),
  month: part('month'),
  day: part('day'),
  hour: part('hour'),
  datediff: strict(2, ([a, b]) =>
    Math.round((Date.parse(text(a).slice(0, 10)) - Date.parse(text(b).slice(0, 10))) / 86_400_000),
  ),
  database: plain(0, (_args, { database }) => database || null),
  schema: plain(0, (_args, { database }) => database || null),
  user: plain(0, (_args, { user }) => user),
  version: plain(0, (_args, { settings }) => settings['version'] ?? ''),
  connection_id: plain(0, (_args, { settings }) => Number(settings['connection'] ?? 1)),
  last_insert_id: plain(0, (_args, { settings }) => Number(settings['last_insert_id'] ?? 0)),
  rand: plain(-1, (_args, scope) => scope.random()),
  random: plain(0, (_args, scope) => scope.random()),
  uuid: plain(0, (_args, scope) =>
    'xxxxxxxx-xxxx-11f0-8xxx-0242ac110002'.replace(/x/g, () => Math.floor(scope.random() * 16).toString(16)),
  ),
  md5: strict(1, ([value]) => md5(text(value))),
  left: strict(2, ([value, n]) => Array.from(text(value)).slice(0, Number(n)).join('')),
  right: strict(2, ([value, n]) => (Number(n) > 0 ? Array.from(text(value)).slice(-Number(n)).join('') : '')),
  reverse: strict(1, ([value]) => Array.from(text(value)).reverse().join('')),
  char_length: strict(1, ([value]) => Array.from(text(value)).length),
  lcase: strict(1, ([value]) => text(value).toLowerCase()),
  ucase: strict(1, ([value]) => text(value).toUpperCase()),
  regexp: strict(2, ([pattern, value]) => compilePattern(text(pattern), true).matcher(text(value)).find()),
  greatest: strict(-1, (args) => args.reduce((a, b) => (b! > a! ? b : a), args[0]!)),
  least: strict(-1, (args) => args.reduce((a, b) => (b! < a! ? b : a), args[0]!)),
  sleep: strict(1, () => {
    throw unsupported('SLEEP()');
  }),
  password: strict(1, () => {
    throw unsupported('PASSWORD()');
  }),
};
