import { expect, test } from '@jest/globals';
import { findKind, KINDS } from './kinds.js';

test.each([
  ['IPPool', 'IPPool'],
  ['pools', 'IPPool'],
  ['gnp', 'GlobalNetworkPolicy'],
  ['WEP', 'WorkloadEndpoint'],
  ['bgppeers', 'BGPPeer'],
  ['things', undefined],
])('%s means %s', (word, kind) => {
  expect(findKind(word)?.kind).toBe(kind);
});

test.each<[string, Record<string, unknown>, string]>([
  ['ippool', { cidr: '10.0.0.0/16', ipipMode: 'Always' }, 'x 10.0.0.0/16 false Always Never false false all()'],
  ['node', { bgp: { ipv4Address: '172.18.0.3/16' } }, 'x (64512) 172.18.0.3/16 '],
  ['networkpolicy', { order: 5, selector: 'all()' }, 'x 5 all()'],
  ['globalnetworkpolicy', {}, 'x <nil> '],
  ['bgppeer', { peerIP: '10.0.0.1', asNumber: 64512 }, 'x 10.0.0.1 (global) 64512'],
  ['bgpconfig', { nodeToNodeMeshEnabled: false }, 'x  false -'],
  ['profile', { labelsToApply: { b: '2', a: '1' } }, 'x a=1,b=2'],
  ['networkset', { nets: ['10.0.0.0/8', '1.1.1.1/32'] }, 'x 10.0.0.0/8,1.1.1.1/32'],
])('a %s has the columns of its kind', (word, spec, expected) => {
  const kind = findKind(word)!;
  const object = { apiVersion: 'projectcalico.org/v3', kind: kind.kind, metadata: { name: 'x' }, spec };
  expect(kind.wide.map((column) => kind.cell(column, object, '64512')).join(' ')).toBe(expected);
});

test('no name is of two kinds', () => {
  const names = KINDS.flatMap(({ aliases }) => aliases);
  expect(new Set(names).size).toBe(names.length);
});
