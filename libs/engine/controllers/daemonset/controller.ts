import type { DaemonSet, DaemonSetStatus } from '../../api/apps_v1.js';
import type { Node, Pod } from '../../api/core_v1.js';
import { ControllerRevisions, DaemonSets, Nodes, Pods } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Reader } from '../../machinery/client.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { constructHistory, truncateHistory } from '../controller-history.js';
import { orphanSource, claimObjects, newControllerRef, orphanIndex } from '../controller-ref-manager.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { isPodAvailable, findMinNextPodAvailabilityCheck } from '../pods.js';
import { isNamespaceTerminating } from '../replicas.js';
import { omitEmpty } from '../omit-empty.js';
import {
  allowsSurge,
  daemonPod,
  HASH_LABEL,
  isUpdated,
  placement,
  targetNode,
  templateGeneration,
  planUpdate,
} from './daemonpods.js';
import { FailedPodsBackoff } from './failed-pods-backoff.js';

/** Pods created or deleted by one reconcile; the writes wake it again for the rest. */
const BURST = 250;

/** A node that comes, goes, or suits others than before. Upstream's looks at one that goes when its pods do. */
const concernsPods = (node: Node, reader: Reader, old: Node | undefined): boolean =>
  old === undefined ||
  old.metadata.labels !== node.metadata.labels ||
  old.spec !== node.spec ||
  reader.get(Nodes, keyOf(node)) === undefined;

/** Runs one pod on every node that suits. Models pkg/controller/daemon. */
export const controller = defineController<DaemonSet, FailedPodsBackoff>({
  name: 'daemonset',
  actor: 'system:serviceaccount:kube-system:daemon-set-controller',
  for: DaemonSets,
  owns: [Pods, ControllerRevisions],
  watches: [
    orphanSource(Pods, DaemonSets),
    watch<Node>({
      kind: Nodes,
      keys: (node, reader, old) => (concernsPods(node, reader, old) ? reader.list(DaemonSets).map(keyOf) : NO_KEYS),
    }),
  ],
  indexes: [orphanIndex(Pods), orphanIndex(ControllerRevisions)],
  attach: () => new FailedPodsBackoff(),
  reconcile(context, key, backoff): Result | void {
    const { client, now } = context;
    const ds = client.get(DaemonSets, key);
    if (!ds || ds.metadata.deletionTimestamp !== undefined) return undefined;
    const { selector, template } = ds.spec;
    const history = constructHistory(client, {
      kind: DaemonSets,
      object: ds,
      selector,
      template,
      collisionCount: ds.status.collisionCount,
      hashLabel: HASH_LABEL,
      annotations: { 'deprecated.daemonset.template.generation': templateGeneration(ds) },
    });
    const hash = history.current.metadata.labels?.[HASH_LABEL] ?? '';
    const pods = claimObjects(client, Pods, DaemonSets, ds, selector);
    const nodes = client.list(Nodes);
    const waits: Millis[] = [];
    const mayReplace = (node: string): boolean => {
      const wait = backoff.delay(`${ds.metadata.uid}/${node}`, now);
      if (wait > 0) waits.push(wait);
      return wait === 0;
    };
    const refused = catchRefusal(() => {
      const changed = managePods(context, ds, nodes, pods, hash, mayReplace);
      if (!changed && ds.spec.updateStrategy?.type !== 'OnDelete') rollingUpdate(context, ds, nodes, pods, hash);
    });
    const inUse = new Set(pods.map((pod) => pod.metadata.labels?.[HASH_LABEL]));
    truncateHistory(client, history.old, ds.spec.revisionHistoryLimit ?? 10, (r) =>
      inUse.has(r.metadata.labels?.[HASH_LABEL]),
    );
    const status = calculateStatus(ds, nodes, pods, hash, now);
    if (!deepEqual(status, ds.status)) client.updateStatus(DaemonSets, { ...ds, status });
    if (refused) throw refused;
    const nextAvailable = findMinNextPodAvailabilityCheck(pods, ds.spec.minReadySeconds ?? 0, now);
    if (nextAvailable !== undefined) waits.push(nextAvailable);
    return waits.length > 0 ? { requeueAfter: Math.min(...waits) } : undefined;
  },
});

/** The status is written though a pod was refused: the error counts afterwards. Models syncDaemonSet. */
function catchRefusal(work: () => void): ApiError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const map = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod) ?? '';
    const there = map.get(node);
    if (there) there.push(pod);
    else map.set(node, [pod]);
  }
  for (const there of map.values()) there.sort(byAge);
  return map;
}

