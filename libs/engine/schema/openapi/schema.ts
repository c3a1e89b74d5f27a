import {
  definition,
  elementDefinition,
  shortName,
  type Definition,
  type Field,
  type FieldType,
} from '../facts/definitions.js';
import { description } from '../facts/descriptions.js';

export type Schema = Readonly<Record<string, unknown>>;
/** Swagger 2.0 and OpenAPI 3.0 differ in how they refer to a schema and in unions. */
export type Dialect = 'v2' | 'v3';

const BASE: Readonly<Record<Dialect, string>> = { v2: '#/definitions/', v3: '#/components/schemas/' };

const unions: Readonly<Record<string, Schema>> = {
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  IntOrString: { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' },
};

const made: Readonly<Record<Dialect, Map<string, Schema>>> = { v2: new Map(), v3: new Map() };

/** The schema of a definition; the same object at every call. Models kube-openapi's builder. */
export function definitionSchema(name: string, dialect: Dialect): Schema {
  const known = made[dialect].get(name);
  if (known) return known;
  const d = definition(name);
  const schema = d ? build(name, d, dialect) : { type: 'object' };
  if (d) made[dialect].set(name, schema);
  return schema;
}

function build(name: string, d: Definition, dialect: Dialect): Schema {
  const text = description(name);
  const common = {
    ...(text ? { description: text } : {}),
    ...(d.mapType ? { 'x-kubernetes-map-type': d.mapType } : {}),
    ...(d.gvk
      ? { 'x-kubernetes-group-version-kind': d.gvk.map(([group, version, kind]) => ({ group, kind, version })) }
      : {}),
  };
  if (!d.fields) return { ...common, ...plainSchema(name, d.type ?? 'object', dialect) };
  const required = requiredOf(d);
  return {
    ...common,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(d.fields).map(([f, facts]) => [f, fieldSchema(name, f, facts, dialect)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function plainSchema(name: string, type: string, dialect: Dialect): Schema {
  const union = dialect === 'v3' ? unions[shortName(name)] : undefined;
  return union ?? (type === 'any' ? {} : scalarSchema(type));
}

function scalarSchema(type: string): Schema {
  const [base, format] = type.split(':');
  return { type: base, ...(format ? { format } : {}) };
}

/** In the order of Go's structs. */
function requiredOf({ fields = {}, requiredOrder }: Definition): readonly string[] {
  if (requiredOrder) return requiredOrder;
  const place = ({ within, number = 0 }: Field): number => within?.[0] ?? number;
  return Object.keys(fields)
    .filter((f) => fields[f]!.required)
    .sort((a, b) => place(fields[a]!) - place(fields[b]!));
}

function fieldSchema(owner: string, name: string, field: Field, dialect: Dialect): Schema {
  const text = field.plain ? undefined : (description(owner, name) ?? descriptionOf(field.type));
  const scalar = typeof field.type === 'string';
  const shown = (value: unknown): Schema => (value === undefined || dialect === 'v2' ? {} : { default: value });
  const own = {
    ...(text ? { description: text } : {}),
    ...shown(field.default),
    ...(field.enum && scalar ? { enum: field.enum } : {}),
    ...(field.listType ? { 'x-kubernetes-list-type': field.listType } : {}),
    ...(field.mapKeys ? { 'x-kubernetes-list-map-keys': field.mapKeys } : {}),
    ...(field.mapType ? { 'x-kubernetes-map-type': field.mapType } : {}),
    ...(field.patchMergeKey ? { 'x-kubernetes-patch-merge-key': field.patchMergeKey } : {}),
    ...(field.patchStrategy ? { 'x-kubernetes-patch-strategy': field.patchStrategy } : {}),
  };
  const element = { ...shown(field.elementDefault), ...(field.enum && !scalar ? { enum: field.enum } : {}) };
  return withType(own, field.type, element, dialect);
}

/** The package says nothing of a field that refers to a type, so the type speaks for it. */
const descriptionOf = (type: FieldType): string | undefined =>
  typeof type === 'string' && type.startsWith('io.k8s.') ? description(type) : undefined;

/**
 * A type beside what else is said of the value: in OpenAPI 3 a reference with company stands in an allOf, in Swagger
 * company is lost.
 */
function withType(own: Schema, type: FieldType, element: Schema, dialect: Dialect): Schema {
  if (typeof type !== 'string') {
    if ('*' in type) return { ...own, type: 'object', additionalProperties: withType(element, type['*'], {}, dialect) };
    return { ...own, type: 'array', items: withType(element, (type as readonly [FieldType])[0], {}, dialect) };
  }
  if (!type.startsWith('io.k8s.')) return { ...own, ...scalarSchema(type) };
  const alone = dialect === 'v2' || Object.keys(own).length === 0;
  return alone ? { ...own, ...reference(type, dialect) } : { ...own, allOf: [reference(type, dialect)] };
}

export const reference = (name: string, dialect: Dialect): Schema => ({ $ref: BASE[dialect] + name });

/** Schemas of the given definitions and of all that they refer to, by name in alphabetical order. */
export function closure(roots: Iterable<string>, dialect: Dialect): Record<string, Schema> {
  const names = new Set(roots);
  for (const name of names) {
    for (const field of Object.values(definition(name)?.fields ?? {})) {
      const inner = elementDefinition(field.type);
      if (inner !== undefined) names.add(inner);
    }
  }
  return Object.fromEntries([...names].sort().map((name) => [name, definitionSchema(name, dialect)]));
}
