import { beforeEach, expect, test } from '@jest/globals';
import { FileTree } from '../../../kernel/files/tree.js';
import { ConfigMaps, Events, FileChanges } from '../../../kinds/index.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Etcd } from '../../../runtime/controller.js';
import type { State } from '../../../runtime/state/state.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { TreeDisk } from '../files/disk.js';
import { canKeepStore, changeStore, type StoreChange } from './stores.js';

const DATA = '/var/lib/etcd/member/snap/db';
const object = (kind: string, name: string): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' } }) as KubeObject;
const etcdOf = (state: State): Etcd => ({
  put: (kind, next) => void state.put(state.resourceOf(kind), { ...next, metadata: { ...next.metadata } }, 'test', 0),
  remove: (kind, key) => state.remove(state.resourceOf(kind), key, 'test', 0),
});
const names = (of: State): (string | undefined)[] => of.list(ConfigMaps).map(({ metadata }) => metadata.name);

let state: State;
let tree: FileTree;
const change = (from: StoreChange['from'], to: StoreChange['to'], folder = '/var/lib/etcd'): boolean => {
  const place = { client: clientOf(state), etcd: etcdOf(state), tree, disk: new TreeDisk(tree), now: 5 };
  return changeStore(place, { from, to, folder });
};

beforeEach(() => {
  state = stateOf(object('ConfigMap', 'kept'), {
    ...object('Event', 'seen'),
    involvedObject: { uid: '' },
  } as KubeObject);
  tree = new FileTree(
    'node/cp',
    { [DATA]: { type: 'file', mode: 0o600, user: 0, group: 0, modified: 0, content: '' } },
    [],
  );
});

test('an empty store has no objects, and no events; the folder has its data now', () => {
  expect(change(undefined, 'empty-5', '/empty')).toBe(true);
  expect(names(state)).toEqual([]);
  expect(state.list(Events)).toEqual([]);
  const disk = new TreeDisk(tree);
  expect(disk.read('/empty/member/snap/db')).toContain('"restored":"empty-5"');
  expect(disk.list('/empty/member')).toEqual(['snap', 'wal']);
  expect(state.list(FileChanges).length).toBeGreaterThan(0);
});

test('the objects of before are there when etcd has its first store again, and those of between when it has theirs', () => {
  change(undefined, 'empty-5', '/empty');
  state.put('configmaps', object('ConfigMap', 'between'), 'test', 0);
  expect(change('empty-5', undefined)).toBe(false);
  expect(names(state)).toEqual(['kept']);
  expect(change(undefined, 'empty-5', '/empty')).toBe(false);
  expect(names(state)).toEqual(['between']);
});

test('data that nobody can read change nothing', () => {
  expect(change('a', undefined)).toBe(false);
  expect(names(state)).toEqual(['kept']);
});

test('objects of a cluster of some size can be kept', () => {
  const client = clientOf(state);
  expect(canKeepStore(client)).toBe(true);
  for (let i = 0; i < 5_000; i++) state.put('configmaps', object('ConfigMap', `c${i}`), 'test', 0);
  expect(canKeepStore(client)).toBe(false);
});
