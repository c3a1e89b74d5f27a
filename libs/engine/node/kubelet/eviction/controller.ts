import type { Node, Pod } from '../../../api/core_v1.js';
import { NodeRuntimes, Nodes, Pods } from '../../../kinds/index.js';
import { runsPods } from '../../../kinds/terrarium/noderuntime/kind.js';
import { MINUTE, parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import { defineController, watch, type Context, type Controller, type Result } from '../../../runtime/controller.js';
import type { Machines } from '../../cri/machines.js';
import { EVICTED, isCritical, MONITORING_PERIOD, nextMonitoring } from './local-storage.js';
import { availableMemory, evictionMessage, MEMORY_THRESHOLD, rankMemoryPressure, type MemoryUsage } from './memory.js';
import { memoryOnNode, pressureOf, setPressure } from './pressure.js';

/** The kubelet's evictionPressureTransitionPeriod. */
const TRANSITION_PERIOD = 5 * MINUTE;

/**
 * Takes pods from a node that is short of memory, one at each measure, until it is not. The first shortage is found by
 * the sync of a pod that holds much (pod-workers/watch-memory.ts): nobody measures nodes whose pods hold little.
 * Models pkg/kubelet/eviction/eviction_manager.go synchronize. Left out: the signals of disks, inodes and process
 * numbers, soft thresholds, and thresholds other than the default.
 */
export const evictionManager = (machines?: Machines): Controller =>
  defineController<Node, undefined>({
    name: 'eviction',
    component: 'kubelet',
    actor: (key) => `system:node:${key.name}`,
    eventSource: 'kubelet',
    for: { kind: Nodes, when: (node, old) => pressureOf(node) !== undefined && !(old && pressureOf(old)) },
    watches: [watch({ kind: NodeRuntimes, keys: ({ metadata: { name = '' } }) => [{ namespace: '', name }] })],
    reconcile(context, key): Result | void {
      const { client, now } = context;
      const node = client.get(Nodes, key);
      const pressure = node && pressureOf(node);
      if (!machines || !pressure || !runsPods(client, key.name)) return;
      const wait = nextMonitoring(now) - now;
      if (wait > 0) return { requeueAfter: wait };
      const usages = memoryOnNode(client, machines, key.name, now);
      const available = availableMemory(node, usages);
      if (available >= MEMORY_THRESHOLD) return endPressure(context, node, pressure.lastHeartbeatTime);
      if (pressure.lastHeartbeatTime !== timestamp(now)) setPressure(context, node, true);
      if (!usages.some(({ pod }) => pod.status.reason === EVICTED)) evictOne(context, node, usages, available);
      return { requeueAfter: MONITORING_PERIOD };
    },
  });

/** A node counts as short of memory for a while after it was. */
function endPressure(context: Context, node: Node, lastSeen: string | undefined): Result | void {
  const until = parseTimestamp(lastSeen ?? '') + TRANSITION_PERIOD;
  if (context.now < until) return { requeueAfter: until - context.now };
  setPressure(context, node, false);
}

function evictOne(context: Context, node: Node, usages: readonly MemoryUsage[], available: number): void {
  const source = { component: 'kubelet', host: node.metadata.name ?? '' };
  context.event(node, 'Warning', 'EvictionThresholdMet', 'Attempting to reclaim memory', { source });
  const isRunning = ({ status }: Pod): boolean =>
    Boolean(status.containerStatuses?.some(({ state }) => state?.running));
  const victim = rankMemoryPressure(usages).find(({ pod }) => isRunning(pod) && !isCritical(pod));
  if (!victim) return;
  const message = evictionMessage(victim, available);
  context.event(victim.pod, 'Warning', EVICTED, message, { source });
  evict(context, victim.pod, message, context.now);
}

/** The pod's worker stops what is marked. Models evictPod. */
function evict({ client }: Context, pod: Pod, message: string, now: Millis): void {
  const conditions = [
    ...(pod.status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget'),
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message,
      ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
      lastProbeTime: null as unknown as undefined,
      lastTransitionTime: timestamp(now),
    },
  ];
  client.updateStatus(Pods, { ...pod, status: { ...pod.status, reason: EVICTED, message, conditions } });
}
