import { describe, expect, test } from '@jest/globals';
import type { FileNode, ImageFiles } from './file.js';
import { FileTree } from './tree.js';

const OWNER = { user: 0, group: 0, modified: 1 };
const file = (content: string): FileNode => ({ type: 'file', mode: 0o644, ...OWNER, content });
const directory: FileNode = { type: 'directory', mode: 0o755, ...OWNER };

const LOWER: ImageFiles = {
  '/etc/hosts': file('hosts'),
  '/etc/conf.d/a': file('a'),
  '/bin/sh': { ...file(''), size: 900 },
};

/** Paths with their contents, as a walk finds them. */
function list(tree: FileTree, key = tree.root, path = ''): string[] {
  return tree.names(key).flatMap((name) => {
    const child = tree.find(key, name)!;
    const node = tree.node(child)!;
    if (node.type === 'directory') return [`${path}/${name}/`, ...list(tree, child, `${path}/${name}`)];
    return [`${path}/${name}=${node.content}`];
  });
}

const ALL = ['/bin/', '/bin/sh=', '/etc/', '/etc/conf.d/', '/etc/conf.d/a=a', '/etc/hosts=hosts'];

type Act = (tree: FileTree) => void;

const ACTS: readonly (readonly [string, Act, readonly string[], readonly string[]])[] = [
  ['nothing', () => undefined, ALL, []],
  [
    'a write copies one inode up',
    (tree) => tree.write('/etc/hosts', 5, '!', 2),
    ALL.map((line) => line.replace('=hosts', '=hosts!')),
    ['i/etc/hosts'],
  ],
  [
    'a new file is three rows, and the number of the next',
    (tree) => tree.create('/etc', 'new', file('n'), 2),
    [...ALL, '/etc/new=n'],
    ['next', 'i#1', 'n/etc\0new', 'i/etc'],
  ],
  [
    'a file of the image that is gone has a name without an inode',
    (tree) => tree.unlink('/etc', 'hosts', 2),
    ALL.slice(0, -1),
    ['n/etc\0hosts', 'i/etc', 'i/etc/hosts'],
  ],
  [
    'a folder of the image is renamed by two names',
    (tree) => tree.rename('/etc', 'conf.d', '/', 'moved', 2),
    ['/bin/', '/bin/sh=', '/etc/', '/etc/hosts=hosts', '/moved/', '/moved/a=a'],
    ['n/etc\0conf.d', 'i/etc', 'n/\0moved', 'i/'],
  ],
  [
    'what has come and gone leaves nothing but its number',
    (tree) => {
      const key = tree.create('/', 'd', directory, 2);
      tree.create(key, 'x', file('x'), 2);
      tree.unlink(key, 'x', 2);
      tree.unlink('/', 'd', 2);
    },
    ALL,
    ['next', 'i#1', 'n/\0d', 'i/', 'i#2', 'n#1\0x'],
  ],
];

describe.each(ACTS)('%s', (_, act, expected, ids) => {
  test('is seen', () => {
    const tree = new FileTree('t', LOWER);
    act(tree);
    expect(list(tree)).toEqual(expected);
    expect(tree.takeChanges().map((row) => row.id)).toEqual(ids);
    expect(tree.takeChanges()).toEqual([]);
  });

  test('is taken up from its rows, and from the changes that a store has kept', () => {
    const tree = new FileTree('t', LOWER);
    act(tree);
    expect(list(new FileTree('t', LOWER, tree.rows()))).toEqual(expected);
    const store = new Map(tree.takeChanges().map((row) => [row.id, row]));
    for (const [id, row] of store) if (Object.keys(row).length === 1) store.delete(id);
    const again = new FileTree('t', LOWER, store.values());
    expect(list(again)).toEqual(expected);
    expect(again.usedBytes()).toBe(tree.usedBytes());
    expect(
      again
        .rows()
        .map((row) => row.id)
        .sort(),
    ).toEqual([...store.keys()].sort());
  });
});

