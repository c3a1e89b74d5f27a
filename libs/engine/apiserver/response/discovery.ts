import type { APIResource } from '../../api/meta_v1.js';
import { ALL_VERBS, type Kind, type Verb } from '../../machinery/kind.js';
import { apiVersionOf } from '../../machinery/meta/object.js';
import type { Registry } from '../../runtime/registry.js';
import { encodeBase64 } from '../../machinery/base64.js';
import { isBuiltIn } from './print.js';
import { sha256 } from './sha256.js';

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
  readonly versions: readonly { readonly version: string; readonly kinds: readonly Kind[] }[];
}

/** What a cluster serves, by group and version, in upstream's order. */
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
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  return found
    ? [found[2] === undefined ? 2 : found[2] === 'beta' ? 1 : 0, Number(found[1]), Number(found[3] ?? 0)]
    : undefined;
}

interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

const READ_WRITE = ['get', 'patch', 'update'];

const apiOf = ({ group, version }: Kind): { group: string; version: string } => ({ group, version });

function subresourcesOf(kind: Kind): Subresource[] {
  const { status, scale, actions = {}, connects = {} } = kind.subresources ?? {};
  const found: Subresource[] = Object.entries(actions).map(([name, action]) => ({
    name,
    kind: action.kind ?? kind,
    verbs: [...action.verbs].sort(),
  }));
  for (const [name, connection] of Object.entries(connects))
    found.push({ name, kind: { ...apiOf(kind), kind: connection.kind }, verbs: connection.verbs });
  if (status) found.push({ name: 'status', kind, verbs: READ_WRITE });
  if (scale)
    found.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: READ_WRITE });
  if (kind.group === '' && kind.kind === 'Pod') found.push({ name: 'log', kind, verbs: ['get'] });
  return found.sort((a, b) => compareText(a.name, b.name));
}

/** Custom resources have upstream's fixed list, in its order. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsOf = (kind: Kind): string[] =>
  isBuiltIn(kind)
    ? [...(kind.verbs ?? ALL_VERBS)].sort()
    : CUSTOM_VERBS.filter((verb) => (kind.verbs ?? ALL_VERBS).includes(verb as Verb));

/** /api/v1 and /apis/<group>/<version>. */
export function resourceList(group: string, version: string, kinds: readonly Kind[]): unknown {
  // The oldest API's list does not say its own version.
  return {
    kind: 'APIResourceList',
    ...(group ? { apiVersion: 'v1' } : {}),
    groupVersion: apiVersionOf(group, version),
    resources: kinds.flatMap(resourcesOf),
  };
}

function resourcesOf(kind: Kind): APIResource[] {
  const namespaced = kind.scope === 'Namespaced';
  const own: APIResource = {
    name: kind.plural,
    singularName: kind.singular,
    namespaced,
    kind: kind.kind,
    verbs: verbsOf(kind),
    ...(kind.shortNames?.length ? { shortNames: [...kind.shortNames] } : {}),
    ...(kind.categories?.length ? { categories: [...kind.categories] } : {}),
    ...(kind.evaluate || kind.kind === 'ComponentStatus' ? {} : { storageVersionHash: storageVersionHash(kind) }),
  };
  const others = subresourcesOf(kind).map((s): APIResource => {
    const foreign = s.kind.group !== kind.group || s.kind.version !== kind.version;
    return {
      name: `${kind.plural}/${s.name}`,
      singularName: '',
      namespaced,
      ...(foreign ? { group: s.kind.group, version: s.kind.version } : {}),
      kind: s.kind.kind,
      verbs: [...s.verbs],
    };
  });
  return [own, ...others];
}

/** What upstream's storage still writes in an earlier version. */
const STORED_AS_BETA = new Set([
  'CustomResourceDefinition',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** Models apiserver/pkg/endpoints/discovery StorageVersionHash. */
export function storageVersionHash(kind: Kind): string {
  const { group, version: served, kind: name } = kind.storedAs?.kind ?? kind;
  const version = STORED_AS_BETA.has(name) ? 'v1beta1' : served;
  return encodeBase64(sha256(`${group}/${version}/${name}`).subarray(0, 8));
}

/** One entry of /apis, or /apis/<group>. */
export function apiGroup({ group, versions }: ServedGroup): {
  name: string;
  versions: { groupVersion: string; version: string }[];
  preferredVersion: unknown;
} {
  const listed = versions.map(({ version }) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { name: group, versions: listed, preferredVersion: listed[0] };
}

/** /api or /apis in one document. `metaVersion` is 'v2' or 'v2beta1'. */
export function aggregated(groups: readonly ServedGroup[], metaVersion: string): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${metaVersion}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group ? { name: group } : {},
      versions: versions.map(({ version, kinds }) => ({
        version,
        resources: kinds.map(discovered),
        freshness: 'Current',
      })),
    })),
  };
}

/** A built-in resource's own group and version go without saying. */
function responseKind(of: Kind, { group, version, kind }: { group: string; version: string; kind: string }): unknown {
  const own = isBuiltIn(of) && group === of.group && version === of.version;
  return own ? { group: '', version: '', kind } : { group, version, kind };
}

function discovered(kind: Kind): unknown {
  const subresources = subresourcesOf(kind).map((s) => ({
    subresource: s.name,
    responseKind: responseKind(kind, s.kind),
    verbs: s.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: responseKind(kind, kind),
    scope: kind.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...(kind.shortNames?.length ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories?.length ? { categories: kind.categories } : {}),
    ...(subresources.length ? { subresources } : {}),
  };
}
