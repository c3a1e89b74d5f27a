/** Resource quantities: '100m', '1.5Gi', '1e3'. Models apimachinery/pkg/api/resource/quantity.go. */
import { LRUCache } from 'lru-cache';

type Format = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
interface Quantity {
  readonly nanos: bigint;
  readonly format: Format;
}

const NANO = 1_000_000_000n;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const MAX_EXPONENT = 30;
const MAX_LENGTH = 64;
const MAX_CACHED_QUANTITIES = 4096;
const DIGITS = '0123456789';
const SUFFIX_LETTERS = 'eEinumkKMGTP';
const EXPONENT = /^[eE][+-]?\d+$/;

const FORMAT_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_WRONG = "unable to parse quantity's suffix";

// oxlint-disable-next-line house/no-module-state -- texts of at most 64 characters
const cache = new LRUCache<string, Quantity>({ max: MAX_CACHED_QUANTITIES });

/** Undefined when the text is no quantity. Precision ends at nano units, rounded up away from zero. */
function parse(text: string): Quantity | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const quantity = parseFresh(text);
  if (quantity) cache.set(text, quantity);
  return quantity;
}

function parseFresh(text: string): Quantity | undefined {
  const parts = splitQuantity(text);
  const scale = parts && scaleOf(parts.suffix);
  if (!scale || Math.abs(scale.exponent) > MAX_EXPONENT) return undefined;
  const { isNegative, whole, fraction } = parts;
  const mantissa = BigInt(whole + fraction || '0') * scale.factor;
  const power = 9 + scale.exponent - fraction.length;
  const nanos = power >= 0 ? mantissa * 10n ** BigInt(power) : divideUp(mantissa, 10n ** BigInt(-power));
  return { nanos: isNegative ? -nanos : nanos, format: scale.format };
}

interface QuantityParts {
  readonly isNegative: boolean;
  /** The digits before and behind the point; either may be ''. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

/** The parts of a quantity with any suffix; undefined when the form is wrong. Models parseQuantityString. */
function splitQuantity(text: string): QuantityParts | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  const hasSign = text.startsWith('-') || text.startsWith('+');
  const wholeStart = hasSign ? 1 : 0;
  const wholeEnd = skip(text, wholeStart, DIGITS);
  const hasPoint = text[wholeEnd] === '.';
  const end = hasPoint ? skip(text, wholeEnd + 1, DIGITS) : wholeEnd;
  const lettersEnd = skip(text, end, SUFFIX_LETTERS);
  const exponentStart = text[lettersEnd] === '-' || text[lettersEnd] === '+' ? lettersEnd + 1 : lettersEnd;
  if (skip(text, exponentStart, DIGITS) !== text.length) return undefined;
  return {
    isNegative: text.startsWith('-'),
    whole: text.slice(wholeStart, wholeEnd),
    fraction: hasPoint ? text.slice(wholeEnd + 1, end) : '',
    suffix: text.slice(end),
  };
}

/** The index behind the run of these characters that begins at `from`. */
function skip(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text[at]!)) at++;
  return at;
}

/** Undefined for a suffix that upstream does not know. Models suffix.go interpret. */
function scaleOf(suffix: string): { factor: bigint; exponent: number; format: Format } | undefined {
  const binary = suffix === '' ? -1 : BINARY.indexOf(suffix);
  if (binary > 0) return { factor: 1024n ** BigInt(binary), exponent: 0, format: 'BinarySI' };
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return { factor: 1n, exponent: (decimal - 3) * 3, format: 'DecimalSI' };
  return EXPONENT.test(suffix)
    ? { factor: 1n, exponent: Number(suffix.slice(1)), format: 'DecimalExponent' }
    : undefined;
}

/** Rounds away from zero. */
function divideUp(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b === a ? quotient : quotient + (a < 0n ? -1n : 1n);
}

function format({ nanos, format: wanted }: Quantity): string {
  const units = nanos / NANO;
  const whole = units * NANO === nanos;
  if (nanos === 0n) return '0';
  if (wanted === 'BinarySI' && whole && (units <= -1024n || units >= 1024n)) {
    let [value, step] = [units, 0];
    while (step < BINARY.length - 1 && value % 1024n === 0n) [value, step] = [value / 1024n, step + 1];
    return `${value}${BINARY[step]}`;
  }
  let [value, step] = [nanos, 0];
  while (step < DECIMAL.length - 1 && value % 1000n === 0n) [value, step] = [value / 1000n, step + 1];
  if (wanted !== 'DecimalExponent') return `${value}${DECIMAL[step]}`;
  return step === 3 ? String(value) : `${value}e${(step - 3) * 3}`;
}

const parseOrThrow = (text: string): Quantity => {
  const quantity = parse(text);
  if (!quantity) throw new Error(quantityFault(text));
  return quantity;
};

/** Why a text is no quantity; undefined when it is one. Models the errors of ParseQuantity. */
export function quantityFault(text: string): string | undefined {
  if (parse(text)) return undefined;
  const parts = splitQuantity(text);
  return parts && !scaleOf(parts.suffix) ? SUFFIX_WRONG : FORMAT_WRONG;
}

export const isQuantity = (text: string): boolean => parse(text) !== undefined;

/** In units, rounded up: bytes of '1Ki' (1024), CPUs of '100m' (1). NaN when the text is no quantity. */
export function quantityValue(text: string): number {
  const quantity = parse(text);
  return quantity ? Number(divideUp(quantity.nanos, NANO)) : NaN;
}

/** In thousandths, rounded up: '100m' is 100, '2' is 2000. NaN when the text is no quantity. */
export function milliValue(text: string): number {
  const quantity = parse(text);
  return quantity ? Number(divideUp(quantity.nanos, 1_000_000n)) : NaN;
}

/** As the API server prints it: '0.5' -> '500m', '1024Mi' -> '1Gi'. Returns the text itself when it is no quantity. */
export function canonicalQuantity(text: string): string {
  const quantity = parse(text);
  return quantity ? format(quantity) : text;
}

/** Negative, zero or positive, as for sort. Throws when either is no quantity. */
export function compareQuantity(a: string, b: string): number {
  const [x, y] = [parseOrThrow(a).nanos, parseOrThrow(b).nanos];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The sum, in the format of the first operand that is not zero. Throws when either is no quantity. */
export function addQuantities(a: string, b: string): string {
  const [x, y] = [parseOrThrow(a), parseOrThrow(b)];
  return format({ nanos: x.nanos + y.nanos, format: x.nanos === 0n ? y.format : x.format });
}

/** a - b, in the format of a (of b when a is zero). Throws when either is no quantity. */
export function subtractQuantities(a: string, b: string): string {
  const [x, y] = [parseOrThrow(a), parseOrThrow(b)];
  return format({ nanos: x.nanos - y.nanos, format: x.nanos === 0n ? y.format : x.format });
}
