import { expect, test } from '@jest/globals';
import { node } from '../testing.js';
import { findFreeAddress, findFreePodCIDR } from './ranges.js';

const withRange = (podCIDR?: string): ReturnType<typeof node> => node({}, { spec: { podCIDR } });
const withAddress = (address: string): ReturnType<typeof node> =>
  node({ addresses: [{ type: 'InternalIP', address }] });

test.each([
  ['no nodes', [], '10.244.0.0/24'],
  ['the first gap', ['10.244.0.0/24', '10.244.2.0/24'], '10.244.1.0/24'],
  ['nodes without a range', [undefined], '10.244.0.0/24'],
  ['all taken', Array.from({ length: 256 }, (_, i) => `10.244.${i}.0/24`), '10.245.0.0/24'],
])('a range of pod addresses beside %s', (_case, ranges, expected) => {
  expect(findFreePodCIDR(ranges.map(withRange))).toBe(expected);
});

test.each([
  ['no nodes', [], '172.18.0.2'],
  ['the first gap', ['172.18.0.2', '172.18.0.4'], '172.18.0.3'],
  ['more than 253', Array.from({ length: 254 }, (_, i) => `172.18.0.${i + 2}`), '172.18.1.0'],
])('an address beside %s', (_case, addresses, expected) => {
  expect(findFreeAddress(addresses.map(withAddress))).toBe(expected);
});
