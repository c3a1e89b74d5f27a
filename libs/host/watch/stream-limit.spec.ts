import { expect, test } from '@jest/globals';
import { FrameStream } from './frame-stream.js';
import { openLimited } from './stream-limit.js';

const open = (): FrameStream => new FrameStream(1_000);

test('streams are counted until they end', async () => {
  const cluster = { streams: 0 };
  const stream = await openLimited(cluster, { clusterStreams: 1 }, open);
  expect(cluster.streams).toBe(1);
  stream.end();
  expect(cluster.streams).toBe(0);
});

test('one stream too many is refused', async () => {
  const cluster = { streams: 2 };
  await expect(openLimited(cluster, { clusterStreams: 2 }, open)).rejects.toMatchObject({
    code: 429,
    message: 'Too many requests, please try again later.',
  });
  expect(cluster.streams).toBe(2);
});

test('a stream that cannot be opened is not counted', async () => {
  const cluster = { streams: 0 };
  const broken = () => Promise.reject(new Error('broken'));
  await expect(openLimited(cluster, { clusterStreams: 1 }, broken)).rejects.toThrow('broken');
  expect(cluster.streams).toBe(0);
});
