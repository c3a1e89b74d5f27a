import type { Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Whether some scheduler has the pod to place. */
export const isUnassigned = (pod: Pod): boolean =>
  !pod.spec.nodeName && !pod.metadata.deletionTimestamp && !isPodTerminal(pod);

/** Whether the pod is unassigned and this scheduler's to place. Models eventhandlers.go responsibleForPod. */
export const isPending = (pod: Pod): boolean =>
  isUnassigned(pod) && (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER;

/** Whether a scheduling cycle has found no node for the pending pod. */
export const isUnschedulable = (pod: Pod): boolean =>
  isPending(pod) &&
  Boolean(
    pod.status.conditions?.some(
      (c) => c.type === 'PodScheduled' && c.status === 'False' && c.reason === 'Unschedulable',
    ),
  );
