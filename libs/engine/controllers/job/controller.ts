import type { Job, JobCondition, JobStatus } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { Jobs, Pods } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { controllerOf, keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, index, type Context, type Result } from '../../runtime/controller.js';
import { findCondition, setCondition, filterOutCondition } from '../conditions.js';
import { orphanSource, claimObjects, newControllerRef, orphanIndex } from '../controller-ref-manager.js';
import { isPodTerminal, isPodReady } from '../../kinds/core/pod/status/phase.js';
import { getPodsToDelete } from '../active-pods-with-ranks.js';
import { isNamespaceTerminating } from '../replicas.js';
import { omitEmpty } from '../omit-empty.js';
import {
  backoffEnds,
  formatIndexes,
  indexOf,
  isDeleting,
  isFailed,
  isIndexed,
  isRunning,
  isSucceeded,
  isTracked,
  jobPod,
  parseIndexes,
  TRACKING,
  waitsForEnd,
} from './pods.js';
import { failedIndexes, failureCounts, hasLimitPerIndex, lastFailures, retryAt } from './perindex.js';
import { matchPodFailurePolicy } from './policy.js';
import { deadlineOf, isFinishedJob, outcomeOf, type Outcome } from './verdicts.js';

const MAX_PODS_PER_SYNC = 500;
/** A Job is synced so long after its pods have changed, once for all of them: upstream's SyncJobBatchPeriod. */
const SYNC_JOB_BATCH_PERIOD: Millis = SECOND;
const NO_INDEXES: ReadonlySet<number> = new Set<number>([]);
const TRACKED = 'job/tracked';

/**
 * Runs pods until enough have succeeded. Models pkg/controller/job. A pod is counted and released in one reconcile,
 * which is atomic here: status.uncountedTerminatedPods stays empty. Left out: the failed pods of an index are not held
 * until they are replaced, so that one deleted by hand is forgotten.
 */
export const controller = defineController({
  name: 'job',
  actor: 'system:serviceaccount:kube-system:job-controller',
  for: Jobs,
  owns: [{ kind: Pods, delay: SYNC_JOB_BATCH_PERIOD }],
  watches: [orphanSource(Pods, Jobs)],
  indexes: [
    orphanIndex(Pods),
    index<Pod>(Pods, TRACKED, (pod) =>
      isTracked(pod) ? [`${pod.metadata.namespace}/${controllerOf(pod)?.name ?? ''}`] : [],
    ),
  ],
  reconcile(context, key): Result | void {
    const job = context.client.get(Jobs, key);
    orphanPodReconcile(context, `${key.namespace}/${key.name}`, job);
    if (!job || job.spec.managedBy || job.metadata.deletionTimestamp !== undefined || isFinishedJob(job))
      return undefined;
    return syncJob(context, job);
  },
});

/** Pods whose job has gone, is going or has ended need not be counted any more. */
function orphanPodReconcile({ client }: Context, job: string, current: Job | undefined): void {
  const over = current === undefined || current.metadata.deletionTimestamp !== undefined || isFinishedJob(current);
  for (const pod of client.byIndex(Pods, TRACKED, job)) {
    const stray = current === undefined || controllerOf(pod)?.uid !== current.metadata.uid;
    if (stray || (over && (isDeleting(pod) || isPodTerminal(pod)))) removeTrackingFinalizer(client, pod);
  }
}

const removeTrackingFinalizer = (client: Context['client'], pod: Pod): Pod =>
  client.update(Pods, removeFinalizer(pod, TRACKING));

