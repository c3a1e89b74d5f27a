import { isObject } from '../machinery/meta/object.js';
/** A structural schema: the part of JSONSchemaProps that shapes and validates objects. */
export interface StructuralSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** One of x-kubernetes-validations. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

type Fields = Record<string, unknown>;
const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata'];

/** The map with each value replaced; the very same map when nothing changed. `undefined` drops the field. */
function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let out: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const value = change(name, fields[name]);
    if (value === fields[name]) continue;
    out ??= { ...fields };
    if (value === undefined) delete out[name];
    else out[name] = value;
  }
  return out ?? fields;
}

function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const out = items.map(change);
  return out.some((item, i) => item !== items[i]) ? out : items;
}

/** Own properties only: a field may be called 'constructor'. */
export const propertyOf = (schema: StructuralSchema, name: string): StructuralSchema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;

/** Without the fields that the schema does not name. Models apiextensions-apiserver/pkg/apiserver/schema/pruning. */
export function prune(schema: StructuralSchema, value: unknown, isResource = false): unknown {
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => prune(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  const keep = isResource || schema['x-kubernetes-embedded-resource'] ? OBJECT_FIELDS : [];
  return mapFields(value, (name, field) => {
    if (keep.includes(name)) return field;
    const known = propertyOf(schema, name);
    if (known) return prune(known, field);
    const rest = schema.additionalProperties;
    if (typeof rest === 'object') return prune(rest, field);
    return rest === true || schema['x-kubernetes-preserve-unknown-fields'] ? field : undefined;
  });
}

/** The paths that pruning drops, in order. */
export function findUnknownFields(schema: StructuralSchema, value: unknown, isResource = false, path = ''): string[] {
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((item, i) => findUnknownFields(schema.items!, item, false, `${path}[${i}]`))
      : [];
  if (!isObject(value)) return [];
  const keep = isResource || schema['x-kubernetes-embedded-resource'] ? OBJECT_FIELDS : [];
  return Object.keys(value)
    .sort()
    .flatMap((name) => {
      if (keep.includes(name)) return [];
      const at = path ? `${path}.${name}` : name;
      const known =
        propertyOf(schema, name) ??
        (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
      if (known) return findUnknownFields(known, value[name], false, at);
      return schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] ? [] : [at];
    });
}

/**
 * With the schema's defaults where fields are missing, and without nulls that it does not allow. Models
 * apiextensions-apiserver/pkg/apiserver/schema/defaulting.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => applyDefaults(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  let out = mapFields(value, (name, field) => {
    const known = propertyOf(schema, name) ?? rest;
    if (!known) return field;
    if (field === null && !known.nullable)
      return known.default === undefined ? undefined : applyDefaults(known, known.default);
    return applyDefaults(known, field);
  });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || Object.hasOwn(out, name)) continue;
    if (out === value) out = { ...value };
    out[name] = applyDefaults(property, property.default);
  }
  return out;
}

/** Does the schema have such a place anywhere? Remembered, since most have none. */
function memoizeSearch(here: (schema: StructuralSchema) => boolean): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  const search = (schema: StructuralSchema): boolean => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, (found = here(schema) || subschemas(schema).some(search)));
    return found;
  };
  return search;
}

function subschemas({ properties, items, additionalProperties: rest, allOf }: StructuralSchema): StructuralSchema[] {
  return [
    ...Object.values(properties ?? {}),
    ...(items && !Array.isArray(items) ? [items] : []),
    ...(typeof rest === 'object' ? [rest] : []),
    ...(allOf ?? []),
  ];
}

export const hasRules = memoizeSearch((schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0);
export const hasListTypes = memoizeSearch(
  (schema) => schema['x-kubernetes-list-type'] === 'set' || schema['x-kubernetes-list-type'] === 'map',
);
export const hasEmbedded = memoizeSearch((schema) => schema['x-kubernetes-embedded-resource'] === true);
