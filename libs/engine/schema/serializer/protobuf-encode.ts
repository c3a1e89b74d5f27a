import { decodeBase64 } from '../../machinery/text/base64.js';
import { parseTimestamp, SECOND } from '../../machinery/time/time.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { JSON_SCHEMA, MAGIC, messageOf, type Message, type WireField, type WireType } from './protobuf-messages.js';
import { FIXED64, VARINT } from './protobuf-wire.js';
import { WireWriter } from './wire-writer.js';

type Fields = Record<string, unknown>;

/** An object of a built-in kind or list in the envelope that clients accept. */
export function encodeProtobuf(value: { apiVersion: string; kind: string }, definitionName: string): Uint8Array {
  return envelope(value, (writer) => writeMessage(writer, messageOf(definitionName), value as unknown as Fields));
}

const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/**
 * A list whose items are encoded already: every list of Kubernetes has its metadata as field 1 and its items as field
 * 2.
 */
export function encodeProtobufList(
  value: { apiVersion: string; kind: string; metadata: Fields },
  items: readonly Uint8Array[],
): Uint8Array {
  return envelope(value, (writer) => {
    writer.message(1, () => writeMessage(writer, messageOf(LIST_META), value.metadata));
    for (const item of items) writer.bytes(2, item);
  });
}

function envelope(value: { apiVersion: string; kind: string }, write: (writer: WireWriter) => void): Uint8Array {
  const writer = new WireWriter();
  writer.append(Uint8Array.from(MAGIC));
  writer.message(1, () => {
    writer.string(1, value.apiVersion);
    writer.string(2, value.kind);
  });
  writer.message(2, () => write(writer));
  writer.string(3, '');
  writer.string(4, '');
  return writer.finish();
}

/** A frame of a watch stream: four bytes of length, then metav1.WatchEvent around an encoded object. */
export function encodeWatchFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = new WireWriter();
  writer.string(1, type);
  writer.message(2, () => writer.bytes(1, object));
  const event = writer.finish();
  const frame = new Uint8Array(event.length + 4);
  new DataView(frame.buffer).setUint32(0, event.length);
  frame.set(event, 4);
  return frame;
}

export function encodeMessage(value: Fields, definitionName: string): Uint8Array {
  const writer = new WireWriter();
  writeMessage(writer, messageOf(definitionName), value);
  return writer.finish();
}

function writeMessage(writer: WireWriter, message: Message, value: Fields): void {
  for (const [number, field] of message.byNumber) {
    if ('byNumber' in field) {
      if (holdsAny(field, value)) writer.message(number, () => writeMessage(writer, field, value));
      continue;
    }
    const found = value[field.name];
    if (found === undefined || found === null) continue;
    if (field.shape === 'list') for (const item of found as unknown[]) writeValue(writer, field.type, number, item);
    else if (field.shape === 'map') writeMap(writer, field, found as Fields);
    else writeValue(writer, field.type, number, found);
  }
}

const holdsAny = (message: Message, value: Fields): boolean =>
  [...message.byNumber.values()].some((field) =>
    'byNumber' in field ? holdsAny(field, value) : value[field.name] !== undefined,
  );

/** Keys in order, as Go writes maps. */
function writeMap(writer: WireWriter, field: WireField, map: Fields): void {
  for (const key of Object.keys(map).sort()) {
    writer.message(field.number, () => {
      writer.string(1, key);
      writeValue(writer, field.type, 2, map[key]);
    });
  }
}

function writeValue(writer: WireWriter, type: WireType, number: number, value: unknown): void {
  switch (type.kind) {
    case 'string':
      return writer.string(number, value as string);
    case 'bytes':
      return writer.bytes(number, decodeBase64(value as string));
    case 'bool':
      writer.tag(number, VARINT);
      return writer.varint(value ? 1 : 0);
    case 'int32':
    case 'int64':
      writer.tag(number, VARINT);
      return writer.varint(value as number);
    case 'double':
      writer.tag(number, FIXED64);
      return writer.double(value as number);
    case 'message':
      return writer.message(number, () => writeMessage(writer, messageOf(type.definition!), value as Fields));
    default:
      return writer.message(number, () => writeSpecial(writer, type, value));
  }
}

function writeSpecial(writer: WireWriter, type: WireType, value: unknown): void {
  switch (type.kind) {
    case 'time':
    case 'microTime':
      return writeTime(writer, type.kind, value as string);
    case 'quantity':
      return writer.string(1, value as string);
    case 'intOrString':
      return writeIntOrString(writer, value as number | string);
    case 'rawJson':
      return writer.bytes(1, encodeUtf8(JSON.stringify(value)));
    case 'fieldSet':
      return writer.bytes(1, encodeUtf8(JSON.stringify(sortSet(value as FieldSet))));
    case 'strings':
      for (const text of value as string[]) writer.string(1, text);
      return;
    default:
      return writeSchemaUnion(writer, type, value);
  }
}

interface FieldSet {
  readonly [element: string]: FieldSet;
}

function sortSet(set: FieldSet): FieldSet {
  const keys = Object.keys(set);
  if (keys.length === 0) return set;
  return Object.fromEntries(keys.sort().map((key) => [key, sortSet(set[key]!)]));
}

function writeTime(writer: WireWriter, kind: 'time' | 'microTime', text: string): void {
  const at = parseTimestamp(text);
  writer.tag(1, VARINT);
  writer.varint(Math.floor(at / SECOND));
  writer.tag(2, VARINT);
  writer.varint(kind === 'microTime' ? Number((/\.(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0')) * SECOND : 0);
}

function writeIntOrString(writer: WireWriter, value: number | string): void {
  const isText = typeof value === 'string';
  writer.tag(1, VARINT);
  writer.varint(isText ? 1 : 0);
  writer.tag(2, VARINT);
  writer.varint(isText ? 0 : value);
  writer.string(3, isText ? value : '');
}

function writeSchemaUnion(writer: WireWriter, type: WireType, value: unknown): void {
  const schema = (number: number, of: unknown): void =>
    writer.message(number, () => writeMessage(writer, messageOf(JSON_SCHEMA), of as Fields));
  if (type.kind === 'schemaOrBool') {
    writer.tag(1, VARINT);
    writer.varint(value === false ? 0 : 1);
    if (typeof value === 'object') schema(2, value);
  } else if (!Array.isArray(value)) schema(1, value);
  else for (const item of value) type.kind === 'schemaOrList' ? schema(2, item) : writer.string(2, item as string);
}
