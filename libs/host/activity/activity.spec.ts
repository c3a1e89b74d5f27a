import { afterEach, expect, jest, test } from '@jest/globals';
import { Activity, type ActivityBatch } from './activity.js';
import type { ActivityChannel } from './activity-channel.js';
import { ActivityStream } from './activity-stream.js';

const BATCH_MS = 100;
const key = { namespace: 'shop', name: 'web' };
let clock = 0;

/** Messages among activities of one process, by value. */
function newChannels(maxLength = 7_900): { channel: () => ActivityChannel; sent: string[] } {
  const listeners: ((message: string) => void)[] = [];
  const sent: string[] = [];
  const channel = (): ActivityChannel => ({
    maxLength,
    publish: (message) => {
      sent.push(message);
      for (const listener of listeners) listener(message);
    },
    listen: (listener) => void listeners.push(listener),
    close: () => undefined,
  });
  return { channel, sent };
}

const silent = { started: () => undefined, finished: () => undefined };
const opened: Activity[] = [];
const open = (channel: ActivityChannel): Activity => {
  const activity = new Activity(channel, () => clock);
  opened.push(activity);
  return activity;
};
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  jest.useRealTimers();
});

test('reconciles reach who has subscribed to their cluster, and nobody else', () => {
  jest.useFakeTimers();
  const { channel } = newChannels();
  const [worker, api] = [open(channel()), open(channel())];
  const heard: ActivityBatch[] = [];
  const others: ActivityBatch[] = [];
  api.subscribe('one', (batch) => heard.push(batch));
  api.subscribe('two', (batch) => others.push(batch));
  const observer = worker.observe('one', silent);
  observer.started('deployment', key, 3, 1_000);
  observer.finished('deployment', 'requeue', 2, 500);
  jest.advanceTimersByTime(BATCH_MS);
  expect(heard).toMatchObject([
    {
      dropped: 0,
      reconciles: [
        { controller: 'deployment', ...key, at: 1_000, queued: 3, writes: 2, outcome: 'requeue', requeueAfter: 500 },
      ],
    },
  ]);
  expect(others).toEqual([]);
});

test('nothing is told while nobody listens, nor after a subscriber is gone for a while', () => {
  jest.useFakeTimers();
  clock = 0;
  const { channel, sent } = newChannels();
  const [worker, api] = [open(channel()), open(channel())];
  const observer = worker.observe('one', silent);
  const run = (): void => {
    observer.started('job', key, 0, 1);
    observer.finished('job', 'ok', 0, undefined);
    jest.advanceTimersByTime(BATCH_MS);
  };
  run();
  expect(sent).toEqual([]);
  const leave = api.subscribe('one', () => undefined);
  run();
  expect(sent).toHaveLength(2);
  leave();
  clock = 15_000;
  run();
  expect(sent).toHaveLength(2);
});

test('a busy cluster is cut off, in messages that fit, and what is left out is counted', () => {
  jest.useFakeTimers();
  const { channel, sent } = newChannels(1_000);
  const [worker, api] = [open(channel()), open(channel())];
  const heard: ActivityBatch[] = [];
  api.subscribe('one', (batch) => heard.push(batch));
  const observer = worker.observe('one', silent);
  for (let i = 0; i < 250; i++) {
    observer.started('pod', { ...key, name: `web-${i}` }, 0, 1);
    observer.finished('pod', 'ok', 0, undefined);
  }
  jest.advanceTimersByTime(BATCH_MS);
  expect(heard.flatMap(({ reconciles }) => reconciles)).toHaveLength(200);
  expect(heard.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(50);
  expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
});

test('the inner observer hears everything', () => {
  const { channel } = newChannels();
  const inner = { started: jest.fn(), finished: jest.fn() };
  const observer = open(channel()).observe('one', inner);
  observer.started('pod', key, 1, 2);
  observer.finished('pod', 'error', 3, 4);
  expect(inner.started).toHaveBeenCalledWith('pod', key, 1, 2);
  expect(inner.finished).toHaveBeenCalledWith('pod', 'error', 3, 4);
});

test('a slow reader hears the latest, and how much was dropped', async () => {
  let tell: (batch: ActivityBatch) => void = () => undefined;
  let left = false;
  const stream = new ActivityStream((listener) => {
    tell = listener;
    return () => (left = true);
  });
  const one = (at: number) => ({
    ...{ controller: 'a', ...key, duration: 0, queued: 0, writes: 0 },
    outcome: 'ok' as const,
    at,
  });
  for (let i = 0; i < 1_200; i++) tell({ reconciles: [one(i)], dropped: 0 });
  const { value } = (await stream.next()) as { value: ActivityBatch };
  expect([value.reconciles.length, value.reconciles[0]!.at, value.dropped]).toEqual([1_000, 200, 200]);
  const waiting = stream.next();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(left).toBe(true);
});
