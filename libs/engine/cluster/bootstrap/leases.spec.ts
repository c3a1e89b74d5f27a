import { expect, test } from '@jest/globals';
import { csiNode, leaderLease, nodeLease, serverLease } from './leases.js';

const NOW = '2026-01-01T00:00:00.000000Z';
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', uid: '1' }, spec: {}, status: {} };
const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: '1' }];

test("a kubelet's lease is its node's, for 40 seconds", () =>
  expect(nodeLease(node, NOW)).toEqual({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a', namespace: 'kube-node-lease', ownerReferences },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 40, renewTime: NOW },
  }));

test('a component leads by a lease of 15 seconds, under its host and a uuid', () => {
  const { metadata, spec } = leaderLease('kube-scheduler', 'controlplane', NOW);
  expect(metadata).toEqual({ name: 'kube-scheduler', namespace: 'kube-system' });
  expect(spec).toMatchObject({ leaseDurationSeconds: 15, acquireTime: NOW, renewTime: NOW, leaseTransitions: 0 });
  expect(spec!.holderIdentity).toMatch(/^controlplane_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(leaderLease('kube-controller-manager', 'controlplane', NOW).spec!.holderIdentity).not.toBe(
    spec!.holderIdentity,
  );
});

test("the API server's lease is found by its labels", () => {
  const { metadata, spec } = serverLease('controlplane', NOW);
  expect(metadata.name).toMatch(/^apiserver-[a-z0-9]{26}$/);
  expect(metadata.labels).toEqual({
    'apiserver.kubernetes.io/identity': 'kube-apiserver',
    'kubernetes.io/hostname': 'controlplane',
  });
  expect(spec).toMatchObject({ leaseDurationSeconds: 3600, renewTime: NOW });
});

test('a node without CSI drivers', () =>
  expect(csiNode(node)).toEqual({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'a', ownerReferences },
    spec: { drivers: [] },
  }));
