import type { Rejection } from './plugin.js';

const NO_NODES = 'no nodes available to schedule pods';

/** '1 node(s) had untolerated taint(s), 2 Insufficient cpu': each reason with its number of nodes, sorted as text. */
function describeReasons(rejections: Iterable<Rejection>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, n]) => `${n} ${reason}`)
    .sort()
    .join(', ');
}

/** Models pkg/scheduler/framework FitError.Error: '0/3 nodes are available: <why>. <what preemption found>'. */
export function fitErrorMessage(
  nodes: number,
  why: { nowhere?: string; rejections: Iterable<Rejection> },
  postFilter?: string,
): string {
  if (nodes === 0) return NO_NODES;
  const reasons = why.nowhere ?? describeReasons(why.rejections);
  const text = `0/${nodes} nodes are available:${reasons ? ` ${reasons}.` : ''}`;
  return postFilter ? `${text} ${postFilter}` : text;
}
