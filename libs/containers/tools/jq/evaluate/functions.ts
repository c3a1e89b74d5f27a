import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { findMatches } from './regex.js';
import { gmtime, mktime, strftime, strptime } from '../values/dates.js';
import { describe, dump } from '../values/json.js';
import { JsonFault, JsonReader } from '../values/read-json.js';
import { fail, isArray, isObject, isTruthy, type Json, sortedKeys, typeOf } from '../values/values.js';

/** A function of a value and of its arguments' values. */
export type Simple = (value: Json, ...args: Json[]) => Json;

const text = (value: Json): string => (typeof value === 'string' ? value : fail('explode input must be a string'));

function lengthOf(value: Json): Json {
  if (value === null) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return [...value].length;
  if (isArray(value)) return value.length;
  return isObject(value) ? value.size : fail(`${describe(value)} has no length`);
}

function keysOf(value: Json, sorts: boolean): Json {
  if (isArray(value)) return value.map((_, i) => i);
  if (!isObject(value)) return fail(`${describe(value)} has no keys`);
  return sorts ? sortedKeys(value) : [...value.keys()];
}

function has(value: Json, key: Json): Json {
  if (isObject(value) && typeof key === 'string') return value.has(key);
  if (isArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  return fail(
    `Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string key' : `${typeOf(key)} key`}`,
  );
}

function contains(a: Json, b: Json): boolean {
  if (typeOf(a) !== typeOf(b) && !(typeof a === 'boolean' && typeof b === 'boolean'))
    return fail(`${describe(a)} and ${describe(b)} cannot have their containment checked`);
  if (typeof a === 'string') return a.includes(b as string);
  const holds = (x: Json, y: Json): boolean => typeOf(x) === typeOf(y) && contains(x, y);
  if (isArray(a)) return (b as readonly Json[]).every((y) => a.some((x) => holds(x, y)));
  if (!isObject(a)) return a === b || dump(a) === dump(b);
  return [...(b as ReadonlyMap<string, Json>)].every(([key, y]) => a.has(key) && holds(a.get(key)!, y));
}

function flatten(value: Json, depth: Json): Json {
  if (typeof depth !== 'number') return fail('flatten depth must not be negative');
  if (depth < 0) return fail('flatten depth must not be negative');
  const inner = (items: readonly Json[], left: number): Json[] =>
    items.flatMap((item) => (isArray(item) && left > 0 ? inner(item, left - 1) : [item]));
  if (isObject(value)) return inner([...value.values()], depth);
  return isArray(value) ? inner(value, depth) : fail(`Cannot iterate over ${describe(value)}`);
}

function toNumber(value: Json): Json {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return fail(`${describe(value)} cannot be parsed as a number`);
  const isNumber = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value);
  if (isNumber) return Number(value);
  return fail(`Invalid numeric literal at EOF at line 1, column ${value.length} (while parsing '${value}')`);
}

function fromJson(value: Json): Json {
  const source = typeof value === 'string' ? value : fail(`${describe(value)} cannot be parsed as JSON`);
  try {
    const reader = new JsonReader(bytesOf(source));
    const first = reader.next();
    if (first !== undefined && reader.next() !== undefined) throw new JsonFault('Unexpected extra JSON values');
    return first?.value ?? null;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return fail(`${error.message} (while parsing '${source}')`);
  }
}

function implode(value: Json): Json {
  if (!isArray(value)) return fail('implode input must be an array');
  const letters = value.map((point) => {
    if (typeof point !== 'number') return fail('Unicode codepoint must be numeric');
    return point >= 0 && point <= 0x10ffff ? String.fromCodePoint(Math.floor(point)) : '\ufffd';
  });
  return letters.join('');
}

