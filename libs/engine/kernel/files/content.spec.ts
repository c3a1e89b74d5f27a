import { expect, test } from '@jest/globals';
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

test('a hole of any size would cost its bytes: EFBIG', () => {
  expect(() => writeContent(file(''), 65 * MIB, 'x')).toThrow('File too large');
  expect(() => truncateContent(file(''), 2 ** 45)).toThrow('File too large');
});
