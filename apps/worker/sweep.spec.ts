import { expect, test } from '@jest/globals';
import { startSweep } from './sweep.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sweeps for `ms`; `overdue` answers the store's queries, one after the other. */
async function sweepFor(ms: number, ...overdue: (() => string[])[]) {
  const seen = { limits: [] as number[], lateMs: [] as number[], tasks: [] as string[], errors: [] as string[] };
  const store = {
    overdue: async (before: number, limit: number) => {
      seen.limits.push(limit);
      seen.lateMs.push(Date.now() - before);
      return overdue.shift()?.() ?? [];
    },
  };
  const stop = startSweep({
    store,
    tasks: { advance: (cluster) => void seen.tasks.push(cluster) },
    onError: (error) => void seen.errors.push(String(error)),
  });
  if (ms > 0) await sleep(ms);
  stop();
  return seen;
}

test('clusters whose task is late get another, at once after the start', async () => {
  const { limits, lateMs, tasks } = await sweepFor(50, () => ['a', 'b']);
  expect([limits, tasks]).toEqual([[500], ['a', 'b']]);
  expect(lateMs[0]).toBeGreaterThanOrEqual(1_500);
  expect(lateMs[0]).toBeLessThan(1_600);
});

test('a sweep that fails is reported, and the next one comes', async () => {
  const broken = () => {
    throw new Error('connection refused');
  };
  const { errors, tasks } = await sweepFor(2_300, broken, () => ['a']);
  expect([errors, tasks]).toEqual([['Error: connection refused'], ['a']]);
});

test('nothing is swept once it is stopped', async () => {
  const seen = await sweepFor(0, () => ['a']);
  await sleep(20);
  expect(seen.tasks).toEqual([]);
});
