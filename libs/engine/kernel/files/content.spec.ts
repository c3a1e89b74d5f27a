import { describe, expect, test } from '@jest/globals';
import { readContent, truncateContent, writeContent } from './content.js';
import type { FileNode } from './file.js';
import { sizeOf } from './file-system.js';

const file = (content: string, size?: number): FileNode => ({
  type: 'file',
  mode: 0o644,
  user: 0,
  group: 0,
  modified: 0,
  content,
  size,
});

const MIB = 1024 * 1024;

/** All bytes of a file, zeros as dots. */
const show = (node: FileNode): string => readContent(node, 0, 100).replaceAll('\0', '.');

test.each<[string, FileNode, number, string, string, number]>([
  ['at the end', file('abc'), 3, 'de', 'abcde', 5],
  ['in the middle', file('abcde'), 1, 'XY', 'aXYde', 5],
  ['over the end', file('abc'), 2, 'XYZ', 'abXYZ', 5],
  ['behind a hole', file('a'), 3, 'b', 'a..b', 4],
  ['zeros at the end', file('a'), 1, '\0\0', 'a..', 1],
  ['zeros in the middle', file('abcd'), 1, '\0\0', 'a..d', 4],
  ['into zeros', file('', 4), 1, 'x', '.x..', 2],
])('a write %s', (_, node, offset, bytes, expected, kept) => {
  const next = { ...node, ...writeContent(node, offset, bytes) };
  expect([show(next), next.content!.length]).toEqual([expected, kept]);
});

test.each<[FileNode, number, string, number]>([
  [file('abc'), 2, 'ab', 2],
  [file('abc'), 5, 'abc..', 5],
  [file('', 9), 3, '...', 3],
])('truncation of %j to %i', (node, length, expected, size) => {
  const next = { ...node, ...truncateContent(node, length) };
  expect([show(next), sizeOf(next)]).toEqual([expected, size]);
});

test.each<[FileNode, number, number, string]>([
  [file('abc'), 1, 1, 'b'],
  [file('abc'), 2, 10, 'c'],
  [file('abc'), 3, 10, ''],
  [file('a', 3), 0, 10, 'a\0\0'],
])('of %j from %i at most %i bytes are %j', (node, offset, max, bytes) => {
  expect(readContent(node, offset, max)).toBe(bytes);
});

describe('a large file', () => {
  const PIECE = 64 * 1024;
  const letters = (length: number): string => 'abcdefghijklmnopqrstuvwxyz'.repeat(length / 26 + 1).slice(0, length);

  test.each<[string, number, number, number]>([
    ['at its end', 3 * PIECE - 5, 3 * PIECE - 5, 10],
    ['at the end of a whole piece', 2 * PIECE, 2 * PIECE, PIECE + 1],
    ['in the middle of a piece', 3 * PIECE, PIECE + 7, 20],
    ['over three pieces', 4 * PIECE, PIECE - 1, PIECE + 2],
    ['over the end', 2 * PIECE + 3, PIECE + 1, 2 * PIECE],
    ['of another that was small', PIECE - 1, PIECE - 3, 9],
    ['behind a hole', PIECE + 1, 3 * PIECE, 1],
  ])('is written to %s as a small one is', (_, length, offset, count) => {
    const before = { ...file(''), ...writeContent(file(''), 0, letters(length)) };
    const bytes = 'X'.repeat(count);
    const next = { ...before, ...writeContent(before, offset, bytes) };
    const all = letters(length).padEnd(offset, '\0');
    const expected = all.slice(0, offset) + bytes + all.slice(offset + count);
    expect(readContent(next, 0, 1e9) === expected).toBe(true);
    expect(next.pieces!.slice(0, -1).every((piece) => piece.length === PIECE)).toBe(true);
    expect(readContent(next, PIECE - 2, 5)).toBe(expected.slice(PIECE - 2, PIECE + 3));
    expect(sizeOf(next)).toBe(expected.length);
    const untouched = before.pieces?.[0] === letters(PIECE) && offset >= PIECE;
    if (untouched) expect(next.pieces![0]).toBe(before.pieces![0]);
  });

  test.each([0, 9, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 5, 4 * PIECE])('is cut to %i bytes', (length) => {
    const before = { ...file(''), ...writeContent(file(''), 0, letters(3 * PIECE)) };
    const next = { ...before, ...truncateContent(before, length) };
    expect(
      readContent(next, 0, 1e9) ===
        letters(3 * PIECE)
          .slice(0, length)
          .padEnd(length, '\0'),
    ).toBe(true);
    expect(next.pieces === undefined).toBe(length <= PIECE);
  });
});

test('a hole of any size would cost its bytes: EFBIG', () => {
  expect(() => writeContent(file(''), 65 * MIB, 'x')).toThrow('File too large');
  expect(() => truncateContent(file(''), 2 ** 45)).toThrow('File too large');
});
