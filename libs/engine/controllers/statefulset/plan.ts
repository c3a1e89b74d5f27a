import type { StatefulSet, StatefulSetStatus } from '../../api/apps_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { isPodTerminal, isPodReady } from '../../kinds/core/pod/status/phase.js';
import { isPodAvailable } from '../pods.js';
import { omitEmpty } from '../omit-empty.js';
import { getScaledValue } from '../int-or-percent.js';
import type { Millis } from '../../machinery/time/time.js';
import { ordinalOf, revisionOf, startOrdinal } from './identity.js';

/** What to do next; `create` names an ordinal, the others pods. */
export type Step =
  | { readonly do: 'create'; readonly ordinal: number }
  | { readonly do: 'recreate'; readonly pod: Pod }
  | { readonly do: 'condemn'; readonly pod: Pod }
  | { readonly do: 'update'; readonly pod: Pod };

const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
const isHealthy = (pod: Pod, set: StatefulSet, now: Millis): boolean =>
  pod.status.phase === 'Running' && isPodReady(pod) && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);

/** The set's pods by place, and those beyond its size, highest first. */
export function splitByOrdinal(
  set: StatefulSet,
  pods: readonly Pod[],
): { replicas: (Pod | undefined)[]; condemned: Pod[] } {
  const start = startOrdinal(set);
  const replicas: (Pod | undefined)[] = Array.from({ length: set.spec.replicas ?? 1 }, () => undefined);
  const condemned: Pod[] = [];
  for (const pod of pods) {
    const place = ordinalOf(set, pod)! - start;
    if (place >= 0 && place < replicas.length) replicas[place] = pod;
    else condemned.push(pod);
  }
  return { replicas, condemned: condemned.sort((a, b) => ordinalOf(set, b)! - ordinalOf(set, a)!) };
}

/** One pod after the other unless the set is Parallel. Models stateful_set_control.go updateStatefulSet. */
export function planSteps(set: StatefulSet, pods: readonly Pod[], updateRevision: string, now: Millis): Step[] {
  const { replicas, condemned } = splitByOrdinal(set, pods);
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  const plan: Step[] = [];
  for (const [place, pod] of replicas.entries()) {
    if (!pod) plan.push({ do: 'create', ordinal: place + startOrdinal(set) });
    else if (isPodTerminal(pod)) {
      if (!isTerminating(pod)) plan.push({ do: 'recreate', pod });
      return plan;
    }
    if (ordered && (!pod || isTerminating(pod) || !isHealthy(pod, set, now))) return plan;
  }
  const firstUnhealthy = [...replicas, ...[...condemned].reverse()].find(
    (pod) => pod && (isTerminating(pod) || !isHealthy(pod, set, now)),
  );
  for (const pod of condemned) {
    if (ordered && (isTerminating(pod) || (!isHealthy(pod, set, now) && pod !== firstUnhealthy))) return plan;
    if (!isTerminating(pod)) plan.push({ do: 'condemn', pod });
    if (ordered) return plan;
  }
  return set.spec.updateStrategy?.type === 'OnDelete'
    ? plan
    : [...plan, ...planRollingUpdate(set, replicas, updateRevision, now)];
}

/** Replaces outdated pods from the highest ordinal down to the partition. */
function planRollingUpdate(
  set: StatefulSet,
  replicas: readonly (Pod | undefined)[],
  updateRevision: string,
  now: Millis,
): Step[] {
  const limits = set.spec.updateStrategy?.rollingUpdate;
  const most = Math.max(1, getScaledValue(limits?.maxUnavailable ?? 1, replicas.length, 'up'));
  const plan: Step[] = [];
  let down = 0;
  for (let place = replicas.length - 1; place >= (limits?.partition ?? 0) && down < most; place--) {
    const pod = replicas[place];
    if (!pod) down++;
    else if (revisionOf(pod) !== updateRevision && !isTerminating(pod)) {
      plan.push({ do: 'update', pod });
      down++;
    } else if (isTerminating(pod) || !isHealthy(pod, set, now)) down++;
  }
  return plan;
}

/** Counts, and whether the update has come through. Models updateStatus and completeRollingUpdate. */
export function calculateStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  currentRevision: string,
  updateRevision: string,
  now: Millis,
): StatefulSetStatus {
  let [ready, available, current, updated] = [0, 0, 0, 0];
  for (const pod of pods) {
    if (pod.status.phase === 'Running' && isPodReady(pod)) ready++;
    if (isHealthy(pod, set, now)) available++;
    if (isTerminating(pod)) continue;
    if (revisionOf(pod) === currentRevision) current++;
    if (revisionOf(pod) === updateRevision) updated++;
  }
  const desired = set.spec.replicas ?? 1;
  const complete =
    set.spec.updateStrategy?.type !== 'OnDelete' && updated === desired && ready === desired && pods.length === desired;
  return {
    replicas: pods.length,
    availableReplicas: available,
    collisionCount: set.status.collisionCount ?? 0,
    currentRevision: complete ? updateRevision : currentRevision,
    updateRevision,
    ...omitEmpty({
      observedGeneration: set.metadata.generation,
      readyReplicas: ready,
      currentReplicas: complete ? updated : current,
      updatedReplicas: updated,
      conditions: set.status.conditions,
    }),
  };
}
