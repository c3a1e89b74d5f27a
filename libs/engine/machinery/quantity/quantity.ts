/** Resource quantities: '100m', '1.5Gi', '1e3'. Models apimachinery/pkg/api/resource/quantity.go. */
import { LRUCache } from 'lru-cache';

type Format = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
interface Quantity {
  readonly nanos: bigint;
  readonly format: Format;
}

const PATTERN = /^([+-]?)(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+|)$/;
const NANO = 1_000_000_000n;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const MAX_EXPONENT = 30;
const MAX_LENGTH = 64;
const MAX_CACHED_QUANTITIES = 4096;

export const QUANTITY_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

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
  const match = text.length <= MAX_LENGTH ? PATTERN.exec(text) : null;
  if (!match) return undefined;
  const [, sign, digits = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const mantissa = BigInt(whole + fraction || '0');
  const { factor, exponent, format } = scale(suffix);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const power = 9 + exponent - fraction.length;
  const nanos =
    power >= 0 ? mantissa * factor * 10n ** BigInt(power) : divideUp(mantissa * factor, 10n ** BigInt(-power));
  return { nanos: sign === '-' ? -nanos : nanos, format };
}

function scale(suffix: string): { factor: bigint; exponent: number; format: Format } {
  const binary = suffix === '' ? -1 : BINARY.indexOf(suffix);
  if (binary > 0) return { factor: 1024n ** BigInt(binary), exponent: 0, format: 'BinarySI' };
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return { factor: 1n, exponent: (decimal - 3) * 3, format: 'DecimalSI' };
  return { factor: 1n, exponent: Number(suffix.slice(1)), format: 'DecimalExponent' };
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
  if (!quantity) throw new Error(QUANTITY_ERROR);
  return quantity;
};

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
