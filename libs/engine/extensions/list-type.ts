import { duplicate, invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { hasListTypes, isFields, propertyOf, type Schema } from './structural-schema.js';

/** Finds an item's counterpart in the old list: by its keys, if the list is a map. */
export function correlate(schema: Schema, old: unknown): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old)) return undefined;
  const byKey = new Map(old.filter(isFields).map((item) => [keyOf(item, keys, schema), item]));
  return (item) => (isFields(item) ? byKey.get(keyOf(item, keys, schema)) : undefined);
}

const keysOf = (item: Record<string, unknown>, keys: readonly string[], { items }: Schema): Record<string, unknown> =>
  Object.fromEntries(
    keys.map((k) => [k, item[k] ?? items?.properties?.[k]?.default]).filter(([, v]) => v !== undefined) as [
      string,
      unknown,
    ][],
  );
const keyOf = (item: Record<string, unknown>, keys: readonly string[], schema: Schema): string =>
  JSON.stringify(keysOf(item, keys, schema));

/** Duplicates in lists that are sets or maps. Models apiextensions-apiserver/pkg/apiserver/schema/listtype. */
export function checkLists(schema: Schema, value: unknown, path: Path): FieldError[] {
  if (!hasListTypes(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...duplicates(schema, value, path),
      ...(items ? value.flatMap((item, i) => checkLists(items, item, path.index(i))) : []),
    ];
  }
  return eachField(schema, value, path, checkLists);
}

function duplicates(schema: Schema, list: readonly unknown[], path: Path): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const [seen, told] = [new Set<string>(), new Set<string>()];
  return list.flatMap((item, i) => {
    if (type === 'map' && !isFields(item))
      return [invalidValue(path.index(i), item, 'must be an object for an array of list-type map')];
    const key =
      isFields(item) && type === 'map' ? keysOf(item, schema['x-kubernetes-list-map-keys'] ?? [], schema) : item;
    const text = JSON.stringify(key);
    const repeated = seen.has(text) && !told.has(text);
    if (repeated) told.add(text);
    seen.add(text);
    return repeated ? [duplicate(path.index(i), key)] : [];
  });
}

export function eachField(
  schema: Schema,
  value: unknown,
  path: Path,
  visit: (schema: Schema, value: unknown, path: Path) => FieldError[],
): FieldError[] {
  if (!isFields(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const known = propertyOf(schema, name);
    if (known) return visit(known, value[name], path.child(name));
    return typeof schema.additionalProperties === 'object'
      ? visit(schema.additionalProperties, value[name], path.key(name))
      : [];
  });
}
