import type { Kind } from '../../machinery/kind.js';
import type { Registry } from '../../runtime/registry.js';

/**
 * Upstream's order of API groups; the groups of custom resources follow by name. Models controlplane/apiserver's group
 * priorities.
 */
const GROUP_ORDER = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'storagemigration.k8s.io',
];

export interface ServedGroup {
  readonly group: string;
  /** Preferred version first. */
  readonly versions: readonly {
    readonly version: string;
    readonly kinds: readonly Kind[];
    /** What serves it does not answer. */
    readonly isStale?: boolean;
  }[];
}

/** The kinds that a cluster serves by group and version, in upstream's order. */
export function servedGroups(registry: Registry): ServedGroup[] {
  const groups = new Map<string, Map<string, Kind[]>>();
  for (const kind of registry.all()) {
    if (kind.internal) continue;
    const versions = getOrAdd(groups, kind.group, () => new Map<string, Kind[]>());
    getOrAdd(versions, kind.version, () => []).push(kind);
  }
  return [...groups]
    .sort(([a], [b]) => groupRank(a) - groupRank(b) || compareText(a, b))
    .map(([group, versions]) => ({
      group,
      versions: [...versions]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, kinds]) => ({ version, kinds: kinds.sort((a, b) => compareText(a.plural, b.plural)) })),
    }));
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

const groupRank = (group: string): number => {
  const at = GROUP_ORDER.indexOf(group);
  return at < 0 ? GROUP_ORDER.length : at;
};
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Stable before beta before alpha, then the higher number first. Models apimachinery/pkg/version
 * CompareKubeAwareVersionStrings.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rankOf(a), rankOf(b)];
  if (!x || !y) return x ? -1 : y ? 1 : compareText(a, b);
  return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
}

function rankOf(version: string): [stability: number, major: number, minor: number] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const [, major, preRelease, minor = 0] = match;
  return [preRelease === undefined ? 2 : preRelease === 'beta' ? 1 : 0, Number(major), Number(minor)];
}
