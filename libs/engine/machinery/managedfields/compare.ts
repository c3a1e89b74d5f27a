import { isObject } from '../meta/object.js';
import { deepEqual } from '../meta/equal.js';
import { fieldElement, NONE, SELF, type FieldSet } from './set.js';
import {
  isVoid,
  itemElement,
  resolve,
  typeOfField,
  type Fields,
  type FieldsType,
  type ListType,
  type MapType,
} from './type.js';

/** The paths in which two objects differ; no path is in more than one set. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}
type Part = { -readonly [P in keyof Comparison]?: FieldSet };
type Draft = { [element: string]: FieldSet };

/** Models structured-merge-diff/typed/compare.go. */
export function compare(left: unknown, right: unknown, type: FieldsType): Comparison {
  const part = walk(left, right, type);
  return { added: part?.added ?? NONE, modified: part?.modified ?? NONE, removed: part?.removed ?? NONE };
}

function walk(left: unknown, right: unknown, type: FieldsType): Part | undefined {
  if (left === right) return undefined;
  if (left === undefined) return { added: whole(right, type) };
  if (right === undefined) return { removed: whole(left, type) };
  if (isVoid(left) && isVoid(right)) return deepEqual(left, right) ? undefined : { modified: NONE };
  const present = isVoid(right) ? left : right;
  const known = resolve(type, present);
  if (known.kind === 'scalar' || known.atomic) return deepEqual(left, right) ? undefined : { modified: NONE };
  if (known.kind === 'map') {
    if (!isBlank(left) && !isObject(left)) return { modified: NONE };
    return fields(isObject(left) ? left : {}, isObject(right) ? right : {}, known);
  }
  if (!isBlank(left) && !Array.isArray(left)) return { modified: NONE };
  return items(Array.isArray(left) ? left : [], Array.isArray(right) ? right : [], known);
}

const isBlank = (value: unknown): boolean => value === null || isVoid(value);

/** Gathers the parts of children under their elements. */
class Parts {
  private part: { added?: Draft; modified?: Draft; removed?: Draft } | undefined;

  add(element: string, part: Part | undefined): void {
    if (!part) return;
    this.part ??= {};
    if (part.added) (this.part.added ??= {})[element] = part.added;
    if (part.modified) (this.part.modified ??= {})[element] = part.modified;
    if (part.removed) (this.part.removed ??= {})[element] = part.removed;
  }

  get result(): Part | undefined {
    return this.part;
  }
}

function fields(left: Fields, right: Fields, type: MapType): Part | undefined {
  const parts = new Parts();
  const implicit = type.implicit;
  for (const name of namesOf(left, right)) {
    const unset = implicit?.[name];
    parts.add(fieldElement(name), walk(own(left, name) ?? unset, own(right, name) ?? unset, typeOfField(type, name)));
  }
  return parts.result;
}

const own = (value: Fields, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

function namesOf(left: Fields, right: Fields): string[] {
  const names = Object.keys(right);
  for (const name of Object.keys(left)) if (!Object.hasOwn(right, name)) names.push(name);
  return names.length > MAX_INSERTED ? names.sort() : insertInOrder(names);
}

const MAX_INSERTED = 16;

/** Sorts in place. Of a few names the built-in sort makes copies and calls. */
function insertInOrder(names: string[]): string[] {
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}

function items(left: readonly unknown[], right: readonly unknown[], type: ListType): Part | undefined {
  const parts = new Parts();
  const [from, to] = [byElement(left, type), byElement(right, type)];
  for (const [element, was] of from) parts.add(element, item(was, to.get(element), type));
  for (const [element, is] of to) if (!from.has(element)) parts.add(element, item(undefined, is, type));
  return parts.result;
}

/** Items that repeat a key are owned as a whole. */
function item(
  was: readonly unknown[] | undefined,
  is: readonly unknown[] | undefined,
  type: ListType,
): Part | undefined {
  if ((was?.length ?? 0) <= 1 && (is?.length ?? 0) <= 1) return walk(was?.[0], is?.[0], type.element);
  if (deepEqual(was, is)) return undefined;
  if ((was?.length ?? 0) > 1 && (is?.length ?? 0) > 1) return { modified: NONE };
  return (is?.length ?? 0) > 1 ? { added: NONE } : { removed: NONE };
}

function byElement(list: readonly unknown[], type: ListType): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const value of list) {
    const element = itemElement(type, value);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same) same.push(value);
    else found.set(element, [value]);
  }
  return found;
}

/** Every path of a value that is new, its own included. */
function whole(value: unknown, type: FieldsType): FieldSet {
  const known = resolve(type, value);
  if (known.kind === 'scalar' || known.atomic || isVoid(value)) return NONE;
  const set: Draft = { [SELF]: NONE };
  if (known.kind === 'map') {
    const map = value as Fields;
    for (const name of Object.keys(map).sort()) set[fieldElement(name)] = whole(map[name], typeOfField(known, name));
  } else {
    for (const one of value as readonly unknown[]) {
      const element = itemElement(known, one);
      if (element !== undefined) set[element] = element in set ? NONE : whole(one, known.element);
    }
  }
  return set;
}
