import { deepEqual } from '../../../../../engine/machinery/meta/equal.js';
import type { KubeJson } from '../../session/session.js';
import { isMap, MAX_DEPTH, planList } from './three-way.js';

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
        ? planList(field, was, value, strategic, (old, entry) => planEdit(old, entry, strategic, depth + 1))
        : planEdit(was, value, strategic, depth + 1);
  }
  for (const field of Object.keys(before)) if (!Object.hasOwn(next, field)) patch[field] = null;
  return patch;
}
