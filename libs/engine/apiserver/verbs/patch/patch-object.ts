import { invalidValue, Path } from '../../../machinery/meta/field.js';
import { isObject, type Json, type KubeObject, type JsonObject } from '../../../machinery/meta/object.js';
import { ApiError, badRequest, conflict, invalid, OBJECT_MODIFIED } from '../../../machinery/meta/status.js';
import { applyJsonPatch, applyMergePatch, goMap, jsonType } from '../../../machinery/patch/patch.js';
import { applyStrategicPatch } from '../../../machinery/patch/strategic.js';
import { decodeUtf8 } from '../../../machinery/text/utf8.js';
import type { ObjectType } from '../../../runtime/admission.js';
import {
  JsonSyntaxError,
  normalize,
  patchType,
  scanJson,
  strictDecodingText,
  jsonSyntaxFault,
  type Decoded,
} from '../../../schema/index.js';
import type { Call } from '../../call.js';
import { readBody, addEmptyStructs, unknownFields } from '../../request/decode.js';
import type { FieldValidation } from '../../request/options.js';
import { conversionError } from '../conversion-error.js';
import { JSON_PATCH, MERGE_PATCH, patchMediaType, STRATEGIC_PATCH } from './patch-type.js';

const MAX_DUPLICATES = 100;

/** A patch, and the definition of the objects that it patches. */
interface Patch {
  readonly mediaType: string;
  readonly body: Json;
  readonly definition: string;
}

/**
 * `current` with the patch of the body, decoded by a definition of the schema. Throws 400 for a bad patch, 409 for
 * another resourceVersion, 422 for a result that is no object of the type. Models patcher.applyPatchToCurrentObject.
 */
export function patchObject(
  call: Call,
  current: KubeObject,
  definition: string,
  validation: FieldValidation,
  expected: ObjectType = call.kind,
): KubeObject {
  const mediaType = patchMediaType(call);
  const patch: Patch = { mediaType, definition, body: parseBody(call, mediaType) };
  const result = applyPatch(patch, current as unknown as JsonObject);
  const decoded = decodeResult(patch, result, validation, expected);
  const strictErrors = [
    ...findDuplicateFields(call, mediaType),
    ...decoded.strictErrors,
    ...(validation === 'Ignore' || expected !== call.kind ? [] : unknownFields(call.kind, decoded.value)),
  ];
  if (strictErrors.length > 0) {
    if (validation === 'Strict') throw invalidPatch(patch, result, strictDecodingText(strictErrors));
    call.warnings.push(...strictErrors);
  }
  const version = decoded.value.metadata?.resourceVersion;
  if (version !== undefined && version !== current.metadata.resourceVersion)
    throw conflict(call.kind, call.name, OBJECT_MODIFIED);
  // A private top level: the writer completes it in place.
  return addEmptyStructs(definition, { ...decoded.value });
}

/** Strategic patches are parsed by another decoder upstream, which has no prefix for its errors. */
const errorPrefix = (mediaType: string): string => (mediaType === STRATEGIC_PATCH ? '' : 'error decoding patch: ');

function parseBody(call: Call, mediaType: string): Json {
  const text = decodeUtf8(readBody(call));
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw badRequest(`${errorPrefix(mediaType)}${jsonSyntaxFault(text)}`);
  }
}

function applyPatch({ mediaType, body, definition }: Patch, current: JsonObject): Json {
  if (mediaType === JSON_PATCH) return applyJsonPatch(current, body);
  const isStrategic = mediaType === STRATEGIC_PATCH;
  if (body === null && isStrategic) return current;
  if (body === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(body))
    throw badRequest(
      `${errorPrefix(mediaType)}json: cannot unmarshal ${jsonType(body)} into Go value of type map[string]interface {}`,
    );
  if (mediaType === MERGE_PATCH) return applyMergePatch(current, body);
  // A strategic patch cannot change the type of the object.
  return { ...applyStrategicPatch(current, body, patchType(definition)), ...typeMeta(current) };
}

const typeMeta = ({ apiVersion, kind }: JsonObject): JsonObject => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  ...(kind === undefined ? {} : { kind }),
});

/** Throws 422 when the result cannot be decoded as the type. */
function decodeResult(patch: Patch, result: Json, validation: FieldValidation, expected: ObjectType): Decoded {
  try {
    return normalize(result, patch.definition, { strict: validation !== 'Ignore', expected });
  } catch (error) {
    if (error instanceof ApiError && error.code === 400)
      throw invalidPatch(patch, result, error.message.replace(/^.*? cannot be handled as a \S+: /s, ''));
    throw error;
  }
}

/** 422 for a patch that makes no object of the type; upstream shows a strategic patch as Go prints its map. */
function invalidPatch({ mediaType, body }: Patch, result: Json, message: string): ApiError {
  const isStrategic = mediaType === STRATEGIC_PATCH;
  const value = isStrategic ? goMap(body) : JSON.stringify(result);
  const detail = isStrategic ? conversionError(message) : message;
  return invalid({ group: '', kind: '' }, '', [invalidValue(Path.of('patch'), value, detail)]);
}

/** Errors for the fields that a patch has twice. Throws 400 for one that is nested too deep. */
function findDuplicateFields(call: Call, mediaType: string): string[] {
  if (mediaType === JSON_PATCH) return [];
  const duplicates: string[] = [];
  const addDuplicate = (path: string, isDuplicate: boolean): void => {
    if (isDuplicate && duplicates.length < MAX_DUPLICATES) duplicates.push(`duplicate field "${path}"`);
  };
  try {
    scanJson(decodeUtf8(readBody(call)), addDuplicate);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
  return duplicates;
}
