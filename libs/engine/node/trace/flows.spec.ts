import { expect, test } from '@jest/globals';
import type { Track } from '../../kernel/conntrack/track.js';
import type { State } from '../../kernel/state.js';
import { stateOf } from '../cri/testing.js';
import { ClusterNetwork } from '../network/cluster-network.js';
import { namespace, nodeAt, podAt } from '../policy/testing.js';
import { service } from '../proxy/testing.js';
import { flowsOf } from './flows.js';

const NOW = 1_000_000;
const web = podAt('shop/web', '10.244.2.2', {}, { nodeName: 'worker-1' });
const db = podAt('shop/db', '10.244.2.3', {}, { nodeName: 'worker-1' });
const state = stateOf(
  ...[nodeAt('worker-1', '172.18.0.2'), namespace('shop'), web, db],
  service('shop/db', { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] }),
);
const network = new ClusterNetwork(state);
const from = { source: '10.244.2.2', destination: '10.96.0.9', destinationPort: 80 };
const passed = [{ at: 'worker-1', from, to: { ...from, destination: '10.244.2.3', destinationPort: 5_432 } }];
const track = (id: number, fields: Partial<Track> = {}): Track => ({
  ...{ id, protocol: 'tcp', startedAt: NOW - 10, lastAt: NOW - 5, bytesSent: 3, bytesReceived: 4, passed },
  ...{ decided: 'NetworkPolicy shop/db', sent: { ...from, sourcePort: 40_000 }, ...fields },
});
const read = (tracks: readonly Track[], since = 0, limit = 9) => {
  const machine = { id: 'web', tracks: new Map(tracks.map((one) => [one.id, one])) } as unknown as State;
  return flowsOf({ network, connected: () => [{ pod: web, state: machine }] }, state)({ since, limit }, NOW);
};

test('a flow through a Service', () => {
  expect(read([track(1)])).toEqual({
    at: '1970-01-01T00:16:40.000000Z',
    flows: [
      {
        ...{ id: 'web/1/999990', startedAt: '1970-01-01T00:16:39.990000Z', from: 'pod/shop/web', to: 'pod/shop/db' },
        ...{ service: 'service/shop/db', address: '10.96.0.9', port: 80, protocol: 'TCP', verdict: 'Delivered' },
        ...{ decided: 'NetworkPolicy shop/db', bytesSent: 3, bytesReceived: 4, nodes: ['worker-1'] },
      },
    ],
    left: 0,
  });
});

test.each<[string, Partial<Track>, string]>([
  ['dropped', { end: 'lost', endedAt: NOW - 10 }, 'Dropped'],
  ['refused', { end: 'reset', endedAt: NOW - 10 }, 'Refused'],
  ['reset later', { end: 'reset', endedAt: NOW - 2 }, 'Delivered'],
  ['closed', { end: 'closed', endedAt: NOW - 2 }, 'Delivered'],
])('one that was %s', (_, fields, verdict) => {
  expect(read([track(1, fields)]).flows[0]).toMatchObject({ verdict, endedAt: expect.any(String) });
});

test('the latest first, those since a time, and how many are left', () => {
  const tracks = [track(1, { lastAt: NOW - 50 }), track(2), track(3, { lastAt: NOW - 6 })];
  expect(read(tracks, 0, 2)).toMatchObject({ flows: [{ id: 'web/2/999990' }, { id: 'web/3/999990' }], left: 1 });
  expect(read(tracks, NOW - 20).flows).toHaveLength(2);
});

test('from outside', () => {
  const way = { end: { outside: 'x', port: 80 }, source: '172.18.0.1', hops: [], visited: [], passed };
  const sent = { source: '172.18.0.1', sourcePort: 40_000, destination: '172.18.0.2', destinationPort: 30_080 };
  for (let i = 0; i < 150; i++) network.outside.note(way, sent, NOW - i, { bytesSent: 0, bytesReceived: 1 });
  expect(network.outside.list()).toHaveLength(100);
  expect(read([]).flows[0]).toMatchObject({ from: '172.18.0.1', to: 'pod/shop/db', port: 30_080 });
});
