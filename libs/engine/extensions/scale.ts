import { invalidValue, Path, type FieldError } from '../machinery/meta/field.js';
import { isObject, type Unstructured } from '../machinery/meta/object.js';

const MAX_REPLICAS = 2 ** 31 - 1;

/**
 * The errors of the replicas at the path that a CRD's scale subresource names. Models
 * apiextensions-apiserver/pkg/registry/customresource ValidateScaleSpec and ValidateScaleStatus.
 */
export function validateScale(object: Unstructured, jsonPath: string | undefined): FieldError[] {
  if (!jsonPath) return [];
  const path = Path.of(jsonPath);
  let value: unknown = object;
  for (const name of jsonPath.replace(/^\./, '').split('.')) {
    if (value === undefined) return [];
    if (!isObject(value))
      return [
        invalidValue(
          path,
          0,
          `${jsonPath} accessor error: ${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
        ),
      ];
    value = value[name];
  }
  if (value === undefined) return [];
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [
      invalidValue(
        path,
        0,
        `${jsonPath} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`,
      ),
    ];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > MAX_REPLICAS ? [invalidValue(path, value, `should be less than or equal to ${MAX_REPLICAS}`)] : [];
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    default:
      return 'map[string]interface {}';
  }
}

/** Go's %v. */
function goText(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value))
    return `map[${Object.keys(value)
      .sort()
      .map((name) => `${name}:${goText(value[name])}`)
      .join(' ')}]`;
  return String(value);
}
