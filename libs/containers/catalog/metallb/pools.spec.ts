import { expect, test } from '@jest/globals';
import { automaticPools, findFree, isInPool, parseRange, type IPAddressPool } from './pools.js';

const pool = (name: string, addresses: string[], own: IPAddressPool['spec'] = {}): IPAddressPool => ({
  ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { name } },
  spec: { addresses, ...own },
});

test.each([
  ['10.0.0.5-10.0.0.9', 5],
  ['10.0.0.5 - 10.0.0.5', 1],
  ['10.0.0.0/30', 4],
  ['10.0.0.7/32', 1],
  ['10.0.0.9-10.0.0.5', undefined],
  ['10.0.0.900-10.0.0.910', undefined],
  ['10.0.0.0/33', undefined],
  ['10.0.0.0', undefined],
  ['x', undefined],
])('%s has %s addresses', (text, size) => {
  const range = parseRange(text);
  expect(range && range[1] - range[0] + 1).toBe(size);
});

test.each([
  [pool('a', ['10.0.0.5-10.0.0.6', '10.0.1.0/31']), ['10.0.0.5'], '10.0.0.6'],
  [pool('a', ['10.0.0.5-10.0.0.6', '10.0.1.0/31']), ['10.0.0.5', '10.0.0.6'], '10.0.1.0'],
  [pool('a', ['10.0.1.0/31'], { avoidBuggyIPs: true }), [], '10.0.1.1'],
  [pool('a', ['10.0.1.0/32']), ['10.0.1.0'], undefined],
])('of %j without %j the next is %s', (one, used, ip) => {
  expect(findFree(one, new Set(used))).toBe(ip);
});

test('an address is in a pool', () => {
  expect(isInPool('10.0.0.6', pool('a', ['10.0.0.5-10.0.0.6']))).toBe(true);
  expect(isInPool('10.0.0.7', pool('a', ['10.0.0.5-10.0.0.6']))).toBe(false);
});

test('pools are taken by priority, then by name; not those of others, nor those that have to be asked for', () => {
  const pools = [
    pool('c', []),
    pool('b', []),
    pool('a', [], { autoAssign: false }),
    pool('z', [], { serviceAllocation: { priority: 10, namespaces: ['shop'] } }),
    pool('y', [], { serviceAllocation: { namespaces: ['other'] } }),
  ];
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop' }, spec: {}, status: {} };
  expect(automaticPools(pools, service).map(({ metadata }) => metadata.name)).toEqual(['z', 'b', 'c']);
});
