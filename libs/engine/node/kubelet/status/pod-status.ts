import type { Container, ContainerStatus, Node, Pod, PodCondition, PodIP, PodStatus } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { secondAddressFor, secondIPOf, secondRangeOf } from '../../dualstack/addresses.js';
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
  /** The range of IPv6 that its network gives addresses of, '' for none; absent: the node's own. */
  readonly range6?: string | undefined;
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
    hostIPs: old.hostIP === hostIP && old.hostIPs ? old.hostIPs : [{ ip: hostIP }, ...second(secondIPOf(input.node))],
    ...(spec.initContainers?.length ? { initContainerStatuses: list(spec.initContainers) } : {}),
    phase,
    ...(podIP === undefined ? {} : { podIP, podIPs: givenPodIPs(input, podIP) }),
    ...(hasSandbox ? sharedResources(input) : {}),
    startTime: old.startTime ?? timestamp(now),
    ...input.cause,
  };
}

/** What the pod as a whole has: while a resize of it is pending, that of before. */
function sharedResources({ pod: { spec, status }, resize }: PodStatusInput): Partial<PodStatus> {
  if (!spec.resources) return {};
  const isPending = resize?.some(({ type }) => type === 'PodResizePending') ?? false;
  const { limits, requests } = (isPending ? status.resources : undefined) ?? spec.resources;
  if (!limits && !requests) return {};
  return {
    ...(requests ? { allocatedResources: requests } : {}),
    resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
  };
}

/** The first is that of the sandbox; in a cluster of both families another follows. */
export function givenPodIPs(
  { pod: { spec, status: old }, node, range6 }: Pick<PodStatusInput, 'pod' | 'node' | 'range6'>,
  podIP: string,
): PodIP[] {
  if (old.podIP === podIP && old.podIPs) return old.podIPs;
  if (spec.hostNetwork) return [{ ip: podIP }, ...second(secondIPOf(node))];
  const own = secondRangeOf(node);
  const range = own && (range6 ?? own);
  return [{ ip: podIP }, ...second(range ? secondAddressFor(podIP, node.spec?.podCIDR, range) : undefined)];
}

const second = (ip: string | undefined): PodIP[] => (ip ? [{ ip }] : []);

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
