import { isTaintTolerated } from '../../machinery/scheduling/tolerations.js';
import { defaultNormalizeScore, unresolvable, type FilterPlugin, type ScorePlugin } from '../plugin.js';

const REJECTION = unresolvable('node(s) had untolerated taint(s)');

/** Filters out nodes with taints that the pod does not tolerate. Models plugins/tainttoleration. */
export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  preFilter(pod) {
    return (info) => {
      const taints = info.node!.spec.taints;
      if (!taints) return undefined;
      for (const taint of taints)
        if (taint.effect !== 'PreferNoSchedule' && !isTaintTolerated(taint, pod.spec.tolerations)) return REJECTION;
      return undefined;
    };
  },
};

/** Prefers nodes with few PreferNoSchedule taints that the pod does not tolerate. */
export const taintTolerationScore: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  preScore(pod, _snapshot, feasible) {
    if (!feasible.some((i) => i.node!.spec.taints?.some((t) => t.effect === 'PreferNoSchedule'))) return undefined;
    const soft = pod.spec.tolerations?.filter((t) => !t.effect || t.effect === 'PreferNoSchedule');
    return {
      score: (info) =>
        (info.node!.spec.taints ?? []).filter((t) => t.effect === 'PreferNoSchedule' && !isTaintTolerated(t, soft))
          .length,
      normalizeScores: (scores) => defaultNormalizeScore(scores, true),
    };
  },
};
