import { decodeUtf8 } from '../text/utf8.js';
import type { Coercion } from './ast.js';
import { EvaluationError, noOverload } from './errors.js';
import { trimRight } from '../text/strings.js';

/**
 * Values of expressions. Ints are bigint, unsigned ones Uint; JSON is used as it is, and a JSON number becomes an int
 * or a Double when it is read. Maps are plain objects, or a Map when they have keys that are no strings.
 */
export type Value = null | boolean | string | bigint | object;

export class Double {
  constructor(readonly value: number) {}
}

/** An unsigned integer below 2^64. Equal to the int, and the double, of the same size. */
export class Uint {
  constructor(readonly value: bigint) {}
}

const SECOND = 1_000_000_000n;
const FIRST = -62_135_596_800n * SECOND;
const LAST = 253_402_300_800n * SECOND;

/** Nanoseconds since the epoch, in the years 1 to 9999. Throws beyond. */
export class Timestamp {
  constructor(readonly nanos: bigint) {
    if (nanos < FIRST || nanos >= LAST) throw new EvaluationError('timestamp overflow');
  }
}

/** Nanoseconds. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

export class Optional {
  static readonly none = new Optional(undefined);
  constructor(readonly value: Value | undefined) {}
}

export class TypeValue {
  constructor(readonly name: string) {}
}

/** A value of a library's own type: a URL, a quantity, an authorizer. */
export class Opaque {
  constructor(
    readonly type: string,
    readonly data: unknown,
    readonly equals: (other: unknown) => boolean = (other) => other === data,
  ) {}
}

/** JSON (or an item of a list or map) as a value. */
export function adapt(raw: unknown): Value {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : new Double(raw);
  return raw === undefined ? null : (raw as Value);
}

export const isList = (value: Value): value is readonly unknown[] => Array.isArray(value);
export function isMap(value: Value): value is Record<string, unknown> | Map<Value, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || value instanceof Map;
}

/** The entry of a map, or undefined. */
export function entryOf(map: Record<string, unknown> | Map<Value, unknown>, key: Value): Value | undefined {
  if (map instanceof Map) {
    const found = map.get(canonicalKey(key));
    return found === undefined ? undefined : adapt(found);
  }
  if (typeof key !== 'string' || !Object.hasOwn(map, key) || map[key] === undefined) return undefined;
  return adapt(map[key]);
}

export const keysOf = (map: Record<string, unknown> | Map<Value, unknown>): Value[] =>
  map instanceof Map ? [...map.keys()] : Object.keys(map).filter((k) => map[k] !== undefined);

/** Numbers of one size are one key: an int, whatever type the expression gives them. */
function canonicalKey(key: Value): Value {
  if (key instanceof Uint) return key.value;
  return key instanceof Double && Number.isSafeInteger(key.value) ? BigInt(key.value) : key;
}

/** A map of entries. Throws EvaluationError: a key repeats, or is neither a bool, a number nor a string. */
export function mapFrom(entries: readonly (readonly [Value, Value])[]): Value {
  const map = new Map<Value, Value>();
  let textual = true;
  for (const [given, value] of entries) {
    const key = canonicalKey(given);
    if (!['boolean', 'bigint', 'string'].includes(typeof key))
      throw new EvaluationError(`unsupported key type: ${typeName(given)}`);
    if (map.has(key)) throw new EvaluationError(`Failed with repeated key: ${toText(given)}`);
    map.set(key, value);
    textual &&= typeof key === 'string';
  }
  return textual ? (Object.fromEntries(map) as object) : map;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** What the static type asks for: a schema's number, date-time, duration or byte. */
export function coerce(value: Value, as: Coercion): Value {
  if (as === 'double') return typeof value === 'bigint' ? new Double(Number(value)) : value;
  if (typeof value !== 'string') return value;
  if (as === 'timestamp') return timestampOf(DATE.test(value) ? `${value}T00:00:00Z` : value);
  if (as === 'duration') return durationOf(value);
  return value;
}

// ---- comparing ----

export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  const order = compareNumbers(a, b);
  if (order !== undefined) return order === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Optional || b instanceof Optional)
    return (
      a instanceof Optional &&
      b instanceof Optional &&
      a.value !== undefined &&
      b.value !== undefined &&
      equal(a.value, b.value)
    );
  if (a instanceof Timestamp || a instanceof Duration)
    return a.constructor === b.constructor && a.nanos === (b as Timestamp).nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Opaque) return b instanceof Opaque && a.type === b.type && a.equals(b.data);
  if (a instanceof Uint8Array)
    return b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => equal(adapt(item), adapt(b[i])));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = keysOf(a);
  return (
    keys.length === keysOf(b).length &&
    keys.every((key) => {
      const other = entryOf(b, key);
      return other !== undefined && equal(entryOf(a, key)!, other);
    })
  );
}

