import type { Container, Node, Pod } from '../../../api/core_v1.js';
import { canonicalQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';

const MEBIBYTE = 1024 * 1024;
/** The kubelet's default for evictionHard: memory.available<100Mi. */
export const MEMORY_THRESHOLD = 100 * MEBIBYTE;
/** What the node's own services hold, and the pods that are not weighed. */
const SYSTEM_BYTES = 600 * MEBIBYTE;

/** What the containers of a pod hold, in bytes by their names. */
export interface MemoryUsage {
  readonly pod: Pod;
  readonly containers: ReadonlyMap<string, number>;
}

/** Bytes that are left on a node: the signal memory.available. */
export function availableMemory(node: Node, usages: readonly MemoryUsage[]): number {
  const capacity = quantityValue(node.status.capacity?.['memory'] ?? '0');
  return Math.max(0, capacity - SYSTEM_BYTES - usages.reduce((sum, usage) => sum + usedBy(usage), 0));
}

/**
 * The pods in the order in which they are evicted: those first that use more than they request, then those of lower
 * priority, then those that are further above their requests. Models pkg/kubelet/eviction/helpers.go
 * rankMemoryPressure.
 */
export const rankMemoryPressure = (usages: readonly MemoryUsage[]): MemoryUsage[] =>
  [...usages].sort(
    (a, b) =>
      Number(excessOf(b) > 0) - Number(excessOf(a) > 0) ||
      (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0) ||
      excessOf(b) - excessOf(a),
  );

const usedBy = ({ containers }: MemoryUsage): number => [...containers.values()].reduce((a, b) => a + b, 0);
const excessOf = (usage: MemoryUsage): number => usedBy(usage) - requestOfPod(usage.pod);

const requestOf = ({ resources }: Container): string => resources?.requests?.['memory'] ?? '0';
const requestOfPod = ({ spec }: Pod): number =>
  spec.containers.reduce((sum, container) => sum + quantityValue(requestOf(container)), 0);

/** What is said of an evicted pod. Models pkg/kubelet/eviction/helpers.go evictionMessage. */
export function evictionMessage({ pod, containers }: MemoryUsage, available: number): string {
  const { spec } = pod;
  const exceeding = [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) => {
    const used = containers.get(container.name) ?? 0;
    const request = requestOf(container);
    if (used <= quantityValue(request)) return [];
    const is = `was using ${binaryQuantity(used)}, request is ${canonicalQuantity(request)}`;
    return [`Container ${container.name} ${is}, has larger consumption of memory. `];
  });
  const met = `Threshold quantity: ${binaryQuantity(MEMORY_THRESHOLD)}, available: ${binaryQuantity(available)}. `;
  return `The node was low on resource: memory. ${met}${exceeding.join('')}`;
}

/** '100Mi', '71892Ki': bytes with the largest suffix that loses nothing. */
function binaryQuantity(bytes: number): string {
  const suffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
  let value = bytes;
  let i = 0;
  while (value !== 0 && value % 1024 === 0 && i < suffixes.length - 1) [value, i] = [value / 1024, i + 1];
  return `${value}${suffixes[i]}`;
}
