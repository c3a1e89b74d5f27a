import type { Resource } from './operations.generated.js';

export type { Resource };

export type ResourceRef = Pick<Resource, 'apiVersion' | 'resource' | 'namespaced'>;

/** The path of a collection, or of one object in it. */
export function pathOf({ apiVersion, resource, namespaced }: ResourceRef, namespace = '', name?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${resource}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}

/** What a metrics-server serves. */
export const METRICS_GROUP = 'metrics.k8s.io';

/** 'deployments.apps', and 'pods' of the core group: how a link names a resource. */
export const resourceName = ({ resource, group }: Pick<Resource, 'resource' | 'group'>): string =>
  group === '' ? resource : `${resource}.${group}`;

/** Whether there is a resource of a definition's name, `<plural>.<group>`. */
export const isServed = (resources: readonly Resource[], definition: string): boolean =>
  resources.some(({ resource, group }) => `${resource}.${group}` === definition);

/** The resource that a link or a person names: 'deployments.apps', 'deploy', 'Deployment'. The preferred version. */
export function findResource(resources: readonly Resource[], name: string): Resource | undefined {
  const lower = name.toLowerCase();
  const isNamed = (r: Resource): boolean =>
    resourceName(r) === lower || r.resource === lower || r.singular === lower || r.shortNames.includes(lower);
  const served = resources.filter((r) => r.preferred);
  return served.find((r) => resourceName(r) === lower) ?? served.find(isNamed);
}

/** The resource of a kind: that of an owner, or of an event's object. */
export const resourceOfKind = (
  resources: readonly Resource[],
  apiVersion: string,
  kind: string,
): Resource | undefined =>
  resources.find((r) => r.apiVersion === apiVersion && r.kind === kind) ??
  resources.find((r) => r.preferred && r.kind === kind && r.group === groupOf(apiVersion));

export const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion.split('/')[0]! : '');

export type Area = 'workloads' | 'network' | 'config' | 'storage' | 'access' | 'cluster' | 'extensions' | 'custom';
export const AREAS: readonly Area[] = [
  'workloads',
  'network',
  'config',
  'storage',
  'access',
  'cluster',
  'extensions',
  'custom',
];

const AREA_OF_GROUP: Readonly<Record<string, Area>> = {
  apps: 'workloads',
  batch: 'workloads',
  autoscaling: 'workloads',
  policy: 'workloads',
  'networking.k8s.io': 'network',
  'discovery.k8s.io': 'network',
  'gateway.networking.k8s.io': 'network',
  'storage.k8s.io': 'storage',
  'rbac.authorization.k8s.io': 'access',
  'authentication.k8s.io': 'access',
  'authorization.k8s.io': 'access',
  'certificates.k8s.io': 'access',
  'scheduling.k8s.io': 'cluster',
  'node.k8s.io': 'cluster',
  'coordination.k8s.io': 'cluster',
  'events.k8s.io': 'cluster',
  'metrics.k8s.io': 'cluster',
  'resource.k8s.io': 'cluster',
  'flowcontrol.apiserver.k8s.io': 'cluster',
  'terrarium.dev': 'cluster',
  'apiextensions.k8s.io': 'extensions',
  'apiregistration.k8s.io': 'extensions',
  'admissionregistration.k8s.io': 'extensions',
};
const AREA_OF_CORE: Readonly<Record<string, Area>> = {
  pods: 'workloads',
  replicationcontrollers: 'workloads',
  podtemplates: 'workloads',
  services: 'network',
  endpoints: 'network',
  configmaps: 'config',
  secrets: 'config',
  resourcequotas: 'config',
  limitranges: 'config',
  persistentvolumes: 'storage',
  persistentvolumeclaims: 'storage',
  serviceaccounts: 'access',
};

export const areaOf = ({ group, resource }: Resource): Area =>
  group === '' ? (AREA_OF_CORE[resource] ?? 'cluster') : (AREA_OF_GROUP[group] ?? 'custom');

/** What can be listed, by area; those that match all words of `search`. */
export function groupResources(
  resources: readonly Resource[],
  search: string,
): readonly { readonly area: Area; readonly resources: readonly Resource[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = resources.filter((r) => r.preferred && r.verbs.includes('list') && words.every((w) => matches(r, w)));
  return AREAS.flatMap((area) => {
    const here = found.filter((r) => areaOf(r) === area).sort((a, b) => (a.kind < b.kind ? -1 : 1));
    return here.length > 0 ? [{ area, resources: here }] : [];
  });
}

const matches = (r: Resource, word: string): boolean =>
  [r.kind, r.resource, r.group, ...r.shortNames].some((text) => text.toLowerCase().includes(word));
