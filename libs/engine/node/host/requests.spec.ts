import { expect, test } from '@jest/globals';
import { Secrets } from '../../kinds/index.js';
import { bytesOf } from '../../kernel/bytes.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { ADMIN_KUBECONFIG, REQUESTS, takeRequests } from './requests.js';
import type { Etcd } from '../../runtime/controller.js';
import type { State } from '../../runtime/state.js';
import type { Disk } from './files/disk.js';

const diskOf = (requests: Readonly<Record<string, string>>, isAdmin = true): Disk => ({
  has: (path) => isAdmin && path === ADMIN_KUBECONFIG,
  read: (path) => bytesOf(requests[path.slice(REQUESTS.length + 1)] ?? ''),
  list: (path) => (path === REQUESTS ? Object.keys(requests) : []),
});
const etcdOf = (state: State): Etcd => ({
  put: () => {},
  remove: (kind, key) => state.remove(state.resourceOf(kind), key, 'test', 0),
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
  takeRequests(disk, done, clientOf(state), etcdOf(state));
  expect(state.list(Secrets).map(({ metadata }) => metadata.name)).toEqual(expected);
});

test('the names of the files say what was taken', () => {
  const state = stateOf();
  expect(takeRequests(diskOf({ a: CREATE, b: 'no' }), [], clientOf(state), etcdOf(state))).toEqual(['a', 'b']);
});

test.each([
  ['/registry/secrets/kube-system/bootstrap-token-abcdef', 0],
  ['/registry/secrets/kube-system/bootstrap-token', 1],
])('the key %s is removed: %d are left', (key, left) => {
  const state = stateOf();
  const requests = { a: CREATE, b: JSON.stringify({ verb: 'remove', keys: [key] }) };
  takeRequests(diskOf(requests), [], clientOf(state), etcdOf(state));
  expect(state.list(Secrets)).toHaveLength(left);
});