function syncJob(context: Context, job: Job): Result | void {
  const { client, now } = context;
  const pods = claimObjects(client, Pods, Jobs, job, job.spec.selector ?? {});
  const started =
    job.spec.suspend || job.status.startTime ? job : { ...job, status: { ...job.status, startTime: timestamp(now) } };
  const count = countPods(started, pods);
  for (const pod of count.ended) removeTrackingFinalizer(client, pod);
  let active = pods.filter(isRunning);
  const outcome = outcomeOf(started, pods, { ...count, active: active.length }, now);
  let wait: Millis | undefined;
  let failure: ApiError | undefined;
  if (outcome || job.spec.suspend) {
    for (const pod of active) deletePod(context, job, pod);
    if (outcome && !waitsForEnd(job)) count.failed += active.length;
    active = [];
  } else {
    ({ active, wait, failure } = manageJob(context, started, pods, active, count));
  }
  const left = client.dependents(job.metadata.uid!).filter((o): o is Pod => o.kind === 'Pod');
  const terminating = left.filter((pod) => isDeleting(pod) && !isPodTerminal(pod)).length;
  const conditions = conditionsOf(context, started, outcome, terminating);
  const status = statusOf(started, active, count, terminating, conditions);
  const wasSuspended = findCondition(job.status.conditions, 'Suspended')?.status === 'True';
  if (wasSuspended && findCondition(conditions, 'Suspended')?.status === 'False') status.startTime = timestamp(now);
  if (findCondition(conditions, 'Complete')) status.completionTime = timestamp(now);
  updateJobStatus(context, job, status);
  if (failure) throw failure;
  const deadline = deadlineOf(started);
  const times = [wait, deadline === undefined ? undefined : deadline - now].filter(
    (t) => t !== undefined && t > 0,
  ) as Millis[];
  return times.length && !outcome ? { requeueAfter: Math.min(...times) } : undefined;
}

const statusOf = (
  job: Job,
  active: readonly Pod[],
  count: Count,
  terminating: number,
  conditions: JobStatus['conditions'],
): JobStatus => ({
  ...omitEmpty({
    active: active.length,
    succeeded: count.succeeded,
    failed: count.failed,
    completedIndexes: isIndexed(job) ? formatIndexes(count.indexes) : undefined,
    failedIndexes:
      hasLimitPerIndex(job) && count.failedIndexes.size > 0 ? formatIndexes(count.failedIndexes) : undefined,
    startTime: job.status.startTime,
    conditions,
  }),
  ready: active.filter(isPodReady).length,
  terminating,
  uncountedTerminatedPods: {},
});

interface Count {
  succeeded: number;
  failed: number;
  readonly indexes: Set<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** Ended pods that were not counted before. */
  readonly ended: Pod[];
}

function countPods(job: Job, pods: readonly Pod[]): Count {
  const count: Count = {
    succeeded: job.status.succeeded ?? 0,
    failed: job.status.failed ?? 0,
    indexes: parseIndexes(job.status.completedIndexes),
    failedIndexes: hasLimitPerIndex(job) ? failedIndexes(job, pods) : NO_INDEXES,
    ended: [],
  };
  for (const pod of pods) {
    if (!isTracked(pod)) continue;
    const at = indexOf(pod);
    if (isSucceeded(pod)) {
      if (!isIndexed(job)) count.succeeded++;
      else if (at !== undefined && at < (job.spec.completions ?? 0)) count.indexes.add(at);
    } else if (isFailed(job, pod)) {
      if (matchPodFailurePolicy(job, pod).action !== 'Ignore') count.failed++;
    } else continue;
    count.ended.push(pod);
  }
  if (isIndexed(job)) count.succeeded = count.indexes.size;
  return count;
}

/** Models job_controller.go manageJob. */
function manageJob(
  context: Context,
  job: Job,
  pods: readonly Pod[],
  active: Pod[],
  count: Count,
): { active: Pod[]; wait?: Millis; failure?: ApiError } {
  const { completions, parallelism = 1 } = job.spec;
  const wanted =
    completions === undefined
      ? count.succeeded > 0
        ? active.length
        : parallelism
      : Math.min(completions - count.succeeded, parallelism);
  if (active.length > wanted) {
    const doomed = getPodsToDelete(active, active, Math.min(active.length - wanted, MAX_PODS_PER_SYNC), context.now);
    for (const pod of doomed) deletePod(context, job, pod);
    return { active: active.filter((pod) => !doomed.includes(pod)) };
  }
  const ending = waitsForEnd(job) ? pods.filter((pod) => isDeleting(pod) && !isPodTerminal(pod)).length : 0;
  const missing = Math.min(wanted - active.length - ending, MAX_PODS_PER_SYNC);
  if (missing <= 0) return { active };
  const { starts, wait = 0 } = hasLimitPerIndex(job)
    ? podsToStartPerIndex(context, job, pods, active, count, missing)
    : podsToStart(context, job, pods, active, count, missing);
  return starts.length === 0 ? { active, ...(wait > 0 ? { wait } : {}) } : createPod(context, job, active, starts);
}

