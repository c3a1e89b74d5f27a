/** Models ValidateCronJob of pkg/apis/batch/validation; schedules as robfig/cron's ParseStandard reads them. */
import type { CronJob } from '../../../api/batch_v1.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { maxLength, notNegative } from '../../../machinery/meta/validation.js';
import { parseSchedule } from '../../../machinery/time/cron.js';
import { findTimeZone } from '../../../machinery/time/time-zones.js';
import { validateJobTemplateSpec } from '../job/kind.js';

const path = Path.of('spec');
const MAX_NAME = 52;
const POLICIES = ['Allow', 'Forbid', 'Replace'];

export function validateCronJob({ metadata, spec }: CronJob): FieldError[] {
  const errors: FieldError[] = [];
  const name = metadata.name ?? '';
  // Jobs get the name and 11 characters more.
  if (name.length > MAX_NAME) errors.push(invalidValue(Path.of('metadata', 'name'), name, maxLength(MAX_NAME)));
  if (!spec.schedule) errors.push(required(path.child('schedule')));
  else errors.push(...validateSchedule(spec.schedule, spec.timeZone));
  errors.push(
    ...notNegative(path.child('startingDeadlineSeconds'), spec.startingDeadlineSeconds),
    ...validateTimeZone(spec.timeZone),
  );
  if (!spec.concurrencyPolicy) errors.push(required(path.child('concurrencyPolicy')));
  else if (!POLICIES.includes(spec.concurrencyPolicy))
    errors.push(notSupported(path.child('concurrencyPolicy'), spec.concurrencyPolicy, POLICIES));
  return [
    ...errors,
    ...validateJobTemplateSpec(spec.jobTemplate, path.child('jobTemplate')),
    ...notNegative(path.child('successfulJobsHistoryLimit'), spec.successfulJobsHistoryLimit),
    ...notNegative(path.child('failedJobsHistoryLimit'), spec.failedJobsHistoryLimit),
  ];
}

function validateSchedule(schedule: string, timeZone: string | undefined): FieldError[] {
  const at = path.child('schedule');
  const zoned = schedule.includes('TZ');
  if (zoned && timeZone !== undefined)
    return [invalidValue(at, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
  if (zoned) return [invalidValue(at, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  const parsed = parseSchedule(schedule);
  return typeof parsed === 'string' ? [invalidValue(at, schedule, parsed)] : [];
}

function validateTimeZone(timeZone: string | undefined): FieldError[] {
  if (timeZone === undefined) return [];
  const at = path.child('timeZone');
  if (timeZone === '') return [invalidValue(at, timeZone, 'timeZone must be nil or non-empty string')];
  const errors =
    timeZone.toLowerCase() === 'local'
      ? [
          invalidValue(
            at,
            timeZone,
            'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
          ),
        ]
      : [];
  // 'Local' is a zone to Go, and yet none to a cluster.
  return timeZone === 'Local' || findTimeZone(timeZone)
    ? errors
    : [...errors, invalidValue(at, timeZone, `unknown time zone ${timeZone}`)];
}
