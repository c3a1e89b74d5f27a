import type { Node, NodeCondition } from '../../../api/core_v1.js';
import { NodeRuntimes, Nodes } from '../../../kinds/index.js';
import { listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { isKubeletRunning } from '../../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { defineController, type Context } from '../../../runtime/controller.js';
import { secondRangeFor, secondRangeOf } from '../../dualstack/addresses.js';
import { HEALTHY, machineLabels, machineStatus } from './setters.js';
import { createCompanions } from './registration.js';
import { findFreeAddress, findFreePodCIDR } from './ranges.js';

/**
 * Registers a node when it appears, and reports that it is well. Models pkg/kubelet/kubelet_node_status.go
 * registerWithAPIServer and updateNodeStatus. Left out: heartbeats.
 */
export const nodeStatus = defineController<Node, undefined>({
  name: 'node-status',
  component: 'kubelet',
  actor: (key) => `system:node:${key.name}`,
  eventSource: 'kubelet',
  for: {
    kind: Nodes,
    when: (node, old) => !hasAllConditions(node) || (old !== undefined && node.status.capacity !== old.status.capacity),
  },
  reconcile(context, key) {
    const { client, now } = context;
    const node = client.get(Nodes, key);
    if (!node) return;
    if (hasAllConditions(node)) return allowCapacity(context, node);
    const registered = node.status.nodeInfo?.kubeletVersion ? node : register(context, node);
    const conditions = addConditions(registered.status.conditions ?? [], now);
    const updated = client.updateStatus(Nodes, { ...registered, status: { ...registered.status, conditions } });
    createCompanions(client, updated, now);
    for (const [reason, message] of startEvents(keyOf(updated).name))
      context.event(updated, 'Normal', reason, message, { source: { component: 'kubelet', host: key.name } });
  },
});

/** What somebody says that a node has of its own resources can be used. Models nodestatus/setters.go MachineInfo. */
function allowCapacity({ client }: Context, node: Node): void {
  const { capacity = {}, allocatable = {} } = node.status;
  const isOwn = (name: string): boolean => name.includes('/');
  const kept = Object.entries(allocatable).filter(([name]) => !isOwn(name) || name in capacity);
  const added = Object.entries(capacity).filter(([name]) => isOwn(name));
  const next = Object.fromEntries([...kept, ...added]);
  if (deepEqual(next, allocatable) || !isKubeletRunning(client, node.metadata.name ?? '')) return;
  client.updateStatus(Nodes, { ...node, status: { ...node.status, allocatable: next } });
}

/** Reports when a node is cordoned or freed. Models kubelet_node_status.go recordNodeSchedulableEvent. */
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

const hasAllConditions = ({ status }: Node): boolean =>
  HEALTHY.every((healthy) => status.conditions?.some((c) => c.type === healthy.type));

/** The node with the conditions of a healthy one where it has none of its own; other components' come last. */
export function addConditions(conditions: readonly NodeCondition[], now: Millis): NodeCondition[] {
  const stamp = timestamp(now);
  const own = HEALTHY.map(
    (healthy) =>
      conditions.find((c) => c.type === healthy.type) ?? {
        ...healthy,
        lastHeartbeatTime: stamp,
        lastTransitionTime: stamp,
      },
  );
  return [...own, ...conditions.filter((c) => !HEALTHY.some((healthy) => healthy.type === c.type))];
}

/** Writes the metadata and spec of a node that a user made; its status is the caller's to write. */
function register({ client }: Context, node: Node): Node {
  const { name = '' } = node.metadata;
  const others = listHosts(client).filter((other) => other.metadata.name !== name);
  const complete = completeNode(node, others, client.get(NodeRuntimes, { namespace: '', name })?.machine);
  const written = client.update(Nodes, { ...complete, status: node.status });
  return { ...written, status: complete.status };
}

/**
 * Gives a node that a user made a machine: addresses, capacity, and a range of pod addresses that no other node has.
 * `known`: the host of its name that has lost its Node.
 */
export function completeNode(node: Node, others: readonly Node[], known?: Node): Node {
  const name = node.metadata.name ?? '';
  const dualStack = others.some((other) => secondRangeOf(other) !== undefined) || undefined;
  const machine = machineStatus({ name, internalIP: findFreeAddress(others), version: versionOf(others), dualStack });
  const podCIDR = node.spec.podCIDR ?? known?.spec.podCIDR ?? findFreePodCIDR(others);
  const { status } = node;
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...machineLabels(name), ...node.metadata.labels } },
    spec: { ...node.spec, podCIDR, podCIDRs: node.spec.podCIDRs ?? rangesOf(podCIDR, dualStack) },
    status: {
      ...machine,
      ...status,
      addresses: status.addresses ?? known?.status.addresses ?? machine.addresses,
      allocatable: status.allocatable ?? status.capacity ?? machine.allocatable,
      capacity: status.capacity ?? machine.capacity,
    },
  };
}

const rangesOf = (podCIDR: string, dualStack: true | undefined): string[] =>
  dualStack ? [podCIDR, secondRangeFor(podCIDR)] : [podCIDR];

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** The release of the cluster: its control plane's. */
const versionOf = (nodes: readonly Node[]): string | undefined =>
  nodes.find(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined)?.status.nodeInfo?.kubeletVersion;

const startEvents = (name: string): [reason: string, message: string][] => [
  ['Starting', 'Starting kubelet.'],
  ...['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'].map(statusEvent(name)),
  ['NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods'],
  statusEvent(name)('NodeReady'),
];

const statusEvent =
  (name: string) =>
  (reason: string): [reason: string, message: string] => [reason, `Node ${name} status is now: ${reason}`];
