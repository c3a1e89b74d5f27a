import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import { resourceOfKind, resourceName, type Resource } from '../../../kube/resource.js';

export type Relation = 'owner' | 'mounts' | 'uses' | 'node' | 'target' | 'claim';

/** An object that another one names. */
export interface RelatedObject {
  readonly relation: Relation;
  readonly kind: string;
  /** As a link names it; undefined when the cluster does not serve it. */
  readonly resource: string | undefined;
  readonly namespace: string;
  readonly name: string;
}

/** Objects that are found by a look: rows of another Table. */
export interface RelatedTable {
  readonly relation: 'selected' | 'owned' | 'endpoints' | 'pods';
  readonly resource: Resource;
  readonly namespace: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Only rows whose names begin so: what cannot be selected. */
  readonly prefix?: string;
}

/** What an object names: its owners, what it mounts and uses, where it runs. */
export function namedBy(object: KubeObject, resources: readonly Resource[]): RelatedObject[] {
  const namespace = object.metadata.namespace ?? '';
  const make = (relation: Relation, apiVersion: string, kind: string, name: string): RelatedObject => {
    const resource = resourceOfKind(resources, apiVersion, kind);
    return {
      relation,
      kind,
      resource: resource && resourceName(resource),
      namespace: resource?.namespaced ? namespace : '',
      name,
    };
  };
  const core = (relation: Relation, kind: string, name: string): RelatedObject[] =>
    name === '' ? [] : [make(relation, 'v1', kind, name)];
  const owners = (object.metadata.ownerReferences ?? []).map((o) => make('owner', o.apiVersion, o.kind, o.name));
  const pod = podSpecOf(object);
  const volumes = listAt(pod, 'volumes').flatMap((volume) => [
    ...core('mounts', 'PersistentVolumeClaim', textAt(volume, 'persistentVolumeClaim', 'claimName')),
    ...core('mounts', 'ConfigMap', textAt(volume, 'configMap', 'name')),
    ...core('mounts', 'Secret', textAt(volume, 'secret', 'secretName')),
    ...listAt(volume, 'projected', 'sources').flatMap((source) => [
      ...core('mounts', 'ConfigMap', textAt(source, 'configMap', 'name')),
      ...core('mounts', 'Secret', textAt(source, 'secret', 'name')),
    ]),
  ]);
  const containers = [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')];
  const environment = containers.flatMap((container) => [
    ...listAt(container, 'env').flatMap((one) => [
      ...core('uses', 'ConfigMap', textAt(one, 'valueFrom', 'configMapKeyRef', 'name')),
      ...core('uses', 'Secret', textAt(one, 'valueFrom', 'secretKeyRef', 'name')),
    ]),
    ...listAt(container, 'envFrom').flatMap((one) => [
      ...core('uses', 'ConfigMap', textAt(one, 'configMapRef', 'name')),
      ...core('uses', 'Secret', textAt(one, 'secretRef', 'name')),
    ]),
  ]);
  const scaled = at(object, 'spec', 'scaleTargetRef');
  const others = [
    ...core('node', 'Node', textAt(pod, 'nodeName')),
    ...core('uses', 'ServiceAccount', textAt(pod, 'serviceAccountName')),
    ...(object.kind === 'PersistentVolumeClaim'
      ? core('claim', 'PersistentVolume', textAt(object, 'spec', 'volumeName'))
      : []),
    ...(scaled ? [make('target', textAt(scaled, 'apiVersion'), textAt(scaled, 'kind'), textAt(scaled, 'name'))] : []),
  ];
  return unique([...owners, ...volumes, ...environment, ...others]);
}

const podSpecOf = (object: KubeObject): unknown =>
  object.kind === 'Pod'
    ? object['spec']
    : (at(object, 'spec', 'template', 'spec') ?? at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'));

function unique(objects: readonly RelatedObject[]): RelatedObject[] {
  const seen = new Map(objects.map((one) => [[one.kind, one.namespace, one.name].join('/'), one] as const));
  return [...seen.values()];
}

/** Tables of what an object selects, owns, or is reached by. */
export function tablesOf(object: KubeObject, resources: readonly Resource[]): RelatedTable[] {
  const namespace = object.metadata.namespace ?? '';
  const find = (apiVersion: string, kind: string): Resource | undefined => resourceOfKind(resources, apiVersion, kind);
  const [pods, sets, slices, jobs] = [
    find('v1', 'Pod'),
    find('apps/v1', 'ReplicaSet'),
    find('discovery.k8s.io/v1', 'EndpointSlice'),
    find('batch/v1', 'Job'),
  ];
  const tables: (RelatedTable | undefined)[] = [];
  const selector =
    object.kind === 'Service'
      ? labelsText(at(object, 'spec', 'selector'))
      : selectorText(at(object, 'spec', 'selector'));
  const selects = [
    'Service',
    'Deployment',
    'ReplicaSet',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'ReplicationController',
    'PodDisruptionBudget',
  ];
  if (object.kind === 'Deployment' && sets && selector)
    tables.push({ relation: 'owned', resource: sets, namespace, labelSelector: selector });
  if (object.kind === 'CronJob' && jobs)
    tables.push({ relation: 'owned', resource: jobs, namespace, prefix: `${object.metadata.name}-` });
  if (object.kind === 'Service' && slices)
    tables.push({
      relation: 'endpoints',
      resource: slices,
      namespace,
      labelSelector: `kubernetes.io/service-name=${object.metadata.name}`,
    });
  if (selects.includes(object.kind) && pods && selector)
    tables.push({ relation: 'selected', resource: pods, namespace, labelSelector: selector });
  if (object.kind === 'Node' && pods)
    tables.push({
      relation: 'pods',
      resource: pods,
      namespace: '',
      fieldSelector: `spec.nodeName=${object.metadata.name}`,
    });
  return tables.filter((table) => table !== undefined);
}

function labelsText(labels: unknown): string {
  if (typeof labels !== 'object' || labels === null) return '';
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(',');
}

/** A LabelSelector as kubectl's -l takes it. */
export function selectorText(selector: unknown): string {
  if (typeof selector !== 'object' || selector === null) return '';
  const { matchLabels, matchExpressions, ...labels } = selector as Record<string, unknown>;
  // A ReplicationController selects by labels alone.
  if (matchLabels === undefined && matchExpressions === undefined) return labelsText(labels);
  const expressions = listAt(selector, 'matchExpressions').map((one) => {
    const [key, operator, values] = [textAt(one, 'key'), textAt(one, 'operator'), listAt(one, 'values').join(',')];
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values})`;
  });
  return [labelsText(matchLabels), ...expressions].filter(Boolean).join(',');
}