/** A pod to start: its index, and what it carries on from an earlier one. */
interface PodStart {
  readonly index?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Starts {
  readonly starts: readonly PodStart[];
  readonly wait?: Millis;
}

function podsToStart(
  context: Context,
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  count: Count,
  missing: number,
): Starts {
  const wait = backoffEnds(job, pods) - context.now;
  if (wait > 0) return { starts: [], wait };
  return {
    starts: isIndexed(job)
      ? freeIndexes(job, pods, active, count, missing).map((index) => ({ index }))
      : Array.from({ length: missing }, () => ({})),
  };
}

/** Each index waits for itself. Models getPodCreationInfoForIndependentIndexes. */
function podsToStartPerIndex(
  context: Context,
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  count: Count,
  missing: number,
): Starts {
  const last = lastFailures(job, pods);
  const free = freeIndexes(job, pods, active, count, missing).map((index) => ({
    index,
    wait: retryAt(last.get(index)) - context.now,
  }));
  const ready = free.filter(({ wait }) => wait <= 0);
  if (ready.length === 0) return { starts: [], wait: Math.min(...free.map(({ wait }) => wait)) };
  return { starts: ready.map(({ index }) => ({ index, annotations: failureCounts(job, last.get(index)) })) };
}

function freeIndexes(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  { indexes, failedIndexes }: Count,
  count: number,
): number[] {
  const busy = new Set(
    [...active, ...(waitsForEnd(job) ? pods.filter((pod) => isDeleting(pod) && !isPodTerminal(pod)) : [])].map(indexOf),
  );
  const free: number[] = [];
  for (let i = 0; i < (job.spec.completions ?? 0) && free.length < count; i++)
    if (!indexes.has(i) && !failedIndexes.has(i) && !busy.has(i)) free.push(i);
  return free;
}

function createPod(
  context: Context,
  job: Job,
  active: Pod[],
  starts: readonly PodStart[],
): { active: Pod[]; failure?: ApiError } {
  const owner = newControllerRef(Jobs, job);
  const all = [...active];
  for (const { index, annotations } of starts) {
    try {
      const pod = context.client.create(Pods, jobPod(job, owner, index, annotations));
      context.event(job, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
      all.push(pod);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNamespaceTerminating(error)) return { active: all };
      context.event(job, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      return { active: all, failure: error };
    }
  }
  return { active: all };
}

/** Deleted by the job itself: it has been counted by the caller, so that nothing holds the pod back. */
function deletePod(context: Context, job: Job, pod: Pod): void {
  if (!waitsForEnd(job)) removeTrackingFinalizer(context.client, pod);
  context.client.delete(Pods, keyOf(pod));
  context.event(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
}

function jobCondition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: Millis,
): JobCondition {
  const at = timestamp(Math.floor(now / SECOND) * SECOND);
  return { type, status, lastProbeTime: at, lastTransitionTime: at, reason, message };
}

/** The end is announced first, and takes place once no pod is left running. */
function conditionsOf(context: Context, job: Job, outcome: Outcome | undefined, terminating: number): JobCondition[] {
  const { now } = context;
  const current = job.status.conditions;
  if (outcome) {
    const [early, { type, reason, message }] = [
      outcome.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget',
      outcome,
    ];
    const announced = setCondition(current, jobCondition(early, 'True', reason, message, now));
    return terminating > 0 ? announced : setCondition(announced, jobCondition(type, 'True', reason, message, now));
  }
  const suspended = findCondition(current, 'Suspended');
  if (job.spec.suspend && suspended?.status !== 'True')
    return [
      ...filterOutCondition(current, 'Suspended'),
      jobCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now),
    ];
  if (!job.spec.suspend && suspended?.status === 'True')
    return [
      ...filterOutCondition(current, 'Suspended'),
      jobCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now),
    ];
  return [...(current ?? [])];
}

function updateJobStatus(context: Context, job: Job, status: JobStatus): void {
  if (deepEqual(status, job.status)) return;
  context.client.updateStatus(Jobs, { ...job, status });
  const isNew = (type: string, value: string): boolean =>
    findCondition(status.conditions, type)?.status === value &&
    findCondition(job.status.conditions, type)?.status !== value;
  if (isNew('Complete', 'True')) context.event(job, 'Normal', 'Completed', 'Job completed');
  const failed = findCondition(status.conditions, 'Failed');
  if (isNew('Failed', 'True')) context.event(job, 'Warning', failed?.reason ?? '', failed?.message ?? '');
  if (isNew('Suspended', 'True')) context.event(job, 'Normal', 'Suspended', 'Job suspended');
  if (isNew('Suspended', 'False')) context.event(job, 'Normal', 'Resumed', 'Job resumed');
}
