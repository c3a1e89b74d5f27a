import { encodeUtf8 } from '../../text/utf8.js';
import { compilePattern, type Pattern } from '../../text/regex.js';
import {
  isCIdentifier,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isLabelValue,
} from '../../meta/validation.js';
import { EvaluationError, noOverload } from '../errors.js';
import type { Library, Run } from '../registry.js';
import {
  adapt,
  Double,
  doubleText,
  isList,
  isMap,
  keysOf,
  entryOf,
  Opaque,
  Optional,
  parseTime,
  toText,
  TypeValue,
  Uint,
  type Value,
} from '../values.js';

type Texts = readonly [string, string];
type TextInt = readonly [string, bigint];

function pattern(text: string): Pattern {
  const compiled = compilePattern(text);
  if (!compiled) throw new EvaluationError(`error parsing regexp: ${JSON.stringify(text)}`);
  return compiled;
}
const chargeText = (run: Run, ...texts: string[]): void => run.charge(texts.reduce((n, t) => n + t.length, 0) / 10);
const chargeReplace = (run: Run, text: string, from: string, to: string): void =>
  run.charge((text.length + (text.length / Math.max(1, from.length) + 1) * to.length) / 10);
const chargeMatch = (run: Run, text: string, regex: string): void =>
  run.charge(Math.max(1, text.length / 10) * Math.max(1, regex.length / 4));

const WIDE = /[\ud800-\udfff]/;
/** A text by its code points. */
const points = (text: string): readonly string[] | string => (WIDE.test(text) ? [...text] : text);
/** Where a UTF-16 offset is among the code points, and back. */
const pointAt = (text: string, unit: number): bigint =>
  BigInt(unit < 0 || !WIDE.test(text) ? unit : [...text.slice(0, unit)].length);
const unitAt = (text: string, point: number): number =>
  WIDE.test(text) ? [...text].slice(0, point).join('').length : point;

const indexAt = (text: string, at: bigint): number => {
  if (at < 0n || at > BigInt(points(text).length)) throw new EvaluationError(`index out of range: ${at}`);
  return Number(at);
};
function substring(text: string, from: bigint, to: bigint): string {
  const [start, end] = [indexAt(text, from), indexAt(text, to)];
  if (start > end) throw new EvaluationError(`invalid substring range. start: ${from}, end: ${to}`);
  return text.slice(unitAt(text, start), unitAt(text, end));
}
const replaceText = (text: string, from: string, to: string, limit: bigint): string => {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = Number(limit);
  return text.replaceAll(from, (found) => (left-- > 0 ? to : found));
};
const split = (text: string, separator: string, limit: bigint): string[] => {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  if (limit === 0n) return [];
  return [...parts.slice(0, Number(limit) - 1), parts.slice(Number(limit) - 1).join(separator)];
};
const joinTexts = (items: readonly unknown[], separator: string, run: Run): string =>
  items
    .map((item) => {
      if (typeof item !== 'string') throw noOverload();
      run.charge(1 + (item.length + separator.length) / 10);
      return item;
    })
    .join(separator);
/** Go's unicode.IsSpace, which differs from JavaScript's in U+0085 and U+FEFF. */
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const IS_SPACE = new RegExp(SPACE);

function trim(text: string): string {
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text[end - 1]!)) end--;
  return text.slice(0, end).replace(LEADING, '');
}

const QUOTED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
/** Models cel-go's ext/strings.go quote. */
const quote = (text: string): string => `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (c) => QUOTED[c]!)}"`;

const ascii = (text: string, change: (letters: string) => string): string => text.replace(/[A-Za-z]+/g, change);

