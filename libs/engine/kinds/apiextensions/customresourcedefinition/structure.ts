import type { JSONSchemaProps } from '../../../api/apiextensions_v1.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const LIST_TYPES = ['atomic', 'map', 'set'];
const MAX_DEPTH = 100;

type Level = 'root' | 'field' | 'item';
const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/** The main rules of structural schemas. Models apiextensions-apiserver/pkg/apiserver/schema validateStructuralInvariants. */
export function validateStructure(schema: JSONSchemaProps, path: Path, level: Level = 'root', depth = 0): FieldError[] {
  if (depth > MAX_DEPTH) return [forbiddenField(path, `schemas may not be nested deeper than ${MAX_DEPTH} levels`)];
  const errors = [...validateType(schema, path, level), ...validateNode(schema, path)];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...validateStructure(property, path.child('properties').key(name), 'field', depth + 1));
  }
  const { items, additionalProperties: rest } = schema as { items?: JSONSchemaProps; additionalProperties?: JSONSchemaProps | boolean };
  if (Array.isArray(items)) errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  else if (items) errors.push(...validateStructure(items, path.child('items'), 'item', depth + 1));
  if (rest && typeof rest === 'object') errors.push(...validateStructure(rest, path.child('additionalProperties'), 'field', depth + 1));
  return errors;
}

function validateType(schema: JSONSchemaProps, path: Path, level: Level): FieldError[] {
  const at = path.child('type');
  const exempt = level !== 'root' && (schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']);
  if (!schema.type) return exempt ? [] : [required(at, MISSING_TYPE[level])];
  if (!TYPES.includes(schema.type)) return [notSupported(at, schema.type, TYPES)];
  return level === 'root' && schema.type !== 'object' ? [invalidValue(at, schema.type, 'must be object at the root')] : [];
}

function validateNode(schema: JSONSchemaProps, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.$ref) errors.push(forbiddenField(path.child('$ref'), '$ref is not supported'));
  if (schema.uniqueItems) errors.push(forbiddenField(path.child('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  const rest = schema.additionalProperties;
  if (schema.properties && (rest === false || (typeof rest === 'object' && rest !== null))) {
    errors.push(forbiddenField(path.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'));
  }
  if (schema.type === 'array' && !schema.items) errors.push(required(path.child('items'), 'must be specified'));
  return [...errors, ...validateListType(schema, path)];
}

function validateListType(schema: JSONSchemaProps, path: Path): FieldError[] {
  const [type, keys] = [schema['x-kubernetes-list-type'], schema['x-kubernetes-list-map-keys']];
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (type === undefined) return keys?.length ? [required(path.child('x-kubernetes-list-type'), 'must be map if x-kubernetes-list-map-keys is non-empty')] : [];
  if (!LIST_TYPES.includes(type)) return [notSupported(path.child('x-kubernetes-list-type'), type, LIST_TYPES)];
  if (type === 'map') return keys?.length ? [] : [required(keysPath, 'must not be empty if x-kubernetes-list-type is map')];
  return keys?.length ? [invalidValue(path.child('x-kubernetes-list-type'), type, 'must be map if x-kubernetes-list-map-keys is non-empty')] : [];
}
