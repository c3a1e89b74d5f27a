import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Taint, Toleration } from '../api/core_v1.js';

/**
 * Models component-helpers/scheduling/corev1/nodeaffinity GetRequiredNodeAffinity: nodeSelector and required affinity.
 */
export function matchesRequiredNodeAffinity(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [name, value] of Object.entries(spec.nodeSelector ?? {})) if (labels[name] !== value) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesNodeSelectorTerm(term, node));
}

function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: Node): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    matchExpressions.every((r) => matchesRequirement(r, labels[r.key])) &&
    matchFields.every((r) => r.key === 'metadata.name' && matchesRequirement(r, node.metadata.name))
  );
}

function matchesRequirement({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

export const toleratesTaint = (toleration: Toleration, taint: Taint): boolean =>
  (!toleration.effect || toleration.effect === taint.effect) &&
  (!toleration.key || toleration.key === taint.key) &&
  (toleration.operator === 'Exists' ||
    (toleration.key !== undefined && (toleration.value ?? '') === (taint.value ?? '')));

export const isTaintTolerated = (taint: Taint, tolerations: readonly Toleration[] | undefined): boolean =>
  tolerations?.some((t) => toleratesTaint(t, taint)) ?? false;
