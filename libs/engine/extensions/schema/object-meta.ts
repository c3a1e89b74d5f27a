import { required, type FieldError, type Path } from '../../machinery/meta/field.js';
import { isObject } from '../../machinery/meta/object.js';
import { hasEmbedded, visitFields, type StructuralSchema } from './structural-schema.js';

/**
 * Requires the apiVersion and kind of embedded objects. Models apiextensions-apiserver/pkg/apiserver/schema/objectmeta.
 */
export function validateEmbeddedResources(schema: StructuralSchema, value: unknown, path: Path): FieldError[] {
  if (!hasEmbedded(schema)) return [];
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((item, i) => validateEmbeddedResources(schema.items!, item, path.index(i)))
      : [];
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-embedded-resource'] && isObject(value)) {
    for (const name of ['apiVersion', 'kind']) if (!value[name]) errors.push(required(path.child(name)));
  }
  return [...errors, ...visitFields(schema, value, path, validateEmbeddedResources)];
}
