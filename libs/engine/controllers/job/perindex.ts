import type { Job } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import type { Millis } from '../../machinery/time/time.js';
import { backoffAfter, finishedAt, indexOf, isFailed, isTracked, parseIndexes } from './pods.js';
import { matchPodFailurePolicy } from './policy.js';

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

export const hasLimitPerIndex = (job: Job): boolean => job.spec.backoffLimitPerIndex !== undefined;

const countOf = (pod: Pod, annotation: string): number => Number(pod.metadata.annotations?.[annotation] ?? 0) || 0;

/**
 * Indexes that are tried no more: status.failedIndexes and what has failed since. Models indexed_job_utils.go
 * calculateFailedIndexes.
 */
export function failedIndexes(job: Job, pods: readonly Pod[]): Set<number> {
  const failed = parseIndexes(job.status.failedIndexes);
  for (const pod of pods) {
    const at = indexOf(pod);
    if (at !== undefined && at < (job.spec.completions ?? 0) && isTracked(pod) && failsItsIndex(job, pod))
      failed.add(at);
  }
  return failed;
}

function failsItsIndex(job: Job, pod: Pod): boolean {
  if (!isFailed(job, pod)) return false;
  const { action } = matchPodFailurePolicy(job, pod);
  return (
    action === 'FailIndex' || (action !== 'Ignore' && countOf(pod, FAILURES) >= (job.spec.backoffLimitPerIndex ?? 0))
  );
}

/** The failed pod of each index that was started last: what the next one counts on from. */
export function lastFailures(job: Job, pods: readonly Pod[]): Map<number, Pod> {
  const last = new Map<number, Pod>();
  for (const pod of pods) {
    const at = indexOf(pod);
    if (at === undefined || !isFailed(job, pod)) continue;
    const known = last.get(at);
    if (!known || failuresOf(pod) > failuresOf(known)) last.set(at, pod);
  }
  return last;
}

const failuresOf = (pod: Pod): number => countOf(pod, FAILURES) + countOf(pod, IGNORED_FAILURES);

/** When an index may be tried again. Models backoff_utils.go getRemainingTimePerIndex. */
export const retryAt = (last: Pod | undefined): Millis =>
  last ? finishedAt(last) + backoffAfter(failuresOf(last) + 1) : Number.NEGATIVE_INFINITY;

/** Annotations of the pod that takes a failed one's place. Models getNewIndexFailureCounts. */
export function failureCounts(job: Job, last: Pod | undefined): Record<string, string> {
  const ignored = last !== undefined && matchPodFailurePolicy(job, last).action === 'Ignore';
  const failures = last ? countOf(last, FAILURES) + (ignored ? 0 : 1) : 0;
  const ignoredFailures = last ? countOf(last, IGNORED_FAILURES) + (ignored ? 1 : 0) : 0;
  return {
    [FAILURES]: String(failures),
    ...(ignoredFailures > 0 ? { [IGNORED_FAILURES]: String(ignoredFailures) } : {}),
  };
}
