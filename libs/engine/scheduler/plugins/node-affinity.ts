import { matchesNodeSelectorTerm, matchesRequiredNodeAffinity } from '../../machinery/scheduling/node-affinity.js';
import { defaultNormalizeScore, unresolvable, type FilterPlugin, type ScorePlugin } from '../plugin.js';

const REJECTION = unresolvable("node(s) didn't match Pod's node affinity/selector");

/** Filters nodes by the pod's nodeSelector and required node affinity. Models plugins/nodeaffinity. */
export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  preFilter(pod) {
    if (!pod.spec.nodeSelector && !pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution)
      return undefined;
    return (info) => (matchesRequiredNodeAffinity(pod.spec, info.node!) ? undefined : REJECTION);
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
      score: (info) =>
        preferred.reduce((sum, p) => sum + (matchesNodeSelectorTerm(info.node!, p.preference) ? p.weight : 0), 0),
      normalizeScores: (scores) => defaultNormalizeScore(scores, false),
    };
  },
};
