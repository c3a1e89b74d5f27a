import type { JSONSchemaProps } from '../../../api/apiextensions_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../machinery/meta/field.js';
import { validateValueValidation } from './value-validation.js';
import { validateRules } from './rules.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies'] as const;
const MAX_DEPTH = 100;
const WHILE_INT_OR_STRING = 'must be false if x-kubernetes-int-or-string is true';

type Level = 'root' | 'field' | 'item';
const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/**
 * The rules of structural schemas. What is within `uncorrelated` cannot be found again in an object's former state.
 * Models apiextensions-apiserver/pkg/apiserver/schema/validation.go.
 */
export function validateStructure(
  schema: JSONSchemaProps,
  path: Path,
  level: Level = 'root',
  depth = 0,
  uncorrelated?: Path,
): FieldError[] {
  if (depth > MAX_DEPTH) return [forbiddenField(path, `schemas may not be nested deeper than ${MAX_DEPTH} levels`)];
  const errors = [
    ...validateType(schema, path, level),
    ...validateNode(schema, path, level),
    ...validateMetadata(schema, path, level),
    ...validateValueValidation(schema, path),
    ...validateRules(schema, path, level === 'root', uncorrelated),
  ];
  const ofFields = uncorrelated ?? (schema['x-kubernetes-map-type'] === 'atomic' ? path : undefined);
  const ofItems = uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...validateStructure(property, path.child('properties').key(name), 'field', depth + 1, ofFields));
  }
  const { items, additionalProperties: rest } = schema as {
    items?: JSONSchemaProps;
    additionalProperties?: JSONSchemaProps | boolean;
  };
  if (Array.isArray(items))
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  else if (items) errors.push(...validateStructure(items, path.child('items'), 'item', depth + 1, ofItems));
  if (rest && typeof rest === 'object')
    errors.push(...validateStructure(rest, path.child('additionalProperties'), 'field', depth + 1, uncorrelated));
  return errors;
}

function validateType(schema: JSONSchemaProps, path: Path, level: Level): FieldError[] {
  const at = path.child('type');
  if (schema['x-kubernetes-embedded-resource'] && schema.type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    return [schema.type ? invalidValue(at, schema.type, why) : required(at, why)];
  }
  const exempt = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'] || schema.$ref;
  if (!schema.type) return exempt ? [] : [required(at, MISSING_TYPE[level])];
  const unknown = TYPES.includes(schema.type) ? [] : [notSupported(at, schema.type, TYPES)];
  return level === 'root' && schema.type !== 'object'
    ? [...unknown, invalidValue(at, schema.type, 'must be object at the root')]
    : unknown;
}

