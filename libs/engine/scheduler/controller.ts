import type { Node, Pod, PodCondition } from '../api/core_v1.js';
import {
  DeviceClasses,
  Leases,
  Nodes,
  PersistentVolumeClaims,
  PersistentVolumes,
  Pods,
  ResourceClaims,
  ResourceSlices,
} from '../kinds/index.js';
import { keyOf, type Key } from '../machinery/meta/object.js';
import { defineController, index, watch, type Context } from '../runtime/controller.js';
import type { RateLimit } from '../runtime/queue/rate-limiter.js';
import { SchedulerCache } from './cache/cache.js';
import { schedulePod } from './cycle.js';
import {
  hasBecomeAvailable,
  isAssignedPodChange,
  isRoomChange,
  isSchedulingChange,
  podsForFreedRoom,
  podsWaitingForOtherPods,
  podsWaitingForRoom,
  podsWaitingForVolumes,
  WAITING_PODS,
  waitingFor,
} from './queue/event-handlers.js';
import { fitErrorMessage, type FitError } from './fit-error.js';
import type { NodeInfo } from './cache/node-info.js';
import type { Nominations } from './cache/nominations.js';
import { DEFAULT_SCHEDULER, isPending } from './queue/pending.js';
import { updatePodCondition } from './pod-condition.js';
import { findVictims } from './preemption.js';
import { hasClaims } from './plugins/volume-binding.js';
import { bindClaims } from './devices/bind-claims.js';
import { bindVolumes } from './volumes.js';

const LEASE: Key = { namespace: 'kube-system', name: 'kube-scheduler' };

/**
 * A pod is tried at once when something may have made room, and every 10 s when that does not end: upstream's
 * podMaxBackoffSeconds.
 */
export const RETRIES_OF_A_POD: RateLimit = { burst: 10, perSecond: 0.1 };

/**
 * The scheduler's events name the host that it leads from, as its lease does (`<host>_<uuid>`). `own`: that of another
 * scheduler, which the pod names.
 */
function eventSource(
  { client }: Pick<Context, 'client'>,
  pod: Pod,
  own?: string,
): { component: string; host?: string } {
  if (own !== undefined) return { component: pod.spec.schedulerName ?? DEFAULT_SCHEDULER, host: own };
  const holder = client.get(Leases, LEASE)?.spec?.holderIdentity;
  return { component: DEFAULT_SCHEDULER, ...(holder ? { host: holder.split('_')[0] } : {}) };
}

/**
 * Binds pods to nodes. Models cmd/kube-scheduler with its default profile. Left out: extenders, the queue's
 * back-off of 1 s, 2 s, 4 s.
 */
export const schedulerController = defineController<Pod, SchedulerCache>({
  name: 'scheduler',
  component: 'kube-scheduler',
  actor: 'system:kube-scheduler',
  eventSource: DEFAULT_SCHEDULER,
  rateLimit: RETRIES_OF_A_POD,
  for: { kind: Pods, when: isSchedulingChange },
  watches: [
    watch({ kind: Pods, keys: podsForFreedRoom }),
    watch({ kind: Pods, when: isAssignedPodChange, keys: (_pod, reader) => podsWaitingForOtherPods(reader) }),
    watch({ kind: Nodes, when: isRoomChange, keys: (_node, reader) => podsWaitingForRoom(reader) }),
    watch({
      kind: PersistentVolumes,
      when: hasBecomeAvailable,
      keys: (_volume, reader) => podsWaitingForVolumes(reader),
    }),
    watch({ kind: PersistentVolumeClaims, keys: (_claim, reader) => podsWaitingForVolumes(reader) }),
    watch({ kind: ResourceClaims, keys: (_claim, reader) => podsWaitingForRoom(reader) }),
    watch({ kind: DeviceClasses, keys: (_class, reader) => podsWaitingForRoom(reader) }),
    watch({ kind: ResourceSlices, keys: (_slice, reader) => podsWaitingForRoom(reader) }),
  ],
  indexes: [index(Pods, WAITING_PODS, waitingFor)],
  attach(observe) {
    const cache = new SchedulerCache();
    observe(Nodes, (old, next) => cache.onNode(old as Node | undefined, next as Node | undefined));
    observe(Pods, (old, next) => cache.onPod(old as Pod | undefined, next as Pod | undefined));
    return cache;
  },
  reconcile(context, key, cache) {
    const pod = context.client.get(Pods, key);
    if (!pod || !isPending(pod)) return;
    for (const ahead of cache.queue.podsAhead(pod)) schedule(context, ahead, cache);
    schedule(context, pod, cache);
  },
});

