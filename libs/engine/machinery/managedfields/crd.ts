import { isObject } from '../meta/object.js';
import { DEDUCED, SCALAR, type Fields, type FieldsType, type MapType, type ScalarType } from './type.js';

type Schema = Fields;

const SCALARS: Readonly<Record<string, ScalarType>> = {
  string: { kind: 'scalar', of: 'string' },
  integer: { kind: 'scalar', of: 'numeric' },
  number: { kind: 'scalar', of: 'numeric' },
  boolean: { kind: 'scalar', of: 'boolean' },
};
const METADATA = 'metadata';

/**
 * The type of a custom resource with this structural schema (undefined: none). Models the OpenAPI that a CRD publishes.
 */
export function customType(schema: Schema | undefined, metadata: FieldsType): FieldsType {
  const own = schema ? typeOf(schema) : DEDUCED;
  const known: Readonly<Record<string, FieldsType>> = {
    apiVersion: SCALARS['string']!,
    kind: SCALARS['string']!,
    [METADATA]: metadata,
  };
  const field = (name: string): FieldsType | undefined =>
    Object.hasOwn(known, name) ? known[name] : own.kind === 'map' ? own.field(name) : undefined;
  const element = own.kind === 'map' ? own.element : DEDUCED;
  return {
    kind: 'map',
    atomic: false,
    field,
    ...(element ? { element } : {}),
    implicit: { [METADATA]: Object.freeze({}) },
  };
}

function typeOf(schema: Schema): FieldsType {
  if (schema['x-kubernetes-int-or-string'] === true) return SCALAR;
  switch (schema['type']) {
    case 'object':
      return mapOf(schema);
    case 'array':
      return listOf(schema);
    case undefined:
      return DEDUCED;
    default:
      return SCALARS[String(schema['type'])] ?? SCALAR;
  }
}

function mapOf(schema: Schema): MapType {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const rest = schema['additionalProperties'];
  const element = isObject(rest)
    ? typeOf(rest)
    : rest === true ||
        schema['x-kubernetes-preserve-unknown-fields'] === true ||
        schema['x-kubernetes-embedded-resource'] === true
      ? DEDUCED
      : undefined;
  const types = new Map<string, FieldsType>();
  return {
    kind: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    ...(element ? { element } : {}),
    field(name) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isObject(inner)) return undefined;
      let type = types.get(name);
      if (!type) types.set(name, (type = typeOf(inner)));
      return type;
    },
  };
}

function listOf(schema: Schema): FieldsType {
  const items = isObject(schema['items']) ? schema['items'] : {};
  const keys = schema['x-kubernetes-list-map-keys'];
  const listType = schema['x-kubernetes-list-type'];
  const isMap = listType === 'map' && Array.isArray(keys);
  return {
    kind: 'list',
    atomic: !isMap && listType !== 'set',
    element: typeOf(items),
    ...(isMap ? { keys: keys.map(String), keyDefaults: defaultsOf(items) } : {}),
  };
}

function defaultsOf(items: Schema): Fields {
  const properties = isObject(items['properties']) ? items['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, p]) =>
      isObject(p) && p['default'] !== undefined ? [[name, p['default']] as const] : [],
    ),
  );
}
