import type { Container, ContainerStatus, Node, Pod, PodCondition, PodStatus } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { defaultWaitingStatus } from './container-status.js';
import { generatePodConditions } from './generate.js';
import type { Statuses } from './phase.js';

export interface PodStatusInput {
  readonly pod: Pod;
  readonly node: Node;
  readonly statuses: Statuses;
  readonly phase: string;
  readonly podIP: string | undefined;
  readonly hasSandbox: boolean;
  /** Conditions of a resize in place; by default none. */
  readonly resize?: readonly PodCondition[];
  /** Why the pod as a whole was stopped: 'DeadlineExceeded'. */
  readonly cause?: { readonly reason: string; readonly message: string };
  readonly now: Millis;
}

/** The container's status, made up for one that has never run. */
export const containerStatusOf = (pod: Pod, container: Container, statuses: Statuses): ContainerStatus =>
  statuses.get(container.name) ?? defaultWaitingStatus(container, Boolean(pod.spec.initContainers?.length));

/** The status that a pod is to have. Models kubelet_pods.go generateAPIPodStatus. */
export function generateAPIPodStatus(input: PodStatusInput): PodStatus {
  const { pod, statuses, phase, podIP, now } = input;
  const { spec, status: old } = pod;

  const hostIP = internalIPOf(input.node);
  const hasSandbox = input.hasSandbox && !isPodPhaseTerminal(phase);
  const list = (containers: readonly Container[]): ContainerStatus[] =>
    containers.map((c) => containerStatusOf(pod, c, statuses));
  return {
    ...old,
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    conditions: generatePodConditions(pod, statuses, phase, hasSandbox, now, input.resize),
    containerStatuses: list(spec.containers),
    ...(spec.ephemeralContainers?.length
      ? { ephemeralContainerStatuses: list(spec.ephemeralContainers as Container[]) }
      : {}),
    hostIP,
    hostIPs: old.hostIP === hostIP && old.hostIPs ? old.hostIPs : [{ ip: hostIP }],
    ...(spec.initContainers?.length ? { initContainerStatuses: list(spec.initContainers) } : {}),
    phase,
    ...(podIP === undefined ? {} : { podIP, podIPs: old.podIP === podIP && old.podIPs ? old.podIPs : [{ ip: podIP }] }),
    startTime: old.startTime ?? timestamp(now),
    ...input.cause,
  };
}

/** The status of a pod that the node did not admit. Models kubelet.go rejectPod. */
export const generateRejectedStatus = (
  pod: Pod,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Millis,
): PodStatus => ({
  ...pod.status,
  phase: 'Failed',
  reason,
  message: `Pod was rejected: ${message}`,
  startTime: timestamp(now),
});
