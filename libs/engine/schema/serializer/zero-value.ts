import type { GoStruct, GoType } from './go-type.js';

/** Go leaves out zeros of values, and optional lists and maps that are empty. */
export function isAbsent(struct: GoStruct, field: string, shape: GoType, value: unknown): boolean {
  if (value === 0 || value === false || value === '') return struct.omitted.has(field);
  return isEmpty(shape, value) && !struct.required.has(field);
}

function isEmpty(shape: GoType, value: unknown): boolean {
  if (shape.kind === 'list') return (value as unknown[]).length === 0;
  if (shape.kind !== 'map') return false;
  for (const _ in value as Record<string, unknown>) return false;
  return true;
}

/** Go's zero value, as JSON shows it. */
export function zeroValue(shape: GoType): unknown {
  switch (shape.kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'struct':
      return Object.fromEntries([...shape.shown].map(([field, of]) => [field, of && zeroValue(of)]));
    case 'map':
    case 'rawObject':
      return {};
    case 'list':
      return [];
    default:
      return null;
  }
}
