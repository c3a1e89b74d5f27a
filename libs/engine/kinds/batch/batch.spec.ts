import { describe, expect, test } from '@jest/globals';
import type { CronJob, Job } from '../../api/batch_v1.js';
import { kind as cronJobs } from './cronjob/kind.js';
import { kind as jobs } from './job/kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const pod = { containers: [{ name: 'pi', image: 'perl:5.34' }], restartPolicy: 'Never' };

function jobOf(spec: Record<string, unknown>, status: Job['status'] = {}): Job {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'pi', uid: 'u1', creationTimestamp: '2026-11-21T02:00:00Z' },
    spec: structuredClone(spec),
    status: {},
  } as unknown as Job;
  jobs.defaults!(job);
  jobs.prepareForCreate!(job, undefined as never);
  return { ...job, status };
}
function cronJobOf(spec: Record<string, unknown>, name = 'hello'): CronJob {
  const cronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, creationTimestamp: '2026-11-21T02:00:00Z' },
    spec: structuredClone(spec),
    status: {},
  } as unknown as CronJob;
  cronJobs.defaults!(cronJob);
  cronJobs.prepareForCreate!(cronJob, undefined as never);
  return cronJob;
}
const jobMessages = (spec: Record<string, unknown>): string[] =>
  jobs.validate!(jobOf(spec), undefined as never).map((e) => e.message);
const cronMessages = (spec: Record<string, unknown>, name?: string): string[] =>
  cronJobs.validate!(cronJobOf(spec, name), undefined as never).map((e) => e.message);

describe('a Job', () => {
  test('selects its own pods', () => {
    const { spec, metadata } = jobOf({ template: { metadata: { labels: { app: 'pi' } }, spec: pod } });
    expect(spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    });
    expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } });
    const labels = {
      app: 'pi',
      'batch.kubernetes.io/controller-uid': 'u1',
      'controller-uid': 'u1',
      'batch.kubernetes.io/job-name': 'pi',
      'job-name': 'pi',
    };
    expect(spec.template.metadata!.labels).toEqual(labels);
    expect(metadata.labels).toEqual(labels);
  });
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'that would restart for ever',
      { template: { spec: { containers: pod.containers } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'with indexes but no count',
      { completionMode: 'Indexed', parallelism: 2, template: { spec: pod } },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'with a limit per index but no indexes',
      { backoffLimitPerIndex: 1, template: { spec: pod } },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'with a negative limit',
      { backoffLimit: -1, template: { spec: pod } },
      ['spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'managed by nobody in particular',
      { managedBy: 'me', template: { spec: pod } },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'with a success policy that names an index it has not',
      {
        completionMode: 'Indexed',
        completions: 2,
        successPolicy: { rules: [{ succeededIndexes: '0,5' }] },
        template: { spec: pod },
      },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,5": error parsing succeededIndexes: too large index: "5"',
      ],
    ],
    [
      'with a failure rule about nothing',
      { podFailurePolicy: { rules: [{ action: 'Ignore' }] }, template: { spec: pod } },
      ['spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required'],
    ],
    [
      'with exit codes out of order',
      {
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }] },
        template: { spec: pod },
      },
      ['spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered'],
    ],
    ['that is fine', { template: { spec: pod } }, []],
  ])('%s', (_, spec, expected) => expect(jobMessages(spec)).toEqual(expected));
  test.each<[string, Job['status'], string[]]>([
    [
      'more ready than active',
      { active: 1, ready: 2 },
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
    ],
    [
      'failed out of the blue',
      { startTime: '2026-11-21T02:00:00Z', conditions: [{ type: 'Failed', status: 'True' }] },
      ['status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
    ],
    [
      'the same pod twice',
      { uncountedTerminatedPods: { succeeded: ['u'], failed: ['u'] } },
      ['status.uncountedTerminatedPods.failed[0]: Duplicate value: "u"'],
    ],
  ])('whose status says: %s', (_, status, expected) => {
    const job = jobOf({ template: { spec: pod } }, status);
    expect(jobs.validateStatusUpdate!(job, job, undefined as never).map((e) => e.message)).toEqual(expected);
  });
  test('keeps its template', () => {
    const next = jobOf({ template: { spec: { ...pod, containers: [{ name: 'pi', image: 'perl:6' }] } } });
    expect(
      jobs.validateUpdate!(next, jobOf({ template: { spec: pod } }), undefined as never).map((e) => e.field),
    ).toEqual(['spec.template']);
  });
  test('is printed', () => {
    const row = (status: Job['status']): unknown[] =>
      jobs.columns!.slice(0, 5).map((c) => c.cell(jobOf({ template: { spec: pod } }, status), NOW));
    expect(row({ startTime: '2026-11-21T02:58:00Z' })).toEqual(['pi', 'Running', '0/1', '2m', '60m']);
    expect(
      row({
        startTime: '2026-11-21T02:58:00Z',
        completionTime: '2026-11-21T02:58:30Z',
        succeeded: 1,
        conditions: [{ type: 'Complete', status: 'True' }],
      }),
    ).toEqual(['pi', 'Complete', '1/1', '30s', '60m']);
  });
});

describe('a CronJob', () => {
  const jobTemplate = { spec: { template: { spec: pod } } };
  test('gets defaults, its jobs later', () => {
    const { spec } = cronJobOf({ schedule: '* * * * *', jobTemplate });
    expect(spec).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    expect(spec.jobTemplate.spec!.completions).toBeUndefined();
    expect(spec.jobTemplate.spec!.template.spec!.dnsPolicy).toBe('ClusterFirst');
  });
  test.each<[string, Record<string, unknown>, string, string[]]>([
    [
      'with four fields',
      { schedule: '* * * *', jobTemplate },
      'hello',
      ['spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]'],
    ],
    ['without a schedule', { jobTemplate }, 'hello', ['spec.schedule: Required value']],
    [
      'in a zone of another spelling',
      { schedule: '@daily', timeZone: 'europe/berlin', jobTemplate },
      'hello',
      ['spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin'],
    ],
    ['in a zone with an old name', { schedule: '@daily', timeZone: 'Asia/Calcutta', jobTemplate }, 'hello', []],
    [
      'with a zone in it',
      { schedule: 'TZ=UTC * * * * *', jobTemplate },
      'hello',
      [
        'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'with a long name',
      { schedule: '@daily', jobTemplate },
      'a'.repeat(53),
      [`metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`],
    ],
    [
      'with an unknown policy',
      { schedule: '@daily', jobTemplate, concurrencyPolicy: 'Maybe' },
      'hello',
      ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'whose pods restart',
      { schedule: '@daily', jobTemplate: { spec: { template: { spec: { containers: pod.containers } } } } },
      'hello',
      ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
  ])('%s', (_, spec, name, expected) => expect(cronMessages(spec, name)).toEqual(expected));
  test('is printed', () =>
    expect(cronJobs.columns!.map((c) => c.cell(cronJobOf({ schedule: '*/5 * * * *', jobTemplate }), NOW))).toEqual([
      'hello',
      '*/5 * * * *',
      '<none>',
      'False',
      0,
      '<none>',
      '60m',
      'pi',
      'perl:5.34',
      '<none>',
    ]));
});
