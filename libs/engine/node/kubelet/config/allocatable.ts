import type { Node } from '../../../api/core_v1.js';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import { quantityOf, thresholdsOf } from '../eviction/thresholds.js';

type Resources = Record<string, string>;

/** The kubelet's default. */
const MAX_PODS = 110;

/**
 * A node's capacity and allocatable by what its kubelet is told. `before`: what it was told until then; where that is
 * nothing and nothing is told now, all stays as it is. Models pkg/kubelet/cm GetNodeAllocatableReservation.
 */
export function resourcesOf(
  { status }: Node,
  before: KubeletConfiguration | undefined,
  next: KubeletConfiguration | undefined,
): Pick<Node['status'], 'capacity' | 'allocatable'> {
  const { capacity = {}, allocatable = {} } = status;
  if (!before && !next) return { capacity, allocatable };
  const pods = podsOf(capacity, before, next);
  const total: Resources = { ...capacity, pods };
  const left: Resources = { ...allocatable, pods };
  const reserves = [before, next].some((one) => one?.kubeReserved || one?.systemReserved || one?.evictionHard);
  if (reserves) Object.assign(left, allocatableOf(total, next ?? {}));
  return { capacity: total, allocatable: left };
}

function podsOf(
  capacity: Readonly<Resources>,
  before: KubeletConfiguration | undefined,
  next: KubeletConfiguration | undefined,
): string {
  if (next?.maxPods !== undefined) return String(next.maxPods);
  return before?.maxPods === undefined ? (capacity['pods'] ?? String(MAX_PODS)) : String(MAX_PODS);
}

/** Without reservations a node gives all that it has, as nodes of kind do. */
function allocatableOf(capacity: Readonly<Resources>, config: KubeletConfiguration): Resources {
  const { kubeReserved = {}, systemReserved = {}, evictionHard } = config;
  const held = (name: string): string[] => [kubeReserved[name], systemReserved[name]].filter((q) => q !== undefined);
  const hard = evictionHard === undefined ? [] : thresholdsOf(config).filter(({ graceMs }) => graceMs === 0);
  const bytes = (name: string, signal: string): string => {
    const all = quantityValue(capacity[name] ?? '0');
    const threshold = hard.find((one) => one.signal === signal);
    const reserved = held(name).reduce((sum, q) => sum + quantityValue(q), 0);
    const rest = Math.max(0, all - reserved - (threshold ? quantityOf(threshold.value, all) : 0));
    return rest % 1024 === 0 ? `${rest / 1024}Ki` : String(rest);
  };
  const cpu = milliValue(capacity['cpu'] ?? '0') - held('cpu').reduce((sum, q) => sum + milliValue(q), 0);
  return {
    cpu: cpu % 1000 === 0 ? String(cpu / 1000) : `${Math.max(0, cpu)}m`,
    memory: bytes('memory', 'memory.available'),
    'ephemeral-storage': bytes('ephemeral-storage', 'nodefs.available'),
  };
}
