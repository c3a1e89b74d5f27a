import { expect, test } from '@jest/globals';
import type { FileNode } from './file.js';
import { joinLive } from './join-live.js';
import type { LiveFiles } from './live.js';

const node = { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content: 'x' } as const satisfies FileNode;
const part = (root: string): LiveFiles => ({
  covers: (directory) => directory === root,
  names: () => [`in${root.slice(1)}`],
  node: (path) => (path === `${root}/known` ? node : undefined),
});
const joined = joinLive(part('/a'), part('/b'));

test.each<[string, boolean, string[]]>([
  ['/a', true, ['ina']],
  ['/b', true, ['inb']],
  ['/c', false, []],
])('%s is covered: %s', (directory, covers, names) => {
  expect(joined.covers(directory)).toBe(covers);
  expect(joined.names(directory)).toEqual(names);
});

test.each([
  ['/a/known', node],
  ['/b/known', node],
  ['/b/unknown', undefined],
  ['/known', undefined],
])('%s', (path, expected) => expect(joined.node(path)).toBe(expected));
