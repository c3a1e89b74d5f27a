/**
 * What a variable holds. Of bytearrays, lists and long repetitions only their length and bytes are known: programs
 * that fill memory make them.
 */
export type Value = string | number | boolean | null | Held;
export type Held = { readonly type: 'str' | 'bytearray' | 'list'; readonly length: number; readonly bytes: number };
export type Variables = Readonly<Record<string, Value>>;

/** An expression that is not known. */
export class UnknownExpression extends Error {}
/** An exception that Python would raise. */
export class PythonError extends Error {}

/** Longer texts are not made: their length is kept. */
const MAX_TEXT = 1 << 16;
/** A reference in a list. */
const REFERENCE = 8;
/** sys.getsizeof of an empty object, about. */
const HEADER = 56;

export const isHeld = (value: Value): value is Held => typeof value === 'object' && value !== null;

export const isTrue = (value: Value): boolean => (isHeld(value) ? value.length > 0 : Boolean(value));

/** As print shows it. Throws UnknownExpression for what is not kept. */
export function show(value: Value): string {
  if (value === null) return 'None';
  if (isHeld(value)) throw new UnknownExpression(`the content of a ${value.type}`);
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
}

export const bytesHeld = (value: Value): number =>
  isHeld(value) ? HEADER + value.bytes : HEADER + (typeof value === 'string' ? value.length : 0);

export const lengthOf = (value: Value): number => (isHeld(value) ? value.length : show(value).length);

export const bytearray = (length: number): Held => ({ type: 'bytearray', length, bytes: length });

export const listOf = (items: readonly Value[]): Held => ({
  type: 'list',
  length: items.length,
  bytes: items.reduce<number>((sum, item) => sum + REFERENCE + bytesHeld(item), 0),
});

/** A list with one item more. */
export const append = (list: Held, item: Value): Held => ({
  type: 'list',
  length: list.length + 1,
  bytes: list.bytes + REFERENCE + bytesHeld(item),
});

/** A sequence several times, as `*` makes it: what a list refers to is there once. */
export function repeat(value: string | Held, times: number): Value {
  const count = Math.max(0, times);
  if (typeof value === 'string') {
    const length = value.length * count;
    return length <= MAX_TEXT ? value.repeat(count) : { type: 'str', length, bytes: length };
  }
  const bytes = value.type === 'list' ? value.length * count * REFERENCE : value.bytes * count;
  return { type: value.type, length: value.length * count, bytes };
}

export function join(a: string | Held, b: string | Held): Value {
  const length = lengthOf(a) + lengthOf(b);
  if (typeof a === 'string' && typeof b === 'string' && length <= MAX_TEXT) return a + b;
  const type = typeof a === 'string' ? 'str' : a.type;
  return { type, length, bytes: [a, b].reduce((sum, one) => sum + (isHeld(one) ? one.bytes : one.length), 0) };
}

/** A type's name, as exceptions say it. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (isHeld(value)) return value.type;
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'str' : Number.isInteger(value) ? 'int' : 'float';
}
