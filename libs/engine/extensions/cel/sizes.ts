import { escapeName, type Sizes } from '../../machinery/cel/index.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/** The largest request, in bytes: it limits the values that no schema limits. */
export const MAX_REQUEST = 3 * 1024 * 1024;
const MAX_TEXT = MAX_REQUEST - 2;

/** The size that the values of a schema can have at most, and the bytes of JSON that they take at least. */
export interface Extent {
  readonly max: number;
  readonly minBytes: number;
  readonly item?: Extent;
  readonly key?: Extent;
  /** Keyed by the names as expressions escape them. */
  readonly fields?: ReadonlyMap<string, Extent>;
}

const TIME = 32;
const DATE = 12;
const FORMATS: Readonly<Record<string, Extent>> = {
  duration: { max: TIME, minBytes: 3 },
  date: { max: DATE, minBytes: DATE },
  'date-time': { max: TIME, minBytes: 21 },
};
const KEY: Extent = { max: 0, minBytes: 2 };
const TEXT: Extent = { max: MAX_TEXT, minBytes: 2 };
const METADATA: Extent = {
  max: 0,
  minBytes: 2,
  fields: new Map([
    ['name', TEXT],
    ['generateName', TEXT],
  ]),
};
const MAX_CHARACTER = 4;

/**
 * The extent of a schema's values; undefined where the schema does not declare a type. Models
 * apiserver/pkg/cel/common/schemas.go SchemaDeclType.
 */
export function estimateExtent(
  schema: StructuralSchema,
  isResource = schema['x-kubernetes-embedded-resource'] ?? false,
): Extent | undefined {
  if (schema['x-kubernetes-int-or-string'])
    return { max: schema.maxLength === undefined ? MAX_TEXT : limit(schema.maxLength) * MAX_CHARACTER, minBytes: 1 };
  switch (schema.type) {
    case 'array': {
      const item = schema.items && estimateExtent(schema.items);
      return item && { max: limit(schema.maxItems, Math.floor(MAX_TEXT / (item.minBytes + 1))), minBytes: 2, item };
    }
    case 'object':
      return objectExtent(schema, isResource);
    case 'string':
      return textExtent(schema);
    case 'boolean':
      return { max: 0, minBytes: 4 };
    case 'integer':
    case 'number':
      return { max: 0, minBytes: 1 };
    default:
      return undefined;
  }
}

const limit = (given: number | undefined, otherwise = 0): number =>
  given === undefined ? otherwise : Math.max(0, given);

function textExtent({ format = '', maxLength, enum: values }: StructuralSchema): Extent {
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
  if (maxLength !== undefined) return { max: limit(maxLength) * (format === 'byte' ? 1 : MAX_CHARACTER), minBytes: 2 };
  if (format === 'byte' || !values?.length) return TEXT;
  return { max: Math.max(0, ...values.map((value) => (typeof value === 'string' ? value.length : 0))), minBytes: 2 };
}

function objectExtent(schema: StructuralSchema, isResource: boolean): Extent | undefined {
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') {
    const item = estimateExtent(rest);
    return (
      item && {
        max: limit(schema.maxProperties, Math.floor(MAX_TEXT / (item.minBytes + 6))),
        minBytes: 2,
        item,
        key: KEY,
      }
    );
  }
  const fields = new Map<string, Extent>();
  const required = new Set(schema.required);
  const properties = schema.properties ?? {};
  const implied = isResource && !declaresObjectMeta(schema);
  let minBytes = 2;
  for (const [name, property] of Object.entries(properties)) {
    const extent = implied ? (impliedExtent(name) ?? estimateExtent(property)) : estimateExtent(property);
    const escaped = escapeName(name);
    if (!extent) continue;
    if (escaped !== undefined) fields.set(escaped, extent);
    if (required.has(name) && property.default === undefined) minBytes += name.length + extent.minBytes + 4;
  }
  if (implied)
    for (const name of ['apiVersion', 'kind', 'metadata']) {
      if (required.has(name) && !Object.hasOwn(properties, name))
        minBytes += name.length + impliedExtent(name)!.minBytes + 4;
      fields.set(name, impliedExtent(name)!);
    }
  return { max: 0, minBytes, fields };
}

const impliedExtent = (name: string): Extent | undefined =>
  name === 'metadata' ? METADATA : name === 'apiVersion' || name === 'kind' ? TEXT : undefined;

/** Whether the schema declares the type and metadata of its objects itself. */
function declaresObjectMeta({ properties }: StructuralSchema): boolean {
  const metadata = properties?.['metadata'];
  const names = metadata?.type === 'object' ? metadata.properties : undefined;
  return (
    properties?.['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    names?.['name']?.type === 'string' &&
    names['generateName']?.type === 'string'
  );
}

/** The sizes at the paths of a rule's expression, in the schema that the rule belongs to. */
export const lookUpSizes =
  (root: Extent): Sizes =>
  (path) => {
    let extent: Extent | undefined = root;
    for (const step of path) {
      if (step === '@items' || step === '@values') extent = extent?.item;
      else extent = step === '@keys' ? extent?.key : extent?.fields?.get(step);
    }
    return extent && { min: 0, max: extent.max };
  };
