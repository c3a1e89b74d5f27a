import { expect, jest, test } from '@jest/globals';
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
  await stop();
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

test('while nothing is overdue, sweeps become rarer', async () => {
  jest.useFakeTimers();
  const sweptAt: number[] = [];
  const store = { overdue: async () => (sweptAt.push(Date.now()), []) };
  const stop = startSweep({ store, tasks: { advance: () => undefined }, onError: () => undefined });
  await jest.advanceTimersByTimeAsync(60_000);
  const waits = sweptAt.slice(1).map((at, i) => at - sweptAt[i]!);
  expect(waits[0]).toBeLessThanOrEqual(4_000);
  for (const wait of waits.slice(1)) expect(wait).toBeGreaterThanOrEqual(6_000);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(8_000);
  await stop();
  jest.useRealTimers();
});

test('a sweep that is under way when it is stopped is the last one', async () => {
  jest.useFakeTimers();
  let answer: (overdue: string[]) => void = () => undefined;
  const overdue = jest.fn(() => new Promise<string[]>((resolve) => (answer = resolve)));
  const stop = startSweep({ store: { overdue }, tasks: { advance: () => undefined }, onError: () => undefined });
  await jest.advanceTimersByTimeAsync(1);
  const stopped = stop();
  answer([]);
  await stopped;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(overdue).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('nothing is swept once it is stopped', async () => {
  const seen = await sweepFor(0, () => ['a']);
  await sleep(20);
  expect(seen.tasks).toEqual([]);
});
