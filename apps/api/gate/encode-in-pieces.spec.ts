import { expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { encodeInPieces, PIECE_CHARACTERS } from './encode-in-pieces.js';

test.each([
  ['nothing', '', 0],
  ['a short text', 'ä', 1],
  ['a text of several pieces', 'x'.repeat(2 * PIECE_CHARACTERS + 1), 3],
  ['a pair of surrogates between two pieces', `${'x'.repeat(PIECE_CHARACTERS - 1)}😀y`, 2],
])('%s', async (_, text, pieces) => {
  let turns = 0;
  const bytes = await buffer(
    encodeInPieces([text], async () => {
      turns++;
    }),
  );
  expect([bytes.equals(Buffer.from(text)), turns]).toEqual([true, pieces]);
});

test('many short texts share their turns', async () => {
  const texts = Array.from({ length: 40 }, (_, i) => String(i % 10).repeat(PIECE_CHARACTERS / 16));
  let turns = 0;
  const bytes = await buffer(encodeInPieces(texts, async () => void turns++));
  expect([bytes.equals(Buffer.from(texts.join(''))), turns]).toEqual([true, 3]);
});
