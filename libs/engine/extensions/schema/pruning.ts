import { isObject } from '../../machinery/meta/object.js';
import { mapFields, mapItems } from './copy-on-write.js';
import { fieldSchemaOf, type StructuralSchema } from './structural-schema.js';

/** Every object has these fields, whatever its schema declares. */
const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata'];

/**
 * The value without the fields that the schema does not declare; the same value when it has none. `isResource`: the
 * value is a whole object. Models apiextensions-apiserver/pkg/apiserver/schema/pruning Prune.
 */
export function prune(schema: StructuralSchema, value: unknown, isResource = false): unknown {
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => prune(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  const keep = isResource || schema['x-kubernetes-embedded-resource'] ? OBJECT_FIELDS : [];
  return mapFields(value, (name, field) => {
    if (keep.includes(name)) return field;
    const known = fieldSchemaOf(schema, name);
    if (known) return prune(known, field);
    return schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] ? field : undefined;
  });
}

/** The paths of the fields that pruning drops, sorted: 'spec.containers[0].imag'. Models PruneWithOptions. */
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
      const known = fieldSchemaOf(schema, name);
      if (known) return findUnknownFields(known, value[name], false, at);
      return schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] ? [] : [at];
    });
}
