import { ArgumentFailure, CallFailure } from '../../../go-template/failures.js';
import type { Arity, TemplateFunction } from '../../../go-template/functions.js';
import { GoInt, isMap, isNil, printValue, typeName } from '../../../go-template/values.js';

/** A function with the types of its parameters. */
export interface TypedFunction {
  readonly call: TemplateFunction;
  readonly arity: readonly [number, number];
}

/** What stands in a table of functions; their names are the fields. */
export type FunctionTable = Readonly<Record<string, TypedFunction>>;

type Kind = 's' | 'i' | 'm' | 'l' | 'b' | 'a';

const NAMES: Readonly<Record<Kind, string>> = {
  ...{ s: 'string', i: 'int', m: 'map[string]interface {}', l: '[]interface {}', b: 'bool', a: '' },
};

/**
 * A function by the kinds of its parameters, as Go's reflection checks them: `s` a string, `i` an int (given as a
 * number), `m` a map, `l` a list, `b` a bool, `a` anything; the last one with `*` takes any number of arguments.
 */
export function typed(signature: string, call: (...args: never[]) => unknown): TypedFunction {
  const isOpen = signature.endsWith('*');
  const kinds = [...signature.replace('*', '')] as Kind[];
  const least = isOpen ? kinds.length - 1 : kinds.length;
  const check = (args: readonly unknown[]): unknown[] =>
    args.map((value, i) => take(value, kinds[Math.min(i, kinds.length - 1)]!, i));
  return {
    call: (args) => (call as (...args: unknown[]) => unknown)(...check(args)),
    arity: [least, isOpen ? Infinity : kinds.length],
  };
}

function take(value: unknown, kind: Kind, index: number): unknown {
  if (kind === 'a') return isNil(value) ? null : value;
  const wanted = NAMES[kind];
  if (isNil(value)) {
    if (kind === 'l') return [];
    throw new ArgumentFailure(index, `invalid value; expected ${wanted}`, wanted);
  }
  const fits =
    kind === 's'
      ? typeof value === 'string'
      : kind === 'i'
        ? value instanceof GoInt
        : kind === 'm'
          ? isMap(value)
          : kind === 'b'
            ? typeof value === 'boolean'
            : Array.isArray(value);
  if (!fits)
    throw new ArgumentFailure(index, `wrong type for value; expected ${wanted}; got ${typeName(value)}`, wanted);
  return value instanceof GoInt ? value.value : value;
}

export const arityOf = (table: FunctionTable): Arity =>
  Object.fromEntries(Object.entries(table).map(([name, { arity }]) => [name, arity]));

export const callsOf = (table: FunctionTable): Readonly<Record<string, TemplateFunction>> =>
  Object.fromEntries(Object.entries(table).map(([name, { call }]) => [name, call]));

export const fail = (message: string): never => {
  throw new CallFailure(message);
};

/** As sprig's strval: anything as text. */
export const textValue = (value: unknown): string =>
  typeof value === 'string' ? value : isNil(value) ? '' : printValue(value);

/** Models sprig's empty: nothing, zero, false, no characters, no entries. */
export function isEmpty(value: unknown): boolean {
  if (isNil(value) || value === '' || value === 0 || value === false) return true;
  if (value instanceof GoInt) return value.value === 0;
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}

/** Models spf13/cast ToInt64: what is no number is 0. */
export function toInteger(value: unknown): number {
  if (value instanceof GoInt) return value.value;
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return 0;
  const text = value.replaceAll('_', '').trim();
  if (/^[-+]?0[xX][\da-fA-F]+$/.test(text)) return Number.parseInt(text, 16);
  if (/^[-+]?0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^[-+]?\d+(?:\.0*)?$/.test(text) ? Math.trunc(Number(text)) : 0;
}

export function toFloat(value: unknown): number {
  if (value instanceof GoInt) return value.value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' ? Number(value.trim() === '' ? 'x' : value) : 0;
  return Number.isFinite(number) ? number : 0;
}

export const int64 = (value: number): GoInt => new GoInt(value, 'int64');
/** Entries of a list that a function makes. */
export const MAX_LIST = 10_000;
/** Characters of a text that a function makes. */
export const MAX_TEXT = 2 << 20;

export function limitText(text: string): string {
  if (text.length > MAX_TEXT) fail('the text is too long');
  return text;
}
