import { bytesOf } from '../../../engine/kernel/bytes.js';
import { CallFailure, WrongCount } from './failures.js';
import { formatPrintf } from './printf.js';
import { GoInt, GoObject, intOf, isMap, isNil, isTrue, NO_VALUE, printValue, typeName } from './values.js';

export type TemplateFunction = (args: readonly unknown[]) => unknown;
/** How many arguments a function takes: at least, at most. */
export type Arity = Readonly<Record<string, readonly [number, number]>>;

const fail = (message: string): never => {
  throw new CallFailure(message);
};

/** Of the functions of text/template. */
export const ARITY: Arity = {
  ...{ not: [1, 1], len: [1, 1], eq: [1, Infinity], ne: [2, 2], lt: [2, 2], le: [2, 2], gt: [2, 2], ge: [2, 2] },
  ...{ index: [1, Infinity], slice: [1, 4], printf: [1, Infinity] },
};

/** Functions of text/template itself. */
export const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  not: ([value]) => !isTrue(value),
  len: ([value]) => new GoInt(lengthOf(value)),
  eq: ([first, ...others]) =>
    others.length === 0 ? fail('missing argument for comparison') : others.some((other) => equals(first, other)),
  ne: ([a, b]) => !equals(a, b),
  lt: ([a, b]) => less(a, b),
  le: ([a, b]) => less(a, b) || equals(a, b),
  gt: ([a, b]) => !(less(a, b) || equals(a, b)),
  ge: ([a, b]) => !less(a, b),
  index: ([value, ...keys]) => keys.reduce(indexInto, value),
  slice: ([value, ...ends]) => sliceOf(value, ends),
  print: (args) => printAll(args),
  println: (args) => `${args.map(printValue).join(' ')}\n`,
  printf: ([format, ...args]) =>
    typeof format === 'string'
      ? formatPrintf(format, args)
      : fail(`wrong type for value; expected string; got ${typeName(format)}`),
  html: (args) => printAll(args).replace(/[&<>"'\0]/g, (letter) => ENTITIES[letter]!),
  urlquery: (args) => encodeURIComponent(printAll(args)).replaceAll('%20', '+'),
  js: (args) => printAll(args).replace(/[\\'"<>&=\n\r\t]/g, escapeScript),
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\uFFFD',
};

const escapeScript = (letter: string): string =>
  /[\\'"]/.test(letter) ? `\\${letter}` : `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Throws WrongCount, CallFailure. */
export function callFunction(name: string, call: TemplateFunction, arity: Arity, args: readonly unknown[]): unknown {
  const [least, most] = (Object.hasOwn(arity, name) ? arity[name] : undefined) ?? [0, Infinity];
  if (args.length < least || args.length > most) {
    const want = most === Infinity ? `at least ${least}` : String(most);
    throw new WrongCount(`wrong number of args for ${name}: want ${want} got ${args.length}`);
  }
  return call(args);
}

/** Models fmt.Sprint: a blank between two that are no strings. */
export function printAll(args: readonly unknown[]): string {
  return args
    .map((one, i) => (i > 0 && typeof one !== 'string' && typeof args[i - 1] !== 'string' ? ' ' : '') + printValue(one))
    .join('');
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return bytesOf(value).length;
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  if (value === null || value === undefined || value === NO_VALUE) return fail('len of nil pointer');
  return fail(`len of type ${typeName(value)}`);
}

function equals(a: unknown, b: unknown): boolean {
  if (isNil(a) || isNil(b)) return isNil(a) && isNil(b);
  if (typeof a === 'object' && !(a instanceof GoInt))
    return fail(`non-comparable type ${printValue(a)}: ${typeName(a)}`);
  const [whole, other] = [intOf(a), intOf(b)];
  if (whole !== undefined && other !== undefined) return whole === other;
  if (typeName(a) !== typeName(b)) return fail('incompatible types for comparison');
  return a === b;
}

function less(a: unknown, b: unknown): boolean {
  if (isNil(a) || isNil(b) || typeof a === 'boolean') return fail('invalid type for comparison');
  const [whole, other] = [intOf(a), intOf(b)];
  if (whole !== undefined && other !== undefined) return whole < other;
  if (typeName(a) !== typeName(b)) return fail('incompatible types for comparison');
  return (a as number) < (b as number);
}

function indexInto(value: unknown, key: unknown): unknown {
  if (isNil(value)) return fail('index of untyped nil');
  if (Array.isArray(value)) {
    const at = intOf(key);
    if (at === undefined) return fail(`cannot index slice/array with type ${typeName(key)}`);
    if (at < 0 || at >= value.length) return fail(`index out of range: ${at}`);
    return value[at] as unknown;
  }
  if (value instanceof GoObject) return indexInto(value.fields, key);
  if (isMap(value)) {
    if (typeof key !== 'string') return fail(`value has type ${typeName(key)}; should be string`);
    return Object.hasOwn(value, key) ? value[key] : NO_VALUE;
  }
  return fail(`can't index item of type ${typeName(value)}`);
}

function sliceOf(value: unknown, ends: readonly unknown[]): unknown {
  if (typeof value !== 'string' && !Array.isArray(value)) return fail(`can't slice item of type ${typeName(value)}`);
  const numbers = ends.map((end) => intOf(end) ?? fail(`cannot index slice/array with type ${typeName(end)}`));
  const [from = 0, to = value.length] = numbers;
  if (from < 0 || to > value.length) return fail(`index out of range: ${to > value.length ? to : from}`);
  if (from > to) return fail(`invalid slice index: ${from} > ${to}`);
  return value.slice(from, to);
}
