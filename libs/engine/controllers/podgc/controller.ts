import type { Node, Pod } from '../../api/core_v1.js';
import { Events, Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context } from '../../runtime/controller.js';
import { newCondition, setStatusCondition } from '../conditions.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';

/** A node may come back under its name for this long before its pods are taken for lost. */
const QUARANTINE: Millis = 40 * SECOND;

/**
 * Removes pods whose node no longer exists. Models pkg/controller/podgc gcOrphaned. Left out: the limit of 12,500 ended
 * pods, and nodes that are marked out of service.
 */
export const controller = defineController<Node>({
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
  ],
  reconcile(context, key) {
    const { client, now } = context;
    if (client.get(Nodes, key)) return undefined;
    const pods = client.byIndex(Pods, 'nodeName', key.name);
    if (pods.length === 0) return undefined;
    const due = lostSince(client, key.name, pods) + QUARANTINE;
    if (due > now) return { requeueAfter: due - now };
    for (const pod of [...pods]) markFailedAndDeletePod(context, pod);
    return undefined;
  },
});

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

function markFailedAndDeletePod({ client, now }: Context, pod: Pod): void {
  if (!isPodTerminal(pod)) {
    const target = newCondition('DisruptionTarget', 'True', 'DeletionByPodGC', 'PodGC: node no longer exists', now);
    client.updateStatus(Pods, {
      ...pod,
      status: { ...pod.status, phase: 'Failed', conditions: setStatusCondition(pod.status.conditions, target) },
    });
  }
  client.delete(Pods, keyOf(pod), { gracePeriodSeconds: 0 });
}
