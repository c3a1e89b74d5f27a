import { describe, expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { CronJob } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { CronJobs, Jobs, Pods } from '../../kinds/index.js';
import { timestamp } from '../../machinery/time/time.js';
import { controller as job } from '../job/controller.js';
import { controller } from './controller.js';

const HOUR = seconds(3600);
const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

const newBed = () => new ControllerBed({ controllers: [controller, job] });

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox' }] } };

/** A CronJob 'tick' that starts a Job each minute, unless the spec says otherwise. */
function createCronJob(bed: ControllerBed, spec: Partial<CronJob['spec']> = {}): void {
  bed.create(CronJobs, 'tick', {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template } }, ...spec },
    status: {},
  });
}
function change(bed: ControllerBed, spec: Partial<CronJob['spec']>): void {
  const tick = bed.get(CronJobs, 'tick');
  bed.client.update(CronJobs, { ...tick, spec: { ...tick.spec, ...spec } });
}
const running = (bed: ControllerBed): Pod[] => bed.client.list(Pods).filter((p) => p.status.phase === 'Running');
const endAll = (bed: ControllerBed, phase: 'Succeeded' | 'Failed'): void => {
  for (const pod of running(bed)) bed.finish(pod, phase);
  bed.settle(seconds(1));
};
const scheduled = (bed: ControllerBed): (string | undefined)[] =>
  bed.client.list(Jobs).map((j) => j.metadata.annotations?.[SCHEDULED_AT]);

