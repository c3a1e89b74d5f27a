import type { Node } from '../../../api/core_v1.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { NodeRuntimes, Nodes, Pods } from '../../../kinds/index.js';
import type { NodeRuntime } from '../../../kinds/terrarium/noderuntime/kind.js';
import { microTimestamp, parseTimestamp, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import { defineController, watch, type Context, type Controller, type Result } from '../../../runtime/controller.js';
import { freezeNode } from '../../host/services/freeze.js';
import { markStopped, stoppedSince } from '../pod/mark-stopped.js';
import { graceOf, groupOf, shutdownGroups, type ShutdownGroup } from './groups.js';

const REASON = 'Terminated';
const MESSAGE = 'Pod was terminated in response to imminent node shutdown.';
/** What the Ready condition says of a node that goes down. Models ShutdownStatus. */
export const SHUTTING_DOWN = 'node is shutting down';
/** What systemd takes for the rest. */
const POWER_OFF: Millis = 2 * SECOND;

/**
 * Ends the pods of a node that somebody switches off, group by group, and then the node. Models
 * pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go processShutdownEvent.
 */
export const nodeShutdown: Controller = defineController<NodeRuntime, undefined>({
  name: 'node-shutdown',
  component: 'kubelet',
  actor: (key) => `system:node:${key.name}`,
  eventSource: 'kubelet',
  for: { kind: NodeRuntimes, when: ({ shutdown }) => shutdown !== undefined && !shutdown.isOff },
  watches: [
    // A pod that has ended lets the next group follow.
    watch({
      kind: Pods,
      when: (pod, old) =>
        pod.status.reason === REASON && isPodTerminal(pod) && old !== undefined && !isPodTerminal(old),
      keys: ({ spec }) => [{ namespace: '', name: spec.nodeName ?? '' }],
    }),
  ],
  reconcile(context, { name }): Result | void {
    const { client, now } = context;
    const runtime = client.get(NodeRuntimes, { namespace: '', name });
    const node = client.get(Nodes, { namespace: '', name });
    const shutdown = runtime?.shutdown;
    if (!runtime || !node || !shutdown || shutdown.isOff) return;
    const groups = runtime.kubelet.state === 'running' ? shutdownGroups(runtime.configuration ?? {}) : [];
    if (groups.length > 0) reportShutdown(context, node);
    const until = endPods(context, node, groups, parseTimestamp(shutdown.since));
    if (until > now) return { requeueAfter: until - now };
    switchOff(context, runtime, node);
  },
});

/** The node says once that it goes down. */
function reportShutdown(context: Context, node: Node): void {
  const { client, now } = context;
  const name = node.metadata.name ?? '';
  if (node.status.conditions?.some((c) => c.type === 'Ready' && c.message === SHUTTING_DOWN)) return;
  const source = { source: { component: 'kubelet', host: name } };
  context.event(node, 'Normal', 'NodeShutdown', 'Shutdown manager detected shutdown event', source);
  const at = timestamp(now);
  const conditions = (node.status.conditions ?? []).map((condition) =>
    condition.type === 'Ready'
      ? {
          ...condition,
          status: 'False',
          reason: 'KubeletNotReady',
          message: SHUTTING_DOWN,
          lastHeartbeatTime: at,
          lastTransitionTime: at,
        }
      : condition,
  );
  client.updateStatus(Nodes, { ...node, status: { ...node.status, conditions } });
  context.event(node, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`, source);
}

/** Marks the pods whose turn it is. Returns when to look again: now, or earlier, when all have had their time. */
function endPods({ client, now }: Context, node: Node, groups: readonly ShutdownGroup[], since: Millis): Millis {
  const pods = client.byIndex(Pods, 'unfinishedByNode', node.metadata.name ?? '');
  for (const [i, group] of groups.entries()) {
    const own = pods.filter((pod) => groupOf(pod, groups) === i);
    const left = own.filter((pod) => !isPodTerminal(pod));
    if (left.length === 0) continue;
    const begun = left.map((pod) => stoppedSince(client, pod, REASON)).filter((at) => at !== undefined);
    const begin = begun.length > 0 ? Math.min(...begun) : now;
    for (const pod of left)
      if (stoppedSince(client, pod, REASON) === undefined)
        markStopped(client, pod, { reason: REASON, message: MESSAGE, graceSeconds: graceOf(pod, group) }, now);
    const end = begin + group.seconds * SECOND;
    if (end > now) return end;
  }
  return groups.length > 0 ? now : since + POWER_OFF;
}

function switchOff({ client, now }: Context, runtime: NodeRuntime, node: Node): void {
  freezeNode(client, node, now);
  const since = microTimestamp(now);
  client.update(NodeRuntimes, {
    ...runtime,
    kubelet: { ...runtime.kubelet, state: 'stopped', since },
    containerd: { ...runtime.containerd, state: 'stopped', since },
    shutdown: { ...runtime.shutdown!, isOff: true },
  });
}
