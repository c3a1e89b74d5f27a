import type { ApiRequest } from '../../machinery/requests/http.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import type { Kind } from '../../machinery/kind.js';
import { requestEntityTooLarge } from '../../machinery/meta/status.js';
import { decode, definition, strictDecodingError, type ExpectedKind } from '../../schema/index.js';
import { bodyType } from './negotiate.js';
import type { FieldValidation } from './options.js';

export const MAX_BODY_BYTES = 3 * 1024 * 1024;
const NO_BODY = new Uint8Array();

/** The parts of a Call that decoding needs. */
interface Decoding {
  readonly request: Pick<ApiRequest, 'headers' | 'body'>;
  readonly kind: Kind;
  /** Strict errors go here, unless the field validation is Strict. */
  readonly warnings: string[];
}

/** The request's body. Throws 413. */
export function readBody({ request }: { readonly request: Pick<ApiRequest, 'body'> }): Uint8Array {
  const body = request.body ?? NO_BODY;
  if (body.length > MAX_BODY_BYTES) throw requestEntityTooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  return body;
}

/** Decodes the body as the type `definitionName`. Throws 400, 413, 415. */
export function decodeBody(
  call: Decoding,
  definitionName: string,
  validation: FieldValidation,
  expected?: ExpectedKind,
): Unstructured {
  const mediaType = bodyType(call.request.headers['content-type']);
  const options = { strict: validation !== 'Ignore', expected };
  const { value, strictErrors } = decode(readBody(call), mediaType, definitionName, options);
  reportStrictErrors(call, strictErrors, validation, expected ?? call.kind);
  return value;
}

/** Decodes the body as an object of the call's kind, with the structs that a Go value always has. */
export function decodeObject(call: Decoding, validation: FieldValidation): KubeObject {
  const { kind } = call;
  const value = decodeBody(call, kind.definition, validation, kind);
  if (validation !== 'Ignore') reportStrictErrors(call, unknownFields(kind, value), validation, kind);
  return addEmptyStructs(kind.definition, value);
}

/** Throws 400 when the field validation is Strict; else they become warnings. */
function reportStrictErrors(
  call: Decoding,
  errors: readonly string[],
  validation: FieldValidation,
  expected: Pick<ExpectedKind, 'version' | 'kind'>,
): void {
  if (errors.length === 0) return;
  if (validation === 'Strict') throw strictDecodingError(expected, errors);
  call.warnings.push(...errors);
}

/** Strict errors of a custom object, whose schema its kind alone has. */
export const unknownFields = (kind: Kind, value: KubeObject): string[] =>
  (kind.unknownFields?.(value) ?? []).map((path) => `unknown field "${path}"`);

/** Fields of a type that are structs in Go, by the type's name. */
// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const structs = new Map<string, readonly string[]>();

/** Adds metadata, spec and status where the type has them: they are structs in Go, and never absent. */
export function addEmptyStructs(definitionName: string, value: Unstructured): KubeObject {
  for (const field of structsOf(definitionName)) value[field] ??= {};
  return value;
}

function structsOf(definitionName: string): readonly string[] {
  const cached = structs.get(definitionName);
  if (cached) return cached;
  const type = definition(definitionName);
  const isStruct = (name: string): boolean => {
    const fieldType = type?.fields?.[name]?.type;
    return typeof fieldType === 'string' && definition(fieldType)?.fields !== undefined;
  };
  const fields = ['metadata', ...['spec', 'status'].filter(isStruct)];
  if (type) structs.set(definitionName, fields);
  return fields;
}
