import { expect, test } from '@jest/globals';
import { birdPeers, showProtocols, statusRow } from './bird.js';

const nodes = [1, 2, 3].map((i) => ({ name: `n${i}`, ip: `172.18.0.${i}`, labels: { rack: `r${i}` } }));
const peersOf = (peers: readonly Record<string, unknown>[], configuration: Record<string, unknown> = {}): string[] =>
  birdPeers({ node: 'n1', nodes, peers, configuration }).map(({ kind, address, info }) => `${kind} ${address} ${info}`);

const MESH = ['Mesh 172.18.0.2 Established', 'Mesh 172.18.0.3 Established'];
const OFF = { nodeToNodeMeshEnabled: false };

test.each<[string, Record<string, unknown>[], Record<string, unknown>, string[]]>([
  ['every other node', [], {}, MESH],
  ['nobody without the mesh', [], OFF, []],
  ['a router of all nodes, which nobody is', [{ peerIP: '10.0.0.1' }], OFF, ['Global 10.0.0.1 Connect']],
  ['a peer of its own', [{ peerIP: '172.18.0.3', node: 'n1' }], OFF, ['Node 172.18.0.3 Established']],
  ['no peer of another', [{ peerIP: '10.0.0.1', node: 'n2' }], OFF, []],
  [
    'nodes by their labels',
    [{ nodeSelector: "rack == 'r1'", peerSelector: "rack != 'r3'" }],
    OFF,
    ['Node 172.18.0.2 Established'],
  ],
])('a node speaks with %s', (_case, peers, configuration, expected) => {
  expect(peersOf(peers, configuration)).toEqual(expected);
});

test('a peer is shown by both programs', () => {
  const peer = { kind: 'Mesh', address: '172.18.0.2', state: 'up', info: 'Established' } as const;
  expect(statusRow(peer, '10:00:00')).toEqual([
    ...['172.18.0.2', 'node-to-node mesh', 'up', '10:00:00', 'Established'],
  ]);
  expect(showProtocols([peer], '10:00:00').split('\n')[6]).toBe(
    'Mesh_172_18_0_2 BGP      master   up     10:00:00    Established',
  );
});
