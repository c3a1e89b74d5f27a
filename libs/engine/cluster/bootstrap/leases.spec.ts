import { expect, test } from '@jest/globals';
import { leaderLease, serverLease } from './leases.js';

const NOW = '2026-01-01T00:00:00.000000Z';

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
