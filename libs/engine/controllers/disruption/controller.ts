import type { Pod } from '../../api/core_v1.js';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy_v1.js';
import { PodDisruptionBudgets, Pods } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf, keyOf, type KubeObject } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { MINUTE, parseTimestamp, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch } from '../../runtime/controller.js';
import { findCondition, setStatusCondition } from '../conditions.js';
import { isPodTerminal, isPodReady } from '../../kinds/core/pod/status/phase.js';
import { omitEmpty } from '../omit-empty.js';
import { getScaledValue } from '../int-or-percent.js';

/** An eviction that no deletion followed counts for this long. */
const EVICTION_TIMEOUT: Millis = 2 * MINUTE;

/** Says how many pods each PodDisruptionBudget lets go. Models pkg/controller/disruption. */
export const controller = defineController({
  name: 'disruption',
  actor: 'system:serviceaccount:kube-system:disruption-controller',
  eventSource: 'controllermanager',
  for: PodDisruptionBudgets,
  watches: [
    watch<Pod>({
      kind: Pods,
      keys: ({ metadata: { namespace, labels = {} } }, reader) =>
        reader
          .list(PodDisruptionBudgets, namespace)
          .filter((budget) => matchesLabelSelector(budget.spec.selector, labels))
          .map(keyOf),
    }),
  ],
  reconcile(context, key) {
    const { client, now } = context;
    const budget = client.get(PodDisruptionBudgets, key);
    if (!budget) return undefined;
    const pods = client
      .list(Pods, key.namespace)
      .filter((pod) => matchesLabelSelector(budget.spec.selector, pod.metadata.labels ?? {}) && !isPodTerminal(pod));
    if (pods.length === 0 && budget.status.observedGeneration !== budget.metadata.generation)
      context.event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const expected = expectedPodCount(client, budget, pods);
    const evicted = filterDisruptedPods(budget.status.disruptedPods, pods, now);
    const healthy = pods.filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined && evicted[pod.metadata.name!] === undefined && isPodReady(pod),
    ).length;
    const allowed = expected.pods <= 0 ? 0 : Math.max(0, healthy - expected.healthy);
    const status: PodDisruptionBudgetStatus = {
      ...omitEmpty({ observedGeneration: budget.metadata.generation }),
      ...(Object.keys(evicted).length ? { disruptedPods: evicted } : {}),
      currentHealthy: healthy,
      desiredHealthy: expected.healthy,
      disruptionsAllowed: allowed,
      expectedPods: expected.pods,
      conditions: setStatusCondition(budget.status.conditions, allowedCondition(allowed, budget, now)),
    };
    if (!deepEqual(status, budget.status)) client.updateStatus(PodDisruptionBudgets, { ...budget, status });
    const times = Object.values(evicted).map((at) => parseTimestamp(at) + EVICTION_TIMEOUT - now);
    return times.length ? { requeueAfter: Math.min(...times) } : undefined;
  },
});

function allowedCondition(allowed: number, budget: PodDisruptionBudget, now: Millis) {
  const reason = allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const current = findCondition(budget.status.conditions, 'DisruptionAllowed');
  const status = allowed > 0 ? 'True' : 'False';
  const lastTransitionTime = current?.status === status ? current.lastTransitionTime : timestamp(now);
  return {
    type: 'DisruptionAllowed',
    status,
    reason,
    message: '',
    lastTransitionTime,
    ...omitEmpty({ observedGeneration: budget.metadata.generation }),
  };
}

/** How many pods there should be, and how many of them must stay healthy. */
function expectedPodCount(
  client: Client,
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
): { pods: number; healthy: number } {
  const { minAvailable, maxUnavailable } = budget.spec;
  if (maxUnavailable !== undefined) {
    const expected = sumOfScales(client, pods);
    return { pods: expected, healthy: Math.max(0, expected - getScaledValue(maxUnavailable, expected, 'up')) };
  }
  if (typeof minAvailable === 'string') {
    const expected = sumOfScales(client, pods);
    return { pods: expected, healthy: getScaledValue(minAvailable, expected, 'up') };
  }
  return { pods: pods.length, healthy: minAvailable ?? 0 };
}

/** The sum of what the pods' controllers ask for: a ReplicaSet's Deployment counts in its place. */
function sumOfScales(client: Client, pods: readonly Pod[]): number {
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const owner = ownerOf(client, pod);
    if (!owner) continue;
    const top = owner.kind === 'ReplicaSet' ? (ownerOf(client, owner) ?? owner) : owner;
    owners.set(top.metadata.uid!, (top as KubeObject & { spec?: { replicas?: number } }).spec?.replicas ?? 0);
  }
  return [...owners.values()].reduce((a, b) => a + b, 0);
}

function ownerOf(client: Client, object: KubeObject): KubeObject | undefined {
  const ref = controllerOf(object);
  const kind = ref && client.kindFor(ref.apiVersion, ref.kind);
  const owner = kind && client.get(kind, { namespace: object.metadata.namespace ?? '', name: ref.name });
  return owner?.metadata.uid === ref?.uid ? owner : undefined;
}

/** Pods that an eviction named and that are still there, for as long as it counts. */
function filterDisruptedPods(
  named: { [pod: string]: string } | undefined,
  pods: readonly Pod[],
  now: Millis,
): { [pod: string]: string } {
  const kept: { [pod: string]: string } = {};
  for (const pod of pods) {
    const at = named?.[pod.metadata.name!];
    if (at !== undefined && pod.metadata.deletionTimestamp === undefined && parseTimestamp(at) + EVICTION_TIMEOUT > now)
      kept[pod.metadata.name!] = at;
  }
  return kept;
}
