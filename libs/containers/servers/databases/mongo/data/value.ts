import { compareStrings } from './order.js';

/**
 * BSON's values as plain data. Text is text, not bytes. What JSON has no word for is an object with one key that
 * begins with $, as MongoDB's extended JSON has it.
 */
export type Value = null | boolean | number | string | Value[] | Document;
export type Document = { [field: string]: Value };

const TAGS: Readonly<Record<string, string>> = {
  ...{ $oid: 'objectId', $date: 'date', $numberLong: 'long', $binary: 'binData', $timestamp: 'timestamp' },
  ...{ $regularExpression: 'regex', $numberDecimal: 'decimal', $minKey: 'minKey', $maxKey: 'maxKey' },
};

export const isDocument = (value: Value | undefined): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && tagOf(value) === undefined;

/** The key of a tagged value: '$oid'. */
export function tagOf(value: Value | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const key in value) return Object.hasOwn(TAGS, key) ? key : undefined;
  return undefined;
}

/** As $type names it. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return isInt(value) ? 'int' : 'double';
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return 'array';
  return TAGS[tagOf(value) ?? ''] ?? 'object';
}

export const isInt = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** A number, also of a long; undefined for anything else. */
export function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return tagOf(value) === '$numberLong' ? Number((value as Document)['$numberLong']) : undefined;
}

const ORDER = ['minKey', 'null', 'number', 'string', 'object', 'array', 'binData', 'objectId', 'bool', 'date'];
const rankOf = (value: Value): number => {
  const type = typeOf(value);
  const at = ORDER.indexOf(['int', 'double', 'long', 'decimal'].includes(type) ? 'number' : type);
  return at < 0 ? ORDER.length : at;
};

/** BSON's order over all values: below 0, 0, above 0. */
export function compareValues(a: Value, b: Value): number {
  const difference = rankOf(a) - rankOf(b);
  if (difference !== 0) return difference;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x - y;
  if (typeof a === 'string') return compareStrings(a, b as string);
  if (Array.isArray(a)) return compareLists(a, b as Value[]);
  if (typeof a !== 'object' || a === null) return Number(a) - Number(b);
  const [one, other] = [Object.entries(a), Object.entries(b as Document)];
  const keys = compareLists(
    one.map(([key]) => key),
    other.map(([key]) => key),
  );
  if (keys !== 0) return keys;
  return compareLists(
    one.map(([, inner]) => inner),
    other.map(([, inner]) => inner),
  );
}

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = compareValues(a[i]!, b[i]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export const isEqual = (a: Value, b: Value): boolean => compareValues(a, b) === 0;

export const fieldOf = (document: Document, name: string): Value | undefined =>
  Object.hasOwn(document, name) ? document[name] : undefined;

/** A copy that shares nothing. */
export const copyValue = <T extends Value>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
