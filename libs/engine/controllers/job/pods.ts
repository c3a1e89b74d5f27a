import type { Job } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import type { OwnerReference } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { getPodFromTemplate } from '../pods.js';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const BACKOFF = 10 * SECOND;
const MAX_BACKOFF = 600 * SECOND;

export const isIndexed = (job: Job): boolean => job.spec.completionMode === 'Indexed';
export const isTracked = (pod: Pod): boolean => pod.metadata.finalizers?.includes(TRACKING) ?? false;
export const isSucceeded = (pod: Pod): boolean => pod.status.phase === 'Succeeded';
export const isDeleting = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
export const isRunning = (pod: Pod): boolean => !isPodTerminal(pod) && !isDeleting(pod);

/** With the policy 'Failed' a pod on its way out is no failure until it has ended. */
export const waitsForEnd = (job: Job): boolean => job.spec.podReplacementPolicy === 'Failed';
export const isFailed = (job: Job, pod: Pod): boolean =>
  pod.status.phase === 'Failed' || (!waitsForEnd(job) && isDeleting(pod) && !isSucceeded(pod));

export function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Models job_controller.go manageJob's pods and indexed_job_utils.go. */
export function jobPod(
  job: Job,
  owner: OwnerReference,
  index: number | undefined,
  annotations: Readonly<Record<string, string>> = {},
): Pod {
  const pod = getPodFromTemplate(job.spec.template, job, owner);
  pod.metadata.finalizers = [...(pod.metadata.finalizers ?? []), TRACKING];
  if (pod.spec.restartPolicy === undefined) pod.spec = { ...pod.spec, restartPolicy: 'Never' };
  if (index === undefined) return pod;
  const text = String(index);
  pod.metadata.generateName = `${job.metadata.name}-${text}-`;
  pod.metadata.labels = { ...pod.metadata.labels, [INDEX]: text };
  pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations, [INDEX]: text };
  const env = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${INDEX}']` } },
  };
  const withIndex = <C extends { env?: { name: string }[] }>(c: C): C =>
    c.env?.some((e) => e.name === env.name) ? c : { ...c, env: [...(c.env ?? []), env] };
  pod.spec = {
    ...pod.spec,
    hostname: `${job.metadata.name}-${text}`,
    containers: pod.spec.containers.map(withIndex),
    ...(pod.spec.initContainers ? { initContainers: pod.spec.initContainers.map(withIndex) } : {}),
  };
  return pod;
}

/** When the pod's last container ended. */
export function finishedAt(pod: Pod): Millis {
  const ends = (pod.status.containerStatuses ?? [])
    .map((c) => c.state?.terminated?.finishedAt)
    .filter((t) => t !== undefined)
    .map(parseTimestamp);
  if (ends.length > 0) return Math.max(...ends);
  return parseTimestamp(
    pod.metadata.deletionTimestamp ??
      pod.status.conditions?.find((c) => c.type === 'Ready')?.lastTransitionTime ??
      pod.metadata.creationTimestamp ??
      '',
  );
}

/** The wait after that many failures in a row: 10 s, 20 s, 40 s, ... 10 min. */
export const backoffAfter = (failures: number): Millis =>
  Math.min(MAX_BACKOFF, BACKOFF * 2 ** Math.min(failures - 1, 20));

/**
 * When the next pod may be started, by the failures since the last success. Models backoff_utils.go. Ends are told in
 * seconds: of those in the second of a success, one may have come before it.
 */
export function backoffEnds(job: Job, pods: readonly Pod[]): Millis {
  const success = Math.max(Number.NEGATIVE_INFINITY, ...pods.filter(isSucceeded).map(finishedAt));
  const failures = pods
    .filter((pod) => isFailed(job, pod))
    .map(finishedAt)
    .filter((at) => at >= success);
  const ties = failures.filter((at) => at === success).length;
  const counted = failures.length - Math.min(ties, 1);
  return counted === 0 ? Number.NEGATIVE_INFINITY : Math.max(...failures) + backoffAfter(counted);
}

/** '0-2,5': indexes as status.completedIndexes writes them. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...new Set(indexes)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    parts.push(
      end === i ? String(sorted[i]) : end === i + 1 ? `${sorted[i]},${sorted[end]}` : `${sorted[i]}-${sorted[end]}`,
    );
    i = end + 1;
  }
  return parts.join(',');
}

export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of text ? text.split(',') : []) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let i = first; i <= last; i++) indexes.add(i);
  }
  return indexes;
}
