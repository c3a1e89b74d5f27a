import { expect, test } from '@jest/globals';
import type { Container } from '../container-state.js';
import type { MountPoint, MountTable } from '../files/mounts.js';
import type { MountTrouble } from '../trouble.js';
import { showTrouble } from './trouble.js';

const mountOf = (path: string): MountPoint => ({
  ...{ path, files: undefined as never, root: '', readOnly: false, source: '/dev/vda1', type: 'ext4' },
  options: ['rw', 'relatime'],
});

const tableOf = (...paths: string[]): MountTable => new Map(paths.map((path) => [path, mountOf(path)]));
const own = [{ path: '/data' }] as unknown as Container['mounts'];

test.each<[string, MountTrouble[], object]>([
  ['nothing', [], { readOnly: false, options: ['rw', 'relatime'] }],
  ['a read-only one', [{ path: '/data', state: 'read-only' }], { readOnly: true, options: ['ro', 'relatime'] }],
  ['a full one', [{ path: '/data', state: 'full' }], { readOnly: false, isFull: true }],
  ['errors alone', [{ path: '/data', error: 'EIO' }], { readOnly: false, options: ['rw', 'relatime'] }],
])('a mount table shows %s, and no longer what was', (_, mounts, expected) => {
  const table = tableOf('/', '/data');
  showTrouble(table, { trouble: { mounts }, mounts: own });
  expect(table.get('/data')).toMatchObject(expected);
  showTrouble(table, { mounts: own });
  expect([...table]).toEqual([...tableOf('/', '/data')]);
});

test('the root and what is not there are left alone', () => {
  const table = tableOf('/');
  const mounts: MountTrouble[] = ['/', '/data'].map((path) => ({ path, state: 'full' }));
  showTrouble(table, { trouble: { mounts }, mounts: own });
  expect([...table]).toEqual([...tableOf('/')]);
});
