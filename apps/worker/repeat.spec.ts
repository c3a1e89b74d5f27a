import { expect, test } from '@jest/globals';
import { repeat } from './repeat.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('work runs at once, and again after as long as it says, or a quarter less', async () => {
  const at: number[] = [];
  const stop = repeat(async () => {
    at.push(performance.now());
    return at.length === 1 ? 200 : 60_000;
  });
  await sleep(100);
  expect(at).toHaveLength(1);
  await sleep(500);
  await stop();
  expect(at).toHaveLength(2);
  expect(at[1]! - at[0]!).toBeGreaterThan(145);
});

test('what is stopped before it has begun never runs', async () => {
  let runs = 0;
  await repeat(async () => ++runs)();
  await sleep(20);
  expect(runs).toBe(0);
});

test('what is stopped while it runs comes to its end, and does not run again', async () => {
  const events: string[] = [];
  const stop = repeat(async () => {
    events.push('begin');
    await sleep(30);
    events.push('end');
    return 1;
  });
  await sleep(10);
  await stop();
  events.push('stopped');
  await sleep(50);
  expect(events).toEqual(['begin', 'end', 'stopped']);
});
