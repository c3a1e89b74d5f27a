import { expect, test } from '@jest/globals';
import { describePeer, letIn, peersOf, podsOfPolicy, type Peer } from './policies.js';
import type { Facts, Row } from './row.js';
import { World } from './world.js';

const LABELS: readonly Record<string, string>[] = [{ app: 'web' }, { app: 'client' }, { team: 'a' }];
const row = (kind: string, name: string, namespace: string, labels: number | undefined, is: Facts = {}): Row => ({
  ...{ kind, name, namespace, uid: `${kind}/${namespace}/${name}`, revision: 1, created: 0, is },
  ...(labels === undefined ? {} : { labels }),
});

function worldOf(policy: Facts): World {
  const world = new World();
  const rows = [
    row('Namespace', 'shop', '', undefined),
    row('Namespace', 'other', '', 2),
    row('Pod', 'web', 'shop', 0),
    row('Pod', 'client', 'shop', 1),
    row('Pod', 'far', 'other', 1),
    row('NetworkPolicy', 'p', 'shop', undefined, policy),
  ];
  world.apply({ begins: true, left: 0, revision: 1, at: 0, labels: LABELS, rows });
  return world;
}

const client: Peer = { pods: { matchLabels: { app: 'client' } } };
test.each<[string, readonly Peer[], readonly string[]]>([
  ['pods of its own namespace', [client], ['client']],
  ['pods of others', [{ ...client, namespaces: { matchLabels: { team: 'a' } } }], ['far']],
  ['all pods of namespaces', [{ namespaces: {} }], ['web', 'client', 'far']],
  ['everybody', [{}], ['web', 'client', 'far']],
  ['addresses', [{ block: '10.0.0.0/8' }], []],
  ['nobody', [], []],
])('a policy lets in %s', (_name, peers, names) => {
  const world = worldOf({ selector: { matchLabels: { app: 'web' } }, types: ['Ingress'], in: peers });
  const policy = world.find('NetworkPolicy', 'shop', 'p')!;
  expect(letIn(world, policy)?.map(({ name }) => name)).toEqual(names);
  expect(podsOfPolicy(world, policy).map(({ name }) => name)).toEqual(['web']);
});

test('of who comes in, a policy of what goes out says nothing', () => {
  const world = worldOf({ selector: {}, types: ['Egress'], out: [client] });
  const policy = world.find('NetworkPolicy', 'shop', 'p')!;
  expect(letIn(world, policy)).toBeUndefined();
  expect(peersOf(policy, 'out').map(describePeer)).toEqual(['pods app=client']);
});

test.each<[Peer, string]>([
  [{}, '*'],
  [{ block: '10.0.0.0/8', ports: ['53/UDP'] }, '10.0.0.0/8 : 53/UDP'],
  [
    { ...client, namespaces: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
    'pods app=client of namespaces a In (b)',
  ],
])('%j is told as %s', (peer, text) => expect(describePeer(peer)).toBe(text));
