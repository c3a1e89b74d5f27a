import { isObject } from '../meta/object.js';
import { keyElement, valueElement } from './set.js';

export type Fields = { readonly [name: string]: unknown };
/** A type as managed fields need to know it. Models structured-merge-diff/schema. */
export type FieldsType = ScalarType | MapType | ListType | DeducedType;

export interface ScalarType {
  readonly kind: 'scalar';
  /** Undefined: any scalar (quantities, int-or-string, times). */
  readonly of?: 'string' | 'numeric' | 'boolean';
}
export interface MapType {
  readonly kind: 'map';
  /** One manager owns the map as a whole. */
  readonly atomic: boolean;
  /** The type of a named field. */
  field(name: string): FieldsType | undefined;
  /** The type of every other key; undefined when there are no other keys. */
  readonly element?: FieldsType;
  /** Fields that a Go struct always has, with their values when the object does not set them. */
  readonly implicit?: Fields;
}
export interface ListType {
  readonly kind: 'list';
  readonly atomic: boolean;
  readonly element: FieldsType;
  /** The keys of a list of type map. A list without keys that is not atomic is a set. */
  readonly keys?: readonly string[];
  readonly keyDefaults?: Fields;
}
/** The type of a value without a schema: maps are granular, lists atomic. */
export interface DeducedType {
  readonly kind: 'deduced';
}

export const DEDUCED: DeducedType = { kind: 'deduced' };
export const SCALAR: ScalarType = { kind: 'scalar' };
const DEDUCED_MAP: MapType = { kind: 'map', atomic: false, field: () => undefined, element: DEDUCED };
const DEDUCED_LIST: ListType = { kind: 'list', atomic: true, element: DEDUCED };

/** The type that a value is walked as. */
export function resolve(type: FieldsType, value: unknown): ScalarType | MapType | ListType {
  if (type.kind === 'scalar') return type;
  if (isObject(value)) return type.kind === 'map' ? type : DEDUCED_MAP;
  if (Array.isArray(value)) return type.kind === 'list' ? type : DEDUCED_LIST;
  return SCALAR;
}

export const typeOfField = (type: MapType, name: string): FieldsType => type.field(name) ?? type.element ?? DEDUCED;

const isEmpty = (value: Fields): boolean => {
  for (const _ in value) return false;
  return true;
};
/** Whether the value is null, {} or []. */
export const isVoid = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && isEmpty(value));

/** The path element of an item of a list that is a set or a map; undefined when its keys are missing. */
export function itemElement(type: ListType, item: unknown): string | undefined {
  if (!type.keys) return isObject(item) || Array.isArray(item) || item === null ? undefined : valueElement(item);
  if (!isObject(item)) return undefined;
  const fields: [string, unknown][] = [];
  for (const key of type.keys) {
    const value = item[key] ?? type.keyDefaults?.[key];
    if (value === undefined) return undefined;
    fields.push([key, value]);
  }
  return keyElement(fields);
}
