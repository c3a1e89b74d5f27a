import { isObject } from '../../machinery/meta/object.js';
import { duplicate, invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';
import { hasListTypes, visitFields, type StructuralSchema } from './structural-schema.js';

/** The keys that identify an item of a list of type map, with their defaults. */
const mapKeysOf = (
  item: Record<string, unknown>,
  keys: readonly string[],
  { items }: StructuralSchema,
): Record<string, unknown> =>
  Object.fromEntries(
    keys.map((k) => [k, item[k] ?? items?.properties?.[k]?.default]).filter(([, v]) => v !== undefined) as [
      string,
      unknown,
    ][],
  );
/** The same as text, to compare. */
export const mapKeyText = (item: Record<string, unknown>, keys: readonly string[], schema: StructuralSchema): string =>
  JSON.stringify(mapKeysOf(item, keys, schema));

/** The duplicate items of lists of type set or map. Models apiextensions-apiserver/pkg/apiserver/schema/listtype. */
export function validateListTypes(schema: StructuralSchema, value: unknown, path: Path): FieldError[] {
  if (!hasListTypes(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...findDuplicates(schema, value, path),
      ...(items ? value.flatMap((item, i) => validateListTypes(items, item, path.index(i))) : []),
    ];
  }
  return visitFields(schema, value, path, validateListTypes);
}

function findDuplicates(schema: StructuralSchema, list: readonly unknown[], path: Path): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const [found, reported] = [new Set<string>(), new Set<string>()];
  return list.flatMap((item, i) => {
    if (type === 'map' && !isObject(item))
      return [invalidValue(path.index(i), item, 'must be an object for an array of list-type map')];
    const key =
      isObject(item) && type === 'map' ? mapKeysOf(item, schema['x-kubernetes-list-map-keys'] ?? [], schema) : item;
    const text = JSON.stringify(key);
    const isDuplicate = found.has(text) && !reported.has(text);
    if (isDuplicate) reported.add(text);
    found.add(text);
    return isDuplicate ? [duplicate(path.index(i), key)] : [];
  });
}
