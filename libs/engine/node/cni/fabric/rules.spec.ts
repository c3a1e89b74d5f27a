import { expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { IPPools } from '../calico/objects.js';
import { networkRules } from './rules.js';

const node: Node = {
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } },
  ...{ spec: { podCIDR: '10.244.1.0/24' }, status: {} },
};
const POOLS = [
  { metadata: { name: 'a' }, spec: { cidr: '10.244.0.0/16', natOutgoing: true } },
  { metadata: { name: 'b' }, spec: { cidr: '10.9.0.0/16' } },
  { metadata: { name: 'c' }, spec: { cidr: 'fd00::/64', natOutgoing: true } },
];
/** A cluster whose node has a network by this plug-in. */
const readOf = (plugin: string | undefined): Reader =>
  ({
    get: () => (plugin === undefined ? undefined : { network: { plugin } }),
    list: (resource: unknown) => (resource === IPPools ? POOLS : []),
    byIndex: () => [],
  }) as unknown as Reader;

test.each<[string | undefined, Record<string, number> | undefined]>([
  [undefined, undefined],
  ['ptp', undefined],
  ['flannel', { POSTROUTING: 1, 'FLANNEL-POSTRTG': 6 }],
  ['calico', { POSTROUTING: 1, 'cali-POSTROUTING': 1, 'cali-nat-outgoing': 3 }],
])('the agent of %s writes %j', (plugin, expected) => {
  const nat = networkRules(readOf(plugin), node)?.nat;
  const counts = nat && Object.fromEntries(Object.entries(nat).map(([chain, rules]) => [chain, rules.length]));
  expect(counts).toEqual(expected);
});

test('what leaves the pools of Calico is masqueraded where a pool says so', () => {
  const rules = networkRules(readOf('calico'), node)?.nat?.['cali-nat-outgoing'] ?? [];
  expect(rules.map(({ target }) => target?.type)).toEqual(['RETURN', 'RETURN', 'MASQUERADE']);
});
