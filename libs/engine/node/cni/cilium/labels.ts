import type { Namespace, Pod } from '../../../api/core_v1.js';
import type { Labels } from '../../../machinery/selectors/requirement.js';

export const POD_NAMESPACE = 'io.kubernetes.pod.namespace';
export const NAMESPACE_LABELS = 'io.cilium.k8s.namespace.labels.';
const CLUSTER = 'io.cilium.k8s.policy.cluster';
const ACCOUNT = 'io.cilium.k8s.policy.serviceaccount';

/** Labels that make no identity, by their beginnings. Models pkg/labelsfilter's defaultLabelPrefixCfg. */
const IGNORED: readonly string[] = [
  ...['io.kubernetes', 'kubernetes.io', 'k8s.io', 'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'],
  ...['batch.kubernetes.io/job-completion-index', 'batch.kubernetes.io/controller-uid', 'pod-template-generation'],
  ...['pod-template-hash', 'controller-revision-hash', 'annotation.', 'etcd_node'],
];

const isRelevant = (key: string): boolean =>
  key.startsWith('app.kubernetes.io') ||
  !(IGNORED.some((prefix) => key.startsWith(prefix)) || key.includes('beta.kubernetes.io'));

/** The labels of source k8s that a pod's identity is made of, sorted. */
export function identityLabels(pod: Pod, namespace: Namespace | undefined, cluster: string): Labels {
  const { metadata, spec } = pod;
  const own = Object.entries(metadata.labels ?? {}).filter(([key]) => isRelevant(key));
  const ofNamespace = Object.entries(namespace?.metadata.labels ?? {}).map(([key, value]): [string, string] => [
    `${NAMESPACE_LABELS}${key}`,
    value,
  ]);
  const all: [string, string][] = [
    ...own,
    ...ofNamespace,
    [CLUSTER, cluster],
    [ACCOUNT, spec.serviceAccountName ?? 'default'],
    [POD_NAMESPACE, metadata.namespace ?? ''],
  ];
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** With their source, as identities and endpoints have them: 'k8s:app=web'. */
export const withSource = (labels: Labels): string[] =>
  Object.entries(labels).map(([key, value]) => (value === '' ? `k8s:${key}` : `k8s:${key}=${value}`));
