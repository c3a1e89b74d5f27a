import { expect, test } from '@jest/globals';
import type { FileNode } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { findHostPathProblem } from './host-path-type.js';

const node = (type: FileNode['type'], more: Partial<FileNode> = {}): FileNode => ({
  type,
  mode: 0o755,
  user: 0,
  group: 0,
  modified: 0,
  ...more,
});
const disk = new FileTree('node/worker-1', {
  '/data': node('directory'),
  '/data/file': node('file', { content: 'x' }),
  '/data/link': node('link', { target: '/data' }),
  '/data/loop': node('link', { target: 'loop' }),
  '/data/sock': node('socket'),
  '/data/null': node('char'),
});

test.each([
  ['', '/nothing', undefined],
  ['Directory', '/data/', undefined],
  ['Directory', '/data/link', undefined],
  ['Directory', '/nothing', 'a directory'],
  ['Directory', '/data/file', 'a directory'],
  ['Directory', '/data/loop', 'a directory'],
  ['DirectoryOrCreate', '/nothing', undefined],
  ['DirectoryOrCreate', '/data/file', 'a directory'],
  ['File', '/data/file', undefined],
  ['File', '/data', 'a file'],
  ['FileOrCreate', '/data/new', undefined],
  ['FileOrCreate', '/data', 'a file'],
  ['Socket', '/data/sock', undefined],
  ['Socket', '/var/run/docker.sock', 'a socket file'],
  ['CharDevice', '/data/null', undefined],
  ['CharDevice', '/data', 'a character device'],
  ['BlockDevice', '/data/null', 'a block device'],
])('type %j of %s: %s', (type, path, words) => {
  const problem = words && `hostPath type check failed: ${path} is not ${words}`;
  expect(findHostPathProblem({ type, path }, disk)).toBe(problem);
});
