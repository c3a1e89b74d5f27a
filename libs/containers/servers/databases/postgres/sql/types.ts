import type { SqlValue } from '../../sqlite/sqlite.js';
import type { Words } from '../../sql/words.js';
import { PgFailure } from '../failure.js';
import { parseTimestamp } from './moments.js';

/** Other names of types, by PostgreSQL's own. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ int: 'int4', integer: 'int4', bigint: 'int8', smallint: 'int2', serial: 'int4', serial4: 'int4' },
  ...{ bigserial: 'int8', serial8: 'int8', smallserial: 'int2', serial2: 'int2' },
  ...{ boolean: 'bool', decimal: 'numeric', real: 'float4', float: 'float8', character: 'bpchar', char: 'bpchar' },
};
const SERIALS = ['serial', 'serial4', 'bigserial', 'serial8', 'smallserial', 'serial2'];

/** Object identifiers and sizes (-1: any), as pg_type has them. */
export const TYPES: Readonly<Record<string, readonly [oid: number, size: number, name: string]>> = {
  bool: [16, 1, 'boolean'],
  bytea: [17, -1, 'bytea'],
  name: [19, 64, 'name'],
  int8: [20, 8, 'bigint'],
  int2: [21, 2, 'smallint'],
  int4: [23, 4, 'integer'],
  text: [25, -1, 'text'],
  oid: [26, 4, 'oid'],
  json: [114, -1, 'json'],
  xml: [142, -1, 'xml'],
  cidr: [650, -1, 'cidr'],
  float4: [700, 4, 'real'],
  float8: [701, 8, 'double precision'],
  money: [790, 8, 'money'],
  macaddr: [829, 6, 'macaddr'],
  inet: [869, -1, 'inet'],
  bpchar: [1042, -1, 'character'],
  varchar: [1043, -1, 'character varying'],
  date: [1082, 4, 'date'],
  time: [1083, 8, 'time without time zone'],
  timestamp: [1114, 8, 'timestamp without time zone'],
  timestamptz: [1184, 8, 'timestamp with time zone'],
  interval: [1186, 16, 'interval'],
  timetz: [1266, 12, 'time with time zone'],
  numeric: [1700, -1, 'numeric'],
  regclass: [2205, 4, 'regclass'],
  uuid: [2950, 16, 'uuid'],
  tsvector: [3614, -1, 'tsvector'],
  jsonb: [3802, -1, 'jsonb'],
  void: [2278, 4, 'void'],
};

/** `varchar(50)` as its parts. */
export function splitType(type: string): {
  readonly base: string;
  readonly numbers: readonly number[];
  readonly isArray: boolean;
} {
  const isArray = type.endsWith('[]');
  const bare = isArray ? type.slice(0, -2) : type;
  const at = bare.indexOf('(');
  if (at < 0) return { base: bare, numbers: [], isArray };
  return {
    base: bare.slice(0, at),
    numbers: bare
      .slice(at + 1, -1)
      .split(',')
      .map(Number),
    isArray,
  };
}

/** As \d and errors show it. */
export function showType(type: string): string {
  const { base, numbers, isArray } = splitType(type);
  const own = TYPES[base]?.[2] ?? base;
  const modifier = numbers.length > 0 ? `(${numbers.join(',')})` : '';
  const [first, ...more] = own.split(' ');
  const whole = base === 'varchar' || more.length === 0 ? own + modifier : [`${first}${modifier}`, ...more].join(' ');
  return isArray ? `${whole}[]` : whole;
}

export const oidOf = (type: string): number => {
  const { base, isArray } = splitType(type);
  return isArray ? 1009 : (TYPES[base]?.[0] ?? 25);
};

/** A type's name in a statement. Throws 42704. */
export function readType(words: Words): { readonly type: string; readonly isSerial: boolean } {
  const from = words.next?.from ?? 0;
  const path = words.path();
  const given = path.at(-1)!;
  let base = Object.hasOwn(ALIASES, given) ? ALIASES[given]! : given;
  if (given === 'double') {
    words.expect('precision');
    base = 'float8';
  } else if ((given === 'character' || given === 'char') && words.take('varying')) base = 'varchar';
  const numbers: string[] = [];
  if (words.sees('(')) numbers.push(...words.group().flatMap(({ type, text }) => (type === 'number' ? [text] : [])));
  if (words.take('with', 'time', 'zone')) base += 'tz';
  else words.take('without', 'time', 'zone');
  if (!Object.hasOwn(TYPES, base))
    throw new PgFailure('42704', `type "${path.join('.')}" does not exist`, { position: from + 1 });
  if (base === 'bpchar' && numbers.length === 0 && given !== 'bpchar') numbers.push('1');
  const isArray = words.take('[');
  if (isArray) {
    if (!words.sees(']')) words.at++;
    words.expect(']');
  }
  const type = `${base}${numbers.length > 0 ? `(${numbers.join(',')})` : ''}${isArray ? '[]' : ''}`;
  return { type, isSerial: SERIALS.includes(given) };
}

const RANGES: Readonly<Record<string, readonly [bigint, string]>> = {
  int2: [32_767n, 'smallint'],
  int4: [2_147_483_647n, 'integer'],
  int8: [9_223_372_036_854_775_807n, 'bigint'],
};
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const invalid = (type: string, text: SqlValue): PgFailure =>
  new PgFailure('22P02', `invalid input syntax for type ${showType(type)}: "${String(text)}"`);

