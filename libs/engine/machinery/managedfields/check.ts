import { isObject } from '../meta/object.js';
import { goValue } from '../meta/field.js';
import { elementText, fieldElement } from './set.js';
import {
  itemElement,
  resolve,
  typeOfField,
  type Fields,
  type FieldsType,
  type ListType,
  type ScalarType,
} from './type.js';

const MAX_ERRORS = 100;

/**
 * Returns why a configuration is not of its type, in upstream's words: '.spec.foo: field not declared in schema'.
 * Models typed/validate.go.
 */
export function checkFields(value: unknown, type: FieldsType): string[] {
  const errors: string[] = [];
  check(value, type, '', errors);
  return errors.slice(0, MAX_ERRORS);
}

function check(value: unknown, type: FieldsType, path: string, errors: string[]): void {
  if (errors.length >= MAX_ERRORS || value === null || value === undefined) return;
  const fault = mismatch(value, type);
  if (fault) {
    errors.push(`${path}: ${fault}`);
    return;
  }
  const known = resolve(type, value);
  if (known.kind === 'map') {
    for (const [name, inner] of Object.entries(value as Fields)) {
      const at = path + elementText(fieldElement(name));
      if (!known.field(name) && !known.element) errors.push(`${at}: field not declared in schema`);
      else check(inner, typeOfField(known, name), at, errors);
    }
  } else if (known.kind === 'list') checkItems(value as readonly unknown[], known, path, errors);
}

function checkItems(list: readonly unknown[], type: ListType, path: string, errors: string[]): void {
  const seen = new Set<string>();
  list.forEach((item, i) => {
    if (type.atomic) return check(item, type.element, `${path}[${i}]`, errors);
    const element = itemElement(type, item);
    if (element === undefined) return void errors.push(`${path}: element ${i}: ${keyFault(type, item)}`);
    const text = elementText(element);
    if (seen.has(element)) errors.push(`${path}: duplicate entries for key ${text}`);
    seen.add(element);
    check(item, type.element, path + text, errors);
  });
}

function keyFault(type: ListType, item: unknown): string {
  if (!type.keys)
    return item === null
      ? "associative list without keys has an element that's a null type"
      : `associative list without keys has an element that's a ${Array.isArray(item) ? 'list' : 'map'} type`;
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const missing = type.keys.find((key) => (item[key] ?? type.keyDefaults?.[key]) === undefined);
  return `associative list with keys has an element that omits key field ${JSON.stringify(missing)} (and doesn't have default value)`;
}

function mismatch(value: unknown, type: FieldsType): string | undefined {
  if (type.kind === 'map') return isObject(value) ? undefined : `expected map, got &{${goValue(value)}}`;
  if (type.kind === 'list') return Array.isArray(value) ? undefined : `expected list, got &{${goValue(value)}}`;
  return type.kind === 'scalar' ? scalarFault(value, type) : undefined;
}

function scalarFault(value: unknown, { of }: ScalarType): string | undefined {
  if (of === 'string' && typeof value !== 'string')
    return `expected string, got &value.valueUnstructured{Value:${goValue(value)}}`;
  if (of === 'numeric' && typeof value !== 'number') return `expected numeric (int or float), got ${goType(value)}`;
  if (of === 'boolean' && typeof value !== 'boolean')
    return `expected boolean, got &value.valueUnstructured{Value:${goValue(value)}}`;
  return !of && (isObject(value) || Array.isArray(value)) ? `expected scalar, got &{${goValue(value)}}` : undefined;
}

function goType(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
