import { describe, expect, test } from '@jest/globals';
import { kind as Leases } from '../../kinds/coordination/lease/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as CSINodes } from '../../kinds/storage/csinode/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { ANN, createRequest, objectOf, refusalOf, type RequestFields } from '../testing.js';
import { plugin } from './plugin.js';

const KUBELET = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const NODE = objectOf(Nodes, { metadata: { name: 'n1', uid: 'u1' } });
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a', namespace: 'default' } };
const refusal = (kind: Kind, fields: RequestFields): string | undefined =>
  refusalOf(plugin, createRequest(kind, { user: KUBELET, ...fields }, [NODE]));

test.each<[string, RequestFields, string | undefined]>([
  ['another user', { user: ANN }, undefined],
  ['a component', { fromOutside: false }, undefined],
  [
    'a kubelet without a node',
    { user: { ...KUBELET, name: 'system:node:' } },
    'nodes "n2" is forbidden: could not determine node from user "system:node:"',
  ],
  ['the kubelet', {}, 'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"'],
])('the creation of another node by %s', (_, fields, message) =>
  expect(refusal(Nodes, { object: objectOf(Nodes, { metadata: { name: 'n2' } }), ...fields })).toBe(message),
);

describe('its own node', () => {
  const node = (labels: object, spec: object = {}): ReturnType<typeof objectOf> =>
    objectOf(Nodes, { metadata: { name: 'n1', labels }, spec });
  test.each<[string, RequestFields, string | undefined]>([
    ['is created with labels of its own', { object: node({ 'kubernetes.io/os': 'linux', team: 'a' }) }, undefined],
    ['is created with labels for kubelets', { object: node({ 'rack.node.kubernetes.io/id': '7' }) }, undefined],
    [
      'is not created with reserved labels',
      { object: node({ 'node-restriction.kubernetes.io/b': '', 'a.k8s.io/x': '' }) },
      'node "n1" is not allowed to set the following labels: a.k8s.io/x, node-restriction.kubernetes.io/b',
    ],
    [
      'does not lose reserved labels',
      { object: node({}), old: node({ 'node-role.kubernetes.io/control-plane': '' }) },
      'is not allowed to modify labels: node-role.kubernetes.io/control-plane',
    ],
    [
      'does not change its taints',
      { object: node({}), old: node({}, { taints: [{ key: 'a', effect: 'NoSchedule' }] }) },
      'node "n1" is not allowed to modify taints',
    ],
    ['is deleted', { old: node({ 'a.k8s.io/x': '' }) }, undefined],
  ])('%s', (_, fields, why) => expect(refusal(Nodes, fields)).toBe(why && `nodes "n1" is forbidden: ${why}`));
});

