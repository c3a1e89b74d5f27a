import { expect, test } from '@jest/globals';
import type { Host, Packet } from '../rule.js';
import { chooseServer, listOf } from './schedule.js';
import type { VirtualServer } from './virtual-server.js';

const virtual = (scheduler: string, more: Partial<VirtualServer> = {}): VirtualServer => ({
  ...{ protocol: 'tcp', address: '10.96.0.9', port: 80, scheduler },
  servers: ['10.244.1.2', '10.244.1.3', '10.244.1.4'].map((address) => ({ address, port: 8_080, weight: 1 })),
  ...more,
});
const packet = (source: string, sourcePort: number): Packet => ({
  ...{ source, sourcePort, destination: '10.96.0.9', destinationPort: 80, protocol: 'tcp', mark: 0, state: 'NEW' },
});
const host: Host = {
  isLocal: () => false,
  random: ({ sourcePort }) => (sourcePort % 3) / 3,
  isRecent: (list) => list.endsWith('10.244.1.3:8080'),
  masqueradeAs: () => '',
};
/** How many servers 30 connections come to: of one client, and of 30. */
const spread = (one: VirtualServer): number[] =>
  [(i: number) => packet('10.244.2.9', i), (i: number) => packet(`10.244.2.${i}`, 5)].map(
    (of) => new Set(Array.from({ length: 30 }, (_, i) => chooseServer(one, of(i), host)?.address)).size,
  );

test.each<[string, number[]]>([
  ['rr', [3, 1]],
  ['lc', [3, 1]],
  ['sh', [1, 3]],
  ['dh', [1, 1]],
  ['mh', [3, 3]],
  ['fo', [1, 1]],
])('%s chooses by what it hashes', (scheduler, expected) => {
  expect(spread(virtual(scheduler))).toEqual(expected);
});

test('a client that persists has its server, whatever the scheduler', () => {
  const one = virtual('rr', { persistence: 60 });
  expect(chooseServer(one, packet('10.244.2.9', 2), host)?.address).toBe('10.244.1.3');
  expect(listOf(one, one.servers[1]!)).toBe('tcp 10.96.0.9:80 10.244.1.3:8080');
});

test('servers without weight get nothing', () => {
  const servers = virtual('rr').servers.map((one, i) => ({ ...one, weight: i === 2 ? 1 : 0 }));
  expect(spread(virtual('rr', { servers }))).toEqual([1, 1]);
  expect(chooseServer(virtual('rr', { servers: [] }), packet('10.244.2.9', 1), host)).toBeUndefined();
});
