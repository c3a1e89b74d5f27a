import type { Node, NodeCondition, Taint } from '../../api/core_v1.js';
import { Events, NodeRuntimes, Nodes } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Key } from '../../machinery/meta/object.js';
import { MINUTE, parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context, type Result } from '../../runtime/controller.js';
import { markPodsNotReady, silentUntil } from './silence.js';
import { findCondition } from '../conditions.js';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';
/** Condition -> the taint that its being True stands for. */
const PRESSURE: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
};
/** What a kubelet reports of its node. */
const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
/** How long a new node may take to report for the first time: node-startup-grace-period. */
const STARTUP_GRACE = 60 * SECOND;
const OWN_KEYS = new Set([NOT_READY, UNREACHABLE, UNSCHEDULABLE, ...Object.values(PRESSURE)]);

/**
 * Turns node conditions into taints, and says of a node that never reports that nothing is known of it. Models
 * pkg/controller/nodelifecycle. Left out: zones and their eviction rates.
 */
export const controller = defineController({
  name: 'nodelifecycle',
  actor: 'system:serviceaccount:kube-system:node-controller',
  eventSource: 'node-controller',
  for: Nodes,
  // A kubelet that is stopped renews its lease no more.
  watches: [watch({ kind: NodeRuntimes, keys: ({ metadata }) => [{ namespace: '', name: metadata.name ?? '' }] })],
  reconcile(context, key): Result | void {
    const node = context.client.get(Nodes, key);
    if (!node) return tellOfRemoval(context, key);
    if (node.metadata.deletionTimestamp !== undefined) return;
    if (isNew(context, node))
      recordNodeEvent(context, node, 'RegisteredNode', `Registered Node ${key.name} in Controller`);
    const current = node.spec.taints ?? [];
    const wanted = taintsOf(node);
    const isWanted = (t: Taint): boolean => wanted.some((w) => isSameTaint(w, t));
    const kept = current.filter((t) => !isOwn(t) || isWanted(t));
    const added = wanted.filter((w) => !current.some((t) => isSameTaint(t, w))).map((t) => stampTaint(t, context.now));
    const taints = [...kept, ...added];
    if (deepEqual(taints, current)) return awaitStatus(context, node);
    const lost = added.some(
      (t) => t.effect === 'NoExecute' && !current.some((c) => c.effect === 'NoExecute' && isOwn(c)),
    );
    // Of a node whose own kubelet says that it is not ready, that kubelet tells.
    if (lost && findCondition(node.status.conditions, 'Ready')?.status === 'Unknown')
      context.event(node, 'Normal', 'NodeNotReady', `Node ${key.name} status is now: NodeNotReady`);
    const { taints: _, ...spec } = node.spec;
    context.client.update(Nodes, { ...node, spec: taints.length ? { ...spec, taints } : spec });
    return awaitStatus(context, node);
  },
});

/** A node that is not heard of is given up when its time is over. */
function awaitStatus(context: Context, node: Node): Result | void {
  if (!findCondition(node.status.conditions, 'Ready')) return awaitFirstStatus(context, node);
  const until = silentUntil(context.client, node);
  if (until === undefined) return undefined;
  if (until > context.now) return { requeueAfter: until - context.now };
  const stored = context.client.get(Nodes, { namespace: '', name: node.metadata.name ?? '' });
  if (!stored) return undefined;
  const conditions = (stored.status.conditions ?? []).map((condition): NodeCondition =>
    REPORTED.includes(condition.type)
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: timestamp(context.now),
        }
      : condition,
  );
  context.client.updateStatus(Nodes, { ...stored, status: { ...stored.status, conditions } });
  markPodsNotReady(context, node.metadata.name ?? '');
  return undefined;
}

/** A node without a kubelet is given up when its time to start is over. */
function awaitFirstStatus(context: Context, { metadata, status }: Node): Result | void {
  if (findCondition(status.conditions, 'Ready')) return undefined;
  const left = parseTimestamp(metadata.creationTimestamp ?? '') + STARTUP_GRACE - context.now;
  if (left > 0) return { requeueAfter: left };
  const unheard = REPORTED.filter((type) => !findCondition(status.conditions, type)).map((type): NodeCondition => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: metadata.creationTimestamp,
    lastTransitionTime: timestamp(context.now),
  }));
  const node = context.client.get(Nodes, { namespace: '', name: metadata.name ?? '' });
  if (node)
    context.client.updateStatus(Nodes, {
      ...node,
      status: { ...node.status, conditions: [...(status.conditions ?? []), ...unheard] },
    });
  return undefined;
}

/** From a Node's end until its controller must have told of it. */
const TOLD = 5 * MINUTE;

/** Says once that a Node is gone. Its host may go on, and whoever takes a cluster over looks at every key. */
function tellOfRemoval(context: Context, key: Key): void {
  const { client, now } = context;
  const removed = client.get(NodeRuntimes, key)?.machine?.metadata.deletionTimestamp;
  const since = removed === undefined ? 0 : parseTimestamp(removed);
  const isTold = client
    .byIndex(Events, 'involvedUid', key.name)
    .some(({ reason, lastTimestamp = '' }) => reason === 'RemovingNode' && parseTimestamp(lastTimestamp) >= since);
  if (isTold || (removed !== undefined && now - since > TOLD)) return;
  recordNodeEvent(context, nodeNamed(key.name), 'RemovingNode', `Removing Node ${key.name} from Controller`);
}

const recordNodeEvent = (context: Context, node: Node, reason: string, what: string): void =>
  context.event(node, 'Normal', reason, `Node ${node.metadata.name} event: ${what}`);

/** Events about a node that has gone name it instead of its uid. */
const nodeNamed = (name: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: name },
  spec: {},
  status: {},
});

const isNew = ({ client, now }: Context, { metadata }: Node): boolean =>
  metadata.creationTimestamp === timestamp(now) &&
  !client.byIndex(Events, 'involvedUid', metadata.uid ?? '').some((e) => e.reason === 'RegisteredNode');

const isOwn = (taint: Taint): boolean => OWN_KEYS.has(taint.key) && taint.effect !== 'PreferNoSchedule';
const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
const stampTaint = (taint: Taint, now: Millis): Taint =>
  taint.effect === 'NoExecute' ? { ...taint, timeAdded: timestamp(now) } : taint;

function taintsOf(node: Node): Taint[] {
  const taints: Taint[] = [];
  const ready = findCondition(node.status.conditions, 'Ready')?.status;
  const unready = ready === 'True' ? undefined : ready === 'Unknown' ? UNREACHABLE : NOT_READY;
  if (unready) taints.push({ key: unready, effect: 'NoSchedule' });
  for (const [type, key] of Object.entries(PRESSURE)) {
    if (findCondition(node.status.conditions, type)?.status === 'True') taints.push({ key, effect: 'NoSchedule' });
  }
  if (node.spec.unschedulable) taints.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  // A node that has never reported is not evicted from.
  if (unready && ready !== undefined) taints.push({ key: unready, effect: 'NoExecute' });
  return taints;
}
