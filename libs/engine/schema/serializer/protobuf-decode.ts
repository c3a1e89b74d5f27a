import { encodeBase64 } from '../../machinery/text/base64.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { microTimestamp, SECOND, timestamp } from '../../machinery/time/time.js';
import { decodeUtf8 } from '../../machinery/text/utf8.js';
import { JSON_SCHEMA, MAGIC, messageOf, type Message, type WireField, type WireType } from './protobuf-messages.js';
import { BYTES, FIXED64, VARINT } from './protobuf-wire.js';
import { WireReader } from './wire-reader.js';

type Fields = Record<string, unknown>;

const MAX_DEPTH = 500;
const MAX_SECONDS = 253_402_300_799;

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
    } else if (type.kind === 'rawJson' || type.kind === 'fieldSet') raw = reader.raw();
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
    case 'fieldSet':
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
  const at = seconds * SECOND;
  if (kind === 'time') return timestamp(at);
  return microTimestamp(at).replace(
    /\.\d+Z$/,
    `.${String(Math.floor(nanos / SECOND))
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
