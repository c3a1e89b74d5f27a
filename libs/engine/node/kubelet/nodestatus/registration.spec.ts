import { expect, test } from '@jest/globals';
import { csiNode, nodeLease } from './registration.js';

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

test('a node without CSI drivers', () =>
  expect(csiNode(node)).toEqual({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'a', ownerReferences },
    spec: { drivers: [] },
  }));