const TRUE = ['t', 'true', 'y', 'yes', 'on', '1'];
const FALSE = ['f', 'false', 'n', 'no', 'off', '0'];

/** A value as a column of the type keeps it. Throws PgFailure. */
export function inputValue(type: string, value: SqlValue, isCast = false): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  const { base, numbers, isArray } = splitType(type);
  if (isArray) return value;
  const text = String(value);
  if (Object.hasOwn(RANGES, base)) return inputInteger(base, value, text);
  switch (base) {
    case 'bool': {
      const word = text.trim().toLowerCase();
      if (TRUE.includes(word)) return 1;
      if (FALSE.includes(word)) return 0;
      if (typeof value === 'number') return 1;
      throw invalid(type, value);
    }
    case 'numeric':
      return inputNumeric(type, value, text, numbers);
    case 'float4':
    case 'float8':
      if (typeof value !== 'string') return Number(value);
      if (/^\s*[-+]?(?:nan|inf(?:inity)?)\s*$/i.test(text)) return text.trim();
      if (!NUMBER.test(text.trim())) throw invalid(type, value);
      return Number(text);
    case 'varchar':
    case 'bpchar': {
      const most = numbers[0] ?? Infinity;
      const kept = base === 'bpchar' ? trimEnd(text) : text;
      if (Array.from(kept).length <= most) return kept;
      if (isCast || Array.from(trimEnd(kept)).length <= most) return Array.from(kept).slice(0, most).join('');
      throw new PgFailure('22001', `value too long for type ${showType(type)}`);
    }
    case 'text':
      return text;
    case 'uuid':
      if (!UUID.test(text)) throw invalid(type, value);
      return text.toLowerCase();
    case 'json':
    case 'jsonb':
      return inputJSON(base, text);
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return parseTimestamp(text, base);
    default:
      return value;
  }
}

const trimEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end--;
  return text.slice(0, end);
};

function inputInteger(base: string, value: SqlValue, text: string): SqlValue {
  const [most, name] = RANGES[base]!;
  if (typeof value === 'string' && !/^\s*[-+]?\d+\s*$/.test(text)) throw invalid(base, value);
  const whole = typeof value === 'number' ? BigInt(Math.round(value)) : BigInt(text.trim().replace('+', ''));
  if (whole > most || whole < -most - 1n) {
    if (typeof value === 'string') throw new PgFailure('22003', `value "${text}" is out of range for type ${name}`);
    throw new PgFailure('22003', `${name} out of range`);
  }
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) && whole >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(whole) : whole;
}

function inputNumeric(
  type: string,
  value: SqlValue,
  text: string,
  [precision, scale = 0]: readonly number[],
): SqlValue {
  if (typeof value === 'string' && !NUMBER.test(text.trim())) throw invalid(type, value);
  if (precision === undefined) return typeof value === 'string' ? Number(text) : value;
  const rounded = Number(Number(text).toFixed(scale));
  if (Math.abs(rounded) < 10 ** (precision - scale)) return rounded;
  throw new PgFailure('22003', 'numeric field overflow', {
    detail: `A field with precision ${precision}, scale ${scale} must round to an absolute value less than ${precision === scale ? '1' : `10^${precision - scale}`}.`,
  });
}

function inputJSON(base: string, text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return base === 'json' ? text : showJSON(value);
  } catch {
    throw new PgFailure('22P02', `invalid input syntax for type ${base}`, {
      detail:
        text.trim() === ''
          ? 'The input string ended unexpectedly.'
          : `Token "${
              text
                .trim()
                .split(/[\s,:{}[\]]/)
                .find(Boolean) ?? text.trim()
            }" is invalid.`,
    });
  }
}

const MAX_DEPTH = 100;

/** As jsonb prints: a space after each comma and colon, keys by length and then by bytes. */
function showJSON(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => showJSON(one, depth + 1)).join(', ')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${showJSON(one, depth + 1)}`).join(', ')}}`;
}

/** What a client reads; null is NULL. */
export function outputValue(type: string, value: SqlValue): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array)
    return `\\x${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const { base, numbers, isArray } = splitType(type);
  if (isArray) return String(value);
  switch (base) {
    case 'bool':
      return TRUE.includes(String(value).toLowerCase()) ? 't' : 'f';
    case 'numeric':
      return showNumeric(value, numbers[1] ?? (numbers.length === 1 ? 0 : undefined));
    case 'bpchar':
      return String(value).padEnd(numbers[0] ?? 1);
    case 'timestamptz':
      return `${safeMoment(value, 'timestamptz')}+00`;
    case 'timestamp':
    case 'date':
      return safeMoment(value, base);
    default:
      return String(value);
  }
}

function safeMoment(value: SqlValue, base: 'date' | 'timestamp' | 'timestamptz'): string {
  try {
    return parseTimestamp(String(value), base);
  } catch {
    return String(value);
  }
}

/** -1: the average of integers, with 16 places. */
function showNumeric(value: SqlValue, scale: number | undefined): string {
  if (scale === undefined || (typeof value !== 'number' && typeof value !== 'bigint')) return String(value);
  if (scale >= 0) return Number(value).toFixed(scale);
  const text = String(value);
  const [whole = '', fraction = ''] = text.split('.');
  if (text.includes('e')) return text;
  return `${whole}.${fraction.padEnd(16, '0')}`;
}
