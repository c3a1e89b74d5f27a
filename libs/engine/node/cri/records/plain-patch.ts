import type { Plain } from '../../../kernel/process/program.js';

/**
 * The difference between two values of plain data, as JSON. `[at, removed, inserted]` is a splice of a text or a list;
 * `in` has the changes of fields, or of a list's places, that stay; `gone` the fields that do not.
 */
export type PlainPatch =
  | { readonly set: Plain }
  | { readonly text: readonly [at: number, removed: number, inserted: string] }
  | { readonly list: readonly [at: number, removed: number, inserted: readonly Plain[]] }
  | { readonly in: Readonly<Record<string, PlainPatch>>; readonly gone?: readonly string[] };

type Fields = Readonly<Record<string, Plain | undefined>>;

/** A shorter text is written anew. */
const SPLICED_LENGTH = 40;

const isFields = (value: Plain | undefined): value is Record<string, Plain> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What makes `next` of `before`; undefined: nothing. A field that is undefined is not there, as in JSON. */
export function diffPlain(before: Plain, next: Plain): PlainPatch | undefined {
  if (before === next) return undefined;
  if (typeof before === 'string' && typeof next === 'string') return diffText(before, next);
  if (Array.isArray(before) && Array.isArray(next)) return diffList(before, next);
  if (isFields(before) && isFields(next)) return diffFields(before, next);
  return { set: next };
}

function diffText(before: string, next: string): PlainPatch {
  if (next.length < SPLICED_LENGTH) return { set: next };
  const shorter = Math.min(before.length, next.length);
  const start = next.startsWith(before) ? before.length : commonStart(before, next, shorter);
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === next.charCodeAt(next.length - 1 - end))
    end++;
  return { text: [start, before.length - start - end, next.slice(start, next.length - end)] };
}

function commonStart(before: string, next: string, shorter: number): number {
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === next.charCodeAt(start)) start++;
  return start;
}

function diffList(before: readonly Plain[], next: readonly Plain[]): PlainPatch | undefined {
  const shorter = Math.min(before.length, next.length);
  if (before.length === next.length) return diffPlaces(before, next);
  let start = 0;
  while (start < shorter && isSame(before[start]!, next[start]!)) start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end)!, next.at(-1 - end)!)) end++;
  return { list: [start, before.length - start - end, next.slice(start, next.length - end)] };
}

const isSame = (before: Plain, next: Plain): boolean => diffPlain(before, next) === undefined;

function diffPlaces(before: readonly Plain[], next: readonly Plain[]): PlainPatch | undefined {
  let changes: [string, PlainPatch][] | undefined;
  for (let i = 0; i < next.length; i++) {
    const change = diffPlain(before[i]!, next[i]!);
    if (change !== undefined) (changes ??= []).push([String(i), change]);
  }
  return changes && { in: Object.fromEntries(changes) };
}

/** Most fields are as they were: they are only compared. */
function diffFields(before: Fields, next: Fields): PlainPatch | undefined {
  let changes: [string, PlainPatch][] | undefined;
  let stayed = 0;
  for (const key in next) {
    const value = next[key];
    if (value === undefined) continue;
    const isKnown = before[key] === value || Object.hasOwn(before, key);
    if (isKnown) stayed++;
    const change = isKnown ? diffPlain(before[key]!, value) : { set: value };
    if (change !== undefined) (changes ??= []).push([key, change]);
  }
  const gone = goneFrom(before, next, stayed);
  if (changes === undefined && gone === undefined) return undefined;
  // A key of any name is a field of its own, also '__proto__'.
  return { in: Object.fromEntries(changes ?? []), ...(gone && { gone }) };
}

function goneFrom(before: Fields, next: Fields, stayed: number): string[] | undefined {
  let count = 0;
  for (const _key in before) count++;
  if (count === stayed) return undefined;
  return Object.keys(before).filter((key) => !Object.hasOwn(next, key) || next[key] === undefined);
}

/** The value after a patch; what has not changed is shared with the value before. */
export function applyPatch(before: Plain, patch: PlainPatch): Plain {
  if ('set' in patch) return patch.set;
  if ('text' in patch) {
    const [at, removed, inserted] = patch.text;
    const text = before as string;
    return text.slice(0, at) + inserted + text.slice(at + removed);
  }
  if ('list' in patch) {
    const [at, removed, inserted] = patch.list;
    const list = before as readonly Plain[];
    return [...list.slice(0, at), ...inserted, ...list.slice(at + removed)];
  }
  return Array.isArray(before) ? applyInList(before, patch.in) : applyInFields(before as Fields, patch);
}

function applyInList(before: readonly Plain[], changes: Readonly<Record<string, PlainPatch>>): Plain[] {
  const list = [...before];
  for (const [place, change] of Object.entries(changes)) list[Number(place)] = applyPatch(list[Number(place)]!, change);
  return list;
}

function applyInFields(before: Fields, { in: changes, gone = [] }: Extract<PlainPatch, { in: unknown }>): Plain {
  const fields = new Map(Object.entries(before));
  for (const key of gone) fields.delete(key);
  for (const [key, change] of Object.entries(changes)) fields.set(key, applyPatch(fields.get(key) ?? null, change));
  return Object.fromEntries(fields) as Record<string, Plain>;
}
