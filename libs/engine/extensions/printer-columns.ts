import type { CustomResourceColumnDefinition } from '../api/apiextensions_v1.js';
import type { Unstructured } from '../machinery/meta/object.js';
import type { Cell, Column } from '../machinery/meta/table.js';
import { ageSince, type Millis } from '../machinery/time/time.js';
import { printValue, compileJsonPath } from './jsonpath.js';

const TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'date'] satisfies Column['type'][];

/**
 * The table column of one of a CRD's additionalPrinterColumns. Models
 * apiextensions-apiserver/pkg/registry/customresource/tableconvertor.
 */
export function compilePrinterColumn(definition: CustomResourceColumnDefinition): Column<Unstructured> {
  const { name, jsonPath, format, priority, description } = definition;
  const find = compileJsonPath(jsonPath);
  const type = (TYPES.includes(definition.type) ? definition.type : 'string') as Column['type'];
  return {
    name,
    type,
    ...(format ? { format } : {}),
    ...(priority ? { priority } : {}),
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    cell: (object, now) => cellForJSONValue(find?.(object) ?? [], type, now),
  };
}

function cellForJSONValue(values: readonly unknown[], type: Column['type'], now: Millis): Cell {
  const [first] = values;
  if (first === undefined || first === null) return null;
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' && !Number.isNaN(Date.parse(first)) ? ageSince(first, now) : '<invalid>';
    default:
      return values.map(printValue).join(' ');
  }
}
