import type { Container, ContainerStatus, Pod, PodStatus } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { isSidecar } from '../container/role.js';

/**
 * Writes a pod's status when it is not what the API server has. Models pkg/kubelet/status/status_manager.go
 * SetPodStatus.
 */
export function setPodStatus(client: Client, pod: Pod, status: PodStatus): void {
  if (!deepEqual(status, pod.status)) client.updateStatus(Pods, { ...pod, status });
}

/** The state of a container that has never started, once its pod will not start it any more. */
const UNKNOWN_STATE: ContainerStatus['state'] = {
  terminated: {
    exitCode: 137,
    finishedAt: null as unknown as undefined,
    message: 'The container could not be located when the pod was terminated',
    reason: 'ContainerStatusUnknown',
    startedAt: null as unknown as undefined,
  },
};

/**
 * The last status of a pod: every container has ended, and so has the pod. It has failed when it has never run.
 * Models TerminatePod.
 */
export function terminatePod({ spec }: Pod, status: PodStatus): PodStatus {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const hasInitialized = hasPodInitialized(spec.initContainers ?? [], status);
  const ended: PodStatus = {
    ...status,
    containerStatuses: hasInitialized ? containerStatuses.map(terminateContainer) : containerStatuses,
    phase: isPodPhaseTerminal(status.phase) ? status.phase : 'Failed',
  };
  if (initContainerStatuses.length === 0) return ended;
  const started = Math.max(1, initContainerStatuses.findLastIndex(hasLeftWaiting) + 1);
  return {
    ...ended,
    initContainerStatuses: initContainerStatuses.map((s, i) => (i < started ? terminateContainer(s) : s)),
  };
}

const terminateContainer = (status: ContainerStatus): ContainerStatus =>
  status.state?.terminated ? status : { ...status, state: UNKNOWN_STATE };

const hasLeftWaiting = ({ state, lastState }: ContainerStatus): boolean =>
  state?.waiting === undefined || lastState?.terminated !== undefined;

/** Whether the pod's own containers could start. Models hasPodInitialized. */
function hasPodInitialized(initContainers: readonly Container[], status: PodStatus): boolean {
  const last = initContainers.at(-1);
  if (!last || status.containerStatuses?.some(hasLeftWaiting)) return true;
  const { state, lastState, started } = status.initContainerStatuses?.at(-1) ?? {};
  if (isSidecar(last)) return state?.running !== undefined && started === true;
  return state?.terminated?.exitCode === 0 || lastState?.terminated?.exitCode === 0;
}
