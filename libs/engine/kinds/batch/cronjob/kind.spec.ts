import { expect, test } from '@jest/globals';
import { AGE, create, make, row, warningsOf } from '../../testing.js';
import { pod } from '../testing.js';
import { kind } from './kind.js';

const jobTemplate = { spec: { template: { spec: pod } } };
const spec = { schedule: '*/5 * * * *', jobTemplate };

test('gets defaults, its jobs later', () => {
  const cronJob = create(kind, { spec: { schedule: '* * * * *', jobTemplate }, status: { active: [{}] } });
  expect(cronJob.spec).toMatchObject({
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  expect(cronJob.spec.jobTemplate.spec!.completions).toBeUndefined();
  expect(cronJob.spec.jobTemplate.spec!.template.spec!.dnsPolicy).toBe('ClusterFirst');
  expect(cronJob.status).toEqual({});
});

const cells = {
  Name: 'a',
  Schedule: '*/5 * * * *',
  Timezone: '<none>',
  Suspend: 'False',
  Active: 0,
  'Last Schedule': '<none>',
  Age: AGE,
  Containers: 'pi',
  Images: 'perl:5.34',
  Selector: '<none>',
};

test('its row', () => {
  expect(row(kind, create(kind, { spec }))).toEqual(cells);
  expect(
    row(
      kind,
      make(kind, {
        spec: { ...spec, timeZone: 'Europe/Berlin', suspend: true },
        status: { active: [{}, {}], lastScheduleTime: '2026-01-01T11:59:00Z' },
      }),
    ),
  ).toEqual({ ...cells, Timezone: 'Europe/Berlin', Suspend: 'True', Active: 2, 'Last Schedule': '60s' });
});

test('its template warns', () =>
  expect(
    warningsOf(kind, {
      spec: { ...spec, jobTemplate: { spec: { template: { spec: { ...pod, terminationGracePeriodSeconds: -1 } } } } },
    }),
  ).toEqual([
    'spec.jobTemplate.spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
  ]));