/** cel-go's standard text functions and its strings extension. Positions count UTF-16 units. */
export const texts: Library = {
  'string.contains(string): bool': ([a, b]: Texts, run) => (chargeText(run, a, b), a.includes(b)),
  'string.startsWith(string): bool': ([a, b]: Texts, run) => (chargeText(run, b), a.startsWith(b)),
  'string.endsWith(string): bool': ([a, b]: Texts, run) => (chargeText(run, b), a.endsWith(b)),
  'string.matches(string): bool': ([a, b]: Texts, run) => (chargeMatch(run, a, b), pattern(b).test(a)),
  'matches(string, string): bool': ([a, b]: Texts, run) => (chargeMatch(run, a, b), pattern(b).test(a)),
  'string.find(string): string': ([a, b]: Texts, run) => (chargeMatch(run, a, b), pattern(b).find(a) ?? ''),
  'string.findAll(string): list<string>': ([a, b]: Texts, run) => (
    chargeMatch(run, a, b),
    pattern(b).findAll(a, Number.POSITIVE_INFINITY)
  ),
  'string.findAll(string, int): list<string>': ([a, b, n]: readonly [string, string, bigint], run) => (
    chargeMatch(run, a, b),
    pattern(b).findAll(a, n < 0n ? Number.POSITIVE_INFINITY : Number(n))
  ),
  'string.charAt(int): string': ([a, at]: TextInt) => points(a)[indexAt(a, at)] ?? '',
  'string.indexOf(string): int': ([a, b]: Texts, run) => (chargeText(run, a), pointAt(a, a.indexOf(b))),
  'string.indexOf(string, int): int': ([a, b, at]: readonly [string, string, bigint], run) => (
    chargeText(run, a),
    pointAt(a, a.indexOf(b, unitAt(a, indexAt(a, at))))
  ),
  'string.lastIndexOf(string): int': ([a, b]: Texts, run) => (chargeText(run, a), pointAt(a, a.lastIndexOf(b))),
  'string.lastIndexOf(string, int): int': ([a, b, at]: readonly [string, string, bigint], run) => (
    chargeText(run, a),
    pointAt(a, a.lastIndexOf(b, unitAt(a, indexAt(a, at))))
  ),
  'string.lowerAscii(): string': ([a]: readonly [string], run) => (
    chargeText(run, a),
    ascii(a, (s) => s.toLowerCase())
  ),
  'string.upperAscii(): string': ([a]: readonly [string], run) => (
    chargeText(run, a),
    ascii(a, (s) => s.toUpperCase())
  ),
  'string.replace(string, string): string': ([a, from, to]: readonly [string, string, string], run) => (
    chargeReplace(run, a, from, to),
    replaceText(a, from, to, -1n)
  ),
  'string.replace(string, string, int): string': ([a, from, to, n]: readonly [string, string, string, bigint], run) => (
    chargeReplace(run, a, from, to),
    replaceText(a, from, to, n)
  ),
  'string.split(string): list<string>': ([a, b]: Texts, run) => (chargeText(run, a), split(a, b, -1n)),
  'string.split(string, int): list<string>': ([a, b, n]: readonly [string, string, bigint], run) => (
    chargeText(run, a),
    split(a, b, n)
  ),
  'string.substring(int): string': ([a, from]: TextInt) => substring(a, from, BigInt(points(a).length)),
  'string.substring(int, int): string': ([a, from, to]: readonly [string, bigint, bigint]) => substring(a, from, to),
  'string.trim(): string': ([a]: readonly [string], run) => (chargeText(run, a), trim(a)),
  'list<string>.join(): string': ([items]: readonly [unknown[]], run) => joinTexts(items, '', run),
  'list<string>.join(string): string': ([items, separator]: readonly [unknown[], string], run) =>
    joinTexts(items, separator, run),
  '.strings.quote(string): string': ([a]: readonly [string]) => quote(a),
  'string.format(list<dyn>): string': ([a, args]: readonly [string, unknown[]], run) => format(a, args.map(adapt), run),
};

const MAX_PRECISION = 100;

/** Models cel-go's string.format: %s %d %f %e %b %x %X %o %%. */
function format(text: string, args: readonly Value[], run: Run): string {
  let next = 0;
  run.charge(text.length / 10 + args.length);
  return text.replace(/%(?:\.(\d{1,3}))?([a-zA-Z%])/g, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
    const done = formatClause(
      args[next++]!,
      verb,
      precision === undefined ? 6 : Math.min(Number(precision), MAX_PRECISION),
    );
    run.charge(done.length / 10);
    return done;
  });
}

