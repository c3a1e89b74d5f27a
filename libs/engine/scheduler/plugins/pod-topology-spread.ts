import type { Pod, TopologySpreadConstraint } from '../../api/core_v1.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import {
  MAX_SCORE,
  unschedulable,
  unresolvable,
  type Snapshot,
  type FilterPlugin,
  type ScorePlugin,
} from '../plugin.js';
import type { NodeInfo } from '../cache/node-info.js';
import { matchesRequiredNodeAffinity } from '../../machinery/scheduling/node-affinity.js';
import { isTaintTolerated } from '../../machinery/scheduling/tolerations.js';

const UNEVEN = unschedulable("node(s) didn't match pod topology spread constraints");
const NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");

function matchesConstraint(constraint: TopologySpreadConstraint, pod: Pod, other: Pod): boolean {
  if (other.metadata.namespace !== pod.metadata.namespace || other.metadata.deletionTimestamp) return false;
  if (!matchesLabelSelector(constraint.labelSelector, other.metadata.labels)) return false;
  return (constraint.matchLabelKeys ?? []).every(
    (k) => pod.metadata.labels?.[k] === undefined || other.metadata.labels?.[k] === pod.metadata.labels[k],
  );
}

/** Whether the pods of a node count, by the constraint's node inclusion policies. */
function isEligibleNode(constraint: TopologySpreadConstraint, pod: Pod, info: NodeInfo): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !matchesRequiredNodeAffinity(pod.spec, info.node!)) return false;
  if (constraint.nodeTaintsPolicy !== 'Honor') return true;
  return (info.node!.spec.taints ?? []).every(
    (t) => t.effect === 'PreferNoSchedule' || isTaintTolerated(t, pod.spec.tolerations),
  );
}

/** Matching pods by the value of the topology key; domains without any count 0. */
function countPodsByDomain(constraint: TopologySpreadConstraint, pod: Pod, { nodes }: Snapshot): Map<string, number> {
  const byDomain = new Map<string, number>();
  for (const info of nodes) {
    const value = info.node!.metadata.labels?.[constraint.topologyKey];
    if (value === undefined || !isEligibleNode(constraint, pod, info)) continue;
    let n = byDomain.get(value) ?? 0;
    for (const other of info.pods.values()) if (matchesConstraint(constraint, pod, other)) n++;
    byDomain.set(value, n);
  }
  return byDomain;
}

const constraintsOf = (pod: Pod, when: string): readonly TopologySpreadConstraint[] =>
  (pod.spec.topologySpreadConstraints ?? []).filter((c) => c.whenUnsatisfiable === when);

/** Filters nodes by the pod's DoNotSchedule constraints. Models plugins/podtopologyspread/filtering.go. */
export const podTopologySpread: FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter(pod, snapshot) {
    const hard = constraintsOf(pod, 'DoNotSchedule');
    if (hard.length === 0) return undefined;
    const prepared = hard.map((constraint) => {
      const byDomain = countPodsByDomain(constraint, pod, snapshot);
      const tooFew = byDomain.size < (constraint.minDomains ?? 1);
      return {
        constraint,
        byDomain,
        least: tooFew ? 0 : Math.min(...byDomain.values()),
        self: matchesConstraint(constraint, pod, pod) ? 1 : 0,
      };
    });
    return (info) => {
      for (const { constraint, byDomain, least, self } of prepared) {
        const value = info.node!.metadata.labels?.[constraint.topologyKey];
        if (value === undefined) return NO_LABEL;
        if ((byDomain.get(value) ?? 0) + self - least > constraint.maxSkew) return UNEVEN;
      }
      return undefined;
    };
  },
};

/** The fewer pods, the higher the score. Models scoring.go NormalizeScore. */
function normalizeSpread(scores: number[]): void {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  for (let i = 0; i < scores.length; i++)
    scores[i] = high === 0 ? MAX_SCORE : Math.floor((MAX_SCORE * (high + low - scores[i]!)) / high);
}

/**
 * Prefers nodes by the pod's ScheduleAnyway constraints. A pod without constraints gets the system default: the pods of
 * one controller are spread over the nodes, counted by their owner, where upstream matches the selectors of Services
 * and controllers. Models plugins/podtopologyspread/scoring.go.
 */
export const podTopologySpreadScore: ScorePlugin = {
  name: 'PodTopologySpread',
  weight: 2,
  preScore(pod, snapshot) {
    if (!pod.spec.topologySpreadConstraints?.length) {
      const owner = controllerOf(pod)?.uid;
      return owner === undefined
        ? undefined
        : { score: (info) => info.podsByController.get(owner) ?? 0, normalizeScores: normalizeSpread };
    }
    const soft = constraintsOf(pod, 'ScheduleAnyway').map((constraint) => ({
      constraint,
      byDomain: countPodsByDomain(constraint, pod, snapshot),
    }));
    if (soft.length === 0) return undefined;
    const score = (info: NodeInfo): number => {
      let sum = 0;
      for (const { constraint, byDomain } of soft) {
        const value = info.node!.metadata.labels?.[constraint.topologyKey];
        // Small topologies weigh more per pod: log(size + 2), and the allowed skew is free.
        if (value !== undefined)
          sum += (byDomain.get(value) ?? 0) * Math.log(byDomain.size + 2) + (constraint.maxSkew - 1);
      }
      return Math.round(sum);
    };
    return { score, normalizeScores: normalizeSpread };
  },
};
