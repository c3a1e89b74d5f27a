import { decodeBase64, encodeBase64 } from '../../machinery/base64.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { microTimestamp, parseTimestamp, timestamp } from '../../machinery/time/time.js';
import { decodeUtf8, encodeUtf8 } from '../../machinery/utf8.js';
import { messageOf, type Message, type WireField, type WireType } from './messages.js';
import { BYTES, FIXED64, VARINT, WireReader, WireWriter } from './wire.js';

type Fields = Record<string, unknown>;

/** 'k8s' and a zero byte, before runtime.Unknown. Models serializer/protobuf. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];
const MAX_DEPTH = 500;
const SECOND_MS = 1_000;
const MAX_SECONDS = 253_402_300_799;
const JSON_SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

export interface Envelope {
  /** The object with its apiVersion and kind. */
  readonly value?: Fields;
  /** Set instead when the envelope holds JSON. */
  readonly json?: Uint8Array;
}

/** Opens runtime.Unknown and decodes the message in it. Throws 400. */
export function decodeProtobuf(body: Uint8Array, definitionName: string | undefined): Envelope {
  if (MAGIC.some((byte, i) => body[i] !== byte))
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const reader = new WireReader(body, MAGIC.length);
  const type: Fields = {};
  let raw: Uint8Array = new Uint8Array();
  let contentType = '';
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire !== BYTES) reader.skip(wire);
    else if (number === 1) readTypeMeta(reader.message(), type);
    else if (number === 2) raw = reader.raw();
    else if (number === 4) contentType = reader.string();
    else reader.skip(wire);
  }
  if (contentType === 'application/json') return { json: raw };
  if (definitionName === undefined)
    throw new ApiError(
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    );
  return { value: { ...type, ...decodeMessage(raw, definitionName) } };
}

function readTypeMeta(reader: WireReader, into: Fields): void {
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire === BYTES && number <= 2) into[number === 1 ? 'apiVersion' : 'kind'] = reader.string();
    else reader.skip(wire);
  }
}

/** A bare message's bytes as a wire-shape (JSON) value. */
export const decodeMessage = (bytes: Uint8Array, definitionName: string): Fields =>
  readMessage(new WireReader(bytes), messageOf(definitionName), {}, 0);

function readMessage(reader: WireReader, message: Message, into: Fields, depth: number): Fields {
  if (depth > MAX_DEPTH) throw badRequest('exceeded max depth');
  while (!reader.done) {
    const { number, wire } = reader.tag();
    const field = message.byNumber.get(number);
    if (field === undefined) reader.skip(wire);
    else if ('byNumber' in field) {
      if (wire !== BYTES) throw wrongWire(wire, `${number}`);
      readMessage(reader.message(), field, into, depth + 1);
    } else readField(reader, field, wire, into, depth);
  }
  return into;
}

function readField(reader: WireReader, field: WireField, wire: number, into: Fields, depth: number): void {
  if (field.shape === 'map') {
    if (wire !== BYTES) throw wrongWire(wire, field.name);
    const map = (into[field.name] ??= {}) as Fields;
    readEntry(reader.message(), field, map, depth);
    return;
  }
  const value = readValue(reader, field.type, wire, field.name, depth);
  if (field.shape === 'list') ((into[field.name] ??= []) as unknown[]).push(value);
  else if (value !== undefined && !(field.dropZero && (value === '' || value === 0 || value === false)))
    into[field.name] = value;
  else delete into[field.name];
}

function readEntry(reader: WireReader, field: WireField, map: Fields, depth: number): void {
  let key = '';
  let value: unknown;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === BYTES) key = reader.string();
    else if (number === 2) value = readValue(reader, field.type, wire, field.name, depth);
    else reader.skip(wire);
  }
  if (key === '__proto__') throw badRequest('invalid map key "__proto__"');
  map[key] = value ?? emptyValue(field.type);
}

const emptyValue = (type: WireType): unknown =>
  type.kind === 'string' || type.kind === 'bytes'
    ? ''
    : type.kind === 'quantity'
      ? '0'
      : type.kind === 'strings' || type.kind === 'schemaOrNames'
        ? []
        : {};

