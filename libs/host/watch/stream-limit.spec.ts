import { expect, test } from '@jest/globals';
import { LIMITS } from '../limits.js';
import { Metrics } from '../metrics.js';
import { FrameStream } from './frame-stream.js';
import { openLimited } from './stream-limit.js';

const open = (): FrameStream => new FrameStream(1_000);
const contextWith = (clusterStreams: number) => ({ limits: { ...LIMITS, clusterStreams }, metrics: new Metrics() });

test('streams are counted until they end', async () => {
  const cluster = { streams: 0 };
  const stream = await openLimited(cluster, contextWith(1), open);
  expect(cluster.streams).toBe(1);
  stream.end();
  expect(cluster.streams).toBe(0);
});

test('one stream too many is refused', async () => {
  const cluster = { streams: 2 };
  const context = contextWith(2);
  await expect(openLimited(cluster, context, open)).rejects.toMatchObject({
    code: 429,
    message: 'Too many requests, please try again later.',
  });
  expect([cluster.streams, ...context.metrics.refusals()]).toEqual([2, ['streams', 1]]);
});

test('a stream that cannot be opened is not counted', async () => {
  const cluster = { streams: 0 };
  const broken = () => Promise.reject(new Error('broken'));
  await expect(openLimited(cluster, contextWith(1), broken)).rejects.toThrow('broken');
  expect(cluster.streams).toBe(0);
});
