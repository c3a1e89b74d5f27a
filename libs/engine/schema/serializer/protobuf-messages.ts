import { definition, shortName, type Field, type FieldType } from '../facts/definitions.js';
import { goField } from '../facts/go-fields.js';

/** 'k8s' and a zero byte, before runtime.Unknown. Models apimachinery/pkg/runtime/serializer/protobuf. */
export const MAGIC = [0x6b, 0x38, 0x73, 0x00];
export const JSON_SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

export type WireKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  /** JSON text inside a message: {raw = 1}. */
  | 'rawJson'
  /** The same, with its keys in order, as structured-merge-diff writes a set. */
  | 'fieldSet'
  | 'schemaOrBool'
  | 'schemaOrList'
  | 'schemaOrNames'
  | 'message'
  /** authentication's ExtraValue: {items = 1}. */
  | 'strings';

/** One type on the wire. */
export interface WireType {
  readonly kind: WireKind;
  /** Of a message, by definition name; looked up when used, because types are recursive. */
  readonly definition?: string;
}
export interface WireField {
  readonly name: string;
  readonly number: number;
  readonly shape: 'single' | 'list' | 'map';
  readonly type: WireType;
  readonly dropZero: boolean;
}
/** A message as the codec walks it. Fields of embedded messages are put under their own number as a nested table. */
export interface Message {
  readonly byNumber: ReadonlyMap<number, WireField | Message>;
}

// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const messages = new Map<string, Message>();

/** Table of a definition with fields. Fields without a number (apiVersion, kind) are not on the wire. */
export function messageOf(definitionName: string): Message {
  const known = messages.get(definitionName);
  if (known) return known;
  const root = new Map<number, WireField | Message>();
  for (const [name, field] of Object.entries(definition(definitionName)?.fields ?? {})) {
    if (field.number === undefined) continue;
    let table = root;
    for (const outer of field.within ?? []) table = embeddedTable(table, outer);
    table.set(field.number, wireField(definitionName, name, field));
  }
  const message = { byNumber: root };
  messages.set(definitionName, message);
  return message;
}

function embeddedTable(table: Map<number, WireField | Message>, number: number): Map<number, WireField | Message> {
  const found = table.get(number);
  if (found && 'byNumber' in found) return found.byNumber as Map<number, WireField | Message>;
  const made = new Map<number, WireField | Message>();
  table.set(number, { byNumber: made });
  return made;
}

/** Kinds whose zero is nothing; other scalars are structs or pointers. */
const PLAIN: ReadonlySet<WireKind> = new Set<WireKind>(['string', 'bool', 'int32', 'int64', 'double', 'bytes']);

function wireField(owner: string, name: string, field: Field): WireField {
  const { shape, element } = unwrap(field.type);
  const type = wireType(element);
  const dropZero = shape === 'single' && PLAIN.has(type.kind) && goField(owner, name).zero === 'absent';
  return { name, number: field.number!, shape, type, dropZero };
}

function unwrap(type: FieldType): { shape: WireField['shape']; element: FieldType } {
  if (typeof type === 'string') return { shape: 'single', element: type };
  return '*' in type
    ? { shape: 'map', element: type['*'] }
    : { shape: 'list', element: (type as readonly [FieldType])[0] };
}

const scalars: Readonly<Record<string, WireKind>> = {
  string: 'string',
  boolean: 'bool',
  'integer:int32': 'int32',
  'integer:int64': 'int64',
  'number:double': 'double',
  'string:byte': 'bytes',
};
const special: Readonly<Record<string, WireKind>> = {
  Quantity: 'quantity',
  Time: 'time',
  MicroTime: 'microTime',
  IntOrString: 'intOrString',
  RawExtension: 'rawJson',
  FieldsV1: 'fieldSet',
  JSON: 'rawJson',
  JSONSchemaPropsOrBool: 'schemaOrBool',
  JSONSchemaPropsOrArray: 'schemaOrList',
  JSONSchemaPropsOrStringArray: 'schemaOrNames',
};

function wireType(type: FieldType): WireType {
  if (typeof type !== 'string') return { kind: 'strings' };
  const kind = scalars[type] ?? special[shortName(type)];
  return kind ? { kind } : { kind: 'message', definition: type };
}
