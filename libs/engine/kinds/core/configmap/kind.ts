import type { ConfigMap } from '../../../api/core_v1.js';
import { ageColumn, count, nameColumn } from '../../../machinery/meta/columns.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { forbiddenField, invalidValue, Path, tooLong, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isConfigMapKey } from '../../../machinery/meta/validation.js';

const MAX_BYTES = 1024 * 1024;
const IMMUTABLE_SET = 'field is immutable when `immutable` is set';
const [data, binaryData] = [Path.of('data'), Path.of('binaryData')];

function validate(map: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(map.data ?? {})) {
    errors.push(...invalidEach(data.key(key), key, isConfigMapKey(key)));
    if (map.binaryData?.[key] !== undefined)
      errors.push(invalidValue(data.key(key), key, 'duplicate of key present in binaryData'));
    bytes += value.length;
  }
  for (const [key, value] of Object.entries(map.binaryData ?? {})) {
    errors.push(...invalidEach(binaryData.key(key), key, isConfigMapKey(key)));
    bytes += Math.floor((value.length * 3) / 4);
  }
  return bytes > MAX_BYTES ? [...errors, tooLong(Path.of(), MAX_BYTES)] : errors;
}

function validateUpdate(map: ConfigMap, old: ConfigMap): FieldError[] {
  if (!old.immutable) return [];
  const errors: FieldError[] = [];
  if (!map.immutable) errors.push(forbiddenField(Path.of('immutable'), IMMUTABLE_SET));
  if (!deepEqual(map.data ?? {}, old.data ?? {})) errors.push(forbiddenField(data, IMMUTABLE_SET));
  if (!deepEqual(map.binaryData ?? {}, old.binaryData ?? {})) errors.push(forbiddenField(binaryData, IMMUTABLE_SET));
  return errors;
}

export const kind = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.core.v1.ConfigMap',
  columns: [
    nameColumn,
    count(
      'Data',
      'How many keys it has.',
      (m) => Object.keys(m.data ?? {}).length + Object.keys(m.binaryData ?? {}).length,
    ),
    ageColumn,
  ],
  validate,
  validateUpdate,
});
