import { expect, test } from '@jest/globals';
import type { ConfigMap } from '../../api/core_v1.js';
import { ConfigMaps, Secrets } from '../../kinds/index.js';
import { bytesOf } from '../../kernel/bytes.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { ADMIN_KUBECONFIG, REQUESTS, takeRequests } from './requests.js';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { Etcd } from '../../runtime/controller.js';
import type { State } from '../../runtime/state/state.js';
import type { Disk } from './files/disk.js';
import type { AddonObjects } from './packages/apply-addons.js';

const diskOf = (requests: Readonly<Record<string, string>>, isAdmin = true): Disk => ({
  has: (path) => isAdmin && path === ADMIN_KUBECONFIG,
  read: (path) => bytesOf(requests[path.slice(REQUESTS.length + 1)] ?? ''),
  list: (path) => (path === REQUESTS ? Object.keys(requests) : []),
});
const etcdOf = (state: State): Etcd => ({
  put: () => {},
  remove: (kind, key) => state.remove(state.resourceOf(kind), key, 'test', 0),
});
const addonObjects: AddonObjects = ({ version }) => ({
  coredns: [configMap('coredns', 'theirs'), configMap('other', 'theirs')],
  'kube-proxy': [configMap('kube-proxy', version)],
});
const configMap = (name: string, text: string): ConfigMap => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' }, data: { text } },
});
/** It knows the one kind that add-ons here are of. */
const kindly = (state: State): Client => Object.assign(clientOf(state), { kindFor: () => ConfigMaps as Kind });
const take = (disk: Disk, state: State, done: readonly string[] = []): string[] =>
  takeRequests({
    disk,
    node: 'worker-1',
    done,
    client: kindly(state),
    etcd: etcdOf(state),
    bootstrap: { addonObjects, createApiObjects: () => {}, kubeadmRights: () => [] },
    isDualStack: false,
  });
const CREATE = JSON.stringify({ verb: 'create', token: 'abcdef.0123456789abcdef' });
const DELETE = JSON.stringify({ verb: 'delete', token: 'abcdef.0123456789abcdef' });

test.each<[string, Disk, readonly string[], string[]]>([
  ['a token is a Secret', diskOf({ a: CREATE }), [], ['bootstrap-token-abcdef']],
  ['a request is taken once', diskOf({ a: CREATE }), ['a'], []],
  ['a token is deleted', diskOf({ a: CREATE, b: DELETE }), [], []],
  ['nothing is done without the kubeconfig', diskOf({ a: CREATE }, false), [], []],
  ['what is no request is passed over', diskOf({ a: 'no', b: '{}', c: 'null', d: CREATE.replace('abc', 'A') }), [], []],
])('%s', (_case, disk, done, expected) => {
  const state = stateOf();
  take(disk, state, done);
  expect(state.list(Secrets).map(({ metadata }) => metadata.name)).toEqual(expected);
});

test('the names of the files say what was taken', () => {
  const state = stateOf();
  expect(take(diskOf({ a: CREATE, b: 'no' }), state)).toEqual(['a', 'b']);
});

test.each([
  ['/registry/secrets/kube-system/bootstrap-token-abcdef', 0],
  ['/registry/secrets/kube-system/bootstrap-token', 1],
])('the key %s is removed: %d are left', (key, left) => {
  const state = stateOf();
  const requests = { a: CREATE, b: JSON.stringify({ verb: 'remove', keys: [key] }) };
  take(diskOf(requests), state);
  expect(state.list(Secrets)).toHaveLength(left);
});

const UPLOAD = JSON.stringify({
  verb: 'upload-certs',
  seals: { 'ca.crt': 'a'.repeat(64) },
  token: 'abcdef.0123456789abcdef',
  expiration: '2026-01-01T02:00:00Z',
});

test.each<[string, Disk, readonly string[]]>([
  [
    'certificates are a Secret, which goes with a token',
    diskOf({ a: UPLOAD }),
    ['bootstrap-token-abcdef', 'kubeadm-certs'],
  ],
  ['and are not uploaded without the kubeconfig', diskOf({ a: UPLOAD }, false), []],
  ['nor without a token', diskOf({ a: UPLOAD.replace('abcdef.', '') }), []],
  ['nor without a time', diskOf({ a: UPLOAD.replace('2026-', 'in ') }), []],
  ['nor is what is no seal', diskOf({ a: UPLOAD.replaceAll('a'.repeat(64), 'x') }), []],
])('%s', (_case, disk, expected) => {
  const state = stateOf();
  take(disk, state);
  expect(state.list(Secrets).map(({ metadata }) => metadata.name)).toEqual(expected);
});

test.each<[string, object, readonly string[]]>([
  ['an add-on is made anew, but for a Corefile', { addons: ['coredns'] }, ['coredns: own', 'other: theirs']],
  ['one that is gone comes back', { addons: ['kube-proxy'] }, ['coredns: own', 'kube-proxy: v1.36.3', 'other: own']],
  ['what is none is passed over', { addons: ['kindnet'] }, ['coredns: own', 'other: own']],
])('%s', (_case, fields, expected) => {
  const state = stateOf();
  for (const name of ['coredns', 'other']) clientOf(state).create(ConfigMaps, configMap(name, 'own'));
  take(diskOf({ a: JSON.stringify({ verb: 'addon', release: 'v1.36.3', ...fields }) }), state);
  const maps = state.list(ConfigMaps).map(({ metadata, data }) => `${metadata.name}: ${data?.['text']}`);
  expect(maps.sort()).toEqual(expected);
});
