import type { NodeInfo } from './cache/node-info.js';
import type { Filter, Rejection } from './plugin.js';

/** A pod that fits no node. Models pkg/scheduler/framework FitError. */
export interface FitError {
  /** The number of all nodes. */
  readonly nodes: number;
  /** Set when a PreFilter plug-in has rejected the pod. */
  readonly preFilterMessage?: string;
  readonly rejections: ReadonlyMap<NodeInfo, Rejection>;
  /** Whether the pod fits a node: preemption asks it for nodes without victims. */
  readonly filter: Filter;
}

const NO_NODES = 'no nodes available to schedule pods';

/**
 * '1 node(s) had untolerated taint(s), 2 Insufficient cpu': the reasons with their numbers of nodes, sorted as text.
 */
function describeReasons(rejections: Iterable<Rejection>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, n]) => `${n} ${reason}`)
    .sort()
    .join(', ');
}

/**
 * '0/3 nodes are available: <reasons>.', followed by the result of preemption. Models pkg/scheduler/framework
 * FitError.Error.
 */
export const fitErrorMessage = ({ nodes, preFilterMessage, rejections }: FitError, postFilter?: string): string =>
  describeNodes(nodes, preFilterMessage ?? describeReasons(rejections.values()), postFilter);

/** The same for the result of preemption, where each node has an outcome. */
export const preemptionMessage = (nodes: number, outcomes: readonly Rejection[]): string =>
  describeNodes(nodes, describeReasons(outcomes));

function describeNodes(nodes: number, reasons: string, postFilter?: string): string {
  if (nodes === 0) return NO_NODES;
  const text = `0/${nodes} nodes are available:${reasons ? ` ${reasons}.` : ''}`;
  return postFilter ? `${text} ${postFilter}` : text;
}
