import type { Node, Pod } from '../../../api/core_v1.js';
import { weightOf } from '../../../kernel/proc/cgroup.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';

const PERIOD_US = 100_000;
const SHARES_PER_CPU = 1_024;
const MIN_SHARES = 2;

/** What a control group is allowed; absent: all that the one above has. */
export interface CgroupLimitSet {
  /** Thousandths of a CPU. */
  readonly cpu?: number;
  readonly cpuShares?: number;
  /** Bytes. */
  readonly memory?: number;
  readonly pids?: readonly number[];
}

/** The files of a group that has no container in itself. */
export const printLimits = ({ cpu, cpuShares, memory, pids = [] }: CgroupLimitSet): Record<string, string> => ({
  'cgroup.controllers': 'cpuset cpu io memory hugetlb pids rdma misc',
  'cgroup.events': 'populated 1\nfrozen 0',
  'cgroup.procs': pids.join('\n'),
  'cgroup.subtree_control': pids.length > 0 ? '' : 'cpuset cpu io memory hugetlb pids rdma misc',
  'cgroup.type': 'domain',
  'cpu.max': `${cpu === undefined ? 'max' : cpu * 100} ${PERIOD_US}`,
  'cpu.weight': String(cpuShares === undefined ? 100 : weightOf(cpuShares)),
  'memory.high': 'max',
  'memory.low': '0',
  'memory.max': memory === undefined ? 'max' : String(memory),
  'memory.min': '0',
  'pids.max': 'max',
});

const sharesOf = (milliCpu: number): number => Math.max(MIN_SHARES, Math.floor((milliCpu * SHARES_PER_CPU) / 1_000));

/** What all pods of a node may use together. Models pkg/kubelet/cm's node_container_manager_linux.go. */
export function limitsOfNode(node: Node | undefined): CgroupLimitSet {
  const { cpu, memory } = node?.status.allocatable ?? {};
  return {
    ...(cpu === undefined ? {} : { cpuShares: sharesOf(milliValue(cpu)) }),
    ...(memory === undefined ? {} : { memory: quantityValue(memory) }),
  };
}

/** Of a QoS class: as much CPU as its pods ask for. Models qos_container_manager_linux.go setCPUCgroupConfig. */
export const limitsOfSlice = (pods: readonly Pod[]): CgroupLimitSet => ({
  cpuShares: sharesOf(pods.reduce((sum, pod) => sum + requestedCpu(pod), 0)),
});

/** Models helpers_linux.go ResourceConfigForPod: a limit of the pod is one that all its containers have. */
export function limitsOfPod(pod: Pod): CgroupLimitSet {
  const cpu = limitOf(pod, 'cpu', milliValue);
  const memory = limitOf(pod, 'memory', quantityValue);
  return {
    cpuShares: sharesOf(requestedCpu(pod)),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  };
}

/** A container that asks for no CPU asks for its limit. */
function requestedCpu({ spec }: Pod): number {
  const own = spec.resources?.requests?.['cpu'];
  if (own !== undefined) return milliValue(own);
  const asked = spec.containers.map(({ resources }) => resources?.requests?.['cpu'] ?? resources?.limits?.['cpu']);
  return asked.reduce((sum, quantity) => sum + (quantity === undefined ? 0 : milliValue(quantity)), 0);
}

function limitOf({ spec }: Pod, resource: string, read: (quantity: string) => number): number | undefined {
  const own = spec.resources?.limits?.[resource];
  if (own !== undefined) return read(own);
  const limits = spec.containers.map(({ resources }) => resources?.limits?.[resource]);
  if (limits.length === 0 || limits.includes(undefined)) return undefined;
  return limits.reduce<number>((sum, quantity) => sum + read(quantity!), 0);
}
