import type { Unstructured } from '../../machinery/meta/object.js';
import { type ApiError, badRequest, unsupportedMediaType } from '../../machinery/meta/status.js';
import { decodeUtf8 } from '../../machinery/text/utf8.js';
import { definition } from '../facts/definitions.js';
import { JsonSyntaxError, scanJson } from './json-scanner.js';
import { decodeProtobuf } from './protobuf-decode.js';
import { mayRepeatKeys } from './repeated-keys.js';
import { goTypeOf } from './go-type.js';
import { UnmarshalError, MaxDepthError, Unmarshaler } from './unmarshal.js';
import { parseYaml } from './yaml.js';

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** Upstream registers these in the versions of all groups. */
const IN_EVERY_GROUP = new Set(['DeleteOptions']);

/** What a request's target expects when the body does not say. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Other versions of the group that have the same fields. Models rest.GroupVersionAcceptor. */
  readonly acceptedVersions?: readonly string[];
}

export interface DecodeOptions {
  /** Collect strict errors (fieldValidation Strict and Warn). */
  readonly strict?: boolean;
  /** By default the definition's own; needed for custom resources. */
  readonly expected?: ExpectedKind;
}

export interface Decoded {
  readonly value: Unstructured;
  /** 'unknown field "spec.foo"', 'duplicate field "spec.replicas"', in document order; empty unless strict. */
  readonly strictErrors: string[];
}

/**
 * Decodes a body as the given definition. A definition that is not in the facts keeps fields beyond its metadata.
 * Throws 400 in upstream's words when the body is of another kind or cannot be decoded, 415 when its media type is
 * unknown. Models apimachinery/pkg/runtime/serializer and apiserver/pkg/endpoints/handlers/create.go.
 */
export function decode(
  body: Uint8Array,
  mediaType: string,
  definitionName: string | undefined,
  options: DecodeOptions = {},
): Decoded {
  const expected = options.expected ?? expectedKind(definitionName);
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === PROTOBUF_TYPE) return decodeEnvelope(body, definitionName, expected);
  if (type === YAML_TYPE) return decodeYaml(body, definitionName, expected, options.strict ?? false);
  if (type !== JSON_TYPE && type !== '')
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${[JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE].join(', ')}`,
    );
  return decodeJson(body, definitionName, expected, options.strict ?? false);
}

/** Checks and prunes a value that is not from a body (a patched object). Shares what does not change; throws 400. */
export function normalize(value: unknown, definitionName: string | undefined, options: DecodeOptions = {}): Decoded {
  const expected = options.expected ?? expectedKind(definitionName);
  return decodeValue(value, definitionName, expected, options.strict ?? false);
}

/** The 400 that strict field validation answers: '... strict decoding error: unknown field "spec.baz", ...'. */
export const strictDecodingError = (kind: { version: string; kind: string }, errors: readonly string[]): ApiError =>
  cannotHandle(kind, kind.kind, strictDecodingText(errors));

export const strictDecodingText = (errors: readonly string[]): string => `strict decoding error: ${errors.join(', ')}`;

function decodeJson(
  body: Uint8Array,
  definitionName: string | undefined,
  expected: ExpectedKind,
  strict: boolean,
): Decoded {
  const text = decodeUtf8(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw unrecognizedObject(body, expected, `couldn't get version/kind; json parse error: ${jsonSyntaxFault(text)}`);
  }
  try {
    const decoded = decodeValue(parsed, definitionName, expected, strict, body);
    if (!strict || !mayRepeatKeys(text, parsed)) return decoded;
    return { value: decoded.value, strictErrors: addDuplicateFields(text, decoded.strictErrors) };
  } catch (error) {
    if (error instanceof MaxDepthError || error instanceof JsonSyntaxError)
      throw unrecognizedObject(body, expected, `couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

function decodeYaml(
  body: Uint8Array,
  definitionName: string | undefined,
  expected: ExpectedKind,
  strict: boolean,
): Decoded {
  const { value, error, repeated } = parseYaml(decodeUtf8(body));
  if (error !== undefined) throw unrecognizedObject(body, expected, error);
  const decoded = decodeValue(value, definitionName, expected, strict, body);
  if (!strict || repeated.length === 0) return decoded;
  return {
    value: decoded.value,
    strictErrors: [`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`, ...decoded.strictErrors],
  };
}

function decodeEnvelope(body: Uint8Array, definitionName: string | undefined, expected: ExpectedKind): Decoded {
  const envelope = decodeProtobuf(body, definitionName);
  if (envelope.json) return decodeJson(envelope.json, definitionName, expected, false);
  return decodeValue(envelope.value, definitionName, expected, false, body);
}

function decodeValue(
  value: unknown,
  definitionName: string | undefined,
  expected: ExpectedKind,
  strict: boolean,
  body?: Uint8Array,
): Decoded {
  const fault = typeFault(value);
  if (fault !== undefined)
    throw unrecognizedObject(
      body ?? new Uint8Array(),
      expected,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${fault}`,
    );
  const known = withKind(value as Unstructured, definitionName, expected);
  const unmarshaler = new Unmarshaler();
  try {
    const result = unmarshaler.unmarshal(goTypeOf(definitionName ?? ''), known) as Unstructured;
    return { value: result, strictErrors: strict ? unmarshaler.unknown.map((path) => `unknown field "${path}"`) : [] };
  } catch (error) {
    if (error instanceof UnmarshalError) throw cannotHandle(expected, expected.kind, error.message);
    throw error;
  }
}

