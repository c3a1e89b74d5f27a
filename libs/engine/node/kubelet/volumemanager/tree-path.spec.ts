import { expect, test } from '@jest/globals';
import type { FileNode } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { resolveInTree } from './tree-path.js';

const made = { mode: 0o755, user: 0, group: 0, modified: 0 };
const link = (target: string): FileNode => ({ type: 'link', target, ...made });
const tree = new FileTree('t', {
  '/a': { type: 'directory', ...made },
  '/a/f': { type: 'file', content: 'x', ...made },
  '/up': link('../../a'),
  '/whole': link('/a/f'),
  '/loop': link('loop'),
});

test.each([
  ['/a/f', true],
  ['a/./f', true],
  ['a/../a/f', true],
  ['../../a/f', true],
  ['up/f', true],
  ['whole', true],
  ['loop', false],
  ['a/none', false],
])('%s leads somewhere: %s', (path, expected) => expect(resolveInTree(tree, path) !== undefined).toBe(expected));
