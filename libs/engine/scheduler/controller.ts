import type { Node, Pod, PodCondition } from '../api/core_v1.js';
import { Nodes, PersistentVolumeClaims, PersistentVolumes, Pods } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import { keyOf, type Key } from '../machinery/meta/object.js';
import { timestamp } from '../machinery/time/time.js';
import { defineController, index, watch, type Context } from '../runtime/controller.js';
import { DEFAULT_SCHEDULER, isPending, isUnschedulable, SchedulerCache } from './cache.js';
import { schedulePod, type FitError } from './cycle.js';
import { fitErrorMessage } from './fit-error.js';
import { findVictims } from './preemption.js';
import type { NodeInfo } from './node-info.js';
import { claimNames } from './plugins/volume-binding.js';
import { bindVolumes } from './volumes.js';
import { isPodTerminal } from '../kinds/core/pod/status/phase.js';

const UNSCHEDULABLE = 'scheduler/unschedulable';
const SOURCE = { component: DEFAULT_SCHEDULER };

const unschedulablePods = (reader: Reader): readonly Key[] => reader.byIndex(Pods, UNSCHEDULABLE, 'yes').map(keyOf);
const podsWithTopologyTerms = (reader: Reader): readonly Key[] =>
  reader.byIndex(Pods, UNSCHEDULABLE, 'affine').map(keyOf);
const YES: readonly string[] = ['yes'];
const AFFINE: readonly string[] = ['yes', 'affine'];
const CLAIMING: readonly string[] = ['yes', 'affine', 'claiming'];
const NO: readonly string[] = [];

/**
 * What a pod that is not placed yet waits for; one with claims may be waiting for its volumes without having been
 * refused.
 */
function unschedulableIndexOf(pod: Pod): readonly string[] {
  if (!isPending(pod)) return NO;
  if (claimNames(pod).length > 0) return CLAIMING;
  if (!isUnschedulable(pod)) return NO;
  return pod.spec.affinity || pod.spec.topologySpreadConstraints ? AFFINE : YES;
}

/** A node's changes that can make room: not its heartbeat or image list. */
const canMakeRoom = (next: Node, old: Node | undefined): boolean =>
  !old ||
  old.spec !== next.spec ||
  old.metadata.labels !== next.metadata.labels ||
  old.status.allocatable !== next.status.allocatable;

const isNewWork = (pod: Pod, old: Pod | undefined): boolean =>
  isPending(pod) &&
  (!old ||
    old.spec !== pod.spec ||
    old.metadata.labels !== pod.metadata.labels ||
    old.status.nominatedNodeName !== pod.status.nominatedNodeName);

/** A pod left its node: it ended, or is gone. */
function* keysForFreedRoom(pod: Pod, reader: Reader, old: Pod | undefined): Iterable<Key> {
  if (!pod.spec.nodeName || !old) return;
  const keys = unschedulablePods(reader);
  if (keys.length > 0 && ((isPodTerminal(pod) && !isPodTerminal(old)) || !reader.get(Pods, keyOf(pod)))) yield* keys;
}

/** A pod came to a node or changed its labels: only (anti-)affinity and spreading look at that. */
const isAssignedPodChange = (pod: Pod, old: Pod | undefined): boolean =>
  Boolean(pod.spec.nodeName) && (!old?.spec.nodeName || old.metadata.labels !== pod.metadata.labels);

/**
 * Binds pods to nodes. Models cmd/kube-scheduler with its default profile. Left out: extenders, DRA, the queue's
 * back-off.
 */
export const schedulerController = defineController<Pod, SchedulerCache>({
  name: 'scheduler',
  component: 'kube-scheduler',
  actor: 'system:kube-scheduler',
  eventSource: DEFAULT_SCHEDULER,
  for: { kind: Pods, when: isNewWork },
  watches: [
    watch({ kind: Pods, keys: keysForFreedRoom }),
    watch({ kind: Pods, when: isAssignedPodChange, keys: (_pod, reader) => podsWithTopologyTerms(reader) }),
    watch({ kind: Nodes, when: canMakeRoom, keys: (_node, reader) => unschedulablePods(reader) }),
    watch({
      kind: PersistentVolumes,
      when: (volume, old) => volume.status.phase === 'Available' && old?.status.phase !== 'Available',
      keys: (_volume, reader) => reader.byIndex(Pods, UNSCHEDULABLE, 'claiming').map(keyOf),
    }),
    watch({
      kind: PersistentVolumeClaims,
      keys: (_claim, reader) => reader.byIndex(Pods, UNSCHEDULABLE, 'claiming').map(keyOf),
    }),
  ],
  indexes: [index(Pods, UNSCHEDULABLE, unschedulableIndexOf)],
  attach(observe) {
    const cache = new SchedulerCache();
    observe(Nodes, (old, next) => cache.onNode(old as Node | undefined, next as Node | undefined));
    observe(Pods, (old, next) => cache.onPod(old as Pod | undefined, next as Pod | undefined));
    return cache;
  },
  reconcile(context, key, cache) {
    const pod = context.client.get(Pods, key);
    if (!pod || !isPending(pod)) return;
    for (const ahead of cache.podsAhead(pod)) schedule(context, ahead, cache);
    schedule(context, pod, cache);
  },
});

