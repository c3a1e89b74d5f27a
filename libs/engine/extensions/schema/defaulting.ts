import { isObject } from '../../machinery/meta/object.js';
import { mapFields, mapItems } from './copy-on-write.js';
import { fieldSchemaOf, type StructuralSchema } from './structural-schema.js';

/**
 * The value with the schema's defaults for missing fields, and without nulls that the schema does not allow; the same
 * value when it is complete. Models apiextensions-apiserver/pkg/apiserver/schema/defaulting Default and
 * PruneNonNullableNullsWithoutDefaults.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => applyDefaults(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  let out = mapFields(value, (name, field) => {
    const known = fieldSchemaOf(schema, name);
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
