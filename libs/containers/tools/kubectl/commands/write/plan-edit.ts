import { deepEqual } from '../../../../../engine/machinery/meta/equal.js';
import type { KubeJson } from '../../session/session.js';
import { mergeKeyOf } from './three-way.js';

const MAX_DEPTH = 60;

const isMap = (value: unknown): value is KubeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The patch from what an object was to what it is now: changed fields alone, and a null for each that is gone;
 * undefined when nothing has changed. `strategic`: the server merges lists by their keys. Models
 * CreateTwoWayMergePatch.
 */
export function planEdit(before: unknown, next: unknown, strategic: boolean, depth = 0): unknown {
  if (deepEqual(before, next)) return undefined;
  if (!isMap(before) || !isMap(next) || depth > MAX_DEPTH) return next;
  const patch: KubeJson = {};
  for (const [field, value] of Object.entries(next)) {
    const was = before[field];
    if (deepEqual(was, value)) continue;
    patch[field] =
      Array.isArray(value) && Array.isArray(was)
        ? planList(field, was, value, strategic, depth)
        : planEdit(was, value, strategic, depth + 1);
  }
  for (const field of Object.keys(before)) if (!Object.hasOwn(next, field)) patch[field] = null;
  return patch;
}

function planList(
  field: string,
  before: readonly unknown[],
  next: readonly unknown[],
  strategic: boolean,
  depth: number,
): unknown {
  const key = strategic ? mergeKeyOf(field, [...next, ...before]) : undefined;
  if (key === undefined) return next;
  const named = (list: readonly unknown[], name: unknown): KubeJson | undefined =>
    list.find((one): one is KubeJson => isMap(one) && one[key] === name);
  const changed = next.flatMap((one) => {
    if (!isMap(one)) return [one];
    const patch = planEdit(named(before, one[key]), one, strategic, depth + 1);
    return patch === undefined ? [] : [isMap(patch) ? { ...patch, [key]: one[key] } : patch];
  });
  const gone = before.filter((one): one is KubeJson => isMap(one) && named(next, one[key]) === undefined);
  return [...changed, ...gone.map((one) => ({ $patch: 'delete', [key]: one[key] }))];
}
