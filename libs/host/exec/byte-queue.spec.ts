import { describe, expect, test } from '@jest/globals';
import { ByteQueue } from './byte-queue.js';

const queueOf = (...pieces: string[]): ByteQueue => {
  const queue = new ByteQueue();
  for (const piece of pieces) queue.push(Buffer.from(piece));
  return queue;
};

test('what is pushed is taken, in order', () => {
  const queue = queueOf('a', 'bc', 'x'.repeat(2000), '', 'd');
  expect(queue.length).toBe(2004);
  expect(queue.take(2).toString()).toBe('ab');
  queue.push(Buffer.from('e'));
  expect(queue.take().toString()).toBe(`c${'x'.repeat(2000)}de`);
  expect([queue.length, queue.take().length, queue.take(5).length]).toEqual([0, 0, 0]);
});

test.each([1, 3, 1023, 1024, 4096, 5000])('pieces of %d bytes', (size) => {
  const queue = new ByteQueue();
  const all = Buffer.from(Array.from({ length: 20_000 }, (_, i) => i % 251));
  const taken: Buffer[] = [];
  for (let at = 0; at < all.length; at += size) {
    queue.push(all.subarray(at, at + size));
    if (at % 7 === 0) taken.push(queue.take(size + 5));
  }
  taken.push(queue.take());
  expect(Buffer.concat(taken).equals(all)).toBe(true);
});

describe('what was taken', () => {
  test('is not written over by what comes after', () => {
    const queue = queueOf('abc');
    const first = queue.take();
    queue.push(Buffer.from('xyz'));
    expect([first.toString(), queue.take().toString()]).toEqual(['abc', 'xyz']);
  });
});

test('a flood of single bytes is held in blocks', () => {
  const queue = new ByteQueue();
  for (let i = 0; i < 100_000; i++) queue.push(Buffer.from([i % 256]));
  expect((queue as unknown as { chunks: unknown[] }).chunks.length).toBeLessThan(30);
  expect(queue.take()).toHaveLength(100_000);
});
