import { expect, test } from '@jest/globals';
import type { Client } from '@terrarium/engine';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import { CustomResourceDefinitions, Nodes } from '../../../engine/kinds/index.js';
import {
  CiliumEndpoints,
  CiliumIdentities,
  CiliumNetworkPolicies,
  CiliumNodes,
} from '../../../engine/node/cni/cilium/objects.js';
import { registerDefinitions } from './definitions.js';
import { collectIdentities } from './identities.js';
import { giveRanges, markReady } from './nodes.js';
import { judgePolicies } from './policies.js';

const NOW = Date.UTC(2026, 0, 1, 12);
type Stored = KubeObject & Record<string, unknown>;

/** An API that keeps objects by their plural and name. */
function apiOf(
  ...objects: readonly [resource: { plural: string }, object: object][]
): Client & { all(plural: string): Stored[] } {
  const stored = new Map<string, Stored>();
  const keyOf = (plural: string, { metadata }: KubeObject): string => `${plural}/${metadata.name}`;
  const put = ({ plural }: { plural: string }, object: object): object => {
    stored.set(keyOf(plural, object as Stored), object as Stored);
    return object;
  };
  for (const [resource, object] of objects) put(resource, object);
  const all = (plural: string): Stored[] =>
    [...stored].filter(([key]) => key.startsWith(`${plural}/`)).map(([, object]) => object);
  const api = {
    ...{ create: put, update: put, updateStatus: put, all },
    get: ({ plural }: { plural: string }, { name }: { name: string }) => stored.get(`${plural}/${name}`),
    list: ({ plural }: { plural: string }) => all(plural),
    delete: ({ plural }: { plural: string }, { name }: { name: string }) => void stored.delete(`${plural}/${name}`),
  };
  return api as unknown as Client & { all(plural: string): Stored[] };
}
const named = (name: string, more: object = {}): object => ({ metadata: { name }, ...more });

test('definitions are registered once', () => {
  const api = apiOf();
  expect(registerDefinitions(api)).toBe(false);
  expect(registerDefinitions(api)).toBe(true);
  expect(api.all(CustomResourceDefinitions.plural).map(({ metadata }) => metadata.name)).toContain(
    'ciliumnetworkpolicies.cilium.io',
  );
});

test('each node has a range of its own', () => {
  const api = apiOf(
    [CiliumNodes, named('a', { spec: { ipam: { podCIDRs: ['10.0.0.0/24'] } } })],
    ...['b', 'c'].map((name): [typeof CiliumNodes, object] => [CiliumNodes, named(name, { spec: {} })]),
  );
  giveRanges(api);
  giveRanges(api);
  expect(api.list(CiliumNodes).map(({ spec }) => spec?.ipam?.podCIDRs?.[0])).toEqual([
    '10.0.0.0/24',
    '10.0.1.0/24',
    '10.0.2.0/24',
  ]);
});

test('a node whose agent has come up is said to be, and loses its taint', () => {
  const taints = [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }];
  const spec = { addresses: [{ type: 'CiliumInternalIP', ip: '10.0.1.9' }] };
  const api = apiOf(
    ...['a', 'b'].map((name): [typeof Nodes, object] => [Nodes, named(name, { spec: { taints }, status: {} })]),
    [CiliumNodes, named('a', { spec })],
    [CiliumNodes, named('b', { spec: {} })],
  );
  markReady(api, NOW);
  const [a, b] = api.list(Nodes);
  expect(a).toMatchObject({
    spec: { taints: [] },
    status: { conditions: [{ reason: 'CiliumIsUp', status: 'False' }] },
  });
  expect(b).toMatchObject({ spec: { taints }, status: {} });
});

test('identities that nobody has go after half an hour', () => {
  const api = apiOf(
    ...['300', '301'].map((name): [typeof CiliumIdentities, object] => [CiliumIdentities, named(name)]),
    [CiliumEndpoints, named('web', { status: { identity: { id: 300 } } })],
  );
  const due = collectIdentities(api, NOW);
  expect(due).toBe(NOW + 30 * 60_000);
  expect(collectIdentities(api, due! - 1_000)).toBe(due);
  collectIdentities(api, due!);
  expect(api.list(CiliumIdentities).map(({ metadata }) => metadata.name)).toEqual(['300']);
});

test('policies say whether they can be read', () => {
  const kind = 'CiliumNetworkPolicy';
  const api = apiOf(
    [CiliumNetworkPolicies, named('good', { kind, spec: { endpointSelector: {} } })],
    [CiliumNetworkPolicies, named('bad', { kind, spec: {} })],
  );
  judgePolicies(api, NOW);
  expect(api.list(CiliumNetworkPolicies).map(({ status }) => status?.conditions?.[0]?.['message'])).toEqual([
    'Policy validation succeeded',
    'Invalid CiliumNetworkPolicy spec: rule must have one of EndpointSelector or NodeSelector',
  ]);
});
