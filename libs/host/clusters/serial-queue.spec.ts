import { expect, test } from '@jest/globals';
import { SerialQueue } from './serial-queue.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('functions run one after the other, in order of arrival', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const task = (name: string, ms: number) => async () => {
    order.push(`${name} begins`);
    await sleep(ms);
    order.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([queue.run(task('a', 10)), queue.run(task('b', 0))])).toEqual(['a', 'b']);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a function that throws rejects its own promise only', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(() => {
    throw new Error('broken');
  });
  const next = queue.run(() => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

test('the queue is busy until its last function has ended', async () => {
  const queue = new SerialQueue();
  expect(queue.isBusy).toBe(false);
  const first = queue.run(() => sleep(1));
  const last = queue.run(() => sleep(1));
  await first;
  expect(queue.isBusy).toBe(true);
  await last;
  expect(queue.isBusy).toBe(false);
});
