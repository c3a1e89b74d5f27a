import { deepEqual } from '../../machinery/meta/equal.js';
import { isObject } from '../../machinery/meta/object.js';
import { mapKeyText } from './list-type.js';
import type { StructuralSchema } from './structural-schema.js';

/**
 * Whether an update leaves a value as it was: such a value is not validated again, so that a schema can become stricter
 * while objects are stored. Models apiextensions-apiserver/pkg/apiserver/validation/ratcheting.go.
 */
export const isUnchanged = (value: unknown, old: unknown): boolean => old !== undefined && deepEqual(value, old);

/**
 * Finds the old item with the keys of a new one; undefined for lists that are not of type map, whose items have no
 * identity. Models apiserver/pkg/cel/common CorrelatedObject.
 */
export function correlateItems(schema: StructuralSchema, old: unknown): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old)) return undefined;
  const byKey = new Map(old.filter(isObject).map((item) => [mapKeyText(item, keys, schema), item]));
  return (item) => (isObject(item) ? byKey.get(mapKeyText(item, keys, schema)) : undefined);
}