function schedule(context: Context, pod: Pod, cache: SchedulerCache): void {
  if (pod.spec.schedulingGates?.length) return reportGated(context, pod);
  const outcome = schedulePod(pod, { nodes: cache.nodes(), read: context.client }, context.random);
  if ('node' in outcome) bind(context, pod, outcome.node);
  else handleSchedulingFailure(context, pod, outcome);
}

function bind(context: Context, pod: Pod, { name, node }: NodeInfo): void {
  const { client } = context;
  if (!bindVolumes(pod, node!, client)) return;
  const { namespace = '', name: podName = '', uid } = pod.metadata;
  client.subresource(Pods, keyOf(pod), 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: podName, namespace, uid },
    target: { kind: 'Node', name },
  });
  context.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${podName} to ${name}`, {
    source: SOURCE,
    action: 'Binding',
  });
}

function handleSchedulingFailure(context: Context, pod: Pod, failure: FitError): void {
  const found = failure.nodes === 0 ? { why: undefined } : findVictims(pod, failure);
  if ('node' in found) {
    evictVictims(context, pod, found.node.name, found.victims);
    return reportUnschedulable(
      context,
      pod,
      fitErrorMessage(failure.nodes, { nowhere: failure.preFilterMessage, rejections: failure.rejections.values() }),
      found.node.name,
    );
  }
  reportUnschedulable(
    context,
    pod,
    fitErrorMessage(
      failure.nodes,
      { nowhere: failure.preFilterMessage, rejections: failure.rejections.values() },
      found.why,
    ),
    pod.status.nominatedNodeName,
  );
}

function evictVictims(context: Context, pod: Pod, node: string, victims: readonly Pod[]): void {
  for (const victim of victims) {
    if (victim.metadata.deletionTimestamp) continue;
    const condition = updateConditions(victim, context.now, {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${pod.spec.schedulerName ?? DEFAULT_SCHEDULER}: preempting to accommodate a higher priority pod`,
    });
    const updated = context.client.updateStatus(Pods, {
      ...victim,
      status: { ...victim.status, conditions: condition },
    });
    context.event(updated, 'Normal', 'Preempted', `Preempted by pod ${pod.metadata.uid} on node ${node}`, {
      source: SOURCE,
      action: 'Preempting',
    });
    context.client.delete(Pods, keyOf(victim));
  }
}

/** The pod's conditions with this one set; the same array when nothing changes. */
function updateConditions(pod: Pod, now: number, condition: PodCondition): PodCondition[] {
  const before = pod.status.conditions ?? [];
  const old = before.find((c) => c.type === condition.type);
  const same =
    old && old.status === condition.status && old.reason === condition.reason && old.message === condition.message;
  if (same) return before;
  const next: PodCondition = {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    // Go prints a zero Time as null.
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: old?.status === condition.status ? old.lastTransitionTime : timestamp(now),
    ...condition,
  };
  return old ? before.map((c) => (c === old ? next : c)) : [...before, next];
}

function reportUnschedulable(context: Context, pod: Pod, message: string, nominatedNodeName: string | undefined): void {
  const conditions = updateConditions(pod, context.now, {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
  });
  if (conditions === pod.status.conditions && nominatedNodeName === pod.status.nominatedNodeName) return;
  const status = { ...pod.status, conditions, ...(nominatedNodeName ? { nominatedNodeName } : {}) };
  const updated = context.client.updateStatus(Pods, { ...pod, status });
  context.event(updated, 'Warning', 'FailedScheduling', message, { source: SOURCE, action: 'Scheduling' });
}

function reportGated(context: Context, pod: Pod): void {
  const condition: PodCondition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  const conditions = updateConditions(pod, context.now, condition);
  if (conditions !== pod.status.conditions)
    context.client.updateStatus(Pods, { ...pod, status: { ...pod.status, conditions } });
}
