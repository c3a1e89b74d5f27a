import { isObject } from '../../machinery/meta/object.js';
import type { Kind } from '../../machinery/kind.js';
import { definition } from '../facts/definitions.js';
import { description } from '../facts/descriptions.js';
import { listName, schemaName } from './paths.js';
import { reference, type Dialect, type Schema } from './schema.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
/** What Swagger's clients can not read. */
const JUNCTORS = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable'];
const METADATA =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/**
 * Schemas of kinds that are not in the facts, each with its list. Models
 * apiextensions-apiserver/pkg/controller/openapi/builder.
 */
export function customSchemas(kinds: readonly Kind[], dialect: Dialect): Record<string, Schema> {
  const out: Record<string, Schema> = {};
  for (const kind of kinds) {
    if (definition(kind.definition)) continue;
    out[schemaName(kind)] = { ...objectSchema(kind.schema, dialect), 'x-kubernetes-group-version-kind': [gvkOf(kind)] };
    out[listName(kind)] = listSchema(kind, dialect);
  }
  return out;
}

const gvkOf = ({ group, version, kind }: Kind, suffix = ''): Schema => ({ group, kind: kind + suffix, version });

function objectSchema(schema: Schema | undefined, dialect: Dialect): Schema {
  if (!schema) return { type: 'object' };
  // Not even metadata may be named: kubectl would take the rest for unknown.
  if (dialect === 'v2' && schema[PRESERVE] === true) return { type: 'object' };
  const own = dialect === 'v2' ? swagger(schema) : unfolded(schema);
  const properties = own['properties'] as Readonly<Record<string, Schema>> | undefined;
  return { ...own, properties: { ...properties, ...typeMeta(), metadata: refTo('ObjectMeta', dialect, METADATA) } };
}

function listSchema(kind: Kind, dialect: Dialect): Schema {
  return {
    description: `${kind.kind}List is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta(),
      metadata: refTo(
        'ListMeta',
        dialect,
        description(`${META}.APIGroupList`, 'metadata') ??
          'Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
      ),
      items: {
        description: `List of ${kind.plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        type: 'array',
        items: reference(schemaName(kind), dialect),
      },
    },
    'x-kubernetes-group-version-kind': [gvkOf(kind, 'List')],
  };
}

/** apiVersion and kind, described as on every built-in kind. */
const typeMeta = (): Schema => ({
  apiVersion: { type: 'string', description: description(`${META}.DeleteOptions`, 'apiVersion') },
  kind: { type: 'string', description: description(`${META}.DeleteOptions`, 'kind') },
});

const refTo = (name: string, dialect: Dialect, text: string): Schema => {
  const ref = reference(`${META}.${name}`, dialect);
  return dialect === 'v3' ? { description: text, allOf: [ref] } : { description: text, ...ref };
};

/** The schema changed, then each of its inner schemas. */
function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const out: Record<string, unknown> = { ...change(schema) };
  const inner = (value: unknown): unknown => (isObject(value) ? mapSchema(value, change) : value);
  if (isObject(out['properties']))
    out['properties'] = Object.fromEntries(Object.entries(out['properties']).map(([name, s]) => [name, inner(s)]));
  for (const place of ['items', 'additionalProperties']) if (place in out) out[place] = inner(out[place]);
  return out;
}

/** What is an integer or a string says so in words that every client knows. */
const unfolded = (schema: Schema): Schema =>
  mapSchema(schema, (s) =>
    s[INT_OR_STRING] === true && !s['anyOf'] && !s['allOf']
      ? { ...s, anyOf: [{ type: 'integer' }, { type: 'string' }] }
      : s,
  );

/**
 * What Swagger 2.0 can say of it, and kubectl can read. Models ToStructuralOpenAPIV2 of .../openapi/v2/conversion.go.
 */
const swagger = (schema: Schema): Schema =>
  mapSchema(schema, (s) => {
    const open = s[PRESERVE] === true;
    const nullable = s['nullable'] === true;
    const hollow = open || nullable;
    const typeless = nullable || (open && s['type'] === 'object') || (s['type'] === 'array' && (hollow || !s['items']));
    return {
      ...without(s, [
        ...JUNCTORS,
        'required',
        ...(hollow ? ['items', 'properties'] : []),
        ...(typeless ? ['type'] : []),
      ]),
      ...requiredIn(s),
    };
  });

/** A field that may be null can not be demanded. */
function requiredIn(schema: Schema): Schema {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = ((schema['required'] ?? []) as readonly string[]).filter(
    (name) => properties[name]?.['nullable'] !== true,
  );
  return required.length > 0 ? { required } : {};
}

const without = (schema: Schema, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([f]) => !fields.includes(f)));
