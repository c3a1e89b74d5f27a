import type { CronJob, CronJobStatus, Job } from '../../api/batch_v1.js';
import type { ObjectReference } from '../../api/core_v1.js';
import { CronJobs, Jobs } from '../../kinds/index.js';
import { nextTime, parseSchedule, type Schedule } from '../../machinery/time/cron.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf, keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { MINUTE, parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, type Context, type Result } from '../../runtime/controller.js';
import { controllerRef } from '../ownership.js';
import { omitEmpty } from '../values.js';

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const MAX_MISSED = 100;
/** Upstream wakes a little late, so as not to wake too early. */
const DELTA = 100;
/** How upstream puts it that a schedule names no time at all: both times that it compares are zero. */
const NEVER = 'time difference between two schedules is less than 1 second';

/**
 * Creates Jobs by the clock. Models pkg/controller/cronjob. Left out: time zones other than UTC (schedules are read as
 * UTC).
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
    const status = observe(context, cronJob, jobs);
    trim(context, cronJob, jobs);
    const result = cronJob.spec.suspend ? undefined : run(context, cronJob, status);
    const next: CronJobStatus = omitEmpty(status);
    if (!deepEqual(next, cronJob.status)) context.client.updateStatus(CronJobs, { ...cronJob, status: next });
    return result;
  },
});

const endOf = (job: Job) =>
  job.status.conditions?.find((c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True');

/** Which jobs are still at work, and when the last one succeeded. */
function observe(context: Context, cronJob: CronJob, jobs: readonly Job[]): CronJobStatus {
  const status = { ...cronJob.status };
  const active: ObjectReference[] = [];
  for (const ref of status.active ?? []) {
    const job = jobs.find((j) => j.metadata.uid === ref.uid);
    const end = job && endOf(job);
    if (job && !end) active.push(ref);
    else if (end)
      context.event(cronJob, 'Normal', 'SawCompletedJob', `Saw completed job: ${ref.name}, condition: ${end.type}`);
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

/** Keeps only the latest ended jobs. */
function trim(context: Context, cronJob: CronJob, jobs: readonly Job[]): void {
  const limits = { Complete: cronJob.spec.successfulJobsHistoryLimit, Failed: cronJob.spec.failedJobsHistoryLimit };
  for (const [type, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    const ended = jobs
      .filter((job) => endOf(job)?.type === type && job.metadata.deletionTimestamp === undefined)
      .sort(byStart);
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) remove(context, cronJob, job);
  }
}

const byStart = (a: Job, b: Job): number => {
  const [x, y] = [a.status.startTime ?? '', b.status.startTime ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
};

function remove(context: Context, cronJob: CronJob, job: Job): void {
  context.client.delete(Jobs, keyOf(job), { propagationPolicy: 'Background' });
  context.event(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
}

/** Starts the job that is due, and says when the next one is. Changes `status`. */
function run(context: Context, cronJob: CronJob, status: CronJobStatus): Result | void {
  const { now } = context;
  const schedule = parseSchedule(cronJob.spec.schedule);
  if (typeof schedule === 'string') {
    context.event(
      cronJob,
      'Warning',
      'UnparseableSchedule',
      `unparseable schedule: ${JSON.stringify(cronJob.spec.schedule)} : ${schedule}`,
    );
    return undefined;
  }
  if (nextTime(schedule, lastStart(cronJob, status)) === undefined) {
    context.event(cronJob, 'Warning', 'InvalidSchedule', `invalid schedule: ${cronJob.spec.schedule} : ${NEVER}`);
    return undefined;
  }
  const due = dueTime(context, cronJob, schedule, status);
  const upcoming = nextTime(schedule, schedule.interval === undefined ? now : (due ?? lastStart(cronJob, status)));
  const result = upcoming === undefined ? undefined : { requeueAfter: Math.max(0, upcoming + DELTA - now) };
  if (due === undefined) return result;
  const deadline = cronJob.spec.startingDeadlineSeconds;
  if (deadline !== undefined && due + deadline * SECOND < now) {
    context.event(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${timestamp(due)}`);
    return result;
  }
  const active = status.active ?? [];
  if (active.length > 0 && cronJob.spec.concurrencyPolicy === 'Forbid') {
    context.event(
      cronJob,
      'Normal',
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    return result;
  }
  if (cronJob.spec.concurrencyPolicy === 'Replace') {
    for (const ref of active) {
      const job = context.client.get(Jobs, { namespace: cronJob.metadata.namespace!, name: ref.name! });
      if (job) remove(context, cronJob, job);
    }
    status.active = [];
  }
  start(context, cronJob, due, status);
  return result;
}

const lastStart = (cronJob: CronJob, status: CronJobStatus): Millis =>
  parseTimestamp(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '');

/**
 * The latest time that was missed since the last start; undefined when none was. Models utils.go
 * mostRecentScheduleTime.
 */
function dueTime(context: Context, cronJob: CronJob, schedule: Schedule, status: CronJobStatus): Millis | undefined {
  const { now } = context;
  const { startingDeadlineSeconds: deadline } = cronJob.spec;
  let at = lastStart(cronJob, status);
  if (deadline !== undefined) at = Math.max(at, now - deadline * SECOND);
  let due: Millis | undefined;
  let missed = 0;
  for (let next = nextTime(schedule, at); next !== undefined && next <= now; next = nextTime(schedule, next)) {
    due = next;
    missed++;
    // After a long sleep, start again near now instead of walking through every minute of it.
    if (missed === MAX_MISSED) next = Math.max(next, latestBefore(schedule, now));
  }
  if (missed > MAX_MISSED) {
    context.event(
      cronJob,
      'Warning',
      'TooManyMissedTimes',
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  }
  return due;
}

/** A time at or before the last one due by `now`, found by looking back ever further. */
function latestBefore(schedule: Schedule, now: Millis): Millis {
  for (let back = 2 * MINUTE; ; back *= 2) {
    const next = nextTime(schedule, now - back);
    if (next !== undefined && next <= now) return next - 1;
  }
}

function start(context: Context, cronJob: CronJob, due: Millis, status: CronJobStatus): void {
  const { name, namespace } = cronJob.metadata;
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const draft: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${due / MINUTE}`,
      namespace,
      ...(metadata?.labels ? { labels: { ...metadata.labels } } : {}),
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: timestamp(due) },
      ownerReferences: [controllerRef(CronJobs, cronJob)],
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
