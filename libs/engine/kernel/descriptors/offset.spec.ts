import { expect, test } from '@jest/globals';
import { FileTree } from '../files/tree.js';
import type { SeekFrom } from '../process/syscalls.js';
import type { State } from '../state.js';
import type { Description } from './description.js';
import { seek, truncate } from './offset.js';

const stateWith = (tree: FileTree): State => ({ now: 7, trees: new Map([['t', tree]]) }) as unknown as State;
const treeWith = (content: string): FileTree =>
  new FileTree('t', { '/f': { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content } });
const open = (tree: FileTree, more: object = {}): Description =>
  ({ type: 'file', tree: 't', key: tree.find(tree.root, 'f')!, offset: 2, write: true, ...more }) as never;

test.each<[object, number, SeekFrom, number | string]>([
  [{}, 4, 'start', 4],
  [{}, 4, 'current', 6],
  [{}, -1, 'end', 4],
  [{}, 9, 'end', 14],
  [{}, -3, 'current', 'EINVAL'],
  [{ type: 'computed', content: 'abc' }, 0, 'end', 3],
  [{ type: 'device' }, 9, 'start', 0],
  [{ type: 'pipe' }, 0, 'start', 'ESPIPE'],
  [{ tree: 'other' }, 0, 'end', 'EIO'],
])('%j is sought by %d from the %s: %s', (more, offset, from, expected) => {
  const tree = treeWith('hello');
  const act = (): number => seek(stateWith(tree), open(tree, more), offset, from);
  if (typeof expected === 'string') expect(act).toThrow(expect.objectContaining({ code: expected }));
  else expect(act()).toBe(expected);
});

test.each<[object, number, number | string]>([
  [{}, 2, 2],
  [{}, 9, 9],
  [{}, -1, 'EINVAL'],
  [{ write: false }, 2, 'EINVAL'],
  [{ type: 'pipe' }, 2, 'EINVAL'],
])('%j is truncated to %d: %s', (more, length, expected) => {
  const tree = treeWith('hello');
  const act = (): void => truncate(stateWith(tree), open(tree, more), length);
  if (typeof expected === 'string') return expect(act).toThrow(expect.objectContaining({ code: expected }));
  act();
  expect(tree.size(tree.find(tree.root, 'f')!)).toBe(expected);
});
