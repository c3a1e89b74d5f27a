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

test('in an empty store there are no events either', () => {
  const event = { ...map('seen', ''), kind: 'Event', involvedObject: { uid: '' } };
  const state = stateOf(map('gone', '1'), event as KubeObject);
  restoreObjects([], clientOf(state), etcdOf(state));
  expect([state.list(ConfigMaps), state.list(Events)]).toEqual([[], []]);
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tabs.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'tabs', singular: 'tab', kind: 'Tab' } },
    versions: [{ name: 'v1', served: true, storage: true }],
  },
} as unknown as KubeObject;
const Tabs = { ...(ConfigMaps as Kind), group: 'example.com', plural: 'tabs', kind: 'Tab', definition: '' };

test('objects of definitions go and come with those', () => {
  const state = stateOf(definition);
  const own = { ...map('own', ''), apiVersion: 'example.com/v1', kind: 'Tab' };
  state.put('tabs.example.com', own, 'test', 0);
  const rows = viewRegistry(state);
  expect(rows.map(([key]) => key)).toContain('/registry/example.com/tabs/shop/own');
  restoreObjects([], clientOf(state), etcdOf(state));
  expect(state.list(Tabs)).toEqual([]);
  restoreObjects(rows, clientOf(state), etcdOf(state));
  expect(state.list(Tabs)).toHaveLength(1);
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