function formatClause(given: Value, verb: string, precision: number): string {
  const value = given instanceof Uint ? given.value : given;
  const number = typeof value === 'bigint' ? Number(value) : value instanceof Double ? value.value : undefined;
  switch (verb) {
    case 's':
      return formatValue(value);
    case 'd':
      if (typeof value === 'bigint') return String(value);
      break;
    case 'f':
      if (number !== undefined) return groupDigits(toFixed(number, precision));
      break;
    case 'e':
      if (number !== undefined) return formatScientific(number);
      break;
    case 'b':
      if (typeof value === 'bigint') return value.toString(2);
      if (typeof value === 'boolean') return value ? '1' : '0';
      break;
    case 'o':
      if (typeof value === 'bigint') return value.toString(8);
      break;
    case 'x':
    case 'X': {
      const bytes = typeof value === 'string' ? encodeUtf8(value) : value instanceof Uint8Array ? value : undefined;
      const hex =
        typeof value === 'bigint'
          ? value.toString(16)
          : bytes && Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (hex !== undefined) return verb === 'X' ? hex.toUpperCase() : hex;
      break;
    }
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
  throw new EvaluationError(`error during formatting: ${verb} clause does not take this type`);
}

/** Number.toFixed, but a number half-way between two texts becomes the even one, as Go rounds. */
function toFixed(value: number, precision: number): string {
  const longer = value.toFixed(Math.min(precision + 25, MAX_PRECISION));
  const end = longer.indexOf('.') + precision + (precision > 0 ? 1 : 0);
  const isHalf = /^\.?50*$/.test(longer.slice(end));
  return isHalf && /[02468]$/.test(longer.slice(0, end)) ? longer.slice(0, end) : value.toFixed(precision);
}

/** cel-go formats numbers as English is written. */
const groupDigits = (digits: string): string =>
  // oxlint-disable-next-line regexp/no-super-linear-move -- of the digits of one number, at most 309
  digits.replace(/^(-?)(\d+)/, (_, sign: string, whole: string) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ','));
const SUPERSCRIPT: Readonly<Record<string, string>> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

function formatScientific(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(6).split('e');
  const power = Number(exponent);
  const digits = `${power < 0 ? '-' : ''}${String(Math.abs(power)).padStart(2, '0')}`;
  return `${mantissa}×10${[...digits].map((d) => SUPERSCRIPT[d]).join('')}`;
}

/** Texts within lists and maps stand in quotes. */
const formatItem = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : formatValue(value));

function formatValue(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Double) return doubleText(value.value);
  if (isList(value)) return `[${value.map((item) => formatItem(adapt(item))).join(', ')}]`;
  if (isMap(value))
    return `{${keysOf(value)
      .map((key) => `${formatItem(key)}:${formatItem(entryOf(value, key)!)}`)
      .sort()
      .join(', ')}}`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Opaque) throw noOverload();
  return toText(value);
}

type Check = (text: string) => readonly string[];
const validatePrefix =
  (rule: Check): Check =>
  (text) =>
    rule(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
const when =
  (ok: (text: string) => boolean, message: string): Check =>
  (text) =>
    ok(text) ? [] : [message];
const FORMATS: Readonly<Record<string, Check>> = {
  dns1123Label: isDNS1123Label,
  dns1123Subdomain: isDNS1123Subdomain,
  dns1035Label: isDNS1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: validatePrefix(isDNS1123Label),
  dns1123SubdomainPrefix: validatePrefix(isDNS1123Subdomain),
  dns1035LabelPrefix: validatePrefix(isDNS1035Label),
  labelValue: isLabelValue,
  uri: when((text) => /^[A-Za-z][A-Za-z0-9+.-]*:|^\//.test(text) && !/\s/.test(text), 'invalid URI'),
  uuid: when(
    (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
    'does not match the UUID format',
  ),
  byte: when((text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), 'invalid base64'),
  date: when((text) => parseTime(`${text}T00:00:00Z`) !== undefined, 'invalid date'),
  datetime: when((text) => parseTime(text) !== undefined, 'invalid datetime'),
  cIdentifier: isCIdentifier,
};
const FORMAT_TYPE = 'kubernetes.NamedFormat';
const formats = Object.fromEntries(Object.keys(FORMATS).map((name) => [name, new Opaque(FORMAT_TYPE, name)]));

/** Models apiserver/pkg/cel/library/format.go. */
export const namedFormats: Library = {
  ...Object.fromEntries(
    Object.keys(FORMATS)
      .filter((name) => name !== 'cIdentifier')
      .map((name) => [`.format.${name}(): ${FORMAT_TYPE}`, () => formats[name]!]),
  ),
  [`.format.named(string): optional<${FORMAT_TYPE}>`]: ([name]: readonly [string]) =>
    Object.hasOwn(formats, name) ? new Optional(formats[name]!) : Optional.none,
  [`${FORMAT_TYPE}.validate(string): optional<list<string>>`]: ([format, text]: readonly [Opaque, string], run) => {
    run.charge(text.length / 10);
    const errors = FORMATS[format.data as string]!(text);
    return errors.length === 0 ? Optional.none : new Optional([...errors]);
  },
};
