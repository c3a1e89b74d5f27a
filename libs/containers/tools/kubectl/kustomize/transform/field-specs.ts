import type { FieldSpec } from './fields.js';

/** Models api/internal/konfig/builtinpluginconsts: where labels, annotations, namespaces and names stand. */

const TEMPLATES: readonly FieldSpec[] = [
  { path: 'spec/template/metadata', version: 'v1', kind: 'ReplicationController' },
  { path: 'spec/template/metadata', kind: 'Deployment' },
  { path: 'spec/template/metadata', kind: 'ReplicaSet' },
  { path: 'spec/template/metadata', kind: 'DaemonSet' },
  { path: 'spec/template/metadata', group: 'apps', kind: 'StatefulSet' },
  { path: 'spec/template/metadata', group: 'batch', kind: 'Job' },
  { path: 'spec/jobTemplate/metadata', group: 'batch', kind: 'CronJob' },
  { path: 'spec/jobTemplate/spec/template/metadata', group: 'batch', kind: 'CronJob' },
];

const inTemplates = (field: string): FieldSpec[] =>
  TEMPLATES.map((spec) => ({ ...spec, path: `${spec.path}/${field}`, create: true }));

export const OWN_LABELS: FieldSpec = { path: 'metadata/labels', create: true };
export const TEMPLATE_LABELS: readonly FieldSpec[] = [OWN_LABELS, ...inTemplates('labels')];
export const CLAIM_LABELS: readonly FieldSpec[] = [
  { path: 'spec/volumeClaimTemplates[]/metadata/labels', create: true, group: 'apps', kind: 'StatefulSet' },
];

const AFFINITY = ['podAffinity', 'podAntiAffinity'].flatMap((name) => [
  `affinity/${name}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `affinity/${name}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);
const POD_SELECTORS = [...AFFINITY, 'topologySpreadConstraints/labelSelector/matchLabels'];
const POLICY = { group: 'networking.k8s.io', kind: 'NetworkPolicy' };

/** Of selectors, and of all that they select. */
export const SELECTOR_LABELS: readonly FieldSpec[] = [
  { path: 'spec/selector', create: true, version: 'v1', kind: 'Service' },
  { path: 'spec/selector', create: true, version: 'v1', kind: 'ReplicationController' },
  { path: 'spec/selector/matchLabels', create: true, kind: 'Deployment' },
  { path: 'spec/selector/matchLabels', create: true, kind: 'ReplicaSet' },
  { path: 'spec/selector/matchLabels', create: true, kind: 'DaemonSet' },
  { path: 'spec/selector/matchLabels', create: true, group: 'apps', kind: 'StatefulSet' },
  ...['Deployment', 'StatefulSet'].flatMap((kind) =>
    POD_SELECTORS.map((path) => ({ path: `spec/template/spec/${path}`, group: 'apps', kind })),
  ),
  { path: 'spec/selector/matchLabels', group: 'batch', kind: 'Job' },
  { path: 'spec/jobTemplate/spec/selector/matchLabels', group: 'batch', kind: 'CronJob' },
  { path: 'spec/selector/matchLabels', group: 'policy', kind: 'PodDisruptionBudget' },
  { path: 'spec/podSelector/matchLabels', ...POLICY },
  { path: 'spec/ingress/from/podSelector/matchLabels', ...POLICY },
  { path: 'spec/egress/to/podSelector/matchLabels', ...POLICY },
  ...TEMPLATE_LABELS,
  ...CLAIM_LABELS,
];

export const ANNOTATIONS: readonly FieldSpec[] = [
  { path: 'metadata/annotations', create: true },
  ...inTemplates('annotations').map(({ group, ...spec }) =>
    spec.kind === 'StatefulSet' ? spec : { ...spec, ...(group && { group }) },
  ),
];

export const NAMESPACES: readonly FieldSpec[] = [
  { path: 'spec/service/namespace', group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  },
];

export const REPLICAS: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'];

const IMAGE_PATHS = ['containers[]/image', 'initContainers[]/image', 'volumes[]/image/reference'];
export const IMAGES: readonly FieldSpec[] = ['spec', 'spec/template/spec'].flatMap((at) =>
  IMAGE_PATHS.map((path) => ({ path: `${at}/${path}` })),
);

/** Kinds whose names stay as they are. */
export const UNNAMED: readonly Pick<FieldSpec, 'group' | 'kind'>[] = [
  { kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
  { kind: 'Namespace' },
];
