import type { Node, NodeCondition, Taint } from '../../../api/core_v1.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import { hash32 } from '../../../machinery/random.js';

export const KUBELET_VERSION = 'v1.36.3';
const RUNTIME_VERSION = 'containerd://2.2.1';
const OS_IMAGE = 'Debian GNU/Linux 13 (trixie)';
const KERNEL = '6.12.57+deb13-amd64';
/** Kubelet's default, and what large test clusters set. */
const MAX_PODS = 110;

export interface NodeTemplate {
  readonly name: string;
  readonly role?: 'control-plane' | 'worker';
  /** Quantities; by default '4' and '8Gi'. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly internalIP: string;
  readonly podCIDR: string;
}

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

const hex = (name: string, digits: number): string => {
  let text = '';
  for (let i = 1; text.length < digits; i++) text += hash32(name, i).toString(16).padStart(8, '0');
  return text.slice(0, digits);
};
const uuid = (name: string): string => hex(name, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Kubelets read /proc/meminfo, which counts so. */
const kibibytes = (memory: string): string => `${Math.floor(quantityValue(memory) / 1024)}Ki`;

/** What the kubelet finds out about its machine. */
export function machineStatus(node: {
  readonly name: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: number;
  readonly internalIP?: string;
}): Node['status'] {
  const resources = {
    cpu: node.cpu ?? '4',
    'ephemeral-storage': '102625208Ki',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: kibibytes(node.memory ?? '8Gi'),
    pods: String(node.pods ?? MAX_PODS),
  };
  return {
    addresses: [
      ...(node.internalIP ? [{ type: 'InternalIP', address: node.internalIP }] : []),
      { type: 'Hostname', address: node.name },
    ],
    allocatable: resources,
    capacity: resources,
    conditions: [],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: [],
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuid(`${node.name}/boot`),
      containerRuntimeVersion: RUNTIME_VERSION,
      kernelVersion: KERNEL,
      kubeProxyVersion: '',
      kubeletVersion: KUBELET_VERSION,
      machineID: hex(`${node.name}/machine`, 32),
      operatingSystem: 'linux',
      osImage: OS_IMAGE,
      systemUUID: uuid(`${node.name}/system`),
    },
    runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
  };
}

export const machineLabels = (name: string): Record<string, string> => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
});

/** A node as its kubelet registers it; the kubelet's controller adds the conditions. */
export function nodeTemplate(t: NodeTemplate): Node {
  const controlPlane = t.role === 'control-plane';
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: t.name,
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      labels: {
        ...machineLabels(t.name),
        ...(controlPlane
          ? {
              'node-role.kubernetes.io/control-plane': '',
              'node.kubernetes.io/exclude-from-external-load-balancers': '',
            }
          : {}),
        ...t.labels,
      },
    },
    spec: {
      podCIDR: t.podCIDR,
      podCIDRs: [t.podCIDR],
      providerID: `terrarium://${t.name}`,
      ...(t.taints?.length ? { taints: [...t.taints] } : {}),
    },
    status: machineStatus(t),
  };
}
