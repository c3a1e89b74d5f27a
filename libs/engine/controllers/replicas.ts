import type { ReplicaSetStatus } from '../api/apps_v1.js';
import type { Pod, PodTemplateSpec } from '../api/core_v1.js';
import type { LabelSelector } from '../api/meta_v1.js';
import { Pods } from '../kinds/index.js';
import type { Kind } from '../machinery/kind.js';
import { controllerOf, keyOf, type KubeObject } from '../machinery/meta/object.js';
import { matchesMap } from '../machinery/selectors/selectors.js';
import { ApiError } from '../machinery/meta/status.js';
import type { Millis } from '../machinery/time/time.js';
import { index, type Context, type Controller, type Result } from '../runtime/controller.js';
import { newCondition, findCondition, setCondition, filterOutCondition } from './conditions.js';
import { claimObjects, newControllerRef, orphanIndex } from './controller-ref-manager.js';
import { isPodReady, isPodTerminal } from '../kinds/core/pod/status/phase.js';
import {
  isPodActive,
  isPodAvailable,
  isPodTerminating,
  findMinNextPodAvailabilityCheck,
  getPodFromTemplate,
} from './pods.js';
import { getPodsToDelete } from './active-pods-with-ranks.js';
import { omitEmpty } from './omit-empty.js';

/** Pods created or deleted by one reconcile: upstream's BurstReplicas. The writes wake the controller for the rest. */
const BURST = 500;
const FAILURE = 'ReplicaFailure';
const UNFINISHED = 'unfinished';

/** The indexes that syncReplicas reads. Pods that fail for ever are many: they are not looked at again. */
export const replicaIndexes: NonNullable<Controller['indexes']> = [
  orphanIndex(Pods),
  index<Pod>(Pods, UNFINISHED, (pod) => {
    const owner = controllerOf(pod);
    return owner && !isPodTerminal(pod) ? [owner.uid] : [];
  }),
];

/** What a ReplicaSet and a ReplicationController have in common. */
export interface ReplicaOwner<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly object: T;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly status: ReplicaSetStatus;
  /** Pods of the same rollout: a scale-down prefers nodes that have many of them. */
  relatedPods(own: readonly Pod[]): readonly Pod[];
  saveStatus(status: ReplicaSetStatus): void;
}

/**
 * Creates and deletes pods until there are as many as the owner wants, and counts them. Models
 * pkg/controller/replicaset/replica_set.go syncReplicaSet.
 */
export function syncReplicas<T extends KubeObject>(context: Context, owner: ReplicaOwner<T>): Result | void {
  const { kind, object, selector } = owner;
  const unfinished = context.client.byIndex(Pods, UNFINISHED, object.metadata.uid!);
  const pods = claimObjects(context.client, Pods, kind, object, selector, unfinished);
  const active = pods.filter(isPodActive);
  const failure =
    owner.object.metadata.deletionTimestamp === undefined ? manageReplicas(context, owner, active) : undefined;
  const terminating = pods.reduce((n, pod) => n + (isPodTerminating(pod) ? 1 : 0), 0);
  const status = calculateStatus(owner, active, terminating, failure, context.now);
  owner.saveStatus(status);
  if (failure) throw failure;
  const next = findMinNextPodAvailabilityCheck(active, owner.minReadySeconds, context.now);
  return next === undefined ? undefined : { requeueAfter: next };
}

/** Returns the error that kept it from creating all missing pods. Models manageReplicas. */
function manageReplicas<T extends KubeObject>(
  context: Context,
  owner: ReplicaOwner<T>,
  active: readonly Pod[],
): Error | undefined {
  const missing = owner.replicas - active.length;
  if (missing > 0) return createPods(context, owner, Math.min(missing, BURST));
  if (missing === 0) return undefined;
  const doomed = getPodsToDelete(active, owner.relatedPods(active), Math.min(-missing, BURST), context.now);
  for (const pod of doomed) {
    context.client.delete(Pods, keyOf(pod));
    context.event(owner.object, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }
  return undefined;
}

/** In batches of 1, 2, 4, ...: a quota that refuses them all is asked a few times only. Models slowStartBatch. */
function createPods<T extends KubeObject>(context: Context, owner: ReplicaOwner<T>, count: number): Error | undefined {
  const ref = newControllerRef(owner.kind, owner.object);
  let failure: Error | undefined;
  for (let left = count, batch = 1; left > 0 && !failure; left -= batch, batch *= 2) {
    for (let i = Math.min(batch, left); i > 0; i--)
      failure = createPod(context, owner.object, getPodFromTemplate(owner.template, owner.object, ref)) ?? failure;
  }
  return failure;
}

function createPod(context: Context, owner: KubeObject, draft: Pod): Error | undefined {
  try {
    const pod = context.client.create(Pods, draft);
    context.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNamespaceTerminating(error)) return undefined;
    context.event(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
    return error;
  }
}

/** Whether a create failed because its namespace is being terminated, which is no error of the owner's. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError && (error.details?.causes?.some((c) => c.reason === 'NamespaceTerminating') ?? false);

function calculateStatus<T extends KubeObject>(
  owner: ReplicaOwner<T>,
  active: readonly Pod[],
  terminating: number,
  failure: Error | undefined,
  now: Millis,
): ReplicaSetStatus {
  const labels = owner.template.metadata?.labels;
  let [labelled, ready, available] = [0, 0, 0];
  for (const pod of active) {
    if (matchesMap(labels, pod.metadata.labels)) labelled++;
    if (!isPodReady(pod)) continue;
    ready++;
    if (isPodAvailable(pod, owner.minReadySeconds, now)) available++;
  }
  return {
    replicas: active.length,
    terminatingReplicas: terminating,
    ...omitEmpty({
      fullyLabeledReplicas: labelled,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration: owner.object.metadata.generation,
      conditions: failureConditions(owner, active.length, failure, now),
    }),
  };
}

function failureConditions<T extends KubeObject>(
  owner: ReplicaOwner<T>,
  active: number,
  failure: Error | undefined,
  now: Millis,
): ReplicaSetStatus['conditions'] {
  const current = owner.status.conditions;
  if (!failure) return filterOutCondition(current, FAILURE);
  if (findCondition(current, FAILURE)) return current;
  const reason = active < owner.replicas ? 'FailedCreate' : 'FailedDelete';
  return setCondition(current, newCondition(FAILURE, 'True', reason, failure.message, now));
}
