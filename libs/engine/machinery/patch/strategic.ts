import { isObject, type Json, type JsonObject } from '../meta/object.js';
import { checkDepth, goMap, jsonType } from './patch.js';
import { badRequest, type ApiError } from '../meta/status.js';

/** A type as strategic merge needs to know it: the merge rules of its fields. */
export interface PatchType {
  field(name: string): PatchField | undefined;
}
export interface PatchField {
  /** Type of the value, or of the list's elements; undefined for scalars. */
  readonly type?: PatchType;
  /** 'merge', 'replace', 'retainKeys'. */
  readonly strategies: readonly string[];
  readonly mergeKey?: string;
}

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const ELEMENT_ORDER = '$setElementOrder/';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';

/**
 * Strategic merge patch. Shares what the patch does not touch; `target` is not changed. Throws 400.
 * Models apimachinery/pkg/util/strategicpatch/patch.go.
 */
export function applyStrategicPatch(
  target: JsonObject,
  patch: JsonObject,
  type: PatchType | undefined,
  depth = 0,
): JsonObject {
  checkDepth(depth);
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return dropDirectives(patch, depth) as JsonObject;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(patch);
  const result = retainKeys({ ...target }, patch);
  const ordered = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(ELEMENT_ORDER)) continue;
    const name = key.slice(ELEMENT_ORDER.length);
    ordered.add(name);
    mergeOrdered(result, patch, name, order, type?.field(name), depth);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === RETAIN_KEYS || key === '__proto__' || key.startsWith(ELEMENT_ORDER) || ordered.has(key)) continue;
    if (key.startsWith(DELETE_FROM_LIST)) deleteFromList(result, key.slice(DELETE_FROM_LIST.length), value);
    else mergeField(result, key, value, type?.field(key), depth);
  }
  return result;
}

function mergeField(result: JsonObject, key: string, value: Json, field: PatchField | undefined, depth: number): void {
  const old = result[key];
  if (value === null) delete result[key];
  else if (isObject(old) && isObject(value)) {
    result[key] = field?.strategies.includes('replace')
      ? dropDirectives(value, depth)
      : applyStrategicPatch(old, value, field?.type, depth + 1);
  } else if (Array.isArray(value)) result[key] = mergeList(Array.isArray(old) ? old : [], value, field, depth);
  else result[key] = dropDirectives(value, depth);
}

function mergeList(old: Json[], patch: Json[], field: PatchField | undefined, depth: number): Json[] {
  if (!field?.strategies.includes('merge')) return itemsWithoutDirectives(patch, depth);
  if ([...old, ...patch].every((x) => !isObject(x)))
    return normalizeElementOrder([...new Set([...old, ...patch])], patch, old, identity);
  const keyOf = mergeKeyOf(field);
  const { kept, items, replace } = applyListDirectives(old, patch, field, keyOf);
  if (replace) return itemsWithoutDirectives(items, depth);
  const merged = [...kept];
  for (const item of items) {
    const key = requiredKey(item, field, keyOf);
    const at = merged.findIndex((x) => keyOf(x) === key);
    if (at < 0) merged.push(dropDirectives(item, depth));
    else merged[at] = applyStrategicPatch(merged[at] as JsonObject, item as JsonObject, field.type, depth + 1);
  }
  return normalizeElementOrder(merged, items, old, keyOf);
}

/** Handles `$patch: delete` and `$patch: replace` among a list's elements. */
function applyListDirectives(
  old: Json[],
  patch: Json[],
  field: PatchField,
  keyOf: (x: Json) => Json | undefined,
): { kept: Json[]; items: Json[]; replace: boolean } {
  let kept = old;
  let replace = false;
  const items: Json[] = [];
  for (const item of patch) {
    const directive = isObject(item) ? item[DIRECTIVE] : undefined;
    if (directive === undefined) items.push(item);
    else if (directive === 'replace') {
      replace = true;
      if (Object.keys(item as JsonObject).length > 1) items.push(item);
    } else if (directive === 'delete') {
      const key = keyOf(item);
      if (key === undefined) throw missingMergeKey(item, field);
      kept = kept.filter((x) => keyOf(x) !== key);
    } else
      throw directive === 'merge'
        ? badRequest('merging lists cannot yet be specified in the patch')
        : unknownDirective(item as JsonObject);
  }
  return { kept, items, replace };
}

