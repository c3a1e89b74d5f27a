import { checkFields, type Fields, type FieldsType } from '../../machinery/managedfields/index.js';
import { apiVersionOf, isObject, type Json, type Unstructured } from '../../machinery/meta/object.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { jsonType } from '../../machinery/patch/patch.js';
import { decodeUtf8 } from '../../machinery/text/utf8.js';
import type { ObjectType } from '../../runtime/admission.js';
import { parseYaml, scanJson } from '../../schema/index.js';
import type { Call } from '../call.js';
import { readBody } from '../request/decode.js';
import type { FieldValidation } from '../request/options.js';

/** Decodes the body of an apply as an object of this type, and checks its fields against the schema. Throws 400. */
export function decodeApplyConfiguration(
  call: Call,
  expected: ObjectType,
  type: FieldsType,
  fieldValidation: FieldValidation,
): Unstructured {
  const configuration = parseBody(call, fieldValidation);
  const { apiVersion, kind, metadata } = configuration;
  if (apiVersion !== apiVersionOf(expected.group, expected.version) || kind !== expected.kind)
    throw badRequest(`invalid object type: ${typeText(apiVersion, kind)}`);
  if (isObject(metadata) && metadata['managedFields'] !== undefined && metadata['managedFields'] !== null)
    throw badRequest('metadata.managedFields must be nil');
  const errors = checkFields(configuration, type);
  if (errors.length > 0) throw typedPatchError(expected.kind, configuration, errors);
  return configuration as Unstructured;
}

/** 'apps/v1, Kind=Deployment', '/v1, Kind=Pod', and '/, Kind=' when the body does not say. */
function typeText(apiVersion: unknown, kind: unknown): string {
  const version = textOrEmpty(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${textOrEmpty(kind)}`;
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Upstream answers 500 without a reason; the text is the same. */
function typedPatchError(kind: string, { apiVersion, metadata }: Fields, errors: readonly string[]): ApiError {
  const { name, namespace } = isObject(metadata) ? metadata : ({} as Fields);
  const object = `${textOrEmpty(namespace)}/${textOrEmpty(name)}; ${typeText(apiVersion, kind)}`;
  const detail = errors.length === 1 ? errors[0] : `errors:\n${errors.map((e) => `  ${e}`).join('\n')}`;
  return new ApiError(400, '', `failed to create typed patch object (${object}): ${detail}`, {});
}

/** The body as YAML, which JSON is too. Throws 400. */
function parseBody(call: Call, validation: FieldValidation): Fields {
  const text = decodeUtf8(readBody(call));
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (json) return json;
  const { value: parsed, error, repeated } = parseYaml(text);
  const value = parsed ?? {};
  if (error !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error}`);
  if (!isObject(value))
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonType(value as Json)} into Go value of type map[string]interface {}`,
    );
  if (repeated.length > 0) handleDuplicates(call, repeated, validation);
  return value;
}

function handleDuplicates(call: Call, duplicates: readonly string[], validation: FieldValidation): void {
  if (validation === 'Warn') call.warnings.push(...duplicates);
  if (validation === 'Strict')
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
    );
}

/**
 * Most bodies are JSON, which parses much faster as such. Undefined when the text is no JSON or has a key twice, so
 * that the YAML parser finds the error.
 */
function parseJson(text: string): Fields | undefined {
  let hasDuplicates = false;
  try {
    scanJson(text, (_path, isDuplicate) => void (hasDuplicates ||= isDuplicate));
    return hasDuplicates ? undefined : (JSON.parse(text) as Fields);
  } catch {
    return undefined;
  }
}
