import { memoize } from '../memoize.js';
import { isObject } from '../meta/object.js';

/**
 * A set of field paths as FieldsV1 writes it: a tree whose keys are path elements ('f:spec', 'k:{"name":"a"}', 'v:1',
 * 'i:0').
 * A node is itself in the set when it is empty or has '.'; the root never is. Sets are shared and never changed.
 * Models structured-merge-diff/fieldpath/{set,serialize,element}.go.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}
type Draft = { [element: string]: FieldSet };

export const SELF = '.';
/** A leaf; the empty set when it is the root. */
export const NONE: FieldSet = Object.freeze({});
/** Levels beyond which a client's set is refused. */
const MAX_DEPTH = 128;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

const isMember = (node: FieldSet): boolean => SELF in node || isEmptySet(node);

/** A node of children; undefined when there is nothing in it. */
function node(member: boolean, children: Draft): FieldSet | undefined {
  if (isEmptySet(children)) return member ? NONE : undefined;
  return member ? { [SELF]: NONE, ...children } : children;
}

/** The set with the node itself in it. */
export const withSelf = (set: FieldSet | undefined): FieldSet =>
  set === undefined || isMember(set) ? (set ?? NONE) : { [SELF]: NONE, ...set };

function combine(a: FieldSet, b: FieldSet, isRoot: boolean): FieldSet {
  if (a === b) return a;
  const children: Draft = {};
  for (const key in a) if (key !== SELF) children[key] = a[key]!;
  for (const key in b) {
    if (key === SELF) continue;
    const known = children[key];
    children[key] = known === undefined ? b[key]! : combine(known, b[key]!, false);
  }
  return node(!isRoot && (isMember(a) || isMember(b)), children) ?? NONE;
}

export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isEmptySet(a) ? b : isEmptySet(b) ? a : combine(a, b, true);

function subtract(a: FieldSet, b: FieldSet, isRoot: boolean): FieldSet | undefined {
  const children: Draft = {};
  for (const key in a) {
    if (key === SELF) continue;
    const other = b[key];
    const left = other === undefined ? a[key] : subtract(a[key]!, other, false);
    if (left !== undefined) children[key] = left;
  }
  return node(!isRoot && isMember(a) && !isMember(b), children);
}

export const difference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true) ?? NONE;

function common(a: FieldSet, b: FieldSet, isRoot: boolean): FieldSet | undefined {
  const children: Draft = {};
  for (const key in a) {
    const other = b[key];
    if (key === SELF || other === undefined) continue;
    const both = common(a[key]!, other, false);
    if (both !== undefined) children[key] = both;
  }
  return node(!isRoot && isMember(a) && isMember(b), children);
}

export const intersection = (a: FieldSet, b: FieldSet): FieldSet => common(a, b, true) ?? NONE;

export const sameSet = (a: FieldSet, b: FieldSet): boolean =>
  isEmptySet(difference(a, b)) && isEmptySet(difference(b, a));

/** Calls with every path: a node's own members in order, then what is below them. */
export function eachPath(
  set: FieldSet,
  visit: (path: readonly string[]) => void,
  prefix: readonly string[] = [],
): void {
  const keys = Object.keys(set)
    .filter((k) => k !== SELF)
    .sort();
  for (const key of keys) if (isMember(set[key]!)) visit([...prefix, key]);
  for (const key of keys) eachPath(set[key]!, visit, [...prefix, key]);
}

/** '.spec.template.spec.containers[name="web"].image' */
export const pathText = (path: readonly string[]): string => path.map(elementText).join('');

export function elementText(element: string): string {
  const value = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${value}`;
    case 'v':
      return `[=${value}]`;
    case 'i':
      return `[${value}]`;
    default:
      return `[${Object.entries(JSON.parse(value) as Record<string, unknown>)
        .map(([k, v]) => `${k}=${JSON.stringify(v)}`)
        .join(',')}]`;
  }
}

/** A client's FieldsV1 with canonical elements; undefined when it is no set. */
export function parseSet(value: unknown, depth = 0): FieldSet | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return undefined;
  const children: Draft = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === SELF) continue;
    const element = canonicalElement(key);
    const below = parseSet(inner, depth + 1);
    if (element === undefined || below === undefined) return undefined;
    children[element] = below;
  }
  return node(depth > 0 && (SELF in value || isEmptySet(children)), children) ?? NONE;
}

function canonicalElement(text: string): string | undefined {
  const [type, value] = [text.slice(0, 2), text.slice(2)];
  if (type === 'f:') return text;
  if (type === 'i:') return /^\d{1,9}$/.test(value) ? text : undefined;
  if (type !== 'k:' && type !== 'v:') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    if (type === 'v:') return valueElement(parsed);
    return isObject(parsed) ? keyElement(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}

const MAX_REMEMBERED = 10_000;

/** The names of fields are few, and a key that was one before is found sooner than a new text. */
export const fieldElement: (name: string) => string = memoize(MAX_REMEMBERED, (name) => `f:${name}`);
export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`;
/** Keys in order of their names. */
export const keyElement = (fields: readonly (readonly [string, unknown])[]): string =>
  `k:{${[...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',')}}`;
