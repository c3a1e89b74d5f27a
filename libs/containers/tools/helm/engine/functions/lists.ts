import { GoInt, isMap, isNil } from '../../../go-template/values.js';
import { isSame } from './same.js';
import { fail, type FunctionTable, isEmpty, MAX_LIST, textValue, toInteger, typed } from './typed.js';

type List = readonly unknown[];

function limit<T>(list: readonly T[]): readonly T[] {
  if (list.length > MAX_LIST) fail(`the list is too long (${MAX_LIST})`);
  return list;
}

/** `until 3`, `untilStep 0 10 2`: integers of Go's. */
function count(from: number, to: number, step: number): GoInt[] {
  if (step === 0 || (to - from) * step < 0) return [];
  const length = Math.ceil((to - from) / step);
  if (length > MAX_LIST) fail(`the list is too long (${MAX_LIST})`);
  return Array.from({ length }, (_, i) => new GoInt(from + i * step));
}

/** Models the shell's seq: its bounds are in it. */
function sequence(...given: number[]): string {
  const [from, step, to] =
    given.length === 1
      ? [1, given[0]! < 1 ? -1 : 1, given[0]!]
      : given.length === 2
        ? [given[0]!, given[1]! < given[0]! ? -1 : 1, given[1]!]
        : given.length === 3
          ? (given as [number, number, number])
          : [0, 0, 0];
  if (step === 0) return '';
  return count(from, to + Math.sign(step), step)
    .map(({ value }) => value)
    .join(' ');
}

const uniqueOf = (list: List): unknown[] => {
  const found: unknown[] = [];
  for (const one of limit(list)) if (!found.some((other) => isSame(one, other))) found.push(one);
  return found;
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => !isNil(one)).map(textValue) : isNil(value) ? [] : [textValue(value)];

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const splitMap = (parts: readonly string[]): Record<string, string> =>
  Object.fromEntries(parts.map((part, i) => [`_${i}`, part]));

/** Functions of sprig's list.go and numeric.go that make lists. */
export const LISTS: FunctionTable = {
  list: typed('a*', (...values: List) => values),
  tuple: typed('a*', (...values: List) => values),
  first: typed('l', (list: List) => list[0] ?? null),
  last: typed('l', (list: List) => list.at(-1) ?? null),
  rest: typed('l', (list: List) => list.slice(1)),
  initial: typed('l', (list: List) => list.slice(0, -1)),
  append: typed('la', (list: List, value: unknown) => limit([...list, value])),
  push: typed('la', (list: List, value: unknown) => limit([...list, value])),
  prepend: typed('la', (list: List, value: unknown) => limit([value, ...list])),
  concat: typed('l*', (...lists: readonly List[]) => limit(lists.flat())),
  reverse: typed('l', (list: List) => [...list].reverse()),
  uniq: typed('l', uniqueOf),
  compact: typed('l', (list: List) => list.filter((one) => !isEmpty(one))),
  without: typed('la*', (list: List, ...gone: List) => list.filter((one) => !gone.some((other) => isSame(one, other)))),
  has: typed('aa', (value: unknown, list: unknown) => {
    if (isNil(list)) return false;
    if (!Array.isArray(list)) fail(`Cannot find has on type ${isMap(list) ? 'map' : typeof list}`);
    return (list as List).some((one) => isSame(one, value));
  }),
  slice: typed('la*', (list: List, ...ends: List) => {
    const [from = 0, to = list.length] = ends.map(toInteger);
    if (from < 0 || to > list.length || from > to)
      fail(`runtime error: slice bounds out of range [${from}:${to}] with capacity ${list.length}`);
    return list.slice(from, to);
  }),
  chunk: typed('il', (size: number, list: List) => {
    if (size < 1) return [];
    return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
  }),
  join: typed('sa', (separator: string, list: unknown) => textsOf(list).join(separator)),
  sortAlpha: typed('a', (list: unknown) => textsOf(list).sort(compareTexts)),
  toStrings: typed('a', textsOf),
  splitList: typed('ss', (separator: string, text: string) => limit(text.split(separator))),
  split: typed('ss', (separator: string, text: string) => splitMap(limit(text.split(separator)) as string[])),
  splitn: typed('sis', (separator: string, most: number, text: string) => {
    const parts = text.split(separator);
    return splitMap(
      most > 0 && parts.length > most ? [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)] : parts,
    );
  }),
  until: typed('i', (to: number) => count(0, to, to < 0 ? -1 : 1)),
  untilStep: typed('iii', count),
  seq: typed('i*', sequence),
};
