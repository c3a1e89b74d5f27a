import { expect, test } from '@jest/globals';
import type { Lease } from '../../../api/coordination_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { renewLease } from './renewal.js';

const at = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;
const lease = (namespace: string, name: string): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace, name },
  spec: { holderIdentity: name, renewTime: '2026-01-01T00:00:00.000000Z' },
});
const nodes = (status: string, kubelet = 'running'): Reader =>
  ({
    byIndex: () => [],
    get: (kind: { kind: string }) =>
      kind.kind === 'Node'
        ? { status: { conditions: [{ type: 'Ready', status }] } }
        : kind.kind === 'NodeRuntime'
          ? { kubelet: { state: kubelet } }
          : undefined,
  }) as unknown as Reader;

test.each([
  ["a living kubelet's", lease('kube-node-lease', 'worker-1'), 'True', '2026-01-01T00:00:30.000000Z'],
  ["a dead kubelet's", lease('kube-node-lease', 'worker-1'), 'Unknown', '2026-01-01T00:00:00.000000Z'],
  ["a leader's", lease('kube-system', 'kube-scheduler'), 'True', '2026-01-01T00:00:34.000000Z'],
  ["a user's", lease('default', 'mine'), 'True', '2026-01-01T00:00:00.000000Z'],
])('%s lease after 35 s', (_what, object, ready, expected) => {
  expect(renewLease(object, at(35), nodes(ready)).spec.renewTime).toBe(expected);
});

test("a stopped kubelet's lease is not renewed", () => {
  const object = lease('kube-node-lease', 'worker-1');
  expect(renewLease(object, at(35), nodes('True', 'stopped'))).toBe(object);
});
