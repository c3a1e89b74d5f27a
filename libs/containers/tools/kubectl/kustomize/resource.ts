import type { KubeJson } from '../session/session.js';

/** How a resource is known: models kyaml/resid ResId. */
export interface Id {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export type Behavior = 'unspecified' | 'create' | 'merge' | 'replace';

/** A resource that a build works on; its object changes in place. Models api/resource Resource. */
export interface Resource {
  object: KubeJson;
  /** What it was called before, the first name first; none: it has had one only. */
  readonly earlier: Id[];
  readonly prefixes: string[];
  readonly suffixes: string[];
  /** Its name ends with the hash of what is in it. */
  needsHash: boolean;
  readonly behavior: Behavior;
}

export const newResource = (object: KubeJson, behavior: Behavior = 'unspecified', needsHash = false): Resource => ({
  ...{ object, earlier: [], prefixes: [], suffixes: [], needsHash, behavior },
});

export const isMap = (value: unknown): value is KubeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (map: unknown, field: string): string => {
  const value = isMap(map) ? map[field] : undefined;
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value as number);
};

export function idOf({ object }: Resource): Id {
  const apiVersion = textIn(object, 'apiVersion');
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  const { metadata } = object;
  return {
    ...{ group, version, kind: textIn(object, 'kind') },
    ...{ name: textIn(metadata, 'name'), namespace: textIn(metadata, 'namespace') },
  };
}

export const firstId = (resource: Resource): Id => resource.earlier[0] ?? idOf(resource);

/** To be called before a resource gets another name or namespace. */
export const rememberId = (resource: Resource): void => void resource.earlier.push(idOf(resource));

export const namespaceOf = ({ namespace, ...id }: Id): string =>
  isClusterScoped(id) ? '' : namespace === '' ? 'default' : namespace;

export const isSameId = (a: Id, b: Id): boolean =>
  a.group === b.group &&
  a.version === b.version &&
  a.kind === b.kind &&
  a.name === b.name &&
  namespaceOf(a) === namespaceOf(b);

/** One of the ids that a resource has or had. */
export const wasEver = (resource: Resource, id: Id): boolean =>
  [...resource.earlier, idOf(resource)].some((one) => isSameId(one, id));

/** `Pod.v1.[noGrp]/web.[noNs]`. */
export const showId = ({ group, version, kind, name, namespace }: Id): string =>
  `${kind || '[noKind]'}.${version || '[noVer]'}.${group || '[noGrp]'}/${name || '[noName]'}.${namespace || '[noNs]'}`;

/** Groups of which each kind in the list has no namespace. Models kyaml/openapi precomputedIsNamespaceScoped. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  '': ['ComponentStatus', 'Namespace', 'Node', 'NodeProxyOptions', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'certificates.k8s.io': ['CertificateSigningRequest'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io': ['IngressClass'],
  'node.k8s.io': ['RuntimeClass'],
  policy: ['PodSecurityPolicy'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
};

export const isClusterScoped = ({ group, kind }: Pick<Id, 'group' | 'kind'>): boolean =>
  Object.hasOwn(CLUSTER_SCOPED, group) && CLUSTER_SCOPED[group]!.includes(kind);

/** `labels` or `annotations` of an object, which gets them when it has none. */
export function metadataMap(object: KubeJson, field: 'labels' | 'annotations'): KubeJson {
  const metadata = isMap(object['metadata']) ? object['metadata'] : (object['metadata'] = {});
  const found = (metadata as KubeJson)[field];
  return isMap(found) ? found : ((metadata as KubeJson)[field] = {});
}

export function setName({ object }: Resource, name: string): void {
  (object['metadata'] as KubeJson)['name'] = name;
}
