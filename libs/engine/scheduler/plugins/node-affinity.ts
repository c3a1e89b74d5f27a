import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../../api/core_v1.js';
import { defaultNormalizeScore, unresolvable, type FilterPlugin, type ScorePlugin } from '../plugin.js';

function matchesRequirement(value: string | undefined, r: NodeSelectorRequirement): boolean {
  switch (r.operator) {
    case 'In':
      return value !== undefined && Boolean(r.values?.includes(value));
    case 'NotIn':
      return value === undefined || !r.values?.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(r.values?.[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(r.values?.[0]);
    default:
      return false;
  }
}

/** A term without requirements matches nothing. Models component-helpers/scheduling/corev1/nodeaffinity. */
function matchesTerm(node: Node, term: NodeSelectorTerm): boolean {
  if (!term.matchExpressions?.length && !term.matchFields?.length) return false;
  return (
    (term.matchExpressions ?? []).every((r) => matchesRequirement(node.metadata.labels?.[r.key], r)) &&
    (term.matchFields ?? []).every((r) =>
      matchesRequirement(r.key === 'metadata.name' ? node.metadata.name : undefined, r),
    )
  );
}

/** Whether the node matches one of the terms. */
export const matchesNodeSelectorTerms = (node: Node, terms: readonly NodeSelectorTerm[]): boolean =>
  terms.some((t) => matchesTerm(node, t));

/** Whether the node meets both the pod's nodeSelector and its required node affinity. */
export function matchesRequiredNodeAffinity(pod: Pod, node: Node): boolean {
  const wanted = pod.spec.nodeSelector;
  for (const key in wanted) if (node.metadata.labels?.[key] !== wanted[key]) return false;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || matchesNodeSelectorTerms(node, required.nodeSelectorTerms);
}

const REJECTION = unresolvable("node(s) didn't match Pod's node affinity/selector");

/** Filters nodes by the pod's nodeSelector and required node affinity. Models plugins/nodeaffinity. */
export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  preFilter(pod) {
    if (!pod.spec.nodeSelector && !pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution)
      return undefined;
    return (info) => (matchesRequiredNodeAffinity(pod, info.node!) ? undefined : REJECTION);
  },
};

/** Prefers nodes by the weights of the preferred terms that they match. */
export const nodeAffinityScore: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  preScore(pod) {
    const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
    if (!preferred?.length) return undefined;
    return {
      score: (info) => preferred.reduce((sum, p) => sum + (matchesTerm(info.node!, p.preference) ? p.weight : 0), 0),
      normalizeScores: (scores) => defaultNormalizeScore(scores, false),
    };
  },
};
