import { expect, test } from '@jest/globals';
import { ConfigMaps, Events, Leases, NodeRuntimes } from '../../../kinds/index.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Etcd } from '../../../runtime/controller.js';
import type { State } from '../../../runtime/state/state.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { viewRegistry } from '../views/registry-view.js';
import { isKept, restoreObjects } from './restore.js';

const map = (name: string, value: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { value } }) as KubeObject;
const etcdOf = (state: State): Etcd => ({
  put: (kind, object) =>
    void state.put(state.resourceOf(kind), { ...object, metadata: { ...object.metadata } }, 'test', 0),
  remove: (kind, key) => state.remove(state.resourceOf(kind), key, 'test', 0),
});
const valuesIn = (state: State): string[] =>
  state.list(ConfigMaps).map(({ metadata, data }) => `${metadata.name}=${data?.['value']}`);

test('objects that are gone come back, changed ones are as they were, later ones go', () => {
  const state = stateOf(map('gone', '1'), map('changed', '1'), map('same', '1'));
  const rows = viewRegistry(state);
  const etcd = etcdOf(state);
  etcd.remove(ConfigMaps, { namespace: 'shop', name: 'gone' });
  etcd.put(ConfigMaps, map('changed', '2'));
  etcd.put(ConfigMaps, map('later', '2'));
  const { revision } = state;
  restoreObjects(rows, clientOf(state), etcd);
  expect(valuesIn(state)).toEqual(['changed=1', 'gone=1', 'same=1']);
  expect(state.revision).toBe(revision + 3);
});

test('leases stay as they are, and so do events', () => {
  const state = stateOf({ ...map('a', ''), apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' });
  restoreObjects([], clientOf(state), etcdOf(state));
  expect(state.list(Leases)).toHaveLength(1);
  expect([ConfigMaps, Leases, Events, NodeRuntimes].map((kind) => isKept(kind as Kind))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('rows that nobody can read are passed over', () => {
  const state = stateOf();
  restoreObjects(
    [
      ['/registry/configmaps/shop/a', '{', 1],
      ['foo', 'bar', 2],
    ],
    clientOf(state),
    etcdOf(state),
  );
  expect(valuesIn(state)).toEqual([]);
});
