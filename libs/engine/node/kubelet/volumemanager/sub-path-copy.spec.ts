import { expect, test } from '@jest/globals';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { NOW } from '../testing.js';
import { layOut } from './atomic-writer.js';
import { copySubPath } from './sub-path-copy.js';

const volumeOf = (more: ImageFiles = {}): FileTree => {
  const payload = { mode: { content: 'fast', mode: 0o644 }, 'a/b': { content: 'deep', mode: 0o600 } };
  return new FileTree('volume', {
    ...layOut({ payload, rootMode: 0o777, fsGroup: undefined, at: NOW, seed: 's' }),
    ...more,
  });
};
const link = (target: string): FileNode => ({ type: 'link', mode: 0o777, user: 0, group: 0, modified: NOW, target });
const contentOf = (tree: FileTree, ...path: string[]): string | undefined => {
  const key = path.reduce<string | undefined>((at, name) => at && tree.find(at, name), tree.root);
  return key === undefined ? undefined : tree.read(key, 0, 100);
};

test('the file behind the links is copied, and stays when the object changes', () => {
  const [volume, copies] = [volumeOf(), new FileTree('copies')];
  expect(copySubPath(volume, 'mode', copies, 'm', NOW)).toBe(true);
  volume.replace({});
  expect(contentOf(copies, 'm')).toBe('fast');
  expect(copySubPath(volume, 'mode', copies, 'm', NOW)).toBe(true);
});

test('a folder is copied with what is in it', () => {
  const copies = new FileTree('copies');
  copySubPath(volumeOf(), 'a', copies, 'm', NOW);
  expect(contentOf(copies, 'm', 'b')).toBe('deep');
});

test.each([
  ['nothing', {}],
  ['a link to itself', { '/nothing': link('nothing') }],
  ['a link that leads outside', { '/nothing': link('/etc/../../../etc/passwd') }],
])('%s is not copied', (_what, more) =>
  expect(copySubPath(volumeOf(more), 'nothing', new FileTree('copies'), 'm', NOW)).toBe(false),
);
