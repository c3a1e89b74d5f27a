import { expect, test } from '@jest/globals';
import type { FileNode } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { TreeDisk } from './disk.js';

const owner = { user: 0, group: 0, modified: 0 };
const file = (content: string): FileNode => ({ type: 'file', mode: 0o600, ...owner, content });
const link = (target: string): FileNode => ({ type: 'link', mode: 0o777, ...owner, target });
const disk = new TreeDisk(
  new FileTree('node/a', {
    '/etc/b': file('b'),
    '/etc/a': file('a'),
    '/bin': link('usr/bin'),
    '/usr/bin/tool': file('tool'),
    '/usr/bin/same': link('/etc/../bin/tool'),
    '/loop': link('loop'),
  }),
);

test.each([
  ['/etc/a', 'a'],
  ['/bin/tool', 'tool'],
  ['/bin/same', 'tool'],
  ['/../etc/./b', 'b'],
  ['/etc', undefined],
  ['/loop', undefined],
  ['/none/a', undefined],
  ['/etc/a/b', undefined],
])('%s holds %j', (path, expected) => {
  expect(disk.read(path)).toBe(expected);
  expect(disk.has(path)).toBe(expected !== undefined);
});

test.each([
  ['/etc', ['a', 'b']],
  ['/bin', ['same', 'tool']],
  ['/etc/a', []],
  ['/none', []],
])('%s lists %j', (path, expected) => expect(disk.list(path)).toEqual(expected));
