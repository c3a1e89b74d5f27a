import { isObject } from '../meta/object.js';
import { fieldElement, isEmptySet, NONE, SELF, withSelf, type FieldSet } from './set.js';
import { isVoid, itemElement, resolve, typeOfField, type Fields, type FieldsType } from './type.js';

type Draft = { [element: string]: FieldSet };

/**
 * The paths that a configuration sets: leaves, keys of maps and items, not the structs on the way. Models
 * typed/tofieldset.go.
 */
export const fieldsOf = (value: unknown, type: FieldsType): FieldSet => below(value, type) ?? NONE;

/** The set below a value: NONE for a leaf, undefined when there is nothing in it. */
function below(value: unknown, type: FieldsType): FieldSet | undefined {
  const known = resolve(type, value);
  if (known.kind === 'scalar' || known.atomic) return NONE;
  const set: Draft = {};
  if (known.kind === 'map') {
    const map = value as Fields;
    for (const name of Object.keys(map).sort()) {
      const inner = map[name];
      const named = known.field(name);
      const found = below(inner, named ?? typeOfField(known, name));
      const isSet = !named || inner === null || (isObject(inner) && isVoid(inner));
      if (found || isSet) set[fieldElement(name)] = isSet ? withSelf(found) : found!;
    }
  } else {
    for (const item of value as readonly unknown[]) {
      const element = itemElement(known, item);
      if (element !== undefined) set[element] = withSelf(below(item, known.element));
    }
  }
  return isEmptySet(set) ? undefined : set;
}

/** The set with every struct field on the way to one of its paths. Models Set.EnsureNamedFieldsAreMembers. */
export function withNamedFields(set: FieldSet, type: FieldsType): FieldSet {
  const out: Draft = {};
  for (const element in set) {
    const inner = set[element]!;
    if (element === SELF) {
      out[SELF] = NONE;
      continue;
    }
    const named = element.startsWith('f:') && type.kind === 'map' ? type.field(element.slice(2)) : undefined;
    const next = named ?? (type.kind === 'list' || type.kind === 'map' ? type.element : undefined);
    const deep = next && !isEmptySet(inner) ? withNamedFields(inner, next) : inner;
    out[element] = named ? withSelf(deep) : deep;
  }
  return out;
}

/**
 * The value without the paths of a set; undefined when nothing is left. Shares what it does not change. Models
 * typed/remove.go.
 */
export function removeFields(value: unknown, set: FieldSet, type: FieldsType): unknown {
  const known = resolve(type, value);
  if (known.kind === 'scalar') return value;
  if (known.atomic || isVoid(value)) return undefined;
  if (known.kind === 'list') {
    const kept: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      const inner = set[itemElement(known, item) ?? ''];
      if (inner === undefined) kept.push(item);
      else if (!(SELF in inner) && !isEmptySet(inner)) kept.push(removeFields(item, inner, known.element));
    }
    return kept.length > 0 ? kept : undefined;
  }
  const kept: { [name: string]: unknown } = {};
  for (const [name, field] of Object.entries(value as Fields)) {
    const inner = set[fieldElement(name)];
    if (inner === undefined) kept[name] = field;
    else if (!(SELF in inner) && !isEmptySet(inner)) {
      const left = removeFields(field, inner, typeOfField(known, name));
      if (left !== undefined) kept[name] = left;
    }
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}
