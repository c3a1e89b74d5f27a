import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../api/core_v1.js';
import { parseInt64 } from './int64.js';

/** Whether a node meets both nodeSelector and required node affinity. Models nodeaffinity.RequiredNodeAffinity. */
export function matchesRequiredNodeAffinity({ nodeSelector, affinity }: PodSpec, node: Node): boolean {
  for (const key in nodeSelector) if (node.metadata.labels?.[key] !== nodeSelector[key]) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelectorTerms(node, required.nodeSelectorTerms);
}

/** Whether the node matches one of the terms. */
export const matchesNodeSelectorTerms = (node: Node, terms: readonly NodeSelectorTerm[]): boolean =>
  terms.some((term) => matchesNodeSelectorTerm(node, term));

/** A term without requirements matches nothing. Models component-helpers/scheduling/corev1/nodeaffinity. */
export function matchesNodeSelectorTerm(node: Node, { matchExpressions, matchFields }: NodeSelectorTerm): boolean {
  if (!matchExpressions?.length && !matchFields?.length) return false;
  return (
    (matchExpressions ?? []).every((r) => matchesRequirement(node.metadata.labels?.[r.key], r)) &&
    (matchFields ?? []).every((r) => r.key === 'metadata.name' && matchesRequirement(node.metadata.name, r))
  );
}

function matchesRequirement(value: string | undefined, { operator, values = [] }: NodeSelectorRequirement): boolean {
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
    case 'Lt':
      return comparesTo(operator, parseInt64(value), parseInt64(values[0]));
    default:
      return false;
  }
}

/** Whether a number is greater or less than another one; never when one of them is none. */
function comparesTo(operator: 'Gt' | 'Lt', left: bigint | undefined, right: bigint | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return operator === 'Gt' ? left > right : left < right;
}
