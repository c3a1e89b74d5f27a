import { decodeBase64Text, encodeBase64Url, findIllegalByte } from '../../machinery/base64.js';
import { apiVersionOf, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import type { Kind } from '../../machinery/kind.js';
import { requestEntityTooLarge } from '../../machinery/meta/status.js';
import { withFields } from '../../runtime/attribution.js';
import {
  decode,
  definition,
  encodeMessage,
  encodeProtobuf,
  encodeProtobufList,
  strictDecodingError,
  type Decoded,
} from '../../schema/index.js';
import type { Call } from '../call.js';
import { bodyType } from './negotiate.js';
import type { FieldValidation } from './options.js';

export const MAX_BODY_BYTES = 3 * 1024 * 1024;
const NO_BODY = new Uint8Array();

/** The request's body, within its limit. Throws 413. */
export function bodyOf(call: Pick<Call, 'request'>): Uint8Array {
  const body = call.request.body ?? NO_BODY;
  if (body.length > MAX_BODY_BYTES) throw requestEntityTooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  return body;
}

/** Decodes the body as `definitionName`, and answers strict errors as the field validation asks. */
export function decodeBody(
  call: Call,
  definitionName: string,
  validation: FieldValidation,
  expected?: { group: string; version: string; kind: string },
): Unstructured {
  const body = bodyOf(call);
  const mediaType = bodyType(call.request.headers['content-type']);
  const decoded = decode(body, mediaType, definitionName, { strict: validation !== 'Ignore', expected });
  return accept(call, decoded, validation, expected);
}

export function accept(
  call: Call,
  decoded: Decoded,
  validation: FieldValidation,
  expected: { version: string; kind: string } = call.kind,
): Unstructured {
  if (decoded.strictErrors.length > 0) {
    if (validation === 'Strict') throw strictDecodingError(expected, decoded.strictErrors);
    call.warnings.push(...decoded.strictErrors);
  }
  return decoded.value;
}

/** The body as an object of the call's kind, with the structs that Go always has. */
export const decodeObject = (call: Call, validation: FieldValidation): KubeObject =>
  complete(
    call.kind.definition,
    known(call, decodeBody(call, call.kind.definition, validation, call.kind), validation),
  );

/** A custom kind's schema is known to the kind alone. */
function known(call: Call, value: Unstructured, validation: FieldValidation): Unstructured {
  return validation === 'Ignore'
    ? value
    : accept(call, { value, strictErrors: unknownFields(call.kind, value) }, validation);
}

export const unknownFields = (kind: Kind, value: KubeObject): string[] =>
  (kind.unknownFields?.(value) ?? []).map((path) => `unknown field "${path}"`);

const structs = new Map<string, readonly string[]>();

/** Metadata, spec and status are structs in Go: never absent where the type has them. */
export function complete(definitionName: string, value: Unstructured): KubeObject {
  for (const field of structsOf(definitionName)) value[field] ??= {};
  return value;
}

function structsOf(definitionName: string): readonly string[] {
  let fields = structs.get(definitionName);
  if (!fields) {
    const known = definition(definitionName)?.fields ?? {};
    const isStruct = (name: string): boolean =>
      typeof known[name]?.type === 'string' && definition(known[name].type)?.fields !== undefined;
    fields = ['metadata', ...['spec', 'status'].filter(isStruct)];
    if (definition(definitionName)) structs.set(definitionName, fields);
  }
  return fields;
}

export const encodeObject = (kind: Kind, object: KubeObject): Uint8Array =>
  encodeProtobuf(withFields(kind, object), kind.definition);

/** A typed list in protobuf: 'PodList' of the kind's package. */
export const encodeList = (
  kind: Kind,
  objects: readonly KubeObject[],
  metadata: Readonly<Record<string, unknown>>,
): Uint8Array =>
  encodeProtobufList(
    { apiVersion: apiVersionOf(kind.group, kind.version), kind: `${kind.kind}List`, metadata },
    objects.map((o) => itemBytes(kind, o)),
  );

/** As with texts: stored objects never change, so their bytes are made once a revision and version. */
const encoded = new WeakMap<KubeObject, Uint8Array>();

function itemBytes(kind: Kind, object: KubeObject): Uint8Array {
  let bytes = encoded.get(object);
  if (!bytes) encoded.set(object, (bytes = encodeMessage(withFields(kind, object) as Unstructured, kind.definition)));
  return bytes;
}

/** A continue token: URL-safe base64 without padding. */
export const encodeToken = (text: string): string => encodeBase64Url(text);

/** The text of a continue token, or the position of the byte that is no base64. */
export function decodeToken(token: string): { readonly text: string; readonly fault?: number } {
  const padded = token.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (token.length % 4)) % 4);
  const fault = findIllegalByte(padded);
  return fault >= 0 ? { text: '', fault } : { text: decodeBase64Text(padded) };
}
