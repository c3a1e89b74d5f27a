import { findTimeZone, offsetAt } from '../time/time-zones.js';
import { MINUTE } from '../time/time.js';
import { encodeUtf8 } from '../text/utf8.js';
import { EvaluationError } from './errors.js';
import type { Library } from './registry.js';
import {
  adapt,
  compare,
  Double,
  doubleText,
  Duration,
  durationOf,
  entryOf,
  equal,
  isList,
  isMap,
  keysOf,
  toText,
  Timestamp,
  timestampOf,
  toInt,
  toUint,
  typeName,
  TypeValue,
  type Uint,
  type Value,
} from './values.js';

type V = readonly Value[];
type Ints = readonly [bigint, bigint];
type Uints = readonly [Uint, Uint];
type Doubles = readonly [Double, Double];
type Texts = readonly [string, string];
type Spans = readonly [Duration, Duration];

const divide = (a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new EvaluationError('division by zero');
  return a / b;
};
const modulo = (a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new EvaluationError('modulus by zero');
  return a % b;
};
const codePoints = (text: string): bigint => {
  let n = 0;
  for (let i = 0; i < text.length; i++, n++) if (text.codePointAt(i)! > 0xffff) i++;
  return BigInt(n);
};
const span = (nanos: bigint): Duration => new Duration(toInt(nanos));

export const operators: Library = {
  '!_(bool): bool': ([a]: V) => !a,
  '-_(int): int': ([a]: readonly [bigint]) => toInt(-a),
  '-_(double): double': ([a]: readonly [Double]) => new Double(-a.value),
  '_+_(int, int): int': ([a, b]: Ints) => toInt(a + b),
  '_+_(double, double): double': ([a, b]: Doubles) => new Double(a.value + b.value),
  '_+_(string, string): string': ([a, b]: Texts, run) => (run.charge((a.length + b.length) / 10), a + b),
  '_+_(bytes, bytes): bytes': ([a, b]: readonly [Uint8Array, Uint8Array], run) => (
    run.charge((a.length + b.length) / 10),
    Uint8Array.of(...a, ...b)
  ),
  '_+_(list<A>, list<A>): list<A>': ([a, b]: readonly [unknown[], unknown[]], run) => (
    run.charge((a.length + b.length) / 10),
    [...a, ...b]
  ),
  '_+_(timestamp, duration): timestamp': ([a, b]: readonly [Timestamp, Duration]) => new Timestamp(a.nanos + b.nanos),
  '_+_(duration, timestamp): timestamp': ([a, b]: readonly [Duration, Timestamp]) => new Timestamp(a.nanos + b.nanos),
  '_+_(duration, duration): duration': ([a, b]: Spans) => span(a.nanos + b.nanos),
  '_-_(int, int): int': ([a, b]: Ints) => toInt(a - b),
  '_-_(double, double): double': ([a, b]: Doubles) => new Double(a.value - b.value),
  '_-_(timestamp, timestamp): duration': ([a, b]: readonly [Timestamp, Timestamp]) => span(a.nanos - b.nanos),
  '_-_(timestamp, duration): timestamp': ([a, b]: readonly [Timestamp, Duration]) => new Timestamp(a.nanos - b.nanos),
  '_-_(duration, duration): duration': ([a, b]: Spans) => span(a.nanos - b.nanos),
  '_*_(int, int): int': ([a, b]: Ints) => toInt(a * b),
  '_*_(double, double): double': ([a, b]: Doubles) => new Double(a.value * b.value),
  '_/_(int, int): int': ([a, b]: Ints) => toInt(divide(a, b)),
  '_/_(double, double): double': ([a, b]: Doubles) => new Double(a.value / b.value),
  '_%_(int, int): int': ([a, b]: Ints) => modulo(a, b),
  '_+_(uint, uint): uint': ([a, b]: Uints) => toUint(a.value + b.value),
  '_-_(uint, uint): uint': ([a, b]: Uints) => toUint(a.value - b.value),
  '_*_(uint, uint): uint': ([a, b]: Uints) => toUint(a.value * b.value),
  '_/_(uint, uint): uint': ([a, b]: Uints) => toUint(divide(a.value, b.value)),
  '_%_(uint, uint): uint': ([a, b]: Uints) => toUint(modulo(a.value, b.value)),
  '_==_(A, A): bool': ([a, b]: readonly [Value, Value], run) => (chargeFor(a, run), equal(a, b)),
  '_!=_(A, A): bool': ([a, b]: readonly [Value, Value], run) => (chargeFor(a, run), !equal(a, b)),
  ...orders('_<_', (c) => c < 0),
  ...orders('_<=_', (c) => c <= 0),
  ...orders('_>_', (c) => c > 0),
  ...orders('_>=_', (c) => c >= 0),
  '@in(A, list<A>): bool': ([a, list]: readonly [Value, unknown[]], run) => (
    run.charge(list.length),
    list.some((item) => equal(adapt(item), a))
  ),
  '@in(A, map<A, B>): bool': ([a, map]: readonly [Value, Record<string, unknown>]) => entryOf(map, a) !== undefined,
  '_[_](list<A>, int): A': ([list, at]: readonly [unknown[], bigint]) => itemAt(list, at),
  // Only an index whose type was not known before can be of these.
  '_[_](list<A>, uint): A': ([list, at]: readonly [unknown[], Uint]) => itemAt(list, at.value),
  '_[_](list<A>, double): A': ([list, at]: readonly [unknown[], Double]) => itemAt(list, toIndex(at.value)),
  '_[_](map<A, B>, A): B': ([map, key]: readonly [Record<string, unknown>, Value]) => {
    const found = entryOf(map, key);
    if (found === undefined) throw new EvaluationError(`no such key: ${keyText(key)}`);
    return found;
  },
};

