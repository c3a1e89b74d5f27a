import type { Node, NodeCondition } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { defineController } from '../../../runtime/controller.js';
import { parseCidr } from '../../cni/addresses.js';
import { HEALTHY, machineLabels, machineStatus } from './node-template.js';

const hasAll = (node: Node): boolean => HEALTHY.every((h) => node.status.conditions?.some((c) => c.type === h.type));

function conditions(node: Node, now: Millis): NodeCondition[] {
  const at = timestamp(now);
  const own = HEALTHY.map(
    (h) =>
      node.status.conditions?.find((c) => c.type === h.type) ?? { ...h, lastHeartbeatTime: at, lastTransitionTime: at },
  );
  return [...own, ...(node.status.conditions ?? []).filter((c) => !HEALTHY.some((h) => h.type === c.type))];
}

/** A node that a user made gets a machine: addresses, capacity and a pod range beside those that are taken. */
function registered(node: Node, others: readonly Node[]): Node {
  const name = node.metadata.name ?? '';
  const machine = machineStatus({ name, internalIP: freeAddress(others) });
  const podCIDR = node.spec.podCIDR ?? freeCidr(others);
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...machineLabels(name), ...node.metadata.labels } },
    spec: { ...node.spec, podCIDR, podCIDRs: node.spec.podCIDRs ?? [podCIDR] },
    status: {
      ...machine,
      ...node.status,
      addresses: node.status.addresses ?? machine.addresses,
      allocatable: node.status.allocatable ?? node.status.capacity ?? machine.allocatable,
      capacity: node.status.capacity ?? machine.capacity,
    },
  };
}

const MAX_NODES = 65_000;

function freeCidr(nodes: readonly Node[]): string {
  const taken = new Set(nodes.map((n) => parseCidr(n.spec.podCIDR)?.[0]));
  for (let i = 0; i < 256; i++) if (!taken.has(((10 * 256 + 244) * 256 + i) * 256)) return `10.244.${i}.0/24`;
  return '10.245.0.0/24';
}

function freeAddress(nodes: readonly Node[]): string {
  const taken = new Set(nodes.flatMap((n) => n.status.addresses?.map((a) => a.address) ?? []));
  for (let i = 2; i < MAX_NODES; i++)
    if (!taken.has(`172.18.${i >> 8}.${i & 255}`)) return `172.18.${i >> 8}.${i & 255}`;
  return '';
}

/**
 * Says that a node is well when it appears: what a kubelet reports of its node. Models
 * pkg/kubelet/kubelet_node_status.go.
 */
export const nodeStatus = defineController<Node, undefined>({
  name: 'node-status',
  component: 'kubelet',
  actor: (key) => `system:node:${key.name}`,
  eventSource: 'kubelet',
  for: { kind: Nodes, when: (node) => !hasAll(node) },
  reconcile(context, key) {
    const { client } = context;
    let node = client.get(Nodes, key);
    if (!node || hasAll(node)) return;
    if (!node.status.nodeInfo?.kubeletVersion) {
      const complete = registered(
        node,
        client.list(Nodes).filter((n) => n.metadata.uid !== node!.metadata.uid),
      );
      const written = client.update(Nodes, { ...complete, status: node.status });
      node = { ...written, status: complete.status };
    }
    const at = context.now;
    const updated = client.updateStatus(Nodes, {
      ...node,
      status: { ...node.status, conditions: conditions(node, at) },
    });
    const source = { component: 'kubelet', host: key.name };
    context.event(updated, 'Normal', 'Starting', 'Starting kubelet.', { source });
    for (const { reason } of HEALTHY.slice(0, 3))
      context.event(updated, 'Normal', reason!, `Node ${keyOf(updated).name} status is now: ${reason}`, { source });
    context.event(updated, 'Normal', 'NodeReady', `Node ${keyOf(updated).name} status is now: NodeReady`, { source });
  },
});

/** Says when a node is cordoned or freed. Models pkg/kubelet/kubelet_node_status.go recordNodeSchedulableEvent. */
export const nodeSchedulable = defineController<Node, undefined>({
  name: 'node-schedulable',
  component: 'kubelet',
  actor: (key) => `system:node:${key.name}`,
  eventSource: 'kubelet',
  for: {
    kind: Nodes,
    when: (node, old) => old !== undefined && Boolean(old.spec.unschedulable) !== Boolean(node.spec.unschedulable),
  },
  reconcile(context, key) {
    const node = context.client.get(Nodes, key);
    if (!node) return;
    const reason = node.spec.unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable';
    context.event(node, 'Normal', reason, `Node ${key.name} status is now: ${reason}`, {
      source: { component: 'kubelet', host: key.name },
    });
  },
});
