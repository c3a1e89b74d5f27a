import type { DaemonSet } from '../../api/apps_v1.js';
import type { Affinity, Node, Pod, PodSpec, Taint, Toleration } from '../../api/core_v1.js';
import type { OwnerReference } from '../../machinery/meta/object.js';
import { matchesRequiredNodeAffinity } from '../../machinery/scheduling/node-affinity.js';
import { isTaintTolerated } from '../../machinery/scheduling/tolerations.js';
import { isPodAvailable, getPodFromTemplate } from '../pods.js';
import { getScaledValue } from '../int-or-percent.js';
import type { Millis } from '../../machinery/time/time.js';

export const HASH_LABEL = 'controller-revision-hash';
const GENERATION_LABEL = 'pod-template-generation';
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

const toleration = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
});
const DAEMON_TOLERATIONS = [
  toleration('not-ready', 'NoExecute'),
  toleration('unreachable', 'NoExecute'),
  toleration('disk-pressure', 'NoSchedule'),
  toleration('memory-pressure', 'NoSchedule'),
  toleration('pid-pressure', 'NoSchedule'),
  toleration('unschedulable', 'NoSchedule'),
];
const NETWORK_UNAVAILABLE = toleration('network-unavailable', 'NoSchedule');

export const templateGeneration = (ds: DaemonSet): string =>
  ds.metadata.annotations?.[GENERATION_ANNOTATION] ?? String(ds.metadata.generation ?? 1);

/** The template's tolerations and those of every daemon pod. Models daemon/util AddOrUpdateDaemonPodTolerations. */
export function daemonTolerations(spec: PodSpec): Toleration[] {
  const added = spec.hostNetwork ? [...DAEMON_TOLERATIONS, NETWORK_UNAVAILABLE] : DAEMON_TOLERATIONS;
  const isOwn = (t: Toleration): boolean =>
    !added.some((a) => a.key === t.key && a.effect === t.effect && a.operator === t.operator);
  return [...(spec.tolerations ?? []).filter(isOwn), ...added];
}

/** Pins a pod to a node through the scheduler. Models ReplaceDaemonSetPodNodeNameNodeAffinity. */
function pinToNode(affinity: Affinity | undefined, node: string): Affinity {
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  return {
    ...affinity,
    nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
}

export function daemonPod(ds: DaemonSet, node: string, hash: string, owner: OwnerReference): Pod {
  const pod = getPodFromTemplate(ds.spec.template, ds, owner);
  pod.metadata.labels = { ...pod.metadata.labels, [HASH_LABEL]: hash, [GENERATION_LABEL]: templateGeneration(ds) };
  pod.spec = { ...pod.spec, affinity: pinToNode(pod.spec.affinity, node), tolerations: daemonTolerations(pod.spec) };
  return pod;
}

/** Taints of a node that keep a DaemonSet's pods away. */
export function repellingTaints({ spec }: DaemonSet, node: Node): Taint[] {
  const tolerations = daemonTolerations(spec.template.spec!);
  return (node.spec.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTaintTolerated(taint, tolerations),
  );
}

/** Models daemon_controller.go NodeShouldRunDaemonPod. */
export function placement(ds: DaemonSet, node: Node): { run: boolean; stay: boolean } {
  const spec = ds.spec.template.spec!;
  if ((spec.nodeName && spec.nodeName !== node.metadata.name) || !matchesRequiredNodeAffinity(spec, node))
    return { run: false, stay: false };
  const repelled = repellingTaints(ds, node);
  return { run: repelled.length === 0, stay: !repelled.some((t) => t.effect === 'NoExecute') };
}

/** The node a daemon pod is on, or is meant for. */
export function targetNode(pod: Pod): string | undefined {
  if (pod.spec.nodeName) return pod.spec.nodeName;
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const term of terms) {
    const field = term.matchFields?.find((f) => f.key === 'metadata.name' && f.operator === 'In');
    if (field?.values?.length === 1) return field.values[0];
  }
  return undefined;
}

export const isUpdated = (pod: Pod, hash: string): boolean => pod.metadata.labels?.[HASH_LABEL] === hash;

/** How many nodes may be without, or have two pods; never both zero. */
function limits(ds: DaemonSet, nodes: number): { surge: number; unavailable: number } {
  const update = ds.spec.updateStrategy?.rollingUpdate;
  const surge = getScaledValue(update?.maxSurge, nodes, 'up');
  const unavailable = getScaledValue(update?.maxUnavailable ?? 1, nodes, 'up');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const allowsSurge = (ds: DaemonSet): boolean =>
  ds.spec.updateStrategy?.type !== 'OnDelete' &&
  getScaledValue(ds.spec.updateStrategy?.rollingUpdate?.maxSurge, 1, 'up') > 0;

/** What a rolling update does next: pods to delete, nodes to start a second pod on. */
export interface UpdateStep {
  readonly remove: Pod[];
  readonly createOn: string[];
}

/** Models daemon/update.go rollingUpdate. `onNodes` has an entry for each node that should run a pod. */
export function planUpdate(
  ds: DaemonSet,
  onNodes: ReadonlyMap<string, readonly Pod[]>,
  hash: string,
  now: Millis,
): UpdateStep {
  const { surge, unavailable } = limits(ds, onNodes.size);
  const isUp = (pod: Pod): boolean => isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, now);
  return surge === 0 ? planReplace(onNodes, hash, unavailable, isUp) : planSurge(onNodes, hash, surge, isUp);
}

function planReplace(
  onNodes: ReadonlyMap<string, readonly Pod[]>,
  hash: string,
  most: number,
  isUp: (pod: Pod) => boolean,
): UpdateStep {
  const broken: Pod[] = [];
  const candidates: Pod[] = [];
  let down = 0;
  for (const pods of onNodes.values()) {
    const pair = oldAndNew(pods, hash);
    if (!pair || Boolean(pair.old) === Boolean(pair.fresh)) down++;
    else if (pair.fresh) down += isUp(pair.fresh) ? 0 : 1;
    else if (isUp(pair.old!)) candidates.push(pair.old!);
    else {
      broken.push(pair.old!);
      down++;
    }
  }
  return { remove: [...broken, ...candidates.slice(0, Math.max(0, most - down))], createOn: [] };
}

function planSurge(
  onNodes: ReadonlyMap<string, readonly Pod[]>,
  hash: string,
  most: number,
  isUp: (pod: Pod) => boolean,
): UpdateStep {
  const remove: Pod[] = [];
  const urgent: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  for (const [node, pods] of onNodes) {
    const pair = oldAndNew(pods, hash);
    if (!pair) surging++;
    else if (!pair.old) continue;
    else if (!pair.fresh) (isUp(pair.old) ? candidates : urgent).push(node);
    else if (isUp(pair.fresh)) remove.push(pair.old);
    else surging++;
  }
  return { remove, createOn: [...urgent, ...candidates.slice(0, Math.max(0, most - surging))] };
}

/** The node's old and new pod that are not being deleted; undefined when there are two of either. */
function oldAndNew(pods: readonly Pod[], hash: string): { old?: Pod; fresh?: Pod } | undefined {
  const living = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const fresh = living.filter((pod) => isUpdated(pod, hash));
  const old = living.filter((pod) => !isUpdated(pod, hash));
  return fresh.length > 1 || old.length > 1 ? undefined : { old: old[0], fresh: fresh[0] };
}