const wireOf = (type: WireType): number =>
  type.kind === 'bool' || type.kind === 'int32' || type.kind === 'int64'
    ? VARINT
    : type.kind === 'double'
      ? FIXED64
      : BYTES;

function readValue(reader: WireReader, type: WireType, wire: number, name: string, depth: number): unknown {
  if (wire !== wireOf(type)) throw wrongWire(wire, name);
  switch (type.kind) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.varint() !== 0;
    case 'int32':
      return reader.varint() | 0;
    case 'int64':
      return reader.varint();
    case 'double':
      return reader.double();
    case 'bytes':
      return encodeBase64(reader.raw());
    case 'message':
      return readMessage(reader.message(), messageOf(type.definition!), {}, depth + 1);
    default:
      return readSpecial(reader.message(), type, depth);
  }
}

/** The messages that JSON writes as something else than an object of their fields. */
function readSpecial(reader: WireReader, type: WireType, depth: number): unknown {
  const numbers: number[] = [];
  const texts: string[] = [];
  let raw: Uint8Array | undefined;
  const schemas: Fields[] = [];
  let isList = false;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire === VARINT) numbers[Math.min(number, 3)] = reader.varint();
    else if (wire !== BYTES) reader.skip(wire);
    else if (holdsSchema(type, number)) {
      isList ||= type.kind === 'schemaOrList' && number === 2;
      schemas.push(readMessage(reader.message(), messageOf(JSON_SCHEMA), {}, depth + 1));
    } else if (type.kind === 'rawJson') raw = reader.raw();
    else texts.push(reader.string());
  }
  switch (type.kind) {
    case 'time':
    case 'microTime':
      return timeText(type.kind, numbers[1], numbers[2]);
    case 'quantity':
      return texts[0] || '0';
    case 'intOrString':
      return numbers[1] === 1 ? (texts[0] ?? '') : (numbers[2] ?? 0) | 0;
    case 'rawJson':
      return raw && raw.length > 0 ? rawJson(raw) : undefined;
    case 'schemaOrBool':
      return schemas[0] ?? numbers[1] === 1;
    case 'schemaOrList':
      return isList ? schemas : (schemas[0] ?? []);
    case 'schemaOrNames':
      return schemas[0] ?? texts;
    default:
      return texts;
  }
}

const holdsSchema = (type: WireType, number: number): boolean =>
  type.kind === 'schemaOrList' ||
  (type.kind === 'schemaOrBool' && number === 2) ||
  (type.kind === 'schemaOrNames' && number === 1);

/** Go's zero time is an empty message, which JSON shows as null: absent. */
function timeText(kind: 'time' | 'microTime', seconds = 0, nanos = 0): string | undefined {
  if (seconds === 0 && nanos === 0) return undefined;
  if (Math.abs(seconds) > MAX_SECONDS) throw badRequest('proto: time out of range in the request body');
  const at = seconds * SECOND_MS;
  if (kind === 'time') return timestamp(at);
  return microTimestamp(at).replace(
    /\.\d+Z$/,
    `.${String(Math.floor(nanos / SECOND_MS))
      .padStart(6, '0')
      .slice(0, 6)}Z`,
  );
}

function rawJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(raw)) as unknown;
  } catch {
    throw badRequest('proto: invalid JSON in the request body');
  }
}

const wrongWire = (wire: number, name: string): ApiError =>
  badRequest(`proto: wrong wireType = ${wire} for field ${name}`);

// ---- encoding ----

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
    case 'strings':
      for (const text of value as string[]) writer.string(1, text);
      return;
    default:
      return writeSchemaUnion(writer, type, value);
  }
}

function writeTime(writer: WireWriter, kind: 'time' | 'microTime', text: string): void {
  const at = parseTimestamp(text);
  writer.tag(1, VARINT);
  writer.varint(Math.floor(at / SECOND_MS));
  writer.tag(2, VARINT);
  writer.varint(kind === 'microTime' ? Number((/\.(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0')) * SECOND_MS : 0);
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
