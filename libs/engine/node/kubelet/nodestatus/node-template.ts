import type { Node, Taint } from '../../../api/core_v1.js';
import { secondRangeFor } from '../../dualstack/addresses.js';
import { machineLabels, machineStatus, type Machine } from './setters.js';

export interface NodeTemplate extends Machine {
  readonly role?: 'control-plane' | 'worker';
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly internalIP: string;
  readonly podCIDR: string;
  /** It has addresses of both families. */
  readonly dualStack?: true | undefined;
}

const CONTROL_PLANE_LABELS = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};

const ANNOTATIONS = {
  'node.alpha.kubernetes.io/ttl': '0',
  'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
};

/**
 * A host that had a Node before, as its kubelet registers it again: of what somebody has said of it nothing is left.
 * Other than upstream's, one of the control plane still says so.
 */
export function registeredNode({ metadata, spec, status }: Node): Node {
  const { name = '', labels = {} } = metadata;
  const role = Object.keys(CONTROL_PLANE_LABELS).filter((label) => labels[label] !== undefined);
  const { podCIDR, podCIDRs, providerID } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: ANNOTATIONS,
      labels: { ...machineLabels(name), ...Object.fromEntries(role.map((label) => [label, ''])) },
    },
    spec: {
      ...(podCIDR === undefined ? {} : { podCIDR }),
      ...(podCIDRs === undefined ? {} : { podCIDRs }),
      ...(providerID === undefined ? {} : { providerID }),
    },
    status: { ...status, conditions: [], volumesAttached: [], volumesInUse: [] },
  };
}

/** A node as its kubelet registers it. Models kubelet_node_status.go initialNode, kubeadm's labels. */
export function nodeTemplate(template: NodeTemplate): Node {
  const { name, role, labels, taints, podCIDR } = template;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: ANNOTATIONS,
      labels: { ...machineLabels(name), ...(role === 'control-plane' ? CONTROL_PLANE_LABELS : {}), ...labels },
    },
    spec: {
      podCIDR,
      podCIDRs: template.dualStack ? [podCIDR, secondRangeFor(podCIDR)] : [podCIDR],
      providerID: `terrarium://${name}`,
      ...(taints?.length ? { taints: [...taints] } : {}),
    },
    status: machineStatus(template),
  };
}
