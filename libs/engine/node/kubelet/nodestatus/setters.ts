import type { Node, NodeCondition } from '../../../api/core_v1.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { secondHostFor } from '../../../machinery/net/second-family.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import { digestOf } from '../../digest.js';

const RUNTIME_VERSION = 'containerd://2.2.1';
const OS_IMAGE = 'Debian GNU/Linux 13 (trixie)';
const KERNEL = '6.12.57+deb13-amd64';
/** The kubelet's default. */
const MAX_PODS = 110;

/** The conditions of a healthy node, in the kubelet's words. Models pkg/kubelet/nodestatus/setters.go. */
export const HEALTHY: readonly NodeCondition[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
];

/** The digits of a text's digest in groups of a UUID. */
const uuidOf = (text: string): string =>
  digestOf(text)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A quantity in KiB, as kubelets read it from /proc/meminfo. */
const inKibibytes = (memory: string): string => `${Math.floor(quantityValue(memory) / 1024)}Ki`;

export interface Machine {
  /** The host name. */
  readonly name: string;
  /** Quantities; by default '4' and '8Gi'. */
  readonly cpu?: string;
  readonly memory?: string;
  /** By default 110. */
  readonly pods?: number;
  readonly internalIP?: string;
  readonly dualStack?: true | undefined;
  /** Of its kubelet: as the cluster's; by default the default release. */
  readonly version?: string;
}

/** The status of a node that has just been registered; its conditions come with the first update of the status. */
export function machineStatus(node: Machine): Node['status'] {
  const resources = {
    cpu: node.cpu ?? '4',
    'ephemeral-storage': '102625208Ki',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: inKibibytes(node.memory ?? '8Gi'),
    pods: String(node.pods ?? MAX_PODS),
  };
  return {
    addresses: [
      ...(node.internalIP ? [{ type: 'InternalIP', address: node.internalIP }] : []),
      ...(node.internalIP && node.dualStack ? [{ type: 'InternalIP', address: secondHostFor(node.internalIP) }] : []),
      { type: 'Hostname', address: node.name },
    ],
    allocatable: resources,
    capacity: resources,
    conditions: [],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: [],
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuidOf(`${node.name}/boot`),
      containerRuntimeVersion: RUNTIME_VERSION,
      kernelVersion: KERNEL,
      kubeProxyVersion: '',
      kubeletVersion: node.version ?? DEFAULT_VERSION,
      machineID: digestOf(`${node.name}/machine`).slice(0, 32),
      operatingSystem: 'linux',
      osImage: OS_IMAGE,
      systemUUID: uuidOf(`${node.name}/system`),
    },
    runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
  };
}

/** The labels that a kubelet puts on its node. Models kubelet_node_status.go initialNode. */
export const machineLabels = (name: string): Record<string, string> => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
});
