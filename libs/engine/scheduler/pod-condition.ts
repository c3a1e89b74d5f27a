import type { Pod, PodCondition } from '../api/core_v1.js';
import { timestamp, type Millis } from '../machinery/time/time.js';

/**
 * The pod's conditions with this one set; the same array when it is set already. Models pkg/api/v1/pod
 * UpdatePodCondition.
 */
export function updatePodCondition(pod: Pod, now: Millis, condition: PodCondition): PodCondition[] {
  const conditions = pod.status.conditions ?? [];
  const old = conditions.find((c) => c.type === condition.type);
  if (old && old.status === condition.status && old.reason === condition.reason && old.message === condition.message)
    return conditions;
  const next: PodCondition = {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    // Go prints a zero Time as null.
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: old?.status === condition.status ? old.lastTransitionTime : timestamp(now),
    ...condition,
  };
  return old ? conditions.map((c) => (c === old ? next : c)) : [...conditions, next];
}
