import { MAX_SCORE, type FilterPlugin, type Rejection, type ScorePlugin } from '../plugin.js';
import type { NodeInfo } from '../cache/node-info.js';
import { podRequests, type PodRequests } from '../cache/resources.js';

/**
 * The rejection of a node that lacks resources for the requests: 'Insufficient cpu', 'Too many pods'. Models fit.go.
 */
export function fitsRequest(r: PodRequests, info: NodeInfo): Rejection | undefined {
  const has = info.allocatable;
  const used = info.requested;
  let reasons: string[] | undefined;
  let unresolvable = false;
  const lack = (reason: string, never: boolean): void => {
    (reasons ??= []).push(reason);
    unresolvable ||= never;
  };
  if (info.pods.size + 1 > has.pods) lack('Too many pods', false);
  if (r.cpu > 0 && r.cpu > has.cpu - used.cpu) lack('Insufficient cpu', r.cpu > has.cpu);
  if (r.memory > 0 && r.memory > has.memory - used.memory) lack('Insufficient memory', r.memory > has.memory);
  if (r.ephemeral > 0 && r.ephemeral > has.ephemeral - used.ephemeral)
    lack('Insufficient ephemeral-storage', r.ephemeral > has.ephemeral);
  if (r.other) {
    for (const [name, n] of r.other) {
      const total = has.other?.get(name) ?? 0;
      if (n > 0 && n > total - (used.other?.get(name) ?? 0)) lack(`Insufficient ${name}`, n > total);
    }
  }
  return reasons && { reasons, unresolvable };
}

/** Filters nodes with room for the pod's requests. Models plugins/noderesources/fit.go. */
export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  preFilter(pod) {
    const requests = podRequests(pod);
    return (info) => fitsRequest(requests, info);
  },
};

const leastRequestedScore = (used: number, total: number): number =>
  total === 0 || used > total ? 0 : Math.floor(((total - used) * MAX_SCORE) / total);

/** Prefers nodes with a large unrequested share of CPU and memory. Models least_allocated.go. */
export const leastAllocated: ScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  preScore(pod) {
    const r = podRequests(pod);
    return {
      score: ({ allocatable, nonZeroCpu, nonZeroMemory }) =>
        Math.floor(
          (leastRequestedScore(nonZeroCpu + r.nonZeroCpu, allocatable.cpu) +
            leastRequestedScore(nonZeroMemory + r.nonZeroMemory, allocatable.memory)) /
            2,
        ),
    };
  },
};

/** Prefers nodes whose requested shares of CPU and memory are alike. Models balanced_allocation.go. */
export const balancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  preScore(pod) {
    const r = podRequests(pod);
    if (r.cpu === 0 && r.memory === 0) return undefined;
    const fraction = (used: number, total: number): number => (total === 0 ? 0 : Math.min(1, used / total));
    return {
      score: ({ allocatable, requested }) => {
        const cpu = fraction(requested.cpu + r.cpu, allocatable.cpu);
        const memory = fraction(requested.memory + r.memory, allocatable.memory);
        return Math.floor((1 - Math.abs(cpu - memory) / 2) * MAX_SCORE);
      },
    };
  },
};
