import { schemaDeclType } from '../../extensions/cel/types.js';
import type { StructuralSchema } from '../../extensions/schema/structural-schema.js';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  escapeName,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../machinery/cel/index.js';
import type { Kind } from '../../machinery/kind.js';
import { definition, type FieldType } from '../../schema/index.js';

const SCALARS: Readonly<Record<string, Type>> = {
  string: STRING,
  'string:byte': BYTES,
  'string:date-time': TIMESTAMP,
  boolean: BOOL,
  'integer:int32': INT,
  'integer:int64': INT,
  integer: INT,
  number: DOUBLE,
  'number:double': DOUBLE,
  'string:int-or-string': ANY,
  object: { kind: 'object', name: 'object', fields: new Map() },
};
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const knownTypes = new Map<string, Type>();

/** What expressions see of a kind's objects; undefined when nothing is known of them. */
export function typeOfKind(kind: Kind): Type | undefined {
  if (!kind.schema) return typeOf(kind.definition);
  const type = schemaDeclType(kind.schema as StructuralSchema, true, kind.kind);
  return type?.kind === 'object'
    ? {
        ...type,
        fields: new Map([...type.fields, ['metadata', { type: typeOf(OBJECT_META) ?? ANY, property: 'metadata' }]]),
      }
    : type;
}

function typeOf(field: FieldType): Type | undefined {
  if (typeof field !== 'string') {
    const isMap = '*' in field;
    const item = typeOf(isMap ? field['*'] : (field as readonly [FieldType])[0]);
    return item && (isMap ? mapOf(STRING, item) : listOf(item));
  }
  const found = knownTypes.get(field);
  if (found) return found;
  const made = definition(field);
  if (!made) return Object.hasOwn(SCALARS, field) ? SCALARS[field] : undefined;
  // The documents give quantities two types, and expressions see what has one.
  if (!made.fields) return field.endsWith('.Quantity') ? undefined : typeOf(made.type ?? '');
  const fields = new Map<string, { type: Type; property: string }>();
  const type: ObjectType = { kind: 'object', name: field, fields };
  // Schemas hold schemas: the type is known before its fields are.
  knownTypes.set(field, type);
  for (const [property, { type: of }] of Object.entries(made.fields)) {
    const [escaped, inner] = [escapeName(property), typeOf(of)];
    if (escaped !== undefined && inner) fields.set(escaped, { type: inner, property });
  }
  return type;
}
