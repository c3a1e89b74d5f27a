import type { CronJob, Job } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { Jobs } from '../../kinds/index.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { parseSchedule } from '../../machinery/time/cron.js';
import { nextTime } from '../../machinery/time/cron-schedule.js';
import { SECOND, timestamp } from '../../machinery/time/time.js';
import { findTimeZone } from '../../machinery/time/time-zones.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, lastEvent, MAX_DEPTH, revisionOf, type Topic, type World } from '../world.js';
import { goneFindings } from './gone-pods.js';
import { containerFindings } from './pods/pod-containers.js';
import { controllerDown, podReasons } from './workloads.js';

/** Pods of a failed Job that are looked at: the last ones. */
const MAX_PODS = 3;

const JOB_CONTROLLER = 'kubernetes.io/job-controller';
const SKIPPED = ['TooManyMissedTimes', 'MissSchedule', 'JobAlreadyActive', 'FailedCreate', 'InvalidSchedule'];

const podsOf = ({ read }: World, job: Job): Pod[] =>
  read.dependents(job.metadata.uid ?? '').filter((one): one is Pod => one.kind === 'Pod');

/** Why a Job has failed, or is not done. */
export const jobTopic: Topic<Job> = (world, job, depth) => {
  const conditions = job.status?.conditions ?? [];
  const of = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
  if (of('Complete')) return [];
  const pods = podsOf(world, job);
  const failed = of('Failed') ?? of('FailureTarget');
  if (failed) {
    const { failedIndexes } = job.status ?? {};
    const details = failedIndexes ? [`failed indexes: ${failedIndexes}`] : [];
    const own = findingOf(job, failed.reason ?? 'Failed', `the Job has failed: ${failed.message ?? ''}`, { details });
    const failing = [...podReasons(world, pods, depth), ...failures(world, pods, depth)];
    return [own, ...(failing.length > 0 ? failing : goneFindings(world, job, 'job-controller'))];
  }
  if (job.spec.parallelism === 0)
    return [findingOf(job, 'NoParallelism', 'it may run no pod at a time (spec.parallelism is 0)')];
  if (job.spec.suspend) return [findingOf(job, 'JobSuspended', 'the Job is suspended (spec.suspend)')];
  const { managedBy = JOB_CONTROLLER } = job.spec;
  if (managedBy !== JOB_CONTROLLER) {
    const message = `the Job controller leaves it to ${managedBy} (spec.managedBy), which has not finished it`;
    return [findingOf(job, 'ManagedBy', message), ...podReasons(world, pods, depth)];
  }
  const down = controllerDown(world, job, 'job');
  if (down.length > 0) return down;
  const refused = lastEvent(world, job, ['FailedCreate']);
  if (pods.length === 0 && refused)
    return [findingOf(job, 'FailedCreate', refused.message ?? '', { revision: revisionOf(refused) })];
  const { active = 0, succeeded = 0, failed: lost = 0 } = job.status ?? {};
  const wanted = job.spec.completions ?? 1;
  const counts = `${succeeded} of ${wanted} completions, ${active} pods are active, ${lost} of at most ${(job.spec.backoffLimit ?? 6) + 1} have failed`;
  return [...podReasons(world, pods, depth), ...failures(world, pods, depth), findingOf(job, 'NotComplete', counts)];
};

const failures = (world: World, pods: readonly Pod[], depth: number): WhyFinding[] =>
  depth >= MAX_DEPTH
    ? []
    : pods
        .filter(({ status }) => status.phase === 'Failed')
        .slice(-MAX_PODS)
        .flatMap((pod) => containerFindings(world, pod))
        .slice(-1);

/** Why a CronJob starts no Jobs, or when it will. */
export const cronJobTopic: Topic<CronJob> = (world, cronJob, depth) => {
  const { spec, status = {} } = cronJob;
  if (spec.suspend) return [findingOf(cronJob, 'Suspended', 'the CronJob is suspended (spec.suspend)')];
  const down = controllerDown(world, cronJob, 'cronjob');
  if (down.length > 0) return down;
  const zone = spec.timeZone ? findTimeZone(spec.timeZone) : undefined;
  const schedule = parseSchedule(spec.schedule, zone);
  if (typeof schedule === 'string')
    return [
      findingOf(cronJob, 'UnparseableSchedule', `its schedule "${spec.schedule}" is not understood: ${schedule}`),
    ];
  const active = status.active ?? [];
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    const names = active.map(({ name }) => name).join(', ');
    const message = `its Job ${names} still runs, and concurrencyPolicy is Forbid`;
    return [findingOf(cronJob, 'JobAlreadyActive', message), ...jobsOf(world, cronJob, depth)];
  }
  const event = lastEvent(world, cronJob, SKIPPED);
  const found = event
    ? [findingOf(cronJob, event.reason ?? '', event.message ?? '', { revision: revisionOf(event) })]
    : [];
  const next = nextTime(schedule, world.now);
  const last = status.lastScheduleTime;
  const before = last ? `it last started a Job at ${last}` : 'it has started none yet';
  const deadline = spec.startingDeadlineSeconds;
  const short =
    deadline !== undefined && deadline * SECOND < 10 * SECOND ? ` (its deadline of ${deadline} s is short)` : '';
  const message =
    next === undefined
      ? `its schedule "${spec.schedule}" names no time that will come`
      : `the next time of "${spec.schedule}" is ${timestamp(next)}; ${before}${short}`;
  const due = findingOf(cronJob, next === undefined ? 'NeverDue' : 'NotDue', message);
  if (next === undefined) return [due, ...found];
  return [...found, ...jobsOf(world, cronJob, depth), due];
};

/** The reasons of its Jobs that have failed or hang. */
const jobsOf = (world: World, cronJob: CronJob, depth: number): WhyFinding[] =>
  depth >= MAX_DEPTH
    ? []
    : world.read
        .list(Jobs, cronJob.metadata.namespace)
        .filter((job) => controllerOf(job)?.uid === cronJob.metadata.uid)
        .slice(-1)
        .flatMap((job) => jobTopic(world, job, depth + 1));
