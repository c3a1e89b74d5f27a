import { expect, test } from '@jest/globals';
import { joinFrames, joinInChunks } from './frames.js';

test.each([
  ['no frames', [], []],
  ['short frames are one', [10, 20], [30]],
  ['what is beyond 256 KiB is the next one', [200_000, 200_000, 200_000, 1], [400_000, 200_001]],
  ['a large frame stands alone', [1_000_000, 1_000_000, 5], [1_000_000, 1_000_000, 5]],
])('%s', (_, lengths: readonly number[], expected) => {
  const frames = lengths.map((length) => 'x'.repeat(length));
  const chunks = joinInChunks(frames);
  expect(chunks.map(({ length }) => length)).toEqual(expected);
});

test('frames of bytes and texts are joined as bytes', () =>
  expect(joinFrames(['ä', Buffer.from('b')])).toEqual(Buffer.from('äb')));