/** Tries to place a pod. `host`: of another scheduler than the first one. */
export function schedule(context: Context, pod: Pod, cache: SchedulerCache, host?: string): void {
  if (pod.spec.schedulingGates?.length) return reportGated(context, pod);
  const assumed = findAssumedNode(context, pod, cache);
  if (assumed) return bind(context, pod, assumed, cache, host);
  const outcome = schedulePod(
    pod,
    { nodes: cache.nodes(), read: context.client, nominations: cache.nominations },
    context.random,
  );
  if ('node' in outcome) bind(context, pod, outcome.node, cache, host);
  else handleSchedulingFailure(context, pod, outcome, cache.nominations, host);
}

/** The node of an earlier cycle, on which the pod waits for its volumes; not when one of its claims is gone. */
function findAssumedNode({ client }: Context, pod: Pod, cache: SchedulerCache): NodeInfo | undefined {
  const node = cache.assumedNode(pod);
  if (node && hasClaims(pod, client)) return node;
  cache.forgetPod(pod);
  return undefined;
}

/** A pod whose volumes are not bound yet is assumed on the node, so that later cycles count it. */
function bind(context: Context, pod: Pod, { name, node }: NodeInfo, cache: SchedulerCache, host?: string): void {
  const { client } = context;
  if (!bindClaims(pod, node!, client)) return;
  if (!bindVolumes(pod, node!, client)) {
    if (!cache.assumedNode(pod)) cache.assumePod(pod, name);
    return;
  }
  const { namespace = '', name: podName = '', uid } = pod.metadata;
  client.subresource(Pods, keyOf(pod), 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: podName, namespace, uid },
    target: { kind: 'Node', name },
  });
  context.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${podName} to ${name}`, {
    source: eventSource(context, pod, host),
    action: 'Binding',
  });
}

function handleSchedulingFailure(
  context: Context,
  pod: Pod,
  fitError: FitError,
  nominations: Nominations,
  host?: string,
): void {
  if (fitError.nodes === 0) return reportUnschedulable(context, pod, fitErrorMessage(fitError), undefined, host);
  const found = findVictims(pod, fitError);
  if ('why' in found) {
    const nominated = found.isWaiting ? pod.status.nominatedNodeName : undefined;
    return reportUnschedulable(context, pod, fitErrorMessage(fitError, found.why), nominated, host);
  }
  evictVictims(context, pod, found.node.name, found.victims, host);
  for (const other of nominations.behind(pod, found.node.name)) clearNomination(context, other);
  reportUnschedulable(context, pod, fitErrorMessage(fitError), found.node.name, host);
}

/** A pod whose room goes to a more important one looks for another node. Models clearNominatedNodeName. */
function clearNomination({ client }: Context, pod: Pod): void {
  const { nominatedNodeName: _taken, ...status } = pod.status;
  client.updateStatus(Pods, { ...pod, status });
}

function evictVictims(context: Context, pod: Pod, node: string, victims: readonly Pod[], host?: string): void {
  for (const victim of victims) {
    if (victim.metadata.deletionTimestamp) continue;
    const conditions = updatePodCondition(victim, context.now, {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${pod.spec.schedulerName ?? DEFAULT_SCHEDULER}: preempting to accommodate a higher priority pod`,
    });
    const updated = context.client.updateStatus(Pods, {
      ...victim,
      status: { ...victim.status, conditions },
    });
    context.event(updated, 'Normal', 'Preempted', `Preempted by pod ${pod.metadata.uid} on node ${node}`, {
      source: eventSource(context, pod, host),
      action: 'Preempting',
    });
    context.client.delete(Pods, keyOf(victim));
  }
}

function reportUnschedulable(
  context: Context,
  pod: Pod,
  message: string,
  nominatedNodeName: string | undefined,
  host: string | undefined,
): void {
  const conditions = updatePodCondition(pod, context.now, {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
  });
  if (conditions === pod.status.conditions && nominatedNodeName === pod.status.nominatedNodeName) return;
  const { nominatedNodeName: _before, ...rest } = pod.status;
  const status = { ...rest, conditions, ...(nominatedNodeName ? { nominatedNodeName } : {}) };
  const updated = context.client.updateStatus(Pods, { ...pod, status });
  context.event(updated, 'Warning', 'FailedScheduling', message, {
    source: eventSource(context, pod, host),
    action: 'Scheduling',
  });
}

function reportGated(context: Context, pod: Pod): void {
  const condition: PodCondition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  const conditions = updatePodCondition(pod, context.now, condition);
  if (conditions !== pod.status.conditions)
    context.client.updateStatus(Pods, { ...pod, status: { ...pod.status, conditions } });
}
