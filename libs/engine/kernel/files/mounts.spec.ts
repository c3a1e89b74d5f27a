import { expect, test } from '@jest/globals';
import { mountAt, type MountTable } from './mounts.js';
import { FileTree } from './tree.js';

const owner = { user: 0, group: 0, modified: 0 };

function makeTable(...paths: string[]): { table: MountTable; root: FileTree } {
  const root = new FileTree('root', {
    '/run': { type: 'directory', mode: 0o755, ...owner },
    '/var/run': { type: 'link', mode: 0o777, ...owner, target: '/run' },
    '/etc/hosts': { type: 'file', mode: 0o644, ...owner, content: '' },
  });
  const table: MountTable = new Map();
  const common = { readOnly: false, source: 'x', type: 'x', options: [] };
  table.set('/', { path: '/', files: root, root: '/', ...common });
  for (const path of paths) mountAt(table, { path, files: new FileTree(path), root: '/', ...common });
  return { table, root };
}

test.each([
  ['/data', '/data'],
  ['/data/', '/data'],
  ['/a/b/../c', '/a/c'],
  ['/var/run/secrets/token', '/run/secrets/token'],
])('a mount at %s stands at %s', (path, canonical) => {
  expect([...makeTable(path).table.keys()]).toEqual(['/', canonical]);
});

test('points that are made are seen, and are no changes', () => {
  const { root } = makeTable('/var/run/secrets', '/new/deep');
  expect([root.names('/run'), root.names('/new')]).toEqual([['secrets'], ['deep']]);
  expect(root.takeChanges()).toEqual([]);
});
