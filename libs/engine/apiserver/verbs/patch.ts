import type { BodyResponse } from '../../machinery/http.js';
import { invalidValue, Path } from '../../machinery/meta/field.js';
import type { Json, KubeObject } from '../../machinery/meta/object.js';
import {
  applyJsonPatch,
  applyMergePatch,
  goMap,
  isObject,
  jsonType,
  type JsonObject,
} from '../../machinery/patch/patch.js';
import { applyStrategicPatch } from '../../machinery/patch/strategic.js';
import {
  ApiError,
  badRequest,
  conflict,
  invalid,
  OBJECT_MODIFIED,
  unsupportedMediaType,
} from '../../machinery/meta/status.js';
import { decodeUtf8 } from '../../machinery/utf8.js';
import {
  JsonSyntaxError,
  normalize,
  patchType,
  scanJson,
  strictDecodingText,
  syntaxFault,
  type Decoded,
} from '../../schema/index.js';
import { apply, APPLY_PATCH } from '../ownership/apply.js';
import { writeOptions, type Call } from '../call.js';
import { bodyOf, complete, unknownFields } from '../request/codec.js';
import { checkName, checkUnchanged, currentObject, placeInNamespace } from './mutate.js';
import { mutationOptions, type FieldValidation } from '../request/options.js';
import { conversionFault } from './patch-faults.js';
import { isBuiltIn } from '../response/print.js';
import { objectResponse } from '../response/respond.js';

const MAX_REPEATED = 100;
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** PATCH of the object or its status. Models apiserver/pkg/endpoints/handlers/patch.go. */
export function patch(call: Call): BodyResponse {
  if (patchMediaType(call, true) === APPLY_PATCH) return apply(call);
  const { dryRun, fieldValidation } = mutationOptions('PatchOptions', call.query);
  const current = currentObject(call);
  const draft = patched(call, current, call.kind.definition, fieldValidation);
  placeInNamespace(call, draft);
  checkName(call, draft);
  checkUnchanged(call, draft, current);
  return objectResponse(
    call,
    200,
    call.server.writer.update(call.kind, draft, writeOptions(call, dryRun), call.subresource),
  );
}

/** `current` with the body's patch applied, checked against its definition. */
export function patched(
  call: Call,
  current: KubeObject,
  definitionName: string,
  validation: FieldValidation,
  expected: { group: string; version: string; kind: string } = call.kind,
): KubeObject {
  const strategic = patchMediaType(call) === STRATEGIC_PATCH;
  const body = parse(bodyOf(call), strategic);
  const result = applyBody(call, body, current as unknown as JsonObject, definitionName);
  const refused = (why: string): ApiError =>
    invalid({ group: '', kind: '' }, '', [
      invalidValue(
        Path.of('patch'),
        strategic ? goMap(body) : JSON.stringify(result),
        strategic ? conversionFault(why) : why,
      ),
    ]);
  const decoded = checkPatched(result, definitionName, expected, validation, refused);
  const strictErrors = [
    ...repeatedIn(call),
    ...decoded.strictErrors,
    ...(validation === 'Ignore' || expected !== call.kind ? [] : unknownFields(call.kind, decoded.value)),
  ];
  if (strictErrors.length > 0) {
    if (validation === 'Strict') throw refused(strictDecodingText(strictErrors));
    call.warnings.push(...strictErrors);
  }
  const version = decoded.value.metadata?.resourceVersion;
  if (version !== undefined && version !== current.metadata.resourceVersion)
    throw conflict(call.kind, call.name, OBJECT_MODIFIED);
  // A private top level: the writer completes it in place.
  return complete(definitionName, { ...decoded.value });
}

/** Fields that a patch has twice. Throws 400 for one that is nested too deep. */
function repeatedIn(call: Call): string[] {
  if (patchMediaType(call) === JSON_PATCH) return [];
  const repeated: string[] = [];
  try {
    scanJson(
      decodeUtf8(bodyOf(call)),
      (path, isRepeated) =>
        void (isRepeated && repeated.length < MAX_REPEATED && repeated.push(`duplicate field "${path}"`)),
    );
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
  return repeated;
}

const typeOf = ({ apiVersion, kind }: JsonObject): JsonObject => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  ...(kind === undefined ? {} : { kind }),
});

function applyBody(call: Call, body: Json, current: JsonObject, definitionName: string): Json {
  const mediaType = patchMediaType(call);
  if (mediaType === JSON_PATCH) return applyJsonPatch(current, body);
  const strategic = mediaType === STRATEGIC_PATCH;
  if (body === null && strategic) return current;
  if (body === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(body))
    throw badRequest(
      `${strategic ? '' : 'error decoding patch: '}json: cannot unmarshal ${jsonType(body)} into Go value of type map[string]interface {}`,
    );
  if (mediaType === MERGE_PATCH) return applyMergePatch(current, body);
  // What is patched stays an object of its type.
  return { ...applyStrategicPatch(current, body, patchType(definitionName)), ...typeOf(current) };
}

export function patchMediaType(call: Call, canApply = false): string {
  const types = [
    JSON_PATCH,
    MERGE_PATCH,
    ...(isBuiltIn(call.kind) ? [STRATEGIC_PATCH] : []),
    ...(canApply ? [APPLY_PATCH] : []),
  ];
  const mediaType = (call.request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (!types.includes(mediaType) && isBuiltIn(call.kind))
    throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (!types.includes(mediaType))
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
    );
  return mediaType;
}

function parse(body: Uint8Array, strategic: boolean): Json {
  const text = decodeUtf8(body);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw badRequest(`${strategic ? '' : 'error decoding patch: '}${syntaxFault(text)}`);
  }
}

/** What a patch makes of the object may not be an object of its kind. */
function checkPatched(
  value: Json,
  definitionName: string,
  expected: { group: string; version: string; kind: string },
  validation: FieldValidation,
  refused: (why: string) => ApiError,
): Decoded {
  try {
    return normalize(value, definitionName, { strict: validation !== 'Ignore', expected });
  } catch (error) {
    if (error instanceof ApiError && error.code === 400)
      throw refused(error.message.replace(/^.*? cannot be handled as a \S+: /s, ''));
    throw error;
  }
}
