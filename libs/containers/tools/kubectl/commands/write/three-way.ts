import type { KubeJson } from '../../session/session.js';

/** By which field the entries of a list are told apart. Models the patchMergeKey tags of k8s.io/api. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  secrets: 'name',
  taints: 'key',
  webhooks: 'name',
};
export const MAX_DEPTH = 60;

export const isMap = (value: unknown): value is KubeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The field that tells the entries of a list apart; undefined: the server does not merge it. */
function mergeKeyOf(field: string, list: readonly unknown[]): string | undefined {
  if (field === 'ports') return list.some((one) => isMap(one) && 'containerPort' in one) ? 'containerPort' : 'port';
  return Object.hasOwn(MERGE_KEYS, field) ? MERGE_KEYS[field] : undefined;
}

/**
 * The patch that takes an object from what was applied last to what is applied now: what is new, and a null for each
 * field that is gone. `strategic`: the server merges lists by their keys. Models apply's three-way merge; what stays
 * the same is left to the server.
 */
export function planPatch(before: unknown, next: unknown, strategic: boolean, depth = 0): unknown {
  if (!isMap(next) || depth > MAX_DEPTH) return next;
  const old = isMap(before) ? before : {};
  const patch: KubeJson = {};
  for (const [field, value] of Object.entries(next)) {
    const was = Object.hasOwn(old, field) ? old[field] : undefined;
    patch[field] = Array.isArray(value)
      ? planList(field, was, value, strategic, (before, entry) => planPatch(before, entry, strategic, depth + 1))
      : planPatch(was, value, strategic, depth + 1);
  }
  for (const field of Object.keys(old)) if (!Object.hasOwn(next, field)) patch[field] = null;
  return patch;
}

/**
 * The patch of a list: of one whose entries the server merges, `plan` of each, and the deletion of those that are gone.
 * An entry without a plan has not changed.
 */
export function planList(
  field: string,
  before: unknown,
  next: readonly unknown[],
  strategic: boolean,
  plan: (before: KubeJson | undefined, next: KubeJson) => unknown,
): unknown {
  const old = Array.isArray(before) ? before : [];
  const key = strategic ? mergeKeyOf(field, [...next, ...old]) : undefined;
  if (key === undefined) return next;
  const named = (list: readonly unknown[], name: unknown): KubeJson | undefined =>
    list.find((one): one is KubeJson => isMap(one) && one[key] === name);
  const entries = next.flatMap((one) => {
    if (!isMap(one)) return [one];
    const patch = plan(named(old, one[key]), one);
    return isMap(patch) ? [{ ...patch, [key]: one[key] }] : [];
  });
  const gone = old.filter((one): one is KubeJson => isMap(one) && named(next, one[key]) === undefined);
  return [...entries, ...gone.map((one) => ({ $patch: 'delete', [key]: one[key] }))];
}