function chargeFor(value: Value, run: { charge(units: number): void }): void {
  if (typeof value === 'string') run.charge(value.length / 10);
  else if (isList(value)) run.charge(value.length);
  else if (isMap(value)) run.charge(keysOf(value).length);
}

export const keyText = (key: Value): string => (key instanceof Double ? doubleText(key.value) : toText(key));

function toIndex(value: number): bigint {
  if (!Number.isSafeInteger(value)) throw new EvaluationError(`unsupported index value: ${doubleText(value)}`);
  return BigInt(value);
}

export function itemAt(list: readonly unknown[], at: bigint): Value {
  if (at < 0n || at >= BigInt(list.length)) throw new EvaluationError(`index out of bounds: ${at}`);
  return adapt(list[Number(at)]);
}

function orders(name: string, holds: (c: number) => boolean): Library {
  const test = ([a, b]: readonly [Value, Value]): boolean => holds(compare(a, b));
  const pairs = [
    'bool, bool',
    'int, int',
    'int, double',
    'double, double',
    'double, int',
    'uint, uint',
    'uint, int',
    'int, uint',
    'uint, double',
    'double, uint',
    'string, string',
    'bytes, bytes',
    'timestamp, timestamp',
    'duration, duration',
  ];
  return Object.fromEntries(pairs.map((pair) => [`${name}(${pair}): bool`, test]));
}

const size =
  (of: (value: never) => bigint | number) =>
  ([value]: readonly [never]): bigint =>
    BigInt(of(value));
const sizes = {
  string: size(codePoints),
  bytes: size((b: Uint8Array) => b.length),
  'list<A>': size((l: unknown[]) => l.length),
  'map<A, B>': size((m: object) => keysOf(m as Record<string, unknown>).length),
};

const fromText = (text: string, pattern: RegExp, type: string): string => {
  if (!pattern.test(text)) throw new EvaluationError(`type conversion error from 'string' to '${type}'`);
  return text;
};
const truncate = (value: number): bigint => {
  if (!Number.isFinite(value)) throw new EvaluationError('integer overflow');
  return BigInt(Math.trunc(value));
};
/** Refuses the bounds, too: as doubles they stand for numbers beyond. Models overflow.go doubleToInt64Checked. */
const toIntOfDouble = (value: number): bigint => {
  if (value <= -(2 ** 63) || value >= 2 ** 63) throw new EvaluationError('integer overflow');
  return truncate(value);
};
const BOOLS: Readonly<Record<string, boolean>> = {
  1: true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  0: false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};
