import { describe, expect, test } from '@jest/globals';
import type { CronJob } from '../../api/batch_v1.js';
import { parseSchedule } from '../../machinery/time/cron.js';
import type { Schedule } from '../../machinery/time/cron-schedule.js';
import { timestamp } from '../../machinery/time/time.js';
import { mostRecentScheduleTime, nextScheduleTimeDuration } from './schedule.js';

const NOW = Date.parse('2026-01-02T12:30:00Z');
const schedule = (text: string): Schedule => parseSchedule(text) as Schedule;

describe('the most recent time that was missed', () => {
  test.each<[string, string, string, number | undefined, string | undefined, boolean]>([
    ['none yet', '0 * * * *', '2026-01-02T12:00:00Z', undefined, undefined, false],
    ['one', '0 * * * *', '2026-01-02T11:59:59Z', undefined, '2026-01-02T12:00:00Z', false],
    ['the latest of some', '0 * * * *', '2026-01-02T07:00:00Z', undefined, '2026-01-02T12:00:00Z', false],
    ['the present one', '30 * * * *', '2026-01-02T11:30:00Z', undefined, '2026-01-02T12:30:00Z', false],
    ['a hundred', '* * * * *', '2026-01-02T10:50:00Z', undefined, '2026-01-02T12:30:00Z', false],
    ['more than a hundred', '* * * * *', '2026-01-02T10:49:00Z', undefined, '2026-01-02T12:30:00Z', true],
    ['a year of minutes', '* * * * *', '2025-01-02T00:00:00Z', undefined, '2026-01-02T12:30:00Z', true],
    ['one within the deadline', '0 * * * *', '2026-01-01T00:00:00Z', 1801, '2026-01-02T12:00:00Z', false],
    ['none within the deadline', '0 * * * *', '2026-01-01T00:00:00Z', 1800, undefined, false],
  ])('%s: %s since %s', (_, text, since, startingDeadlineSeconds, latest, tooMany) => {
    const cronJob = {
      metadata: { creationTimestamp: '2024-01-01T00:00:00Z' },
      spec: { startingDeadlineSeconds },
    } as CronJob;
    const missed = mostRecentScheduleTime(cronJob, { lastScheduleTime: since }, schedule(text), NOW);
    expect([missed.latest === undefined ? undefined : timestamp(missed.latest), missed.tooMany]).toEqual([
      latest,
      tooMany,
    ]);
  });
});

describe('the time until the next start, and a tenth of a second more', () => {
  test.each([
    ['0 * * * *', '2026-01-02T12:00:00Z', 1_800_100],
    ['30 * * * *', '2026-01-02T12:30:00Z', 3_600_100],
    ['@every 1h', '2026-01-02T12:20:00Z', 3_000_100],
    ['0 0 30 2 *', '2026-01-02T12:20:00Z', undefined],
  ])('%s after %s', (text, last, span) =>
    expect(nextScheduleTimeDuration(schedule(text), NOW, Date.parse(last))).toBe(span),
  );
});
