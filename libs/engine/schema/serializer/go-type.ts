import { definition, shortName, type FieldType } from '../facts/definitions.js';
import { goField } from '../facts/go-fields.js';

export type ScalarKind =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  /** JSON that is kept as it is: an object (RawExtension, FieldsV1) or any value. */
  | 'rawObject'
  | 'any'
  /** apiextensions' unions: JSONSchemaProps or a boolean, a list of them, a list of names. */
  | 'schemaOrBool'
  | 'schemaOrList'
  | 'schemaOrNames';

export interface GoScalar {
  readonly kind: ScalarKind;
  readonly goType: string;
}
export interface GoList {
  readonly kind: 'list';
  readonly goType: string;
  readonly item: GoType;
}
export interface GoMap {
  readonly kind: 'map';
  readonly goType: string;
  readonly value: GoType;
}
export interface GoStruct {
  readonly kind: 'struct';
  /** As Go's error messages name it: 'PodSpec', of type 'v1.PodSpec'. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, GoType>;
  readonly required: ReadonlySet<string>;
  /** Scalars whose zero Go leaves out. */
  readonly omitted: ReadonlySet<string>;
  /** Fields that Go always writes: with the zero of this type, or with null. */
  readonly shown: ReadonlyMap<string, GoType | null>;
  /** Field -> the embedded struct that Go's messages name before it. */
  readonly within: ReadonlyMap<string, string>;
  /** Fields beyond the known ones are kept: a custom resource. */
  readonly open: boolean;
}
/** The Go type that a JSON value is unmarshalled into; made once for each definition. */
export type GoType = GoScalar | GoList | GoMap | GoStruct;

const scalar = (kind: ScalarKind, goType: string): GoScalar => ({ kind, goType });

const STRING = scalar('string', 'string');
const scalars: Readonly<Record<string, GoScalar>> = {
  string: STRING,
  boolean: scalar('boolean', 'bool'),
  'integer:int32': scalar('int32', 'int32'),
  'integer:int64': scalar('int64', 'int64'),
  'number:double': scalar('double', 'float64'),
  'string:byte': scalar('bytes', '[]uint8'),
  any: scalar('any', 'interface {}'),
  object: scalar('rawObject', 'map[string]interface {}'),
};
const special: Readonly<Record<string, GoScalar>> = {
  Quantity: scalar('quantity', 'resource.Quantity'),
  Time: scalar('time', 'string'),
  MicroTime: scalar('microTime', 'string'),
  IntOrString: scalar('intOrString', 'int32'),
  JSONSchemaPropsOrBool: scalar('schemaOrBool', 'v1.JSONSchemaPropsOrBool'),
  JSONSchemaPropsOrArray: scalar('schemaOrList', 'v1.JSONSchemaPropsOrArray'),
  JSONSchemaPropsOrStringArray: scalar('schemaOrNames', 'v1.JSONSchemaPropsOrStringArray'),
};

// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const structs = new Map<string, GoType>();

/**
 * The Go type of a definition. A definition that is not in the facts, a custom resource's, keeps fields beyond its type
 * and metadata.
 */
export function goTypeOf(name: string): GoType {
  const known = structs.get(name);
  if (known) return known;
  const d = definition(name);
  if (d && !d.fields) return remember(name, special[shortName(name)] ?? scalars[d.type === 'any' ? 'any' : 'object']!);
  const fields = new Map<string, GoType>();
  const parts = name.split('.');
  const short = shortName(name);
  const [required, omitted, shown, within] = [
    new Set<string>(),
    new Set<string>(),
    new Map<string, GoType | null>(),
    new Map<string, string>(),
  ];
  const shape = remember(name, {
    kind: 'struct',
    name: short,
    goType: `${parts.at(-2) ?? 'v1'}.${short}`,
    fields,
    required,
    omitted,
    shown,
    within,
    open: !d,
  });
  const entries = d?.fields ?? OPEN_FIELDS;
  for (const [field, facts] of Object.entries(entries)) {
    const go = goField(name, field);
    const of = fieldType(facts.type, go.type);
    fields.set(field, of);
    if (facts.required || field === KEPT_EMPTY) required.add(field);
    if (go.zero === 'absent' && d && PLAIN.has(of.kind)) omitted.add(field);
    if (go.zero === 'shown') shown.set(field, of);
    if (go.zero === 'null') shown.set(field, null);
    if (go.within) within.set(field, go.within);
  }
  return shape;
}

/** Kinds whose zero is nothing; other scalars are structs or pointers. */
const PLAIN: ReadonlySet<string> = new Set(['string', 'boolean', 'int32', 'int64', 'double', 'bytes']);

/** An empty list of owners asks for them to be forgotten, so it must be seen. */
const KEPT_EMPTY = 'managedFields';

const OPEN_FIELDS: Readonly<Record<string, { type: FieldType; required?: boolean }>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
};

function remember(name: string, shape: GoType): GoType {
  if (definition(name)) structs.set(name, shape);
  return shape;
}

function fieldType(type: FieldType, goString: string | undefined): GoType {
  if (typeof type === 'string')
    return goString !== undefined ? scalar('string', goString) : (scalars[type] ?? goTypeOf(type));
  if ('*' in type) {
    const value = fieldType(type['*'], undefined);
    return { kind: 'map', value, goType: value.kind === 'quantity' ? 'v1.ResourceList' : `map[string]${value.goType}` };
  }
  const item = fieldType((type as readonly [FieldType])[0], undefined);
  return { kind: 'list', item, goType: `[]${item.goType}` };
}