/** What Go's strconv.ParseFloat reads, without hexadecimal numbers and underscores. */
const FLOAT = /^[+-]?((\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|inf(inity)?|nan)$/i;

const boolOf = (text: string): boolean => {
  const known = Object.hasOwn(BOOLS, text) ? BOOLS[text] : undefined;
  if (known === undefined) throw new EvaluationError("type conversion error from 'string' to 'bool'");
  return known;
};

export const conversions: Library = {
  ...Object.fromEntries(
    Object.entries(sizes).flatMap(([type, run]) => [
      [`size(${type}): int`, run],
      [`${type}.size(): int`, run],
    ]),
  ),
  'int(int): int': ([a]: V) => a!,
  'int(double): int': ([a]: readonly [Double]) => toIntOfDouble(a.value),
  'int(string): int': ([a]: readonly [string]) => toInt(BigInt(fromText(a, /^-?\d{1,19}$/, 'int'))),
  'int(timestamp): int': ([a]: readonly [Timestamp]) => a.nanos / 1_000_000_000n,
  'int(uint): int': ([a]: readonly [Uint]) => toInt(a.value),
  'uint(int): uint': ([a]: readonly [bigint]) => toUint(a),
  'uint(uint): uint': ([a]: V) => a!,
  'uint(double): uint': ([a]: readonly [Double]) => toUint(truncate(a.value)),
  'uint(string): uint': ([a]: readonly [string]) => toUint(BigInt(fromText(a, /^\d{1,20}$/, 'uint'))),
  'double(uint): double': ([a]: readonly [Uint]) => new Double(Number(a.value)),
  'double(double): double': ([a]: V) => a!,
  'double(int): double': ([a]: readonly [bigint]) => new Double(Number(a)),
  'double(string): double': ([a]: readonly [string]) =>
    new Double(parseFloat(fromText(a, FLOAT, 'double').replace(/inf(inity)?$/i, 'Infinity'))),
  'bool(bool): bool': ([a]: V) => a!,
  'bool(string): bool': ([a]: readonly [string]) => boolOf(a),
  ...Object.fromEntries(
    ['string', 'int', 'uint', 'double', 'bool', 'bytes', 'timestamp', 'duration', 'net.IP', 'net.CIDR'].map((type) => [
      `string(${type}): string`,
      ([a]: V) => toText(a!),
    ]),
  ),
  'bytes(string): bytes': ([a]: readonly [string]) => encodeUtf8(a),
  'bytes(bytes): bytes': ([a]: V) => a!,
  'timestamp(string): timestamp': ([a]: readonly [string]) => timestampOf(a),
  'timestamp(int): timestamp': ([a]: readonly [bigint]) => new Timestamp(a * 1_000_000_000n),
  'timestamp(timestamp): timestamp': ([a]: V) => a!,
  'duration(string): duration': ([a]: readonly [string]) => durationOf(a),
  'duration(duration): duration': ([a]: V) => a!,
  'dyn(A): dyn': ([a]: V) => a!,
  'type(A): type': ([a]: V) => new TypeValue(typeName(a!)),
};

type Part = (date: Date) => number;
const DAY = 86_400_000;
const parts: Readonly<Record<string, Part>> = {
  getFullYear: (d) => d.getUTCFullYear(),
  getMonth: (d) => d.getUTCMonth(),
  getDate: (d) => d.getUTCDate(),
  getDayOfMonth: (d) => d.getUTCDate() - 1,
  getDayOfWeek: (d) => d.getUTCDay(),
  getDayOfYear: (d) => Math.floor((d.getTime() - Date.UTC(d.getUTCFullYear(), 0, 1)) / DAY),
  getHours: (d) => d.getUTCHours(),
  getMinutes: (d) => d.getUTCMinutes(),
  getSeconds: (d) => d.getUTCSeconds(),
  getMilliseconds: (d) => d.getUTCMilliseconds(),
};
const millis = (t: Timestamp): number => Number(t.nanos / 1_000_000n);
/** The date whose UTC fields are what the zone's clocks show: '-03:30', or a name of the IANA database. */
function toWallClock(t: Timestamp, zone: string): Date {
  const [, sign, hours, minutes] = FIXED_OFFSET.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE;
    return new Date(millis(t) + (sign === '-' ? -offset : offset));
  }
  const known = findTimeZone(zone);
  if (!known) throw new EvaluationError(`unknown time zone ${zone}`);
  return new Date(millis(t) + offsetAt(known, millis(t)));
}
const FIXED_OFFSET = /^([+-]?)(\d\d):(\d\d)$/;
const spans: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
};

export const times: Library = {
  ...Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => [
      [`timestamp.${name}(): int`, ([t]: readonly [Timestamp]) => BigInt(part(new Date(millis(t))))],
      [
        `timestamp.${name}(string): int`,
        ([t, zone]: readonly [Timestamp, string]) => BigInt(part(toWallClock(t, zone))),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(spans).map(([name, unit]) => [
      `duration.${name}(): int`,
      ([d]: readonly [Duration]) => d.nanos / unit,
    ]),
  ),
  'duration.getMilliseconds(): int': ([d]: readonly [Duration]) => d.nanos / 1_000_000n,
};
