import type { Node, Pod, Taint, Toleration } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { defineController, index, NO_KEYS, watch } from '../../runtime/controller.js';
import { newCondition, setStatusCondition } from '../conditions.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { toleratesTaint } from '../../machinery/scheduling/tolerations.js';

const BY_NODE = 'tainteviction/node';

/**
 * Deletes pods from nodes whose NoExecute taints they do not tolerate, or no longer. Models
 * pkg/controller/tainteviction.
 */
export const controller = defineController({
  name: 'tainteviction',
  actor: 'system:serviceaccount:kube-system:node-controller',
  eventSource: 'taint-eviction-controller',
  for: {
    kind: Pods,
    keys(pod, reader, old) {
      if (!pod.spec.nodeName || (old && old.spec === pod.spec)) return NO_KEYS;
      const node = reader.get(Nodes, { namespace: '', name: pod.spec.nodeName });
      return node && evictingTaints(node).length > 0 ? [keyOf(pod)] : NO_KEYS;
    },
  },
  watches: [
    watch<Node>({
      kind: Nodes,
      when: (node, old) => evictingTaints(node).length > 0 || (old !== undefined && evictingTaints(old).length > 0),
      keys: (node, reader) => reader.byIndex(Pods, BY_NODE, node.metadata.name!).map(keyOf),
    }),
  ],
  indexes: [index<Pod>(Pods, BY_NODE, (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []))],
  reconcile(context, key) {
    const { client, now } = context;
    const pod = client.get(Pods, key);
    const node = pod?.spec.nodeName ? client.get(Nodes, { namespace: '', name: pod.spec.nodeName }) : undefined;
    if (!pod || !node || pod.metadata.deletionTimestamp !== undefined || isPodTerminal(pod)) return undefined;
    const due = evictionTime(pod, evictingTaints(node));
    if (due === undefined) return undefined;
    if (due > now) return { requeueAfter: due - now };
    context.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key.namespace}/${key.name}`);
    const target = newCondition(
      'DisruptionTarget',
      'True',
      'DeletionByTaintManager',
      'Taint manager: deleting due to NoExecute taint',
      now,
    );
    client.updateStatus(Pods, {
      ...pod,
      status: { ...pod.status, conditions: setStatusCondition(pod.status.conditions, target) },
    });
    client.delete(Pods, key);
    return undefined;
  },
});

const evictingTaints = (node: Node): Taint[] => (node.spec.taints ?? []).filter((t) => t.effect === 'NoExecute');

/** When the pod must go: -Infinity for at once, undefined for never. */
function evictionTime(pod: Pod, taints: readonly Taint[]): Millis | undefined {
  if (taints.length === 0) return undefined;
  const used: Toleration[] = [];
  for (const taint of taints) {
    const toleration = pod.spec.tolerations?.find((t) => toleratesTaint(t, taint));
    if (!toleration) return Number.NEGATIVE_INFINITY;
    used.push(toleration);
  }
  const seconds = used.map((t) => t.tolerationSeconds).filter((s) => s !== undefined);
  if (seconds.length === 0) return undefined;
  const since = Math.max(
    parseTimestamp(pod.metadata.creationTimestamp ?? ''),
    ...taints.map((t) => (t.timeAdded ? parseTimestamp(t.timeAdded) : 0)),
  );
  return since + Math.max(0, Math.min(...seconds)) * SECOND;
}
