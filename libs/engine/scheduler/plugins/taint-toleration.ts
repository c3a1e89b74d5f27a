import type { Taint, Toleration } from '../../api/core_v1.js';
import { defaultNormalizeScore, unresolvable, type FilterPlugin, type ScorePlugin } from '../plugin.js';

/** Models corev1 Toleration.ToleratesTaint, with the comparison operators Lt and Gt. */
function toleratesTaint(t: Toleration, taint: Taint): boolean {
  if (t.effect && t.effect !== taint.effect) return false;
  if (t.key && t.key !== taint.key) return false;
  if (t.operator === 'Exists') return true;
  if (!t.key) return false;
  if (t.operator === 'Lt') return Number(taint.value) < Number(t.value);
  if (t.operator === 'Gt') return Number(taint.value) > Number(t.value);
  return (t.value ?? '') === (taint.value ?? '');
}
export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  Boolean(tolerations?.some((t) => toleratesTaint(t, taint)));

const REJECTION = unresolvable('node(s) had untolerated taint(s)');

/** Filters out nodes with taints that the pod does not tolerate. Models plugins/tainttoleration. */
export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  preFilter(pod) {
    return (info) => {
      const taints = info.node!.spec.taints;
      if (!taints) return undefined;
      for (const taint of taints)
        if (taint.effect !== 'PreferNoSchedule' && !tolerates(pod.spec.tolerations, taint)) return REJECTION;
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
        (info.node!.spec.taints ?? []).filter((t) => t.effect === 'PreferNoSchedule' && !tolerates(soft, t)).length,
      normalizeScores: (scores) => defaultNormalizeScore(scores, true),
    };
  },
};
