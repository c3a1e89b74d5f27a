import type { Container, Pod } from '../../../api/core_v1.js';
import { canonicalQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import type { PodMeasure } from '../../cri/looks/measure.js';
import { isMet, quantityOf, starvedBy, type Observations, type Starved, type Threshold } from './thresholds.js';

/** A pod of a node, and what it uses; one that was not looked into uses nothing. */
export interface PodUsage {
  readonly pod: Pod;
  readonly measure?: PodMeasure;
}

/**
 * The pods in the order in which they are evicted: those first that use more than they request, then those of lower
 * priority, then those that are further above their requests. Models pkg/kubelet/eviction/helpers.go
 * rankMemoryPressure, rankDiskPressureFunc, rankPIDPressure.
 */
export function rankPods(usages: readonly PodUsage[], starved: Starved): PodUsage[] {
  const exceeds = (usage: PodUsage): number => (starved === 'pids' ? 0 : Number(excessOf(usage, starved) > 0));
  return [...usages].sort(
    (a, b) =>
      exceeds(b) - exceeds(a) ||
      (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0) ||
      excessOf(b, starved) - excessOf(a, starved),
  );
}

/** What a pod uses of something. Volumes count as its disk. */
export function usedBy({ measure }: PodUsage, starved: Starved): number {
  if (!measure) return 0;
  if (starved === 'pids') return measure.processes;
  const field = starved === 'ephemeral-storage' ? 'disk' : starved;
  let used = 0;
  for (const container of measure.containers.values()) used += container[field];
  if (field !== 'memory') for (const volume of measure.volumes.values()) used += volume[field];
  return used;
}

const excessOf = (usage: PodUsage, starved: Starved): number =>
  usedBy(usage, starved) - requestOfPod(usage.pod, starved);

const requestOf = ({ resources }: Container, starved: Starved): string => resources?.requests?.[starved] ?? '0';
const requestOfPod = ({ spec }: Pod, starved: Starved): number =>
  spec.containers.reduce((sum, container) => sum + quantityValue(requestOf(container, starved)), 0);

/** What is said of an evicted pod. Models pkg/kubelet/eviction/helpers.go evictionMessage. */
export function evictionMessage(
  { pod, measure }: PodUsage,
  starved: Starved,
  thresholds: readonly Threshold[],
  observations: Observations,
): string {
  return `The node was low on resource: ${starved}. ${metMessage(starved, thresholds, observations)}${exceeding(pod, measure, starved)}`;
}

/** Models getThresholdMetInfo. */
function metMessage(starved: Starved, thresholds: readonly Threshold[], observations: Observations): string {
  const met = thresholds.find((one) => starvedBy(one.signal) === starved && isMet(one, observations));
  const observed = met && observations[met.signal];
  if (!observed) return '';
  const { quantity } = met.value;
  const wanted =
    quantity === undefined ? binaryQuantity(quantityOf(met.value, observed.capacity)) : canonicalQuantity(quantity);
  const isCount = starved === 'inodes' || starved === 'pids';
  const available = isCount ? decimalQuantity(observed.available) : binaryQuantity(observed.available);
  return `Threshold quantity: ${wanted}, available: ${available}. `;
}

function exceeding({ spec }: Pod, measure: PodMeasure | undefined, starved: Starved): string {
  if (starved === 'inodes' || starved === 'pids') return '';
  const texts = [...spec.containers, ...(spec.initContainers ?? [])].map((container) => {
    const used = measure?.containers.get(container.name)?.[starved === 'memory' ? 'memory' : 'disk'] ?? 0;
    const request = requestOf(container, starved);
    if (used <= quantityValue(request)) return '';
    const is = `was using ${binaryQuantity(used)}, request is ${canonicalQuantity(request)}`;
    return `Container ${container.name} ${is}, has larger consumption of ${starved}. `;
  });
  return texts.join('');
}

/** '100Mi', '71892Ki': a number with the largest suffix that loses nothing. */
const binaryQuantity = (value: number): string => withSuffix(value, 1024, ['', 'Ki', 'Mi', 'Gi', 'Ti']);
const decimalQuantity = (value: number): string => withSuffix(value, 1000, ['', 'k', 'M', 'G']);

function withSuffix(number: number, base: number, suffixes: readonly string[]): string {
  let value = number;
  let i = 0;
  while (value !== 0 && value % base === 0 && i < suffixes.length - 1) [value, i] = [value / base, i + 1];
  return `${value}${suffixes[i]}`;
}
