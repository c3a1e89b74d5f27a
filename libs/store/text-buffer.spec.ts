import { expect, test } from '@jest/globals';
import { TextBuffer } from './text-buffer.js';

test.each<[string, string[]]>([
  ['nothing', []],
  ['pieces', ['[', '{"a":1}', ']']],
  ['text beyond ASCII', ['Grüße ', '🌱', '\ud800']],
  ['more than it has room for at first', ['x'.repeat(100_000), 'ü'.repeat(100_000), 'end']],
])('holds %s', (_name, pieces) => {
  const buffer = new TextBuffer(1_000_000);
  const sizes = pieces.map((piece) => buffer.append(piece));
  expect(sizes).toEqual(pieces.map((piece) => Buffer.byteLength(piece)));
  expect(buffer.view().equals(Buffer.from(pieces.join('')))).toBe(true);
  expect(buffer.length).toBe(Buffer.byteLength(pieces.join('')));
});

test.each([100, 1_000_000])('begins anew after clear(): %i bytes are kept at most', (keptBytes) => {
  const buffer = new TextBuffer(keptBytes);
  buffer.append('x'.repeat(200_000));
  buffer.clear();
  buffer.append('next');
  expect(buffer.view().toString()).toBe('next');
});
