/**
 * A pod's phase and readiness. Models IsPodPhaseTerminal, IsPodTerminal, GetPodReadyCondition and IsPodReady of
 * pkg/api/v1/pod/util.go.
 */
import type { Pod, PodCondition } from '../../../../api/core_v1.js';

/** Whether all containers of a pod in this phase have ended for good. */
export const isPodPhaseTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

export const isPodTerminal = (pod: Pod): boolean => isPodPhaseTerminal(pod.status.phase);

export const podReadyCondition = (pod: Pod): PodCondition | undefined =>
  pod.status.conditions?.find((condition) => condition.type === 'Ready');

export const isPodReady = (pod: Pod): boolean => podReadyCondition(pod)?.status === 'True';