const byAge = (a: Pod, b: Pod): number => {
  const [x, y] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** One pod where one belongs, none elsewhere; true when pods came or went. */
function managePods(
  context: Context,
  ds: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  mayReplace: (node: string) => boolean,
): boolean {
  const onNodes = podsByNode(pods);
  const createOn: string[] = [];
  const remove: Pod[] = [];
  for (const node of nodes) {
    const name = node.metadata.name!;
    const there = onNodes.get(name);
    onNodes.delete(name);
    const { run, stay } = placement(ds, node);
    if (!there) {
      if (run) createOn.push(name);
    } else {
      remove.push(...(stay ? findSuperfluousPods(context, ds, name, there, hash, mayReplace) : there));
    }
  }
  // Pods for nodes that are gone, and that never got there.
  for (const pod of [...onNodes.values()].flat()) if (!pod.spec.nodeName) remove.push(pod);
  return syncNodes(context, ds, remove, createOn, hash);
}

/** Ended pods, and all but the oldest; during a surge, one old and one new pod may stand side by side. */
function findSuperfluousPods(
  context: Context,
  ds: DaemonSet,
  node: string,
  there: readonly Pod[],
  hash: string,
  mayReplace: (node: string) => boolean,
): Pod[] {
  const remove: Pod[] = [];
  const running: Pod[] = [];
  for (const pod of there) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    if (pod.status.phase === 'Failed') {
      if (!mayReplace(node)) continue;
      context.event(
        ds,
        'Warning',
        'FailedDaemonPod',
        `Found failed daemon pod ${name} on node ${node}, will try to kill it`,
      );
      remove.push(pod);
    } else if (pod.status.phase === 'Succeeded') {
      context.event(
        ds,
        'Normal',
        'SucceededDaemonPod',
        `Found succeeded daemon pod ${name} on node ${node}, will try to delete it`,
      );
      remove.push(pod);
    } else running.push(pod);
  }
  if (!allowsSurge(ds)) return [...remove, ...running.slice(1)];
  const [old, fresh] = [running.filter((pod) => !isUpdated(pod, hash)), running.filter((pod) => isUpdated(pod, hash))];
  return [...remove, ...old.slice(1), ...fresh.slice(1)];
}

function rollingUpdate(
  context: Context,
  ds: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
): void {
  const onNodes = podsByNode(pods);
  const wanted = new Map(
    nodes
      .filter((node) => placement(ds, node).run)
      .map((node) => [node.metadata.name!, onNodes.get(node.metadata.name!) ?? []]),
  );
  const { remove, createOn } = planUpdate(ds, wanted, hash, context.now);
  syncNodes(context, ds, remove, createOn, hash);
}

/** Models daemon_controller.go syncNodes. */
function syncNodes(
  context: Context,
  ds: DaemonSet,
  remove: readonly Pod[],
  createOn: readonly string[],
  hash: string,
): boolean {
  const { client } = context;
  const owner = newControllerRef(DaemonSets, ds);
  let changed = false;
  for (const node of createOn.slice(0, BURST)) {
    try {
      const pod = client.create(Pods, daemonPod(ds, node, hash, owner));
      context.event(ds, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
      changed = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNamespaceTerminating(error)) return changed;
      context.event(ds, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      throw error;
    }
  }
  for (const pod of remove.slice(0, BURST)) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    client.delete(Pods, keyOf(pod));
    context.event(ds, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    changed = true;
  }
  return changed;
}

function calculateStatus(
  ds: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  now: number,
): DaemonSetStatus {
  const onNodes = podsByNode(pods);
  let [desired, scheduled, misscheduled, ready, available, updated] = [0, 0, 0, 0, 0, 0];
  for (const node of nodes) {
    const pod = onNodes.get(node.metadata.name!)?.[0];
    if (!placement(ds, node).run) {
      if (pod) misscheduled++;
      continue;
    }
    desired++;
    if (!pod) continue;
    scheduled++;
    if (isPodReady(pod)) ready++;
    if (isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, now)) available++;
    if (isUpdated(pod, hash)) updated++;
  }
  return {
    currentNumberScheduled: scheduled,
    desiredNumberScheduled: desired,
    numberMisscheduled: misscheduled,
    numberReady: ready,
    ...omitEmpty({
      observedGeneration: ds.metadata.generation,
      updatedNumberScheduled: updated,
      numberAvailable: available,
      numberUnavailable: desired - available,
      collisionCount: ds.status.collisionCount,
      conditions: ds.status.conditions,
    }),
  };
}
