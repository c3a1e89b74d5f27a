import type { Job, SuccessPolicyRule } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { findCondition } from '../conditions.js';
import { parseIndexes } from './pods.js';
import { matchPodFailurePolicy } from './policy.js';

export interface Outcome {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

/** What has been counted so far, this reconcile included. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  /** Of an indexed job. */
  readonly indexes: ReadonlySet<number>;
  /** With a limit for each index. */
  readonly failedIndexes: ReadonlySet<number>;
}

export const isFinishedJob = (job: Job): boolean =>
  job.status.conditions?.some((c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True') ?? false;

/** How the job ends, if it has come to an end. Models job_controller.go syncJob. */
export function outcomeOf(job: Job, pods: readonly Pod[], tally: Tally, now: Millis): Outcome | undefined {
  const target = findCondition(job.status.conditions, 'FailureTarget');
  if (target?.status === 'True') return { type: 'Failed', reason: target.reason ?? '', message: target.message ?? '' };
  const met = findCondition(job.status.conditions, 'SuccessCriteriaMet');
  if (met?.status === 'True') return { type: 'Complete', reason: met.reason ?? '', message: met.message ?? '' };
  for (const pod of pods) {
    const { action, message } = matchPodFailurePolicy(job, pod);
    if (action === 'FailJob') return { type: 'Failed', reason: 'PodFailurePolicy', message };
  }
  if (tally.failed > (job.spec.backoffLimit ?? 6) || restartedTooOften(job, pods)) {
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  const deadline = deadlineOf(job);
  if (deadline !== undefined && deadline <= now)
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  const decided = outcomeOfIndexes(job, tally);
  if (decided) return decided;
  const { completions } = job.spec;
  const complete =
    completions === undefined
      ? tally.succeeded > 0 && tally.active === 0
      : tally.succeeded >= completions && !job.spec.suspend;
  return complete
    ? { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
    : undefined;
}

function outcomeOfIndexes(
  { spec: { completions = 0, maxFailedIndexes, successPolicy } }: Job,
  { indexes, failedIndexes }: Tally,
): Outcome | undefined {
  const failed = failedIndexes.size;
  if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
    return {
      type: 'Failed',
      reason: 'MaxFailedIndexesExceeded',
      message: 'Job has exceeded the specified maximal number of failed indexes',
    };
  }
  if (failed > 0 && failed + indexes.size >= completions)
    return { type: 'Failed', reason: 'FailedIndexes', message: 'Job has failed indexes' };
  const rule = indexes.size === 0 ? -1 : (successPolicy?.rules ?? []).findIndex((r) => isMet(r, indexes));
  return rule < 0
    ? undefined
    : { type: 'Complete', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` };
}

/** Models success_policy.go. */
function isMet({ succeededIndexes, succeededCount }: SuccessPolicyRule, indexes: ReadonlySet<number>): boolean {
  if (succeededIndexes === undefined) return succeededCount !== undefined && indexes.size >= succeededCount;
  const wanted = [...parseIndexes(succeededIndexes)];
  const there = wanted.filter((i) => indexes.has(i)).length;
  return wanted.length > 0 && (there === wanted.length || (succeededCount !== undefined && there >= succeededCount));
}

/** When the job must have ended; undefined without a deadline, or while it is suspended. */
export function deadlineOf(job: Job): Millis | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec;
  if (activeDeadlineSeconds === undefined || suspend || !job.status.startTime) return undefined;
  return parseTimestamp(job.status.startTime) + activeDeadlineSeconds * SECOND;
}

function restartedTooOften(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const pod of pods) {
    if (pod.status.phase !== 'Running' && pod.status.phase !== 'Pending') continue;
    for (const c of [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])])
      restarts += c.restartCount;
  }
  const limit = job.spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
