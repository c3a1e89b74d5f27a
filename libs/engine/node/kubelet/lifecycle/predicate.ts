import type { Node, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';

export interface Refusal {
  /** 'OutOfcpu', 'NodeAffinity'. */
  readonly reason: string;
  readonly message: string;
}

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
const amount = (name: string, text: string | undefined): number =>
  text === undefined ? 0 : name === 'cpu' ? milliValue(text) : quantityValue(text);
const requested = (pod: Pod, name: string): number =>
  pod.spec.containers.reduce((sum, c) => sum + amount(name, c.resources?.requests?.[name]), 0);

/** Pods the scheduler placed fit by construction; those that name their node themselves are checked here. */
const bypassedScheduler = (pod: Pod): boolean =>
  !pod.status.conditions?.some((c) => c.type === 'PodScheduled' && c.status === 'True');

/** Why the kubelet does not take a pod. Models pkg/kubelet/lifecycle/predicate.go. */
export function admissionProblem(pod: Pod, node: Node, read: Reader): Refusal | undefined {
  if (!bypassedScheduler(pod) || pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    return undefined;
  for (const key in pod.spec.nodeSelector) {
    if (node.metadata.labels?.[key] !== pod.spec.nodeSelector[key]) {
      return {
        reason: 'NodeAffinity',
        message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
      };
    }
  }
  const own = RESOURCES.filter((name) => requested(pod, name) > 0);
  if (own.length === 0) return undefined;
  const others = read
    .list(Pods)
    .filter((p) => p.spec.nodeName === node.metadata.name && p.metadata.uid !== pod.metadata.uid && !isPodTerminal(p));
  for (const name of own) {
    const capacity = amount(name, node.status.allocatable?.[name]);
    const used = others.reduce((sum, p) => sum + requested(p, name), 0);
    const wanted = requested(pod, name);
    if (used + wanted > capacity) {
      return {
        reason: `OutOf${name}`,
        message: `Node didn't have enough resource: ${name}, requested: ${wanted}, used: ${used}, capacity: ${capacity}`,
      };
    }
  }
  return undefined;
}
