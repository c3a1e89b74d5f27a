import type { APIResource } from '../../api/meta_v1.js';
import { sha256 } from '../../machinery/crypto/sha256.js';
import { ALL_VERBS, isBuiltIn, type Kind, type Verb } from '../../machinery/kind.js';
import { apiVersionOf } from '../../machinery/meta/object.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import type { ServedGroup } from './served-groups.js';

interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

const READ_WRITE = ['get', 'patch', 'update'];

function subresourcesOf(kind: Kind): Subresource[] {
  const { status, scale, actions = {}, connects = {} } = kind.subresources ?? {};
  const found: Subresource[] = Object.entries(actions).map(([name, action]) => ({
    name,
    kind: action.kind ?? kind,
    verbs: [...action.verbs].sort(),
  }));
  for (const [name, connection] of Object.entries(connects))
    if (!connection.isOwn)
      found.push({
        name,
        kind: { group: kind.group, version: kind.version, kind: connection.kind },
        verbs: connection.verbs,
      });
  if (status) found.push({ name: 'status', kind, verbs: READ_WRITE });
  if (scale)
    found.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: READ_WRITE });
  if (kind.group === '' && kind.kind === 'Pod') found.push({ name: 'log', kind, verbs: ['get'] });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Custom resources have upstream's fixed list, in its order. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsOf = (kind: Kind): string[] =>
  isBuiltIn(kind)
    ? [...(kind.verbs ?? ALL_VERBS)].sort()
    : CUSTOM_VERBS.filter((verb) => (kind.verbs ?? ALL_VERBS).includes(verb as Verb));

/** /api/v1 and /apis/<group>/<version>. */
export function resourceList(group: string, version: string, kinds: readonly Kind[]): unknown {
  // Upstream's list of the core group has no apiVersion.
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

/** Kinds whose storage version upstream has not moved to v1 yet. */
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

/** /api or /apis with all their resources in one document. `metaVersion` is 'v2' or 'v2beta1'. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], metaVersion: string): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${metaVersion}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group ? { name: group } : {},
      versions: versions.map(({ version, kinds, isStale }) => ({
        version,
        ...(isStale ? {} : { resources: kinds.map(aggregatedResource) }),
        freshness: isStale ? 'Stale' : 'Current',
      })),
    })),
  };
}

/** Upstream leaves out the group and version of a built-in resource where they are those of the request. */
function responseKind(of: Kind, { group, version, kind }: { group: string; version: string; kind: string }): unknown {
  const own = isBuiltIn(of) && group === of.group && version === of.version;
  return own ? { group: '', version: '', kind } : { group, version, kind };
}

function aggregatedResource(kind: Kind): unknown {
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
