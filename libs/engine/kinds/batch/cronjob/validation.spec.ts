import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { pod } from '../testing.js';
import { kind } from './kind.js';

const jobTemplate = { spec: { template: { spec: pod } } };

test.each<[string, object, string, string[]]>([
  ['that is fine', {}, 'hello', []],
  [
    'with four fields',
    { schedule: '* * * *' },
    'hello',
    ['spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]'],
  ],
  ['without a schedule', { schedule: undefined }, 'hello', ['spec.schedule: Required value']],
  [
    'in a zone of another spelling',
    { timeZone: 'europe/berlin' },
    'hello',
    ['spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin'],
  ],
  ['in a zone with an old name', { timeZone: 'Asia/Calcutta' }, 'hello', []],
  [
    'in no zone',
    { timeZone: '' },
    'hello',
    ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  ],
  [
    'in the zone of the machine',
    { timeZone: 'Local' },
    'hello',
    [
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
  ],
  [
    'with a zone in it',
    { schedule: 'TZ=UTC * * * * *' },
    'hello',
    [
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
  ],
  [
    'with two zones',
    { schedule: 'TZ=UTC * * * * *', timeZone: 'UTC' },
    'hello',
    ['spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule'],
  ],
  [
    'with a long name',
    {},
    'a'.repeat(53),
    [`metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`],
  ],
  [
    'with an unknown policy',
    { concurrencyPolicy: 'Maybe' },
    'hello',
    ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
  ],
  [
    'with less than nothing',
    { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
    'hello',
    ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].map(
      (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
  [
    'whose pods restart',
    { jobTemplate: { spec: { template: { spec: { containers: pod.containers } } } } },
    'hello',
    ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'whose jobs select their pods themselves',
    { jobTemplate: { spec: { ...jobTemplate.spec, manualSelector: true, selector: { matchLabels: { a: 'b' } } } } },
    'hello',
    [
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
  ],
])('a CronJob %s', (_, spec, name, errors) =>
  expect(errorsOf(kind, { metadata: { name }, spec: { schedule: '@daily', jobTemplate, ...spec } })).toEqual(errors),
);
