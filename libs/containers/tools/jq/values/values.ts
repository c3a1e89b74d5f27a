/** A JSON value. Objects are maps: they keep the order of their keys. Nobody changes a value in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = ReadonlyMap<string, Json>;

/** An error that a program can catch; `value` is what `catch` gets. */
export class JqFault extends Error {
  constructor(readonly value: Json) {
    super('jq error');
  }
}

/** Ends jq: more work, depth or memory than one input may take. */
export class JqExhausted extends Error {}

export const fail = (message: string): never => {
  throw new JqFault(message);
};

export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json): value is JsonObject => value instanceof Map;
export const isTruthy = (value: Json): boolean => value !== null && value !== false;

export function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
  return isObject(value) ? 'object' : typeof value;
}

const ORDER = ['null', 'false', 'true', 'number', 'string', 'array', 'object'];
const rankOf = (value: Json): number => ORDER.indexOf(typeof value === 'boolean' ? String(value) : typeOf(value));

/** jq's order of all values. */
export function compare(a: Json, b: Json): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'number') return a < (b as number) ? -1 : a === b ? 0 : 1;
  if (typeof a === 'string') return compareText(a, b as string);
  if (isArray(a)) return compareArrays(a, b as readonly Json[]);
  if (!isObject(a)) return 0;
  const [left, right] = [sortedKeys(a), sortedKeys(b as JsonObject)];
  const keys = compareArrays(left, right);
  if (keys !== 0) return keys;
  return left.map((key) => compare(a.get(key)!, (b as JsonObject).get(key)!)).find((order) => order !== 0) ?? 0;
}

function compareArrays(a: readonly Json[], b: readonly Json[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** By code points, not by UTF-16's units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [x, y] = [a.codePointAt(at) ?? -1, b.codePointAt(at) ?? -1];
  return x - y;
}

export const sortedKeys = (object: JsonObject): string[] => [...object.keys()].sort(compareText);

/** A double as jq prints it: up to 17 digits, an exponent of two digits at least. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308';
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  const sign = value < 0 ? '-' : '';
  if (point <= -4 || point > digits.length + 15) {
    const power = Math.abs(point - 1)
      .toString()
      .padStart(2, '0');
    return `${sign}${mantissa}e${point > 0 ? '+' : '-'}${power}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const MAX_SHOWN = 11;

/** A value in an error's words: cut to what jq's buffer holds. */
export function shorten(value: Json, dumped: string): string {
  return `${typeOf(value)} (${dumped.length > MAX_SHOWN + 3 ? `${dumped.slice(0, MAX_SHOWN)}...` : dumped})`;
}
