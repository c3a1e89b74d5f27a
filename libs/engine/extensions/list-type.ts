import { isObject } from '../machinery/meta/object.js';
import { duplicate, invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { hasListTypes, propertyOf, type StructuralSchema } from './structural-schema.js';

/** Finds an item's counterpart in the old list: by its keys, if the list is a map. */
export function correlateItems(schema: StructuralSchema, old: unknown): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old)) return undefined;
  const byKey = new Map(old.filter(isObject).map((item) => [mapKeyText(item, keys, schema), item]));
  return (item) => (isObject(item) ? byKey.get(mapKeyText(item, keys, schema)) : undefined);
}

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
const mapKeyText = (item: Record<string, unknown>, keys: readonly string[], schema: StructuralSchema): string =>
  JSON.stringify(mapKeysOf(item, keys, schema));

/** Duplicates in lists that are sets or maps. Models apiextensions-apiserver/pkg/apiserver/schema/listtype. */
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
  const [seen, told] = [new Set<string>(), new Set<string>()];
  return list.flatMap((item, i) => {
    if (type === 'map' && !isObject(item))
      return [invalidValue(path.index(i), item, 'must be an object for an array of list-type map')];
    const key =
      isObject(item) && type === 'map' ? mapKeysOf(item, schema['x-kubernetes-list-map-keys'] ?? [], schema) : item;
    const text = JSON.stringify(key);
    const repeated = seen.has(text) && !told.has(text);
    if (repeated) told.add(text);
    seen.add(text);
    return repeated ? [duplicate(path.index(i), key)] : [];
  });
}

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
    return typeof schema.additionalProperties === 'object'
      ? visit(schema.additionalProperties, value[name], path.key(name))
      : [];
  });
}