describe('a mirror pod', () => {
  const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1', controller: true };
  const mirror = (metadata: object = {}, spec: object = {}): ReturnType<typeof objectOf> =>
    objectOf(Pods, {
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' }, ownerReferences: [OWNER], ...metadata },
      spec: { nodeName: 'n1', ...spec },
    });
  test.each<[string, ReturnType<typeof objectOf>, string | undefined]>([
    ['of its node', mirror(), undefined],
    [
      'without the annotation',
      mirror({ annotations: {} }),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [
      'on another node',
      mirror({}, { nodeName: 'n2' }),
      'node "n1" can only create pods with spec.nodeName set to itself',
    ],
    [
      'without an owner',
      mirror({ ownerReferences: [] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'with two owners',
      mirror({ ownerReferences: [OWNER, OWNER] }),
      'node "n1" can only create pods with a single owner reference set to itself',
    ],
    [
      'with an owner that does not control it',
      mirror({ ownerReferences: [{ ...OWNER, controller: false }] }),
      'node "n1" can only create pods with a controller owner reference set to itself',
    ],
    [
      'that blocks the deletion of its node',
      mirror({ ownerReferences: [{ ...OWNER, blockOwnerDeletion: true }] }),
      'node "n1" must not set blockOwnerDeletion on an owner reference',
    ],
    [
      'of an earlier node of the name',
      mirror({ ownerReferences: [{ ...OWNER, uid: 'u0' }] }),
      'node n1 UID mismatch: expected u0 got u1',
    ],
    [
      'with a service account',
      mirror({}, { serviceAccountName: 'x' }),
      'node "n1" can not create pods that reference a service account',
    ],
    [
      'with a secret',
      mirror({}, { volumes: [{ name: 'v', secret: {} }] }),
      'node "n1" can not create pods that reference secrets',
    ],
    [
      'with a configmap',
      mirror({}, { volumes: [{ name: 'v', configMap: {} }] }),
      'node "n1" can not create pods that reference configmaps',
    ],
    [
      'with a claim',
      mirror({}, { volumes: [{ name: 'v', persistentVolumeClaim: {} }] }),
      'node "n1" can not create pods that reference persistentvolumeclaims',
    ],
  ])('%s', (_, object, why) => expect(refusal(Pods, { object })).toBe(why && `pods "a" is forbidden: ${why}`));
});

describe('a pod', () => {
  const pod = (nodeName: string, labels: object = {}): ReturnType<typeof objectOf> =>
    objectOf(Pods, { metadata: { labels }, spec: { nodeName } });
  test.each<[string, RequestFields, string | undefined]>([
    ['on the node may be deleted', { old: pod('n1') }, undefined],
    ['on another node may not', { old: pod('n2') }, 'node "n1" can only delete pods with spec.nodeName set to itself'],
    ['on the node gets a status', { object: pod('n1'), old: pod('n1'), subresource: 'status' }, undefined],
    [
      'on another node gets none',
      { object: pod('n2'), old: pod('n2'), subresource: 'status' },
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      'keeps its labels in a status',
      { object: pod('n1', { a: 'b' }), old: pod('n1'), subresource: 'status' },
      'node "n1" cannot update labels through pod status',
    ],
    [
      'is not updated',
      { object: pod('n1'), old: pod('n1') },
      'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    ],
    [
      'is not bound',
      { object: pod('n1'), subresource: 'binding' },
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    ],
  ])('%s', (_, fields, why) => expect(refusal(Pods, fields)).toBe(why && `pods "a" is forbidden: ${why}`));

  test.each<[string, string, string | undefined]>([
    ['on the node may be evicted', 'n1', undefined],
    ['on another node may not', 'n2', 'node n1 can only evict pods with spec.nodeName set to itself'],
  ])('%s', (_, nodeName, why) => {
    const fields: RequestFields = { user: KUBELET, object: EVICTION, subresource: 'eviction', namespace: 'default' };
    const request = createRequest(Pods, fields, [NODE, pod(nodeName)]);
    expect(refusalOf(plugin, request)).toBe(why && `pods "a" is forbidden: ${why}`);
  });
});

test('sees the bodies that are posted to subresources', () => expect(plugin.handlesBodies).toBe(true));

test.each<[string, Kind, object, string, string | undefined]>([
  ['its lease', Leases, { name: 'n1', namespace: 'kube-node-lease' }, '', undefined],
  [
    'the lease of another node',
    Leases,
    { name: 'n2', namespace: 'kube-node-lease' },
    '',
    'leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same name as the requesting node',
  ],
  [
    'a lease elsewhere',
    Leases,
    { name: 'n1', namespace: 'default' },
    '',
    'leases.coordination.k8s.io "n1" is forbidden: can only access leases in the "kube-node-lease" system namespace',
  ],
  ['its CSINode', CSINodes, { name: 'n1' }, '', undefined],
  [
    'the CSINode of another node',
    CSINodes,
    { name: 'n2' },
    '',
    'csinodes.storage.k8s.io "n2" is forbidden: can only access CSINode with the same name as the requesting node',
  ],
  ['the status of a claim', Claims, { name: 'c' }, 'status', undefined],
  ['a claim', Claims, { name: 'c' }, '', 'persistentvolumeclaims "c" is forbidden: may only update PVC status'],
])('a kubelet that writes %s', (_, kind, metadata, subresource, message) =>
  expect(refusal(kind, { object: objectOf(kind, { metadata }), subresource })).toBe(message),
);