describe('a CronJob', () => {
  it('starts a job each minute, and keeps the last three', () => {
    const bed = newBed();
    createCronJob(bed);
    for (let minute = 0; minute < 5; minute++) {
      bed.settle(seconds(61));
      endAll(bed, 'Succeeded');
    }
    const first = Date.UTC(2026, 0, 1) / 60_000;
    expect(names(bed.client.list(Jobs))).toEqual([3, 4, 5].map((n) => `tick-${first + n}`));
    const { status } = bed.get(CronJobs, 'tick');
    expect(status).toEqual({ lastScheduleTime: '2026-01-01T00:05:00Z', lastSuccessfulTime: expect.any(String) });
    expect(bed.events('SawCompletedJob')[0]).toBe(
      `SawCompletedJob Saw completed job: tick-${first + 1}, condition: Complete`,
    );
    expect(bed.errors).toEqual([]);
  });

  it('with Forbid waits for the running job', () => {
    const bed = newBed();
    createCronJob(bed, { concurrencyPolicy: 'Forbid' });
    bed.settle(seconds(150));
    expect(bed.client.list(Jobs)).toHaveLength(1);
    expect(bed.events('JobAlreadyActive')).toHaveLength(1);
  });

  it('on a day that never comes says so, once', () => {
    const bed = newBed();
    createCronJob(bed, { schedule: '0 0 30 2 *' });
    bed.settle(seconds(150));
    expect(bed.events()).toEqual([
      'InvalidSchedule invalid schedule: 0 0 30 2 * : time difference between two schedules is less than 1 second',
    ]);
  });

  it('that is suspended starts none, and then only the latest that it has missed', () => {
    const bed = newBed();
    createCronJob(bed, { suspend: true });
    bed.settle(seconds(300));
    expect(bed.client.list(Jobs)).toEqual([]);
    change(bed, { suspend: false });
    bed.settle();
    expect(scheduled(bed)).toEqual(['2026-01-01T00:05:00Z']);
  });

  it('with Replace deletes the running job', () => {
    const bed = newBed();
    createCronJob(bed, { concurrencyPolicy: 'Replace' });
    bed.settle(seconds(61));
    const [first] = names(bed.client.list(Jobs));
    bed.settle(seconds(60));
    expect(scheduled(bed)).toEqual(['2026-01-01T00:02:00Z']);
    expect(bed.events('SuccessfulDelete')).toEqual([`SuccessfulDelete Deleted job ${first}`]);
    expect(bed.get(CronJobs, 'tick').status.active).toHaveLength(1);
  });

  it('keeps one failed job, unless it says otherwise', () => {
    const bed = newBed();
    createCronJob(bed, { jobTemplate: { spec: { template, backoffLimit: 0 } } });
    for (let minute = 0; minute < 3; minute++) {
      bed.settle(seconds(61));
      endAll(bed, 'Failed');
    }
    expect(scheduled(bed)).toEqual(['2026-01-01T00:03:00Z']);
    expect(bed.events('SawCompletedJob')[0]).toMatch(
      /^SawCompletedJob Saw completed job: tick-\d+, condition: Failed$/,
    );
  });

  it('does not start a job whose deadline has passed', () => {
    const bed = newBed();
    createCronJob(bed, { schedule: '0 * * * *', suspend: true, startingDeadlineSeconds: 100 });
    bed.settle(HOUR + seconds(99));
    change(bed, { suspend: false });
    bed.settle();
    expect(scheduled(bed)).toEqual(['2026-01-01T01:00:00Z']);
    change(bed, { suspend: true });
    bed.settle(HOUR + seconds(10));
    change(bed, { suspend: false });
    bed.settle();
    expect(bed.client.list(Jobs)).toHaveLength(1);
  });

  it('says when it has missed more than a hundred starts', () => {
    const bed = newBed();
    createCronJob(bed, { suspend: true });
    bed.settle(seconds(101 * 60));
    change(bed, { suspend: false });
    bed.settle();
    expect(scheduled(bed)).toEqual(['2026-01-01T01:41:00Z']);
    expect(bed.events('TooManyMissedTimes')).toEqual([
      'TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    ]);
  });

  it('notices that somebody has deleted its job', () => {
    const bed = newBed();
    createCronJob(bed);
    bed.settle(seconds(61));
    const [name] = names(bed.client.list(Jobs));
    bed.client.delete(Jobs, { namespace: 'default', name: name! }, { propagationPolicy: 'Background' });
    bed.settle();
    expect(bed.events('MissingJob')).toEqual([`MissingJob Active job went missing: ${name}`]);
    expect(bed.get(CronJobs, 'tick').status.active).toBeUndefined();
  });
});

describe('the time zone of a schedule', () => {
  test.each([
    ['Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T09:00:00+02:00', '2026-03-30T09:00:00+02:00']],
    ['Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T09:00:00+01:00', '2026-10-26T09:00:00+01:00']],
    ['America/New_York', '2026-03-07T15:00:00Z', ['2026-03-08T09:00:00-04:00', '2026-03-09T09:00:00-04:00']],
    ['Asia/Kolkata', '2026-01-01T12:00:00Z', ['2026-01-02T09:00:00+05:30', '2026-01-03T09:00:00+05:30']],
    ['Australia/Lord_Howe', '2026-04-05T00:00:00Z', ['2026-04-06T09:00:00+10:30', '2026-04-07T09:00:00+10:30']],
    ['Europe/London', '2026-01-01T12:00:00Z', ['2026-01-02T09:00:00Z', '2026-01-03T09:00:00Z']],
  ])('%s: nine in the morning after %s', (timeZone, from, expected) => {
    const bed = newBed();
    bed.settle(Date.parse(from) - bed.state.now);
    createCronJob(bed, { schedule: '0 9 * * *', timeZone });
    for (const at of expected) {
      bed.settle(Date.parse(at) + seconds(1) - bed.state.now);
      expect(bed.get(CronJobs, 'tick').status.lastScheduleTime).toBe(timestamp(Date.parse(at)));
      endAll(bed, 'Succeeded');
    }
    expect(scheduled(bed)).toEqual(expected);
    expect(names(bed.client.list(Jobs))).toEqual(expected.map((at) => `tick-${Date.parse(at) / 60_000}`));
    expect(bed.errors).toEqual([]);
  });

  test('an hour that clocks show twice has two jobs', () => {
    const bed = newBed();
    bed.settle(Date.parse('2026-10-25T00:00:00Z') - bed.state.now);
    createCronJob(bed, { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' });
    for (let hour = 0; hour < 3; hour++) {
      bed.settle(HOUR);
      endAll(bed, 'Succeeded');
    }
    expect(scheduled(bed)).toEqual(['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00']);
  });
});
