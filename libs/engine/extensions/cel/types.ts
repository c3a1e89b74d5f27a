import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  Environment,
  escapeName,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../machinery/cel/index.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { own } from '../../machinery/meta/object.js';

const FORMAT_TYPES: Readonly<Record<string, Type>> = {
  byte: BYTES,
  duration: DURATION,
  date: TIMESTAMP,
  'date-time': TIMESTAMP,
};

/**
 * The CEL type of a schema's values; undefined where the schema does not declare one. Models
 * apiserver/pkg/cel/common/schemas.go SchemaDeclType.
 */
export function schemaDeclType(schema: StructuralSchema, isResource: boolean, name = 'self'): Type | undefined {
  if (schema['x-kubernetes-int-or-string']) return ANY;
  switch (schema.type) {
    case 'array': {
      const item =
        schema.items &&
        schemaDeclType(schema.items, schema.items['x-kubernetes-embedded-resource'] ?? false, `${name}.@idx`);
      return item && listOf(item);
    }
    case 'object':
      return objectDeclType(schema, isResource, name);
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return (schema.format !== undefined && own(FORMAT_TYPES, schema.format)) || STRING;
    default:
      return undefined;
  }
}

function objectDeclType(schema: StructuralSchema, isResource: boolean, name: string): Type | undefined {
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') {
    const value = schemaDeclType(rest, rest['x-kubernetes-embedded-resource'] ?? false, `${name}.@elem`);
    return value && mapOf(STRING, value);
  }
  const fields = new Map<string, { type: Type; property: string }>();
  for (const [property, field] of Object.entries(schema.properties ?? {})) {
    const [escaped, type] = [
      escapeName(property),
      schemaDeclType(field, field['x-kubernetes-embedded-resource'] ?? false, `${name}.${property}`),
    ];
    if (escaped !== undefined && type) fields.set(escaped, { type, property });
  }
  if (isResource) {
    for (const property of ['apiVersion', 'kind']) fields.set(property, { type: STRING, property });
    fields.set('metadata', { type: objectMeta, property: 'metadata' });
  }
  return { kind: 'object', name, fields };
}

/** Rules see only the names of an object's metadata. */
const objectMeta: ObjectType = {
  kind: 'object',
  name: 'self.metadata',
  fields: new Map(['name', 'generateName'].map((property) => [property, { type: STRING, property }])),
};

/** The environments in which the rules of a schema are compiled: oldSelf is optional for rules with optionalOldSelf. */
export interface RuleEnvironments {
  readonly plain: Environment;
  readonly optional: Environment;
}
const environmentsBySchema = new WeakMap<StructuralSchema, RuleEnvironments | null>();

/** Computed once for a schema; undefined where the schema does not declare a type. */
export function environmentsOf(schema: StructuralSchema, isResource: boolean): RuleEnvironments | undefined {
  let environments = environmentsBySchema.get(schema);
  if (environments === undefined) {
    const self = schemaDeclType(schema, isResource);
    environments = self
      ? {
          plain: new Environment({ variables: { self, oldSelf: self } }),
          optional: new Environment({ variables: { self, oldSelf: optionalOf(self) } }),
        }
      : null;
    environmentsBySchema.set(schema, environments);
  }
  return environments ?? undefined;
}
