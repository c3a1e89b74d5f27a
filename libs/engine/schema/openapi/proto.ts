import type { Schema } from './schema.js';
import { FIXED64, VARINT } from '../serializer/protobuf-wire.js';
import { WireWriter } from '../serializer/wire-writer.js';

/**
 * What kubectl asks for at /openapi/v2 (it reads no JSON there), and what the answer is called: '@' is no legal media
 * type.
 */
export const OPENAPI_V2_PROTO_ACCEPT = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
export const OPENAPI_V2_PROTO_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

type Value = Readonly<Record<string, unknown>>;
type Kind =
  | 'text'
  | 'texts'
  | 'flag'
  | 'number'
  | 'integer'
  | 'any'
  | 'anys'
  | ((writer: WireWriter, number: number, value: unknown) => void);
type Table = Readonly<Record<string, readonly [number: number, kind: Kind]>>;

const SCHEMA: Table = {
  $ref: [1, 'text'],
  format: [2, 'text'],
  title: [3, 'text'],
  description: [4, 'text'],
  default: [5, 'any'],
  multipleOf: [6, 'number'],
  maximum: [7, 'number'],
  exclusiveMaximum: [8, 'flag'],
  minimum: [9, 'number'],
  exclusiveMinimum: [10, 'flag'],
  maxLength: [11, 'integer'],
  minLength: [12, 'integer'],
  pattern: [13, 'text'],
  maxItems: [14, 'integer'],
  minItems: [15, 'integer'],
  uniqueItems: [16, 'flag'],
  maxProperties: [17, 'integer'],
  minProperties: [18, 'integer'],
  required: [19, 'texts'],
  enum: [20, 'anys'],
  additionalProperties: [
    21,
    (w, n, v) => w.message(n, () => (typeof v === 'boolean' ? scalar(w, 2, 'flag', v) : schema(w, 1, v))),
  ],
  type: [22, (w, n, v) => w.message(n, () => w.string(1, v as string))],
  items: [23, (w, n, v) => w.message(n, () => schema(w, 1, v))],
  properties: [25, (w, n, v) => w.message(n, () => named(w, 1, v as Value, schema))],
};
const OPERATION: Table = {
  tags: [1, 'texts'],
  description: [3, 'text'],
  operationId: [5, 'text'],
  produces: [6, 'texts'],
  consumes: [7, 'texts'],
  parameters: [8, parameters],
  responses: [9, (w, n, v) => w.message(n, () => named(w, 1, v as Value, response))],
  schemes: [10, 'texts'],
};
const operation = (w: WireWriter, n: number, v: unknown): void =>
  w.message(n, () => fields(w, OPERATION, v as Value, 13));
const PATH_ITEM: Table = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  patch: [8, operation],
  parameters: [9, parameters],
};
const INFO: Table = { title: [1, 'text'], version: [2, 'text'] };
const DOCUMENT: Table = {
  swagger: [1, 'text'],
  info: [2, (w, n, v) => w.message(n, () => fields(w, INFO, v as Value))],
  paths: [
    8,
    (w, n, v) =>
      w.message(n, () =>
        named(w, 2, v as Value, (writer, number, item) =>
          writer.message(number, () => fields(writer, PATH_ITEM, item as Value)),
        ),
      ),
  ],
  definitions: [9, (w, n, v) => w.message(n, () => named(w, 1, v as Value, schema))],
  parameters: [10, (w, n, v) => w.message(n, () => named(w, 1, v as Value, parameter))],
};
const BODY: Table = { name: [2, 'text'], in: [3, 'text'], required: [4, 'flag'], schema: [5, schema] };
const QUERY: Table = {
  required: [1, 'flag'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [6, 'text'],
  uniqueItems: [20, 'flag'],
};
const IN_PATH: Table = {
  required: [1, 'flag'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [5, 'text'],
  uniqueItems: [19, 'flag'],
};
const RESPONSE: Table = { description: [1, 'text'], schema: [2, (w, n, v) => w.message(n, () => schema(w, 1, v))] };

/**
 * A Swagger document as protobuf. What the message has no field for (oneOf) is left out, as upstream. Models gnostic's
 * OpenAPIv2.proto.
 */
export function encodeOpenApiV2(document: Schema): Uint8Array {
  const writer = new WireWriter();
  fields(writer, DOCUMENT, document);
  return writer.finish();
}

/** Writes the fields of a table in its order, and 'x-...' fields as vendor extensions. */
function fields(writer: WireWriter, table: Table, value: Value, extensions?: number): void {
  for (const [name, [number, kind]] of Object.entries(table)) {
    const found = value[name];
    if (found === undefined || found === null) continue;
    if (typeof kind === 'function') kind(writer, number, found);
    else scalar(writer, number, kind, found);
  }
  if (extensions === undefined) return;
  for (const name of Object.keys(value)) {
    if (!name.startsWith('x-')) continue;
    writer.message(extensions, () => {
      writer.string(1, name);
      scalar(writer, 2, 'any', value[name]);
    });
  }
}

function scalar(
  writer: WireWriter,
  number: number,
  kind: Exclude<Kind, (...args: never[]) => void>,
  value: unknown,
): void {
  switch (kind) {
    case 'text':
      return writer.string(number, String(value));
    case 'texts':
      return (value as readonly string[]).forEach((text) => writer.string(number, text));
    case 'anys':
      return (value as readonly unknown[]).forEach((item) => scalar(writer, number, 'any', item));
    // JSON is YAML, which is what the message holds.
    case 'any':
      return writer.message(number, () => writer.string(2, JSON.stringify(value)));
    case 'number':
      writer.tag(number, FIXED64);
      return writer.double(Number(value));
    default:
      writer.tag(number, VARINT);
      return writer.varint(Number(value));
  }
}

function schema(writer: WireWriter, number: number, value: unknown): void {
  writer.message(number, () => fields(writer, SCHEMA, value as Value, 31));
}

function named(
  writer: WireWriter,
  number: number,
  entries: Value,
  write: (writer: WireWriter, number: number, value: unknown) => void,
): void {
  for (const [name, value] of Object.entries(entries)) {
    writer.message(number, () => {
      writer.string(1, name);
      write(writer, 2, value);
    });
  }
}

function parameters(writer: WireWriter, number: number, value: unknown): void {
  for (const item of value as readonly Value[]) {
    writer.message(number, () => {
      if ('$ref' in item) writer.message(2, () => writer.string(1, item['$ref'] as string));
      else parameter(writer, 1, item);
    });
  }
}

function parameter(writer: WireWriter, number: number, value: unknown): void {
  const item = value as Value;
  writer.message(number, () => {
    if (item['in'] === 'body') writer.message(1, () => fields(writer, BODY, item));
    else if (item['in'] === 'path') writer.message(2, () => writer.message(4, () => fields(writer, IN_PATH, item)));
    else writer.message(2, () => writer.message(3, () => fields(writer, QUERY, item)));
  });
}

function response(writer: WireWriter, number: number, value: unknown): void {
  writer.message(number, () => writer.message(1, () => fields(writer, RESPONSE, value as Value)));
}