function indicesOf(value: Json, part: Json): Json {
  if (typeof value !== 'string' || typeof part !== 'string')
    return fail(`Cannot determine indices of ${typeOf(part)} in ${typeOf(value)}`);
  const found: number[] = [];
  if (part === '') return null;
  for (let at = value.indexOf(part); at >= 0; at = value.indexOf(part, at + 1))
    found.push([...value.slice(0, at)].length);
  return found;
}

const upper = (value: string): string => value.replace(/[a-z]/g, (c) => c.toUpperCase());
const lower = (value: string): string => value.replace(/[A-Z]/g, (c) => c.toLowerCase());

function trim(value: Json, sides: 'both' | 'start' | 'end'): Json {
  if (typeof value !== 'string') return fail(`${describe(value)} cannot be trimmed`);
  if (sides === 'start') return value.trimStart();
  return sides === 'end' ? value.trimEnd() : value.trim();
}

function transpose(value: Json): Json {
  if (!isArray(value)) return fail(`Cannot iterate over ${describe(value)}`);
  const rows = value.map((row) => (isArray(row) ? row : []));
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i] ?? null));
}

/** By name and count of arguments. */
export const FUNCTIONS: Readonly<Record<string, Simple>> = {
  'not/0': (value) => !isTruthy(value),
  'length/0': lengthOf,
  'utf8bytelength/0': (value) =>
    typeof value === 'string' ? bytesOf(value).length : fail(`${describe(value)} only strings have UTF-8 byte length`),
  'type/0': typeOf,
  'keys/0': (value) => keysOf(value, true),
  'keys_unsorted/0': (value) => keysOf(value, false),
  'has/1': has,
  'contains/1': contains,
  'flatten/1': flatten,
  'tostring/0': (value) => (typeof value === 'string' ? value : dump(value)),
  'tonumber/0': toNumber,
  'tojson/0': (value) => dump(value),
  'fromjson/0': fromJson,
  'explode/0': (value) => [...text(value)].map((letter) => letter.codePointAt(0)!),
  'implode/0': implode,
  '_indices/1': indicesOf,
  'startswith/1': (value, part) =>
    typeof value === 'string' && typeof part === 'string'
      ? value.startsWith(part)
      : fail('startswith() requires string inputs'),
  'endswith/1': (value, part) =>
    typeof value === 'string' && typeof part === 'string'
      ? value.endsWith(part)
      : fail('endswith() requires string inputs'),
  'ltrimstr/1': (value, part) =>
    typeof value === 'string' && typeof part === 'string' && value.startsWith(part) ? value.slice(part.length) : value,
  'rtrimstr/1': (value, part) =>
    typeof value === 'string' && typeof part === 'string' && part !== '' && value.endsWith(part)
      ? value.slice(0, -part.length)
      : value,
  'trim/0': (value) => trim(value, 'both'),
  'ltrim/0': (value) => trim(value, 'start'),
  'rtrim/0': (value) => trim(value, 'end'),
  'ascii_downcase/0': (value) => lower(text(value)),
  'ascii_upcase/0': (value) => upper(text(value)),
  'transpose/0': transpose,
  'gmtime/0': gmtime,
  'localtime/0': gmtime,
  'mktime/0': mktime,
  'strftime/1': strftime,
  'strflocaltime/1': strftime,
  'strptime/1': strptime,
  '_match/3': (value, pattern, flags, tests) => findMatches(value, pattern, flags, tests === true),
  'infinite/0': () => Infinity,
  'nan/0': () => Number.NaN,
  'null/0': () => null,
  'true/0': () => true,
  'false/0': () => false,
  'isinfinite/0': (value) => typeof value === 'number' && !Number.isFinite(value) && !Number.isNaN(value),
  'isnan/0': (value) => (typeof value === 'number' ? Number.isNaN(value) : fail(`${describe(value)} number required`)),
  'isnormal/0': (value) =>
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) >= 2.2250738585072014e-308,
  'get_search_list/0': () => ['~/.jq', '$ORIGIN/../lib/jq', '$ORIGIN/../lib'],
};
