import type { FieldError, Path } from '../../machinery/meta/field.js';
import { isObject } from '../../machinery/meta/object.js';

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

/** The schema of a declared field; only own properties count, since a field can be called 'constructor'. */
export const propertyOf = (schema: StructuralSchema, name: string): StructuralSchema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;

/** The schema of the values of a map; undefined when additionalProperties is a boolean or absent. */
export const additionalSchemaOf = ({ additionalProperties }: StructuralSchema): StructuralSchema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

/** The schema of a field, declared or additional; undefined for a field that the schema does not describe. */
export const fieldSchemaOf = (schema: StructuralSchema, name: string): StructuralSchema | undefined =>
  propertyOf(schema, name) ?? additionalSchemaOf(schema);

/** Validates each field of an object that the schema describes, at its path. */
export function visitFields(
  schema: StructuralSchema,
  value: unknown,
  path: Path,
  visit: (schema: StructuralSchema, value: unknown, path: Path) => FieldError[],
): FieldError[] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const known = propertyOf(schema, name);
    if (known) return visit(known, value[name], path.child(name));
    const additional = additionalSchemaOf(schema);
    return additional ? visit(additional, value[name], path.key(name)) : [];
  });
}

/** Whether a schema or one of its subschemas meets the condition: remembered by schema, since most have none. */
function memoizeSearch(condition: (schema: StructuralSchema) => boolean): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  const search = (schema: StructuralSchema): boolean => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, (found = condition(schema) || subschemas(schema).some(search)));
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
