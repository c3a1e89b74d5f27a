import { expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import type { NodeRuntime } from '../../terrarium/noderuntime/kind.js';
import { leaveHost } from './remains.js';

const NOW = Date.UTC(2026, 0, 2);
const node = {
  metadata: { name: 'worker-1', uid: '7', creationTimestamp: '2026-01-01T00:00:00Z', labels: { disk: 'ssd' } },
  spec: { podCIDR: '10.244.1.0/24' },
  status: {},
} as unknown as Node;

const readerOf = (...runtimes: Partial<NodeRuntime>[]): Reader =>
  ({
    list: () => runtimes,
    get: (_kind: unknown, { name }: { name: string }) => runtimes.find(({ metadata }) => metadata?.name === name),
  }) as unknown as Reader;

const leave = (...runtimes: Partial<NodeRuntime>[]): NodeRuntime | undefined =>
  leaveHost(node, readerOf(...runtimes), NOW)?.object as NodeRuntime | undefined;

test('a Node leaves its host, whose services run as they have since it was booted', () => {
  expect(leave()).toMatchObject({
    metadata: { name: 'worker-1', uid: 'host-7' },
    kubelet: { state: 'running', run: 'boot', since: '2026-01-01T00:00:00.000000Z' },
    containerd: { state: 'running', run: 'boot' },
    machine: {
      metadata: { name: 'worker-1', uid: '7', labels: { disk: 'ssd' }, deletionTimestamp: '2026-01-02T00:00:00Z' },
      spec: { podCIDR: '10.244.1.0/24' },
    },
  });
});

test('what somebody has made of its services stays, and it is the host that it was', () => {
  const kubelet = { state: 'stopped', since: '', run: 'a' } as const;
  const machine = { metadata: { uid: '3', creationTimestamp: '2025-12-31T00:00:00Z' } } as Node;
  const metadata = { name: 'worker-1', uid: 'own' };
  expect(leave({ metadata, kubelet, machine })).toMatchObject({
    metadata,
    kubelet,
    machine: { metadata: { uid: '3', creationTimestamp: '2025-12-31T00:00:00Z' } },
  });
});

test('a cluster that has fifty hosts without a Node gets no more of them', () => {
  const others = Array.from({ length: 50 }, (_, i) => ({ metadata: { name: `n${i}` }, machine: node }));
  expect(leave(...others.slice(1))).toBeDefined();
  expect(leave(...others)).toBeUndefined();
});
