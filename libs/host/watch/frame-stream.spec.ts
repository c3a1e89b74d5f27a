import { expect, test } from '@jest/globals';
import { FrameStream } from './frame-stream.js';

const FRAME = 'x'.repeat(100_000);

test('an initial state beyond what may wait is read in pieces, before what came later', async () => {
  const stream = new FrameStream(150_000);
  stream.writeInitial(Array.from({ length: 10 }, () => FRAME));
  expect(stream.write(['later'])).toBe(true);
  stream.end();
  const pieces: number[] = [];
  for await (const piece of stream) pieces.push(piece.length);
  expect(pieces).toEqual([300_000, 300_000, 300_000, 100_000, 5]);
});

test('a reader that lets more pile up is cut off, and gets nothing more', async () => {
  const stream = new FrameStream(150_000);
  stream.writeInitial([FRAME]);
  expect([stream.write([FRAME]), stream.write([FRAME]), stream.hasEnded]).toEqual([true, false, true]);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('it is drained when the initial state has been taken too', async () => {
  const stream = new FrameStream(150_000);
  stream.writeInitial([FRAME, FRAME, FRAME, FRAME]);
  let drained = false;
  void stream.waitUntilDrained().then(() => (drained = true));
  await stream.next();
  expect(drained).toBe(false);
  await stream.next();
  await Promise.resolve();
  expect(drained).toBe(true);
});

test('initial frames are taken as the reader reads them', async () => {
  const taken: number[] = [];
  function* frames(): Iterable<string> {
    for (let i = 0; i < 10; i++) {
      taken.push(i);
      yield String(i).repeat(200 * 1024);
    }
  }
  const stream = new FrameStream(1_000);
  stream.writeInitial(frames());
  expect(taken).toEqual([0]);
  const first = await stream.next();
  expect([(first.value as string).length, taken]).toEqual([400 * 1024, [0, 1, 2]]);
  let length = 400 * 1024;
  for (let i = 0; i < 4; i++) length += ((await stream.next()).value as string).length;
  expect(length).toBe(2_000 * 1024);
  await stream.return();
  expect(taken).toHaveLength(10);
});

test('what has gathered is read in chunks too', async () => {
  const stream = new FrameStream(10_000_000);
  stream.write(Array.from({ length: 10 }, () => FRAME));
  stream.end();
  const pieces: number[] = [];
  for await (const piece of stream) pieces.push(piece.length);
  expect(pieces).toEqual([300_000, 300_000, 300_000, 100_000]);
});
