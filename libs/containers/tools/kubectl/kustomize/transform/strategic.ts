import type { PatchType } from '../../../../../engine/machinery/patch/strategic.js';
import { definitionFor, patchType } from '../../../../../engine/schema/index.js';
import type { KubeJson } from '../../session/session.js';
import { type Id, isMap } from '../resource.js';

const MAX_DEPTH = 100;
/** A second field that tells ports apart. */
const SECOND_KEY: Readonly<Record<string, string>> = { containerPort: 'protocol', port: 'protocol' };

/**
 * A strategic merge as kustomize does it: entries that a patch names stand first. Undefined: the patch deletes it.
 * Models kyaml/yaml/merge2 with ListIncreaseDirection prepend.
 */
export function mergeStrategic(target: KubeJson, patch: KubeJson, { group, version, kind }: Id): KubeJson | undefined {
  const name = definitionFor(group, version, kind);
  return mergeMaps(target, patch, name === undefined ? undefined : patchType(name), 0);
}

function mergeMaps(
  target: KubeJson,
  patch: KubeJson,
  type: PatchType | undefined,
  depth: number,
): KubeJson | undefined {
  const { $patch: directive, ...fields } = patch;
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return fields;
  const result: KubeJson = { ...target };
  for (const [name, value] of Object.entries(fields)) {
    const field = type?.field(name);
    const old = Object.hasOwn(result, name) ? result[name] : undefined;
    if (value === null || name === '__proto__') delete result[name];
    else if (isMap(value)) {
      const merged = depth > MAX_DEPTH ? value : mergeMaps(isMap(old) ? old : {}, value, field?.type, depth + 1);
      if (merged === undefined) delete result[name];
      else result[name] = merged;
    } else if (Array.isArray(value) && field?.strategies.includes('merge') && (Array.isArray(old) || old === undefined))
      result[name] = mergeLists((old as unknown[] | undefined) ?? [], value, field.mergeKey, field.type, depth);
    else result[name] = value;
  }
  return result;
}

function mergeLists(
  old: readonly unknown[],
  patch: readonly unknown[],
  key: string | undefined,
  type: PatchType | undefined,
  depth: number,
): unknown[] {
  if (patch.some((one) => isMap(one) && one['$patch'] === 'replace'))
    return patch.filter((one) => !isMap(one) || one['$patch'] === undefined);
  if (key === undefined || !patch.every(isMap)) return [...new Set([...patch, ...old])];
  const isSame = (a: unknown, b: KubeJson): boolean => {
    if (!isMap(a) || a[key] !== b[key]) return false;
    const second = SECOND_KEY[key];
    return second === undefined || a[second] === undefined || b[second] === undefined || a[second] === b[second];
  };
  const first = patch.flatMap((one) => {
    const before = old.find((known) => isSame(known, one));
    const merged = mergeMaps(isMap(before) ? before : {}, one, type, depth + 1);
    return merged === undefined ? [] : [merged];
  });
  return [...first, ...old.filter((known) => !patch.some((one) => isSame(known, one)))];
}
