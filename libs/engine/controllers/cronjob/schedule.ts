import type { CronJob, CronJobStatus } from '../../api/batch_v1.js';
import { nextTime, type Schedule } from '../../machinery/time/cron-schedule.js';
import { MINUTE, parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';

const MAX_MISSED = 100;
/** Upstream wakes a little late, so as not to wake too early. */
const DELTA: Millis = 100;

export interface MissedTimes {
  /** The latest time that was missed since the last start; undefined when none was. */
  readonly latest: Millis | undefined;
  readonly tooMany: boolean;
}

/** From when on missed times count: the last start, or the CronJob's creation. */
export const earliestTime = (cronJob: CronJob, status: CronJobStatus): Millis =>
  parseTimestamp(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '');

/** Models pkg/controller/cronjob/utils.go mostRecentScheduleTime. */
export function mostRecentScheduleTime(
  cronJob: CronJob,
  status: CronJobStatus,
  schedule: Schedule,
  now: Millis,
): MissedTimes {
  const { startingDeadlineSeconds: deadline } = cronJob.spec;
  let at = earliestTime(cronJob, status);
  if (deadline !== undefined) at = Math.max(at, now - deadline * SECOND);
  let latest: Millis | undefined;
  let missed = 0;
  for (let next = nextTime(schedule, at); next !== undefined && next <= now; next = nextTime(schedule, next)) {
    latest = next;
    missed++;
    // After a long sleep, start again near now instead of walking through every minute of it.
    if (missed === MAX_MISSED) next = Math.max(next, beforeLatest(schedule, now));
  }
  return { latest, tooMany: missed > MAX_MISSED };
}

/** A time shortly before the last one that the schedule names by `now`, found by looking back ever further. */
function beforeLatest(schedule: Schedule, now: Millis): Millis {
  for (let back = 2 * MINUTE; ; back *= 2) {
    const next = nextTime(schedule, now - back);
    if (next !== undefined && next <= now) return next - 1;
  }
}

/** How long until the controller has to look at the CronJob again. Models utils.go nextScheduleTimeDuration. */
export function nextScheduleTimeDuration(schedule: Schedule, now: Millis, lastTime: Millis): Millis | undefined {
  // '@every 1h' counts from the last start, all else from now.
  const next = nextTime(schedule, schedule.interval === undefined ? now : lastTime);
  return next === undefined ? undefined : Math.max(0, next + DELTA - now);
}