function validateNode(schema: JSONSchemaProps, path: Path, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.$ref) errors.push(forbiddenField(path.child('$ref'), '$ref is not supported'));
  if (schema.uniqueItems)
    errors.push(
      forbiddenField(
        path.child('uniqueItems'),
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  for (const field of UNSUPPORTED)
    if (schema[field] !== undefined) errors.push(forbiddenField(path.child(field), `${field} is not supported`));
  if (level === 'root' && schema.nullable)
    errors.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  const rest = schema.additionalProperties;
  const at = path.child('additionalProperties');
  if (rest && level === 'root') errors.push(forbiddenField(at, 'must not be used at the root'));
  if (rest && schema['x-kubernetes-embedded-resource'])
    errors.push(forbiddenField(at, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (schema.properties && Object.keys(schema.properties).length > 0 && typeof rest === 'object' && rest !== null)
    errors.push(forbiddenField(at, 'additionalProperties and properties are mutual exclusive'));
  if (schema.type === 'array' && !schema.items) errors.push(required(path.child('items'), 'must be specified'));
  return [...errors, ...validateExtensions(schema, path), ...validateListType(schema, path)];
}

function validateExtensions(schema: JSONSchemaProps, path: Path): FieldError[] {
  const [preserves, embedded, either, mapType] = [
    schema['x-kubernetes-preserve-unknown-fields'],
    schema['x-kubernetes-embedded-resource'],
    schema['x-kubernetes-int-or-string'],
    schema['x-kubernetes-map-type'],
  ];
  const errors: FieldError[] = [];
  if (preserves === false)
    errors.push(invalidValue(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  if (either && preserves)
    errors.push(invalidValue(path.child('x-kubernetes-preserve-unknown-fields'), true, WHILE_INT_OR_STRING));
  if (either && embedded)
    errors.push(invalidValue(path.child('x-kubernetes-embedded-resource'), true, WHILE_INT_OR_STRING));
  if (mapType !== undefined && schema.type !== 'object')
    errors.push(
      schema.type
        ? invalidValue(path.child('type'), schema.type, 'must be object if x-kubernetes-map-type is specified')
        : required(path.child('type'), 'must be object if x-kubernetes-map-type is specified'),
    );
  if (mapType !== undefined && !MAP_TYPES.includes(mapType))
    errors.push(notSupported(path.child('x-kubernetes-map-type'), mapType, MAP_TYPES));
  if (embedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    errors.push(
      required(
        path.child('properties'),
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  }
  return errors;
}

/** At the root, and in objects within objects, what every object has may hardly be restricted. */
function validateMetadata(schema: JSONSchemaProps, path: Path, level: Level): FieldError[] {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return [];
  const errors: FieldError[] = [];
  for (const [name, type] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = schema.properties?.[name];
    if (property && property.type !== type)
      errors.push(
        invalidValue(path.child('properties').key(name).child('type'), property.type ?? '', `must be ${type}`),
      );
  }
  const metadata = schema.properties?.['metadata'];
  if (level === 'root' && metadata && !isNamesOnly(metadata)) {
    errors.push(
      forbiddenField(
        path.child('properties').key('metadata'),
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  }
  return errors;
}

function isNamesOnly(metadata: JSONSchemaProps): boolean {
  const { type: _type, description: _description, default: _default, properties = {}, ...rest } = metadata;
  return Object.keys(properties).every((name) => name === 'name' || name === 'generateName') && deepEqual(rest, {});
}

function validateListType(schema: JSONSchemaProps, path: Path): FieldError[] {
  const [type, keys] = [schema['x-kubernetes-list-type'], schema['x-kubernetes-list-map-keys']];
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (type === undefined)
    return keys?.length
      ? [required(path.child('x-kubernetes-list-type'), 'must be map if x-kubernetes-list-map-keys is non-empty')]
      : [];
  if (!LIST_TYPES.includes(type)) return [notSupported(path.child('x-kubernetes-list-type'), type, LIST_TYPES)];
  const errors: FieldError[] = [];
  if (schema.type !== 'array')
    errors.push(
      schema.type
        ? invalidValue(path.child('type'), schema.type, 'must be array if x-kubernetes-list-type is specified')
        : required(path.child('type'), 'must be array if x-kubernetes-list-type is specified'),
    );
  const items = schema.items as JSONSchemaProps | undefined;
  if (items && type !== 'atomic') errors.push(...validateListItems(items, type, keys ?? [], path.child('items')));
  if (type !== 'map')
    return keys?.length
      ? [
          ...errors,
          invalidValue(
            path.child('x-kubernetes-list-type'),
            type,
            'must be map if x-kubernetes-list-map-keys is non-empty',
          ),
        ]
      : errors;
  if (!keys?.length) return [...errors, required(keysPath, 'must not be empty if x-kubernetes-list-type is map')];
  if (items?.type !== 'object') return errors;
  keys.forEach((key, i) => {
    if (!Object.hasOwn(items.properties ?? {}, key))
      errors.push(invalidValue(keysPath, keys, 'entries must all be names of item properties'));
    if (keys.indexOf(key) !== i) errors.push(invalidValue(keysPath, keys, 'must not contain duplicate entries'));
  });
  return errors;
}

/** Items of sets and maps are told apart by their values or keys, so that these must be there and be plain. */
function validateListItems(items: JSONSchemaProps, type: string, keys: readonly string[], path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (items.nullable)
    errors.push(forbiddenField(path.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${type}`));
  return [...errors, ...(type === 'set' ? validateSetItems(items, path) : validateMapItems(items, keys, path))];
}

const ATOMIC_IN_SET = 'must be atomic as item of a list with x-kubernetes-list-type=set';

function validateSetItems(items: JSONSchemaProps, path: Path): FieldError[] {
  const [mapType, listType] = [items['x-kubernetes-map-type'], items['x-kubernetes-list-type']];
  if (items.type === 'object' && mapType !== 'atomic')
    return [invalidValue(path.child('x-kubernetes-map-type'), mapType ?? null, ATOMIC_IN_SET)];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalidValue(path.child('x-kubernetes-list-type'), listType, ATOMIC_IN_SET)];
  return [];
}

const OBJECT_IN_MAP = "must be object if parent array's x-kubernetes-list-type is map";

function validateMapItems(items: JSONSchemaProps, keys: readonly string[], path: Path): FieldError[] {
  if (items.type !== 'object') return [invalidValue(path.child('type'), items.type ?? '', OBJECT_IN_MAP)];
  const errors: FieldError[] = [];
  for (const key of new Set(keys)) {
    const property = items.properties?.[key];
    if (!property) continue;
    const at = path.child('properties').key(key);
    if (property.type === 'object' || property.type === 'array')
      errors.push(
        invalidValue(
          at.child('type'),
          property.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (property.default === undefined && !items.required?.includes(key))
      errors.push(
        required(
          at.child('default'),
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (property.nullable)
      errors.push(
        forbiddenField(
          at.child('nullable'),
          'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
        ),
      );
  }
  return errors;
}
