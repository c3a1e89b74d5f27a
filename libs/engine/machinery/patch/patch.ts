import { applyPatch, Pointer, type Operation } from 'rfc6902';
import { isObject, type Json, type JsonObject } from '../meta/object.js';
import { ApiError, badRequest, requestEntityTooLarge } from '../meta/status.js';

const MAX_OPERATIONS = 10_000;
const MAX_COPIED_CHARACTERS = 3 * 1024 * 1024;
export const MAX_PATCH_DEPTH = 500;

/** RFC 7396. Shares what the patch does not touch; `target` is not changed. */
export function applyMergePatch(target: Json | undefined, patch: Json, depth = 0): Json {
  if (!isObject(patch)) return patch;
  checkDepth(depth);
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === '__proto__') continue;
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value, depth + 1);
  }
  return result;
}

export function checkDepth(depth: number): void {
  if (depth > MAX_PATCH_DEPTH) throw badRequest("error decoding patch: invalid character '{' exceeded max depth");
}

/**
 * RFC 6902 on a private copy. Throws 400 for a malformed patch, 422 when an operation does not apply, 413 when there
 * are too many.
 */
export function applyJsonPatch(target: Json, patch: Json): Json {
  if (patch === null) return target;
  if (!Array.isArray(patch))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  if (patch.length > MAX_OPERATIONS)
    throw requestEntityTooLarge(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  const document = { root: cloneJson(target) };
  let copied = 0;
  for (const operation of patch) {
    const { op, path, from } = forgiven(document.root, checkOperation(operation));
    if (
      !leadsInside(document.root, path, op !== 'add' && op !== 'copy' && op !== 'move') ||
      (from !== undefined && !leadsInside(document.root, from, true))
    )
      throw patchRejection();
    if (path !== '' && !path.startsWith('/')) throw patchRejection();
    if (op === 'copy' && (copied += sizeAt(document.root, from)) > MAX_COPIED_CHARACTERS) throw patchRejection();
    // The document hangs under a member, so that the whole of it can be replaced too.
    const { value = null } = operation as JsonObject;
    const rooted = {
      ...(operation as JsonObject),
      op,
      value,
      path: `/root${path}`,
      ...(from === undefined ? {} : { from: `/root${from}` }),
    };
    if (!tryApply(document, rooted)) throw patchRejection();
  }
  return document.root;
}

/** Not every property of a JavaScript object is a member of its JSON. */
const INHERITED = new Set(['__proto__', 'constructor', 'prototype']);

/** Does a pointer stay within the document's own values? `whole`: its last step must be there too. */
function leadsInside(document: Json, pointer: string, whole: boolean): boolean {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: Json | undefined = document;
  for (const [i, key] of keys.entries()) {
    if (INHERITED.has(key) || typeof at !== 'object' || at === null) return false;
    if (Array.isArray(at) && !/^(-|\d+)$/.test(key)) return false;
    const there: boolean = Object.hasOwn(at, key);
    if (!there && (whole || i < keys.length - 1)) return false;
    at = there ? (at as JsonObject)[key] : undefined;
  }
  return true;
}

/** What upstream's library lets pass: a replacement of a field that is not there, an index from the end of a list. */
function forgiven(root: Json, operation: PatchOperation): PatchOperation {
  const { op, path } = operation;
  const [, parent = '', last = ''] = /^(.*)\/([^/]*)$/s.exec(path) ?? [];
  if (op !== 'replace' && op !== 'remove') return operation;
  const holder = valueAt(root, parent);
  if (op === 'replace' && isObject(holder)) return { ...operation, op: 'add' };
  const index = /^-[1-9]\d{0,8}$/.test(last) && Array.isArray(holder) ? holder.length + Number(last) : -1;
  return index < 0 ? operation : { ...operation, path: `${parent}/${index}` };
}

function valueAt(root: Json, pointer: string): unknown {
  try {
    return Pointer.fromJSON(pointer).get(root) as unknown;
  } catch {
    return undefined;
  }
}

interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from: string | undefined;
}

const patchRejection = (): ApiError =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

function tryApply(document: { root: Json }, operation: JsonObject): boolean {
  try {
    return applyPatch(document, [operation as unknown as Operation])[0] === null;
  } catch {
    return false;
  }
}

function checkOperation(operation: Json): PatchOperation {
  if (!isObject(operation))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(operation)} into Go value of type handlers.jsonPatchOp`,
    );
  const { op, path, from } = operation;
  for (const [name, value] of [
    ['op', op],
    ['path', path],
    ['from', from],
  ] as const) {
    if (value !== undefined && typeof value !== 'string')
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${jsonType(value)} into Go struct field jsonPatchOp.${name} of type string`,
      );
  }
  if (typeof path !== 'string') throw patchRejection();
  return { op: String(op), path, from: typeof from === 'string' ? from : undefined };
}

function sizeAt(document: Json, pointer: string | undefined): number {
  try {
    return JSON.stringify(Pointer.fromJSON(pointer ?? '').get(document) ?? null).length;
  } catch {
    throw patchRejection();
  }
}

export const jsonType = (value: Json): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value === 'boolean' ? 'bool' : typeof value;

export function cloneJson<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((v) => cloneJson(v)) as T;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key in value) copy[key] = cloneJson(value[key]!);
  return copy as T;
}

/** A value as Go's %+v prints it: {"spec":{"replicas":"x"}} is 'map[spec:map[replicas:x]]'. */
export function goMap(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (isObject(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goMap(value[key]!)}`)
      .join(' ')}]`;
  return value === null ? '<nil>' : String(value);
}
