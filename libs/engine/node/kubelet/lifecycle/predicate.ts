import type { Node, Pod } from '../../../api/core_v1.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';

/** Why a node does not admit a pod. */
export interface AdmitFailure {
  /** 'OutOfcpu', 'NodeAffinity'. */
  readonly reason: string;
  readonly message: string;
}

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
type ResourceName = (typeof RESOURCES)[number];

/**
 * Checks that a pod fits its node; undefined: it does. Those that the scheduler has placed do, and mirror pods are
 * always admitted. Models pkg/kubelet/lifecycle/predicate.go Admit. Left out: required affinity terms, host ports.
 */
export function admitPod(pod: Pod, node: Node, read: Reader): AdmitFailure | undefined {
  if (isScheduled(pod) || pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return undefined;
  return checkNodeSelector(pod, node) ?? checkResources(pod, node, read);
}

const isScheduled = ({ status }: Pod): boolean =>
  Boolean(status.conditions?.some((c) => c.type === 'PodScheduled' && c.status === 'True'));

function checkNodeSelector({ spec }: Pod, node: Node): AdmitFailure | undefined {
  const labels = node.metadata.labels ?? {};
  const matches = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  if (matches) return undefined;
  const message = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  return { reason: 'NodeAffinity', message };
}

function checkResources(pod: Pod, node: Node, read: Reader): AdmitFailure | undefined {
  const names = RESOURCES.filter((name) => requestOf(pod, name) > 0);
  if (names.length === 0) return undefined;
  const others = read.list(Pods).filter((other) => usesNode(other, node) && other.metadata.uid !== pod.metadata.uid);
  for (const name of names) {
    const capacity = valueOf(name, node.status.allocatable?.[name]);
    const used = others.reduce((sum, other) => sum + requestOf(other, name), 0);
    const requested = requestOf(pod, name);
    if (used + requested <= capacity) continue;
    const message = `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${name}`, message };
  }
  return undefined;
}

const usesNode = (pod: Pod, node: Node): boolean => pod.spec.nodeName === node.metadata.name && !isPodTerminal(pod);

/** CPU in thousandths, the others in bytes. */
const valueOf = (name: ResourceName, quantity: string | undefined): number =>
  quantity === undefined ? 0 : name === 'cpu' ? milliValue(quantity) : quantityValue(quantity);

const requestOf = ({ spec }: Pod, name: ResourceName): number =>
  spec.containers.reduce((sum, c) => sum + valueOf(name, c.resources?.requests?.[name]), 0);
