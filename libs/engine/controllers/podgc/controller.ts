import type { Node, Pod, PodCondition } from '../../api/core_v1.js';
import { Events, Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context, type Result } from '../../runtime/controller.js';
import { newCondition, setStatusCondition } from '../conditions.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { byEvictionAndCreation, TerminatedPods } from './terminated-pods.js';

/** A node may come back under its name for this long before its pods are taken for lost. */
const QUARANTINE: Millis = 40 * SECOND;
/** Pods are looked for at the multiples of this time. */
const GC_CHECK_PERIOD: Millis = 20 * SECOND;
/** The key of all terminated pods together; nodes are keyed by their names, unscheduled pods by their own keys. */
const TERMINATED: Key = { namespace: '', name: '' };

/**
 * Removes pods whose node no longer exists, pods that are deleted before they have a node, and the oldest of more than
 * 12,500 terminated pods. Models pkg/controller/podgc. Left out: nodes that are marked out of service.
 */
export const controller = defineController<Node, TerminatedPods>({
  name: 'podgc',
  actor: 'system:serviceaccount:kube-system:pod-garbage-collector',
  eventSource: 'pod-garbage-collector',
  for: Nodes,
  watches: [
    watch<Pod>({
      kind: Pods,
      when: (pod, old) => Boolean(pod.spec.nodeName) && old?.spec.nodeName !== pod.spec.nodeName,
      *keys(pod, reader) {
        const node: Key = { namespace: '', name: pod.spec.nodeName! };
        if (!reader.get(Nodes, node)) yield node;
      },
    }),
    watch<Pod>({ kind: Pods, when: (pod) => isUnscheduledTerminating(pod) }),
    watch<Pod>({ kind: Pods, when: isPodTerminal, keys: () => [TERMINATED] }),
  ],
  attach(observe) {
    const terminated = new TerminatedPods();
    observe(Pods, (old, next) => terminated.onPod(old as Pod | undefined, next as Pod | undefined));
    return terminated;
  },
  reconcile(context, key, terminated) {
    const { client, now } = context;
    if (key.namespace !== '') return gcUnscheduledTerminating(context, key);
    if (key.name === '') return gcTerminated(context, terminated);
    if (client.get(Nodes, key)) return undefined;
    const pods = client.byIndex(Pods, 'nodeName', key.name).filter((pod) => !isFailedAndDeleted(pod));
    if (pods.length === 0) return undefined;
    const due = lostSince(client, key.name, pods) + QUARANTINE;
    const wait = Math.max(0, due - now) + untilCheck(Math.max(due, now));
    if (wait > 0) return { requeueAfter: wait };
    for (const pod of pods) markFailedAndDeletePod(context, pod, nodeIsGone(now));
    return undefined;
  },
});

const nodeIsGone = (now: Millis): PodCondition =>
  newCondition('DisruptionTarget', 'True', 'DeletionByPodGC', 'PodGC: node no longer exists', now);

/** A finalizer keeps it: nothing is left to do. */
const isFailedAndDeleted = (pod: Pod): boolean => isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;

const isUnscheduledTerminating = ({ metadata, spec }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && !spec.nodeName;

function gcUnscheduledTerminating(context: Context, key: Key): Result | void {
  const pod = context.client.get(Pods, key);
  if (!pod || !isUnscheduledTerminating(pod)) return undefined;
  const wait = untilCheck(context.now);
  if (wait > 0) return { requeueAfter: wait };
  markFailedAndDeletePod(context, pod);
}

function gcTerminated(context: Context, terminated: TerminatedPods): Result | void {
  if (terminated.excess === 0) return undefined;
  const wait = untilCheck(context.now);
  if (wait > 0) return { requeueAfter: wait };
  const oldest = context.client.list(Pods).filter(isPodTerminal).sort(byEvictionAndCreation);
  for (const pod of oldest.slice(0, terminated.excess)) markFailedAndDeletePod(context, pod);
}

/** 0 at the time of a check. */
const untilCheck = (now: Millis): Millis => (GC_CHECK_PERIOD - (now % GC_CHECK_PERIOD)) % GC_CHECK_PERIOD;

/**
 * The node controller's event says when the node went; where there was never a node, its first pod's creation stands
 * for it.
 */
function lostSince(client: Reader, node: string, pods: readonly Pod[]): Millis {
  const removals = client.byIndex(Events, 'involvedUid', node).filter((e) => e.reason === 'RemovingNode');
  const times = removals.map((e) => parseTimestamp(e.lastTimestamp ?? ''));
  return times.length > 0
    ? Math.max(...times)
    : Math.min(...pods.map((p) => parseTimestamp(p.metadata.creationTimestamp ?? '')));
}

/** A pod with finalizers outlives its deletion: as a failed one. */
function markFailedAndDeletePod({ client }: Context, pod: Pod, condition?: PodCondition): void {
  if (!isPodTerminal(pod)) {
    const { conditions } = pod.status;
    const status = {
      ...pod.status,
      phase: 'Failed',
      ...(condition ? { conditions: setStatusCondition(conditions, condition) } : {}),
    };
    client.updateStatus(Pods, { ...pod, status });
  }
  client.delete(Pods, keyOf(pod), { gracePeriodSeconds: 0 });
}
