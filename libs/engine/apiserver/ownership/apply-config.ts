import { checkFields, isFields, type Fields, type FieldsType } from '../../machinery/managedfields/index.js';
import { apiVersionOf, type Unstructured } from '../../machinery/meta/object.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { decodeUtf8 } from '../../machinery/utf8.js';
import { parseYaml, scanJson } from '../../schema/index.js';
import type { Call } from '../call.js';
import { bodyOf } from '../request/codec.js';
import type { FieldValidation } from '../request/options.js';

/** The kind of object that a configuration is of. */
export interface Configured {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The body: an object of this kind, typed as its schema says. Throws 400. */
export function configOf(
  call: Call,
  kind: Configured,
  type: FieldsType,
  fieldValidation: FieldValidation,
): Unstructured {
  const config = parse(call, fieldValidation);
  const { apiVersion, kind: kindName, metadata } = config;
  if (apiVersion !== apiVersionOf(kind.group, kind.version) || kindName !== kind.kind)
    throw badRequest(`invalid object type: ${typeText(apiVersion, kindName)}`);
  if (isFields(metadata) && metadata['managedFields'] !== undefined && metadata['managedFields'] !== null)
    throw badRequest('metadata.managedFields must be nil');
  const errors = checkFields(config, type);
  if (errors.length > 0) throw untyped(kind.kind, config, errors);
  return config as Unstructured;
}

/** 'apps/v1, Kind=Deployment', '/v1, Kind=Pod', and '/, Kind=' when the body does not say. */
function typeText(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** Upstream answers 500 without a reason; the text is the same. */
function untyped(kind: string, config: Fields, errors: readonly string[]): ApiError {
  const { name, namespace } = isFields(config['metadata']) ? config['metadata'] : ({} as Fields);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const why = errors.length === 1 ? errors[0] : `errors:\n${errors.map((e) => `  ${e}`).join('\n')}`;
  const message = `failed to create typed patch object (${text(namespace)}/${text(name)}; ${typeText(config['apiVersion'], kind)}): ${why}`;
  return new ApiError(400, '', message, {});
}

function parse(call: Call, validation: FieldValidation): Fields {
  const text = decodeUtf8(bodyOf(call));
  const json = text.startsWith('{') ? plainJson(text) : undefined;
  if (json) return json;
  const { value: found, error, repeated } = parseYaml(text);
  const value = found ?? {};
  if (error !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error}`);
  if (!isFields(value))
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type map[string]interface {}`,
    );
  if (repeated.length > 0 && validation !== 'Ignore') {
    if (validation === 'Strict')
      throw badRequest(
        `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`,
      );
    call.warnings.push(...repeated);
  }
  return value;
}

/**
 * Most bodies are JSON, which is YAML too but much quicker to read. Undefined: let the YAML parser look, and complain.
 */
function plainJson(text: string): Fields | undefined {
  let repeats = false;
  try {
    scanJson(text, (_path, repeated) => void (repeats ||= repeated));
    return repeats ? undefined : (JSON.parse(text) as Fields);
  } catch {
    return undefined;
  }
}
