import type { CronJob, CronJobStatus, Job } from '../../api/batch_v1.js';
import type { ObjectReference } from '../../api/core_v1.js';
import { CronJobs, Events, Jobs } from '../../kinds/index.js';
import { parseSchedule } from '../../machinery/time/cron.js';
import { nextTime, type Schedule } from '../../machinery/time/cron-schedule.js';
import { findTimeZone, formatInZone, UTC, type TimeZone } from '../../machinery/time/time-zones.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf, keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { MINUTE, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, type Context, type Result } from '../../runtime/controller.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { omitEmpty } from '../omit-empty.js';
import { earliestTime, mostRecentScheduleTime, nextScheduleTimeDuration } from './schedule.js';

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
/** How upstream puts it that a schedule names no time at all: both times that it compares are zero. */
const NEVER = 'time difference between two schedules is less than 1 second';
const TOO_MANY_MISSED =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
const ALREADY_ACTIVE = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/**
 * Creates Jobs by the clocks of the CronJob's time zone. Models pkg/controller/cronjob. Left out: the Event
 * UnexpectedJob, for a Job that the CronJob owns and has not created.
 */
export const controller = defineController({
  name: 'cronjob',
  actor: 'system:serviceaccount:kube-system:cronjob-controller',
  for: CronJobs,
  owns: [Jobs],
  reconcile(context, key): Result | void {
    const cronJob = context.client.get(CronJobs, key);
    if (!cronJob || cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    const jobs = context.client
      .dependents(cronJob.metadata.uid!)
      .filter((o): o is Job => o.kind === 'Job' && controllerOf(o)?.uid === cronJob.metadata.uid);
    const status = syncJobs(context, cronJob, jobs);
    cleanupFinishedJobs(context, cronJob, jobs);
    const result = cronJob.spec.suspend ? undefined : startDueJob(context, cronJob, status);
    const next: CronJobStatus = omitEmpty(status);
    if (!deepEqual(next, cronJob.status)) context.client.updateStatus(CronJobs, { ...cronJob, status: next });
    return result;
  },
});

const finishedCondition = (job: Job) =>
  job.status.conditions?.find((c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True');

/** The status with the Jobs that still run, and the time at which the last one succeeded. */
function syncJobs(context: Context, cronJob: CronJob, jobs: readonly Job[]): CronJobStatus {
  const status = { ...cronJob.status };
  const active: ObjectReference[] = [];
  for (const ref of status.active ?? []) {
    const job = jobs.find((j) => j.metadata.uid === ref.uid);
    const finished = job && finishedCondition(job);
    if (job && !finished) active.push(ref);
    else if (finished)
      context.event(
        cronJob,
        'Normal',
        'SawCompletedJob',
        `Saw completed job: ${ref.name}, condition: ${finished.type}`,
      );
    else context.event(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${ref.name}`);
  }
  for (const {
    status: { completionTime, conditions },
  } of jobs) {
    if (!completionTime || !conditions?.some((c) => c.type === 'Complete')) continue;
    if (!status.lastSuccessfulTime || status.lastSuccessfulTime < completionTime)
      status.lastSuccessfulTime = completionTime;
  }
  return { ...status, active };
}

/** Deletes the oldest finished Jobs beyond the history's limits. */
function cleanupFinishedJobs(context: Context, cronJob: CronJob, jobs: readonly Job[]): void {
  const limits = { Complete: cronJob.spec.successfulJobsHistoryLimit, Failed: cronJob.spec.failedJobsHistoryLimit };
  for (const [type, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    const finished = jobs
      .filter((job) => finishedCondition(job)?.type === type && job.metadata.deletionTimestamp === undefined)
      .sort(byStartTime);
    for (const job of finished.slice(0, Math.max(0, finished.length - limit))) deleteJob(context, cronJob, job);
  }
}

const byStartTime = (a: Job, b: Job): number => {
  const [x, y] = [a.status.startTime ?? '', b.status.startTime ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
};

function deleteJob(context: Context, cronJob: CronJob, job: Job): void {
  context.client.delete(Jobs, keyOf(job), { propagationPolicy: 'Background' });
  context.event(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
}

/** Starts the Job that is due, and says when the next one is. Changes `status`. Models syncCronJob. */
function startDueJob(context: Context, cronJob: CronJob, status: CronJobStatus): Result | void {
  const { now } = context;
  const schedule = scheduleOf(context, cronJob, status);
  if (!schedule) return undefined;
  const { latest: due, tooMany } = mostRecentScheduleTime(cronJob, status, schedule, now);
  if (tooMany) context.event(cronJob, 'Warning', 'TooManyMissedTimes', TOO_MANY_MISSED);
  const requeueAfter = nextScheduleTimeDuration(schedule, now, due ?? earliestTime(cronJob, status));
  const result = requeueAfter === undefined ? undefined : { requeueAfter };
  if (due === undefined || !mayStart(context, cronJob, due, status)) return result;
  if (cronJob.spec.concurrencyPolicy === 'Replace') deleteActiveJobs(context, cronJob, status);
  createJob(context, cronJob, schedule.zone, due, status);
  return result;
}

/** The schedule in the CronJob's time zone; undefined, with an Event, when it names no time. */
function scheduleOf(context: Context, cronJob: CronJob, status: CronJobStatus): Schedule | undefined {
  const { schedule: text, timeZone } = cronJob.spec;
  const warn = (reason: string, message: string): undefined => {
    context.event(cronJob, 'Warning', reason, message);
  };
  const zone = timeZone === undefined ? UTC : findTimeZone(timeZone);
  if (!zone)
    return warn('UnknownTimeZone', `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`);
  const schedule = parseSchedule(text, zone);
  if (typeof schedule === 'string')
    return warn('UnparseableSchedule', `unparseable schedule: ${JSON.stringify(text)} : ${schedule}`);
  const isNever = nextTime(schedule, earliestTime(cronJob, status)) === undefined;
  return isNever ? warn('InvalidSchedule', `invalid schedule: ${text} : ${NEVER}`) : schedule;
}

/** False, with an Event, when the deadline has passed, or when another Job runs and must not be disturbed. */
function mayStart(context: Context, cronJob: CronJob, due: Millis, status: CronJobStatus): boolean {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  if (deadline !== undefined && due + deadline * SECOND < context.now) {
    context.event(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(due)}`);
    return false;
  }
  if (concurrencyPolicy !== 'Forbid' || !status.active?.length) return true;
  if (!wasTold(context, cronJob, due)) context.event(cronJob, 'Normal', 'JobAlreadyActive', ALREADY_ACTIVE);
  return false;
}

/** Told once for each time that is due, however often the CronJob is looked at meanwhile. */
const wasTold = ({ client }: Context, { metadata }: CronJob, due: Millis): boolean =>
  client
    .byIndex(Events, 'involvedUid', metadata.uid ?? '')
    .some(({ reason, lastTimestamp = '' }) => reason === 'JobAlreadyActive' && lastTimestamp >= timestamp(due));

function deleteActiveJobs(context: Context, cronJob: CronJob, status: CronJobStatus): void {
  for (const ref of status.active ?? []) {
    const job = context.client.get(Jobs, { namespace: cronJob.metadata.namespace!, name: ref.name! });
    if (job) deleteJob(context, cronJob, job);
  }
  status.active = [];
}

/** 'Thu, 01 Jan 2026 00:05:00 +0000': Go's time.RFC1123Z. */
const rfc1123 = (at: Millis): string => new Date(at).toUTCString().replace('GMT', '+0000');

/** Models getJobFromTemplate2. Changes `status`. */
function createJob(context: Context, cronJob: CronJob, zone: TimeZone, due: Millis, status: CronJobStatus): void {
  const { name, namespace } = cronJob.metadata;
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const draft: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${due / MINUTE}`,
      namespace,
      ...(metadata?.labels ? { labels: { ...metadata.labels } } : {}),
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: formatInZone(zone, due) },
      ownerReferences: [newControllerRef(CronJobs, cronJob)],
    },
    spec: spec!,
    status: {},
  };
  try {
    const job = context.client.create(Jobs, draft);
    context.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    const { uid, resourceVersion } = job.metadata;
    status.active = [
      ...(status.active ?? []),
      { kind: 'Job', namespace, name: job.metadata.name, uid, apiVersion: 'batch/v1', resourceVersion },
    ];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason !== 'AlreadyExists') {
      context.event(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }
  status.lastScheduleTime = timestamp(due);
}
