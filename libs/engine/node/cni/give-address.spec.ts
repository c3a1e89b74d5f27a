import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import type { NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../machinery/client.js';
import { Addresses } from './addresses.js';
import { IPAMBlocks, IPPools } from './calico/objects.js';
import { giveAddress } from './give-address.js';

const node: Node = {
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: { name: 'worker-1', annotations: { 'projectcalico.org/IPv4IPIPTunnelAddr': '10.244.1.0' } },
  ...{ spec: { podCIDR: '10.244.1.0/24' }, status: {} },
};
const podWith = (annotations: Record<string, string>): Pod =>
  ({ metadata: { name: 'p', namespace: 'shop', annotations }, spec: {}, status: {} }) as unknown as Pod;

const POOLS = [
  { metadata: { name: 'first' }, spec: { cidr: '10.244.0.0/16' } },
  { metadata: { name: 'second' }, spec: { cidr: '10.9.0.0/16' } },
];
const BLOCKS = [
  { metadata: { name: 'a' }, spec: { cidr: '10.244.1.0/26', affinity: 'host:worker-1' } },
  { metadata: { name: 'b' }, spec: { cidr: '10.9.1.0/26', affinity: 'host:worker-1' } },
];
const readerOf = (pools: readonly object[], namespace: Record<string, string> = {}): Reader =>
  ({
    list: (resource: unknown) => (resource === IPPools ? pools : resource === IPAMBlocks ? BLOCKS : []),
    get: () => ({ metadata: { name: 'shop', annotations: namespace } }),
    byIndex: () => [],
  }) as unknown as Reader;

function give(
  network: NodeNetwork | undefined,
  annotations: Record<string, string> = {},
  read = readerOf(POOLS),
): string {
  const given = giveAddress({ read, addresses: new Addresses(), node, pod: podWith(annotations), network });
  return 'ip' in given ? given.ip : 'failure' in given ? given.failure : `used up: ${given.usedUp}`;
}

test.each<[string, NodeNetwork | undefined, string]>([
  ['of its node', undefined, '10.244.1.2'],
  ['of other ranges', { ranges: [{ first: '10.5.0.9', last: '10.5.0.9', gateway: '' }] }, '10.5.0.9'],
  ['that all pods have', { address: '10.7.0.1' }, '10.7.0.1'],
  ['of none', { ranges: [{ first: '10.5.0.1', last: '10.5.0.1', gateway: '10.5.0.1' }] }, 'used up: 10.5.0.1-10.5.0.1'],
])('a pod gets an address %s', (_case, network, expected) => {
  expect(give(network)).toBe(expected);
});

describe('by Calico a pod gets', () => {
  const OF = 'cni.projectcalico.org/';
  const failed = 'plugin type="calico" failed (add): ';
  const calico = { plugin: 'calico', ipam: 'calico' } as const;
  test.each<[string, Record<string, string>, string]>([
    ['the first of a block that its tunnel has not', {}, '10.244.1.1'],
    ['one of the pool that it names', { [`${OF}ipv4pools`]: '["second"]' }, '10.9.1.0'],
    ['one of the range that it names', { [`${OF}ipv4pools`]: '["10.9.0.0/16"]' }, '10.9.1.0'],
    [
      'nothing of a pool that is not there',
      { [`${OF}ipv4pools`]: '["third"]' },
      `${failed}error parsing IPPools: no such pool: ["third"]`,
    ],
    ['the one that it names', { [`${OF}ipAddrs`]: '["10.244.7.7"]' }, '10.244.7.7'],
    [
      'none that no pool has',
      { [`${OF}ipAddrs`]: '["1.2.3.4"]' },
      `${failed}unable to allocate IP 1.2.3.4: the provided IP is not in a configured pool`,
    ],
  ])('%s', (_case, annotations, expected) => {
    expect(give(calico, annotations)).toBe(expected);
  });

  test('what its namespace names', () => {
    expect(give(calico, {}, readerOf(POOLS, { [`${OF}ipv4pools`]: '["second"]' }))).toBe('10.9.1.0');
  });

  test('nothing without pools', () => {
    expect(give(calico, {}, readerOf([]))).toBe(`${failed}no configured Calico pools for node worker-1`);
  });
});