function mergeOrdered(
  result: JsonObject,
  patch: JsonObject,
  name: string,
  order: Json,
  field: PatchField | undefined,
  depth: number,
): void {
  if (!Array.isArray(order)) throw badRequest(`expected a []interface {}, but received a ${goType(order)}`);
  const old = result[name];
  const items = patch[name];
  if (items === null) {
    delete result[name];
    return;
  }
  if (old === undefined && items === undefined) return;
  if ((old !== undefined && !Array.isArray(old)) || (items !== undefined && !Array.isArray(items)))
    throw badRequest(`${ELEMENT_ORDER}${name}: ${name} must be a list`);
  const serverOrder = old ?? [];
  const merged = items ? mergeList(serverOrder, items, field, depth) : serverOrder;
  const keyOf = order.some(isObject) ? mergeKeyOf(field) : identity;
  const ordered = new Set(order.map(keyOf));
  const stray = items?.find((x) => !(isObject(x) && x[DIRECTIVE]) && !ordered.has(keyOf(x)));
  if (stray !== undefined)
    throw badRequest(
      `The order in patch list:\n${goMap(items!)}\n doesn't match ${ELEMENT_ORDER.slice(0, -1)} list:\n${goMap(order)}\n`,
    );
  result[name] = normalizeElementOrder(merged, order, serverOrder, keyOf);
}

function deleteFromList(result: JsonObject, name: string, values: Json): void {
  if (!Array.isArray(values)) return;
  const old = result[name];
  if (Array.isArray(old)) result[name] = old.filter((x) => !values.includes(x));
}

/** Removes what `$retainKeys` does not name. */
function retainKeys(result: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return result;
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  if (Object.entries(patch).some(([key, value]) => !isDirective(key) && value !== null && !keys.includes(key)))
    throw badRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(result)) if (!keys.includes(key)) delete result[key];
  return result;
}

/**
 * Elements that `patchOrder` names stand in its order; the server's own keep theirs, and go between where the old list
 * knows both neighbours. Models normalizeElementOrder and mergeSortedSlice.
 */
function normalizeElementOrder(
  merged: Json[],
  patchOrder: Json[],
  serverOrder: Json[],
  keyOf: (x: Json) => Json | undefined,
): Json[] {
  const place = (list: Json[]): Map<Json | undefined, number> => new Map(list.map((x, i) => [keyOf(x), i]));
  const [patchPlace, serverPlace] = [place(patchOrder), place(serverOrder)];
  const by = (places: Map<Json | undefined, number>) => (a: Json, b: Json) =>
    (places.get(keyOf(a)) ?? Infinity) - (places.get(keyOf(b)) ?? Infinity) || 0;
  const right = merged.filter((x) => patchPlace.has(keyOf(x))).sort(by(patchPlace));
  const left = merged.filter((x) => !patchPlace.has(keyOf(x))).sort(by(serverPlace));
  const result: Json[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const [l, r] = [serverPlace.get(keyOf(left[i]!)), serverPlace.get(keyOf(right[j]!))];
    result.push(l !== undefined && r !== undefined && l < r ? left[i++]! : right[j++]!);
  }
  return [...result, ...left.slice(i), ...right.slice(j)];
}

const isDirective = (key: string): boolean =>
  key === DIRECTIVE || key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || key.startsWith(DELETE_FROM_LIST);
const goType = (value: Json): string =>
  ({ number: 'int64', object: 'map[string]interface {}', null: '<nil>' })[jsonType(value)] ?? jsonType(value);
const missingMergeKey = (item: Json, { mergeKey = '' }: PatchField): ApiError =>
  badRequest(`map: ${goMap(item)} does not contain declared merge key: ${mergeKey}`);
const unknownDirective = (map: JsonObject): ApiError => {
  const found = map[DIRECTIVE]!;
  return badRequest(
    `unknown patch type: ${typeof found === 'string' ? found : `%!s(${goType(found)}=${goMap(found)})`} in map: ${goMap(map)}`,
  );
};

const identity = (x: Json): Json => x;

const mergeKeyOf =
  (field: PatchField | undefined) =>
  (item: Json): Json | undefined =>
    isObject(item) && field?.mergeKey ? item[field.mergeKey] : undefined;

function requiredKey(item: Json, field: PatchField, keyOf: (x: Json) => Json | undefined): Json {
  if (!field.mergeKey) throw badRequest('cannot merge lists without merge key');
  const key = keyOf(item);
  if (key === undefined) throw missingMergeKey(item, field);
  return key;
}

const itemsWithoutDirectives = (items: Json[], depth: number): Json[] =>
  items.filter((x) => !(isObject(x) && x[DIRECTIVE] === 'delete')).map((x) => dropDirectives(x, depth));

/** A value that is new to the target: without directives and nulls. */
function dropDirectives(value: Json, depth: number): Json {
  checkDepth(depth);
  if (Array.isArray(value)) return itemsWithoutDirectives(value, depth + 1);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, v] of Object.entries(value)) {
    if (!isDirective(key) && v !== null && key !== '__proto__') result[key] = dropDirectives(v, depth + 1);
  }
  return result;
}