test('an image is not changed by those who use it', () => {
  const before = JSON.stringify(LOWER);
  const tree = new FileTree('t', LOWER);
  for (const [, act] of ACTS) act(new FileTree('t', LOWER));
  tree.write('/etc/hosts', 0, 'x', 2);
  expect(JSON.stringify(LOWER)).toBe(before);
  expect(list(new FileTree('u', LOWER))).toEqual(ALL);
});

test('a live update replaces the layer below', () => {
  const tree = new FileTree('t', { '/key': file('1') });
  tree.replace({ '/key': file('2'), '/more': file('3') });
  expect(list(tree)).toEqual(['/key=2', '/more=3']);
});

test('an open file without a name lives until it is closed', () => {
  const tree = new FileTree('t', LOWER);
  tree.hold('/etc/hosts');
  tree.unlink('/etc', 'hosts', 2);
  expect(tree.read('/etc/hosts', 0, 10)).toBe('hosts');
  expect(tree.orphan('/etc/hosts')?.content).toBe('hosts');
  tree.letGo('/etc/hosts');
  expect(tree.orphan('/etc/hosts')).toBeUndefined();
  expect(tree.usedBytes()).toBe(0);
});

test('hard links share an inode, and the last name takes it away', () => {
  const tree = new FileTree('t');
  const key = tree.create('/', 'a', file('x'), 2);
  tree.link('/', 'b', key, 3);
  expect([tree.links(key), tree.find('/', 'b')]).toEqual([2, key]);
  tree.write(key, 1, 'y', 4);
  tree.unlink('/', 'a', 5);
  expect(list(tree)).toEqual(['/b=xy']);
  tree.unlink('/', 'b', 6);
  expect([tree.node(key), tree.usedBytes()]).toEqual([undefined, 0]);
});

test('zeros take space, but are not kept', () => {
  const tree = new FileTree('t', {}, [], 1_000);
  const key = tree.create('/', 'zeros', file(''), 2);
  tree.write(key, 0, '\0'.repeat(600), 2);
  expect(tree.node(key)).toMatchObject({ content: '', size: 600 });
  expect(() => tree.write(key, 600, '\0'.repeat(401), 2)).toThrow('No space left on device');
  tree.write(key, 100, 'x', 3);
  expect([tree.size(key), tree.read(key, 99, 3)]).toEqual([600, '\0x\0']);
  tree.truncate(key, 10, 4);
  expect([tree.size(key), tree.usedBytes()]).toEqual([10, 10]);
});

describe('what is made when it is read', () => {
  const names = new Map([['/etc/conf.d/live', file('1')]]);
  const live = {
    covers: (directory: string): boolean => directory === '/etc/conf.d',
    names: (): string[] => [...names.keys()].map((path) => path.slice('/etc/conf.d/'.length)),
    node: (path: string): FileNode | undefined => names.get(path),
  };
  const open = (): FileTree =>
    new FileTree('t', { '/etc/conf.d': directory, '/etc/hosts': file('hosts') }, [], Infinity, live);

  test('shows as it is', () => {
    const tree = open();
    expect(list(tree)).toEqual(['/etc/', '/etc/conf.d/', '/etc/conf.d/live=1', '/etc/hosts=hosts']);
    names.set('/etc/conf.d/live', file('22'));
    expect(tree.read('/etc/conf.d/live', 1, 9)).toBe('2');
  });

  test.each([
    ['a file of it', '/etc/conf.d/live', true],
    ['another file', '/etc/hosts', false],
  ])('a look at %s counts as a change', (_name, path, expected) => {
    const tree = open();
    tree.node(path);
    expect(tree.mutations > 0).toBe(expected);
  });

  test('it can be written to and removed', () => {
    const tree = open();
    tree.write('/etc/conf.d/live', 0, 'x', 2);
    expect(tree.read('/etc/conf.d/live', 0, 9)).toBe('x2');
    tree.unlink('/etc/conf.d', 'live', 3);
    expect(tree.names('/etc/conf.d')).toEqual([]);
  });
});
