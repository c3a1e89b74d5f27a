import type { Pod } from '../api/core_v1.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import { isPodReady } from '../kinds/core/pod/status/phase.js';
import { parseNumberAnnotation } from './annotations.js';
import { podReadyTime } from './pods.js';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * The pods that a scale-down deletes: first those without a node, then pending, not ready, cheap, on a node with many
 * related pods, ready for a short time, restarted often, young. `related` are the pods of all ReplicaSets of the same
 * Deployment. Models pkg/controller/controller_utils.go ActivePodsWithRanks.
 */
export function getPodsToDelete(
  pods: readonly Pod[],
  related: readonly Pod[],
  count: number,
  now: Millis,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec.nodeName;
    if (node) onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  return pods
    .map((pod): Ranked => rankPod(pod, onNode, now))
    .sort(compareRanks)
    .slice(0, count)
    .map((r) => r.pod);
}

interface Ranked {
  readonly pod: Pod;
  /** Compared in turn: the lower goes first. */
  readonly order: readonly number[];
}

function rankPod(pod: Pod, onNode: ReadonlyMap<string, number>, now: Millis): Ranked {
  const ready = isPodReady(pod);
  const order = [
    pod.spec.nodeName ? 1 : 0,
    PHASES[pod.status.phase ?? ''] ?? 0,
    ready ? 1 : 0,
    parseNumberAnnotation(pod.metadata.annotations, DELETION_COST) ?? 0,
    -(onNode.get(pod.spec.nodeName ?? '') ?? 0),
    ready ? ageRank(podReadyTime(pod)!, now) : 0,
    -maxRestarts(pod),
    ageRank(parseTimestamp(pod.metadata.creationTimestamp ?? ''), now),
  ];
  return { pod, order };
}

/** Ages count on a logarithmic scale, so that pods of about the same age are deleted in random order. */
const ageRank = (since: Millis, now: Millis): number =>
  now <= since ? -1 : Math.trunc(Math.log2((now - since) * 1_000_000));

const maxRestarts = (pod: Pod): number =>
  Math.max(0, ...(pod.status.containerStatuses ?? []).map((c) => c.restartCount));

function compareRanks(a: Ranked, b: Ranked): number {
  for (let i = 0; i < a.order.length; i++) {
    const difference = a.order[i]! - b.order[i]!;
    if (difference !== 0) return difference;
  }
  const [x, y] = [a.pod.metadata.uid ?? '', b.pod.metadata.uid ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
}