const integerOf = (value: Value): bigint | undefined =>
  typeof value === 'bigint' ? value : value instanceof Uint ? value.value : undefined;

/**
 * The order of two numbers of any types; undefined when either is none, NaN when either is NaN. An integer is compared
 * with a double as a double. Models cel-go's common/types/compare.go.
 */
function compareNumbers(a: Value, b: Value): number | undefined {
  const [m, n] = [integerOf(a), integerOf(b)];
  if (m !== undefined && n !== undefined) return m < n ? -1 : m > n ? 1 : 0;
  const x = m === undefined ? (a instanceof Double ? a.value : undefined) : Number(m);
  const y = n === undefined ? (b instanceof Double ? b.value : undefined) : Number(n);
  if (x === undefined || y === undefined) return undefined;
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
}

/** Negative, zero, positive; NaN when a double is. Throws when the values have no order. */
export function compare(a: Value, b: Value): number {
  const order = compareNumbers(a, b);
  if (order !== undefined) return order;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration))
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compare(hex(a), hex(b));
  throw noOverload();
}
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

// ---- types ----

export function typeName(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Double) return 'double';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Opaque) return value.type;
  return isList(value) ? 'list' : 'map';
}

// ---- conversions ----

const MAX_INT = 2n ** 63n;
export function toInt(value: bigint): bigint {
  if (value >= MAX_INT || value < -MAX_INT) throw new EvaluationError('integer overflow');
  return value;
}

const MAX_UINT = 2n ** 64n;
export function toUint(value: bigint): Uint {
  if (value < 0n || value >= MAX_UINT) throw new EvaluationError('unsigned integer overflow');
  return new Uint(value);
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
export function parseTime(text: string): Timestamp | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match;
  const millis = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(millis) || new Date(millis).getUTCDate() !== Number(day)) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const nanos = BigInt(millis - offset) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return nanos < FIRST || nanos >= LAST ? undefined : new Timestamp(nanos);
}

export function timestampOf(text: string): Timestamp {
  const time = parseTime(text);
  if (!time)
    throw new EvaluationError(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
    );
  return time;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Characters of a duration's text. */
const MAX_DURATION = 64;
const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/;
const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|ms|s|m|h)/y;

/** Go's time.ParseDuration; undefined when the text is none. */
export function parseDuration(text: string): Duration | undefined {
  if (text === '0') return new Duration(0n);
  const match = text.length > MAX_DURATION ? null : DURATION.exec(text);
  if (!match) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of readParts(match[2]!)) {
    nanos +=
      BigInt(whole || '0') * UNITS[unit]! +
      (fraction ? (BigInt(fraction) * UNITS[unit]!) / 10n ** BigInt(fraction.length) : 0n);
  }
  return nanos < MAX_INT ? new Duration(match[1] === '-' ? -nanos : nanos) : undefined;
}

function* readParts(text: string): Generator<RegExpExecArray, void, undefined> {
  DURATION_PART.lastIndex = 0;
  for (let part = DURATION_PART.exec(text); part; part = DURATION_PART.exec(text)) yield part;
}

export function durationOf(text: string): Duration {
  const duration = parseDuration(text);
  if (!duration) throw new EvaluationError(`time: invalid duration ${JSON.stringify(text)}`);
  return duration;
}

const fractionText = (nanos: bigint): string =>
  nanos === 0n ? '' : `.${trimRight(String(nanos).padStart(9, '0'), '0')}`;

/** What string(value) gives. Throws when the type has no text. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof Timestamp) {
    const nanos = ((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    return `${new Date(Number((value.nanos - nanos) / 1_000_000n)).toISOString().slice(0, 19)}${fractionText(nanos)}Z`;
  }
  if (value instanceof Duration) {
    const size = value.nanos < 0n ? -value.nanos : value.nanos;
    return `${value.nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fractionText(size % 1_000_000_000n)}s`;
  }
  if (value instanceof Opaque && typeof value.data === 'string') return value.data;
  throw noOverload();
}

function bytesText(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return Object.is(value, -0) ? '-0' : String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The value as JSON; undefined when it has no JSON shape. Lists and maps are copied. */
export function toJson(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Double) return value.value;
  if (value instanceof Timestamp || value instanceof Duration || value instanceof Opaque) return toText(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => toJson(adapt(item)));
  if (!isMap(value)) throw noOverload();
  return Object.fromEntries(keysOf(value).map((key) => [toText(key), toJson(entryOf(value, key)!)]));
}
