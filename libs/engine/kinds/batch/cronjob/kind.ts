import type { CronJob } from '../../../api/batch_v1.js';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  NONE,
  selectorColumn,
} from '../../../machinery/meta/columns.js';
import { defineKind, statusAttribution } from '../../../machinery/kind.js';
import { ageSince } from '../../../machinery/time/time.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, podNameWarnings, templateWarnings } from '../../core/pod/kind.js';
import { validateCronJob } from './validation.js';

export const kind = defineKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.batch.v1.CronJob',
  subresources: { status: true },
  columns: [
    nameColumn,
    column('Schedule', 'When it runs, as cron writes it.', (c) => c.spec.schedule),
    column('Timezone', 'Time zone of the schedule.', (c) => c.spec.timeZone ?? NONE),
    column(
      'Suspend',
      'Whether it is held back.',
      (c) => (c.spec.suspend === undefined ? '<unset>' : c.spec.suspend ? 'True' : 'False'),
      { type: 'boolean' },
    ),
    integer('Active', 'How many of its jobs are running.', (c) => c.status.active?.length),
    column('Last Schedule', 'When it last started a job.', (c, now) =>
      c.status.lastScheduleTime === undefined ? NONE : ageSince(c.status.lastScheduleTime, now),
    ),
    ageColumn,
    ...containerColumns<CronJob>((c) => c.spec.jobTemplate.spec?.template),
    selectorColumn<CronJob>((c) => c.spec.jobTemplate.spec?.selector),
  ],
  defaults({ spec }) {
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    const template = (spec.jobTemplate ??= {});
    template.metadata ??= {};
    template.spec ??= { template: {} };
    // As upstream, only the pods' part is defaulted here; the rest when a job is made from it.
    defaultPodTemplate((template.spec.template ??= {}));
  },
  /** Of the status alone: no component creates CronJobs. */
  attribution: { ...statusAttribution, holds: () => false },
  prepareForCreate(draft) {
    draft.status = {};
  },
  validate: validateCronJob,
  warnings: (object, old) => [
    ...podNameWarnings(object, old),
    ...templateWarnings(
      Path.of('spec', 'jobTemplate', 'spec', 'template'),
      object.spec.jobTemplate.spec?.template,
      object,
      old,
    ),
  ],
});
