import type { ControllerRevision, StatefulSet } from '../../api/apps_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { ControllerRevisions, PersistentVolumeClaims, Pods, StatefulSets } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { defineController, type Context, type Result } from '../../runtime/controller.js';
import { constructHistory, truncateHistory, type History } from '../controller-history.js';
import { orphanSource, claimObjects, newControllerRef, orphanIndex } from '../controller-ref-manager.js';
import { findMinNextPodAvailabilityCheck } from '../pods.js';
import { isNamespaceTerminating } from '../replicas.js';
import { claimsFor, HASH_LABEL, ordinalOf, podName, revisionOf, startOrdinal, newStatefulSetPod } from './identity.js';
import { calculateStatus, planSteps, type Step } from './plan.js';

/** Keeps numbered pods with names and storage of their own. Models pkg/controller/statefulset. */
export const controller = defineController({
  name: 'statefulset',
  actor: 'system:serviceaccount:kube-system:statefulset-controller',
  for: StatefulSets,
  owns: [Pods, ControllerRevisions],
  watches: [orphanSource(Pods, StatefulSets)],
  indexes: [orphanIndex(Pods), orphanIndex(ControllerRevisions)],
  reconcile(context, key): Result | void {
    const { client, now } = context;
    const set = client.get(StatefulSets, key);
    if (!set) return undefined;
    const { selector, template } = set.spec;
    const members = (): Pod[] =>
      claimObjects(client, Pods, StatefulSets, set, selector).filter((pod) => ordinalOf(set, pod) !== undefined);
    const pods = members();
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    const history = constructHistory(client, {
      kind: StatefulSets,
      object: set,
      selector,
      template,
      collisionCount: set.status.collisionCount ?? 0,
      hashLabel: HASH_LABEL,
    });
    const update = history.current;
    const current = history.old.find((r) => r.metadata.name === set.status.currentRevision) ?? update;
    let failure: ApiError | undefined;
    for (const step of planSteps(set, pods, update.metadata.name!, now)) {
      failure = processStep(context, set, step, { current, update });
      if (failure) break;
    }
    const after = members();
    const status = calculateStatus(set, after, current.metadata.name!, update.metadata.name!, now);
    if (!deepEqual(status, set.status)) client.updateStatus(StatefulSets, { ...set, status });
    truncateSetHistory(context, set, history, after, status.currentRevision);
    if (failure && !isNamespaceTerminating(failure)) throw failure;
    const requeueAfter = findMinNextPodAvailabilityCheck(after, set.spec.minReadySeconds ?? 0, now);
    return requeueAfter === undefined ? undefined : { requeueAfter };
  },
});

interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
}

function processStep(context: Context, set: StatefulSet, step: Step, revisions: Revisions): ApiError | undefined {
  if (step.do === 'create') return createReplica(context, set, step.ordinal, revisions);
  const { pod } = step;
  if (step.do === 'recreate') {
    const [type, reason, word] =
      pod.status.phase === 'Failed'
        ? (['Warning', 'RecreatingFailedPod', 'failed'] as const)
        : (['Normal', 'RecreatingTerminatedPod', 'terminated'] as const);
    context.event(
      set,
      type,
      reason,
      `StatefulSet ${set.metadata.namespace}/${set.metadata.name} is recreating ${word} Pod ${pod.metadata.name}`,
    );
  }
  if (step.do === 'condemn') updateClaimOwners(context, set, pod);
  context.client.delete(Pods, keyOf(pod));
  context.event(
    set,
    'Normal',
    'SuccessfulDelete',
    `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
  );
  return undefined;
}

/** Below the partition, pods come back as they were. */
function createReplica(
  context: Context,
  set: StatefulSet,
  ordinal: number,
  { current, update }: Revisions,
): ApiError | undefined {
  const { client } = context;
  const owner = newControllerRef(StatefulSets, set);
  const name = podName(set, ordinal);
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition;
  const keepsOld = set.spec.updateStrategy?.type !== 'OnDelete' && ordinal < startOrdinal(set) + (partition ?? 0);
  let claim = '';
  try {
    for (const draft of claimsFor(set, ordinal, owner)) {
      claim = `Claim ${draft.metadata.name} `;
      if (client.get(PersistentVolumeClaims, keyOf(draft))) continue;
      client.create(PersistentVolumeClaims, draft);
      context.event(
        set,
        'Normal',
        'SuccessfulCreate',
        `create ${claim}Pod ${name} in StatefulSet ${set.metadata.name} success`,
      );
    }
    claim = '';
    client.create(Pods, newStatefulSetPod(set, keepsOld ? current : update, ordinal, owner));
    context.event(
      set,
      'Normal',
      'SuccessfulCreate',
      `create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const subject = claim ? `${claim}for Pod ${name}` : `Pod ${name}`;
    if (!isNamespaceTerminating(error))
      context.event(
        set,
        'Warning',
        'FailedCreate',
        `create ${subject} in StatefulSet ${set.metadata.name} failed error: ${error.message}`,
      );
    return error;
  }
}

/** Claims of a pod that is scaled away go with it, where the policy says so. */
function updateClaimOwners({ client }: Context, set: StatefulSet, pod: Pod): void {
  if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name!, uid: pod.metadata.uid! };
  for (const draft of claimsFor(set, ordinalOf(set, pod)!, newControllerRef(StatefulSets, set))) {
    const existing = client.get(PersistentVolumeClaims, keyOf(draft));
    if (existing)
      client.update(PersistentVolumeClaims, {
        ...existing,
        metadata: { ...existing.metadata, ownerReferences: [owner] },
      });
  }
}

function truncateSetHistory(
  { client }: Context,
  set: StatefulSet,
  history: History,
  pods: readonly Pod[],
  currentRevision: string | undefined,
): void {
  const live = new Set([currentRevision, history.current.metadata.name, ...pods.map(revisionOf)]);
  truncateHistory(client, history.old, set.spec.revisionHistoryLimit ?? 10, (r) => live.has(r.metadata.name));
}
