import { describe, expect, test } from '@jest/globals';
import { makeAccess } from '../../machinery/requests/auth.js';
import { AuthState, userOf } from '../testing.js';
import { authorizeNode, nodeNameOf } from './node.js';

const state = new AuthState({ now: 0 });
const pod = (name: string, nodeName: string, spec: object): void => {
  state.add('pods', name, 'shop', { spec: { nodeName, containers: [], ...spec }, status: {} });
};
pod('a', 'one', {
  serviceAccountName: 'bot',
  volumes: [
    { name: 's', secret: { secretName: 'mine' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
  ],
});
pod('b', 'two', { volumes: [{ name: 's', secret: { secretName: 'other' } }] });
state.add('persistentvolumeclaims', 'data', 'shop', { spec: { volumeName: 'pv-1' } });
state.add('volumeattachments.storage.k8s.io', 'own', '', { spec: { nodeName: 'one' } });
state.add('resourceslices.resource.k8s.io', 'own', '', { spec: { nodeName: 'one' } });
state.add('resourceslices.resource.k8s.io', 'foreign', '', { spec: { nodeName: 'two' } });

test.each([
  [userOf('system:node:one', 'system:nodes'), 'one'],
  [userOf('system:node:one'), undefined],
  [userOf('one', 'system:nodes'), undefined],
])('%j is the node %s', (user, node) => expect(nodeNameOf(user)).toBe(node));

const UNRELATED = "no relationship found between node 'one' and this object";
const LEASES = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' };
const CSI_NODES = { group: 'storage.k8s.io', resource: 'csinodes' };
const SLICES = { group: 'resource.k8s.io', resource: 'resourceslices' };
const SECRETS = { resource: 'secrets', namespace: 'shop' };
const CLAIMS = { resource: 'persistentvolumeclaims', namespace: 'shop' };

describe('a node', () => {
  test.each<[string, Parameters<typeof makeAccess>, string | true]>([
    ['reads its pods', ['get', { resource: 'pods', namespace: 'shop', name: 'a' }], true],
    ['and not others', ['get', { resource: 'pods', namespace: 'shop', name: 'b' }], UNRELATED],
    ['lists its pods', ['list', { resource: 'pods', fieldSelector: 'spec.nodeName=one' }], true],
    ['watches them', ['watch', { resource: 'pods', fieldSelector: 'a=b,spec.nodeName==one' }], true],
    ['and not all', ['list', { resource: 'pods' }], 'can only list/watch pods with spec.nodeName field selector'],
    [
      'nor those of others',
      ['list', { resource: 'pods', fieldSelector: 'spec.nodeName=two' }],
      'can only list/watch pods with spec.nodeName field selector',
    ],
    ['watches one of its pods', ['watch', { resource: 'pods', namespace: 'shop', name: 'a' }], true],
    ['creates mirror pods', ['create', { resource: 'pods', namespace: 'shop' }], true],
    ['reports their status', ['patch', { resource: 'pods', subresource: 'status', name: 'a' }], true],
    ['and binds none', ['create', { resource: 'pods', subresource: 'binding', name: 'a' }], ''],

    ['reads secrets of its pods', ['get', { ...SECRETS, name: 'mine' }], true],
    ['and not of others', ['get', { ...SECRETS, name: 'other' }], UNRELATED],
    ['reads no object without a name', ['get', SECRETS], 'No Object name found'],
    ['writes none', ['update', { ...SECRETS, name: 'mine' }], 'can only read resources of this type'],
    ['reads no subresource', ['get', { ...SECRETS, name: 'mine', subresource: 'x' }], 'cannot read subresource'],
    [
      'reads none of all namespaces',
      ['list', { resource: 'configmaps' }],
      'can only read namespaced object of this type',
    ],

    ['gets claims of its pods', ['get', { ...CLAIMS, name: 'data' }], true],
    ['and does not list them', ['list', CLAIMS], 'can only get individual resources of this type'],
    ['reports their status', ['patch', { ...CLAIMS, subresource: 'status', name: 'data' }], true],
    [
      'and does not delete it',
      ['delete', { ...CLAIMS, subresource: 'status', name: 'data' }],
      'can only get/update/patch this type',
    ],
    ['gets their volumes', ['get', { resource: 'persistentvolumes', name: 'pv-1' }], true],
    ['and not others', ['get', { resource: 'persistentvolumes', name: 'pv-2' }], UNRELATED],
    ['gets its attachments', ['get', { group: 'storage.k8s.io', resource: 'volumeattachments', name: 'own' }], true],
    ['and no others', ['get', { group: 'storage.k8s.io', resource: 'volumeattachments', name: 'x' }], UNRELATED],

    [
      'creates tokens of its pods',
      ['create', { resource: 'serviceaccounts', subresource: 'token', namespace: 'shop', name: 'bot' }],
      true,
    ],
    ['gets their accounts', ['get', { resource: 'serviceaccounts', namespace: 'shop', name: 'bot' }], true],
    [
      'creates no accounts',
      ['create', { resource: 'serviceaccounts', namespace: 'shop' }],
      'can only create tokens for individual service accounts',
    ],
    [
      'creates nothing else of an account',
      ['create', { resource: 'serviceaccounts', subresource: 'x', namespace: 'shop', name: 'bot' }],
      'can only create token subresource of serviceaccount',
    ],

    ['reads itself', ['get', { resource: 'nodes', name: 'one' }], true],
    [
      'and not others',
      ['get', { resource: 'nodes', name: 'two' }],
      "node 'one' cannot read 'two', only its own Node object",
    ],
    ['nor all', ['list', { resource: 'nodes' }], "node 'one' cannot read all nodes, only its own Node object"],
    ['reports its status', ['patch', { resource: 'nodes', subresource: 'status', name: 'one' }], true],

    ['keeps its own CSINode', ['patch', { ...CSI_NODES, name: 'one' }], true],
    [
      'and not others',
      ['patch', { ...CSI_NODES, name: 'two' }],
      'can only access CSINode with the same name as the requesting node',
    ],
    ['lists no CSINodes', ['list', CSI_NODES], 'can only get, create, update, patch, or delete a CSINode'],
    [
      'and none of their subresources',
      ['get', { ...CSI_NODES, name: 'one', subresource: 'x' }],
      'cannot authorize CSINode subresources',
    ],

    ['lists its slices', ['list', { ...SLICES, fieldSelector: 'spec.nodeName=one' }], true],
    [
      'and not all',
      ['list', SLICES],
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    ['updates its slices', ['update', { ...SLICES, name: 'own' }], true],
    ['and not others', ['update', { ...SLICES, name: 'foreign' }], UNRELATED],
    ['creates slices', ['create', SLICES], true],

    ['renews its lease', ['update', { ...LEASES, name: 'one' }], true],
    [
      'and not others',
      ['update', { ...LEASES, name: 'two' }],
      'can only access node lease with the same name as the requesting node',
    ],
    ['lists no leases', ['list', LEASES], 'can only get, create, update, patch, or delete a node lease'],
    [
      'and has none elsewhere',
      ['get', { ...LEASES, namespace: 'shop', name: 'one' }],
      'can only access leases in the "kube-node-lease" system namespace',
    ],

    ['has rules for the rest', ['list', { resource: 'services' }], true],
    ['and for nothing else', ['get', { group: 'apps', resource: 'deployments' }], ''],
    ['nor for what objects have by themselves', ['get', { resource: 'constructor' }], ''],
    ['nor for URLs', ['get', { path: '/metrics' }], ''],
  ])('%s: %j', (_, access, expected) => {
    const { allowed, reason } = authorizeNode('one', makeAccess(...access), state);
    expect(allowed || (reason ?? '')).toBe(expected);
  });
});
