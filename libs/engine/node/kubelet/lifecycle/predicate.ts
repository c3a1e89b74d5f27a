import type { Node, Pod } from '../../../api/core_v1.js';
import { hostPorts, isHostPortInUse } from '../../../kinds/core/pod/host-ports.js';
import { Pods } from '../../../kinds/index.js';
import { configurationOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import { checkPressure } from '../eviction/pressure.js';
import { checkSysctls } from '../sysctl/allowlist.js';
import type { AdmitFailure } from './admit-failure.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';

/** Models pkg/kubelet/nodeshutdown Admit. */
const SHUTTING_DOWN = 'node is shutting down';
const SHUTDOWN: AdmitFailure = {
  reason: 'NodeShutdown',
  message: 'Pod was rejected as the node is shutting down.',
};
const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
type ResourceName = (typeof RESOURCES)[number];

/**
 * Checks that a pod fits its node; undefined: it does. Those that the scheduler has placed do, and mirror pods are
 * always admitted. Models pkg/kubelet/lifecycle/predicate.go Admit. Left out: required affinity terms.
 */
export function admitPod(pod: Pod, node: Node, read: Reader): AdmitFailure | undefined {
  if (node.status.conditions?.some((c) => c.type === 'Ready' && c.message === SHUTTING_DOWN)) return SHUTDOWN;
  const forbidden = checkSysctls(pod, configurationOf(read, node.metadata.name ?? '').allowedUnsafeSysctls);
  if (forbidden) return forbidden;
  const pressure = checkPressure(pod, node);
  if (pressure) return pressure;
  if (isScheduled(pod) || isMirrorPod(pod)) return undefined;
  const others = otherPods(pod, node, read);
  return checkResources(pod, node, others) ?? checkNodeSelector(pod, node) ?? checkHostPorts(pod, others);
}

/** Of a resize that no node like this one can ever grant. Models v1.PodReasonInfeasible. */
export const INFEASIBLE = 'Infeasible';

/**
 * Checks that a pod whose resources have changed still fits its node; undefined: it does. Models pkg/kubelet/allocation
 * canResizePod.
 */
export function checkResize(pod: Pod, node: Node, read: Reader): AdmitFailure | undefined {
  for (const name of ['memory', 'cpu'] as const) {
    const [asked, capacity] = [requestOf(pod, name), valueOf(name, node.status.allocatable?.[name])];
    if (asked <= capacity) continue;
    const message = `Node didn't have enough capacity: ${name}, requested: ${asked}, capacity: ${capacity}`;
    return { reason: INFEASIBLE, message };
  }
  return checkResources(pod, node, otherPods(pod, node, read));
}

const otherPods = (pod: Pod, node: Node, read: Reader): Pod[] =>
  read
    .byIndex(Pods, 'unfinishedByNode', node.metadata.name!)
    .filter((other) => isAdmitted(other) && other.metadata.uid !== pod.metadata.uid);

const isScheduled = ({ status }: Pod): boolean =>
  Boolean(status.conditions?.some((c) => c.type === 'PodScheduled' && c.status === 'True'));

function checkNodeSelector({ spec }: Pod, node: Node): AdmitFailure | undefined {
  const labels = node.metadata.labels ?? {};
  const matches = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  if (matches) return undefined;
  const message = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  return { reason: 'NodeAffinity', message };
}

function checkHostPorts(pod: Pod, others: readonly Pod[]): AdmitFailure | undefined {
  const own = hostPorts(pod);
  if (own.length === 0) return undefined;
  const used = new Set(others.flatMap(hostPorts));
  if (!own.some((port) => isHostPortInUse(port, used))) return undefined;
  const message = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  return { reason: 'NodePorts', message };
}

function checkResources(pod: Pod, node: Node, others: readonly Pod[]): AdmitFailure | undefined {
  const room = Number(node.status.allocatable?.['pods'] ?? Infinity);
  if (others.length + 1 > room) {
    const message = `Node didn't have enough resource: pods, requested: 1, used: ${others.length}, capacity: ${room}`;
    return { reason: 'OutOfpods', message };
  }
  const names = RESOURCES.filter((name) => requestOf(pod, name) > 0);
  for (const name of names) {
    const capacity = valueOf(name, node.status.allocatable?.[name]);
    const used = others.reduce((sum, other) => sum + allocatedOf(other, name), 0);
    const requested = requestOf(pod, name);
    if (used + requested <= capacity) continue;
    const message = `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${name}`, message };
  }
  return undefined;
}

/** A pod without a start time has yet to be admitted itself, after those that the kubelet has seen before it. */
const isAdmitted = (pod: Pod): boolean => pod.status.startTime !== undefined;

/** CPU in thousandths, the others in bytes. */
const valueOf = (name: ResourceName, quantity: string | undefined): number =>
  quantity === undefined ? 0 : name === 'cpu' ? milliValue(quantity) : quantityValue(quantity);

/** What a pod has, which is not yet what it asks for while it is to be resized. */
function allocatedOf({ spec, status }: Pod, name: ResourceName): number {
  const whole = (status.allocatedResources ?? spec.resources?.requests)?.[name];
  if (whole !== undefined) return valueOf(name, whole);
  return spec.containers.reduce((sum, c) => {
    const allocated = status.containerStatuses?.find((s) => s.name === c.name)?.allocatedResources;
    return sum + valueOf(name, (allocated ?? c.resources?.requests)?.[name]);
  }, 0);
}

/** What the pod as a whole asks for goes before the sum of its containers. */
function requestOf({ spec }: Pod, name: ResourceName): number {
  const whole = spec.resources?.requests?.[name];
  if (whole !== undefined) return valueOf(name, whole);
  return spec.containers.reduce((sum, c) => sum + valueOf(name, c.resources?.requests?.[name]), 0);
}
