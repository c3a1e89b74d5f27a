import type { Budget } from '../evaluate/budget.js';
import { describe, dump } from './json.js';
import { compare, fail, isArray, isObject, type Json, type JsonObject, typeOf } from './values.js';

/** The largest index that an array may grow to. */
const MAX_INDEX = 1_000_000;

const sliceKey = (from: Json, to: Json): JsonObject =>
  new Map([
    ['start', from],
    ['end', to],
  ]);
export { sliceKey };

/** `value[key]`. Throws JqFault. */
export function getKey(value: Json, key: Json): Json {
  if (isObject(value) && typeof key === 'string') return value.get(key) ?? null;
  if (isArray(value) && typeof key === 'number') return value[indexOf(key, value.length)] ?? null;
  if (isObject(key) && (isArray(value) || typeof value === 'string')) return slice(value, key);
  if (value === null && (key === null || typeof key === 'string' || typeof key === 'number' || isObject(key)))
    return null;
  if (isArray(value) && isArray(key)) return findAll(value, key);
  return fail(indexFault(value, key));
}

function indexFault(value: Json, key: Json): string {
  if (typeof key === 'string') return `Cannot index ${typeOf(value)} with string "${key}"`;
  return `Cannot index ${typeOf(value)} with ${typeOf(key)}`;
}

const indexOf = (key: number, length: number): number => (key < 0 ? Math.floor(key) + length : Math.floor(key));

/** Where `part` begins in `value`. */
export function findAll(value: readonly Json[], part: readonly Json[]): Json[] {
  const found: number[] = [];
  if (part.length === 0) return found;
  for (let at = 0; at + part.length <= value.length; at++) {
    if (part.every((item, i) => compare(value[at + i]!, item) === 0)) found.push(at);
  }
  return found;
}

function bounds(key: JsonObject, length: number): [number, number] {
  const read = (name: string, otherwise: number, round: (value: number) => number): number => {
    const given = key.get(name) ?? null;
    if (given === null) return otherwise;
    if (typeof given !== 'number') return fail('Start and end indices of an array slice must be numbers');
    return Math.min(Math.max(round(given < 0 ? given + length : given), 0), length);
  };
  const from = read('start', 0, Math.floor);
  return [from, Math.max(from, read('end', length, Math.ceil))];
}

function slice(value: readonly Json[] | string, key: JsonObject): Json {
  if (isArray(value)) return value.slice(...bounds(key, value.length));
  const letters = [...value];
  return letters.slice(...bounds(key, letters.length)).join('');
}

export function getPath(value: Json, path: readonly Json[]): Json {
  let at = value;
  for (const key of path) {
    if (at === null) return null;
    at = getKey(at, key);
  }
  return at;
}

/** A copy with another value at the end of the path. */
export function setPath(value: Json, path: readonly Json[], to: Json, budget: Budget, depth = 0): Json {
  if (depth === path.length) return to;
  const key = path[depth]!;
  const inner = value === null ? null : getKey(value, key);
  return setKey(value, key, setPath(inner, path, to, budget, depth + 1), budget);
}

function setKey(value: Json, key: Json, to: Json, budget: Budget): Json {
  if (typeof key === 'string' && (value === null || isObject(value))) {
    budget.spend(1 + ((value?.size ?? 0) >> 3));
    return new Map(value ?? []).set(key, to);
  }
  if (typeof key === 'number' && (value === null || isArray(value))) return setIndex(value ?? [], key, to, budget);
  if (isObject(key) && (value === null || isArray(value))) {
    if (!isArray(to)) return fail('A slice of an array can only be assigned another array');
    const items = value ?? [];
    const [from, end] = bounds(key, items.length);
    budget.spend(1 + (items.length >> 3));
    return [...items.slice(0, from), ...to, ...items.slice(end)];
  }
  if (isObject(key)) return fail(`Cannot update field at object index of ${typeOf(value)}`);
  return fail(indexFault(value, key));
}

function setIndex(items: readonly Json[], key: number, to: Json, budget: Budget): Json {
  const index = indexOf(key, items.length);
  if (index < 0) return fail('Out of bounds negative array index');
  if (index > MAX_INDEX) return fail('Array index too large');
  budget.spend(1 + (Math.max(items.length, index) >> 3));
  const copy = [...items];
  while (copy.length < index) copy.push(null);
  copy[index] = to;
  return copy;
}

/** A copy without what stands at these paths. */
export function deletePaths(value: Json, paths: Json, budget: Budget): Json {
  if (!isArray(paths)) return fail('Paths must be specified as an array');
  const sorted = [...paths].sort((a, b) => compare(b, a));
  let result = value;
  for (const path of sorted) {
    if (!isArray(path)) return fail('Path must be specified as an array');
    result = deletePath(result, path, 0, budget);
  }
  return result;
}

function deletePath(value: Json, path: readonly Json[], depth: number, budget: Budget): Json {
  if (depth === path.length || value === null) return null;
  const key = path[depth]!;
  if (depth < path.length - 1) {
    const inner = getKey(value, key);
    return inner === null ? value : setKey(value, key, deletePath(inner, path, depth + 1, budget), budget);
  }
  if (isObject(value) && typeof key === 'string') {
    budget.spend(1 + (value.size >> 3));
    const copy = new Map(value);
    copy.delete(key);
    return copy;
  }
  if (isArray(value) && typeof key === 'number') {
    budget.spend(1 + (value.length >> 3));
    const index = indexOf(key, value.length);
    return value.filter((_, i) => i !== index);
  }
  if (isArray(value) && isObject(key)) {
    const [from, end] = bounds(key, value.length);
    return [...value.slice(0, from), ...value.slice(end)];
  }
  return fail(`Cannot delete field at ${typeof key === 'number' ? 'array' : 'object'} index of ${typeOf(value)}`);
}

/** Members with their keys. Throws JqFault for what has none. */
export function membersOf(value: Json): readonly (readonly [Json, Json])[] {
  if (isArray(value)) return value.map((item, i) => [i, item] as const);
  if (isObject(value)) return [...value];
  return fail(`Cannot iterate over ${describe(value)}`);
}

export const invalidPath = (value: Json): never => fail(`Invalid path expression with result ${cut(value)}`);

function cut(value: Json): string {
  const text = dump(value);
  return text.length > 14 ? `${text.slice(0, 11)}...` : text;
}