/** Go's complaint about a body whose apiVersion and kind cannot be read. */
function typeFault(value: unknown): string | undefined {
  const META =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  if (typeof value !== 'object' || Array.isArray(value)) return `${goKind(value)} into Go value of type ${META}`;
  for (const field of ['apiVersion', 'kind'] as const) {
    const found = (value as Record<string, unknown> | null)?.[field];
    if (found !== undefined && found !== null && typeof found !== 'string')
      return `${goKind(found)} into Go struct field .${field} of type string`;
  }
  return undefined;
}
const goKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** Fills in the kind that the path implies; a body of another kind is a 400. */
function withKind(
  given: Unstructured | null,
  definitionName: string | undefined,
  expected: ExpectedKind,
): Unstructured {
  const value = given ?? ({} as Unstructured);
  const wanted = expected.group ? `${expected.group}/${expected.version}` : expected.version;
  if (value.apiVersion && value.kind) {
    if ((value.apiVersion === wanted && value.kind === expected.kind) || acceptsKind(definitionName, value))
      return value;
    if (value.kind === expected.kind && IN_EVERY_GROUP.has(value.kind)) return value;
    if (value.kind === expected.kind && acceptsVersion(expected, value.apiVersion))
      return { ...value, apiVersion: wanted };
    if (value.apiVersion !== wanted)
      throw badRequest(
        `the API version in the data (${value.apiVersion}) does not match the expected API version (${wanted})`,
      );
    throw cannotHandle(
      { version: expected.version, kind: value.kind },
      expected.kind,
      `converting (${expected.version}.${value.kind}) to (${expected.group || 'core'}.${expected.kind}): unknown conversion`,
    );
  }
  return withKind(
    { ...value, apiVersion: value.apiVersion || wanted, kind: value.kind || expected.kind },
    definitionName,
    expected,
  );
}

const acceptsVersion = ({ group, acceptedVersions = [] }: ExpectedKind, apiVersion: string): boolean =>
  acceptedVersions.some((version) => `${group}/${version}` === apiVersion);

/** DeleteOptions and the like come under every group's name. */
function acceptsKind(definitionName: string | undefined, value: Unstructured): boolean {
  const gvks = definitionName === undefined ? undefined : definition(definitionName)?.gvk;
  return (
    gvks?.some(
      ([group, version, kind]) => kind === value.kind && (group ? `${group}/${version}` : version) === value.apiVersion,
    ) ?? false
  );
}

function expectedKind(definitionName: string | undefined): ExpectedKind {
  const gvk = definitionName === undefined ? undefined : definition(definitionName)?.gvk?.[0];
  return gvk
    ? { group: gvk[0], version: gvk[1], kind: gvk[2] }
    : { group: '', version: 'v1', kind: definitionName?.split('.').at(-1) ?? 'object' };
}

/** Orders unknown and repeated fields as one pass over the text meets them. */
function addDuplicateFields(text: string, unknownErrors: string[]): string[] {
  const unknown = new Set(unknownErrors);
  const seen = new Set<string>();
  const ordered: string[] = [];
  let repeats = false;
  const add = (error: string): void => {
    if (!seen.has(error)) ordered.push(error);
    seen.add(error);
  };
  scanJson(text, (path, repeated) => {
    const error = `unknown field "${path}"`;
    if (unknown.has(error)) add(error);
    else if (repeated) {
      repeats = true;
      add(`duplicate field "${path}"`);
    }
  });
  return repeats ? ordered.slice(0, 100) : unknownErrors;
}

/** Go's complaint about a text that is not JSON. */
export function jsonSyntaxFault(text: string): string {
  try {
    scanJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  return 'invalid JSON';
}

const cannotHandle = (kind: { version: string; kind: string }, target: string, why: string): ApiError =>
  badRequest(`${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${target}: ${why}`);

const unrecognizedObject = (body: Uint8Array, expected: ExpectedKind, why: string): ApiError =>
  badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summary(body)})`);

const SUMMARY_BYTES = 30;

/** The body's beginning, as text when it looks like JSON and else in hexadecimal. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, SUMMARY_BYTES);
  const dots = body.length > SUMMARY_BYTES ? ' ...' : '';
  const isObject = body[0] === 0x7b;
  const bytes = Array.from(head, (b) => (isObject ? String.fromCharCode(b) : b.toString(16).padStart(2, '0')));
  return bytes.join('') + dots;
}
