import { expect, test } from '@jest/globals';
import { addressRange } from './address-range.js';

test.each([
  ['10.96.0.0/12', 1 << 20, 256, '10.96.0.1', '10.111.255.254'],
  ['192.168.0.0/28', 16, 0, '192.168.0.1', '192.168.0.14'],
  ['192.168.0.0/24', 256, 16, '192.168.0.1', '192.168.0.254'],
  ['fd00:10:96::/112', 1 << 16, 256, 'fd00:10:96::1', 'fd00:10:96::fffe'],
  ['fd00::/64', 2 ** 31, 256, 'fd00::1', 'fd00::7fff:fffe'],
])('%s', (cidr, size, band, first, last) => {
  const range = addressRange(cidr)!;
  expect([range.size, range.band, range.at(1), range.at(size - 2)]).toEqual([size, band, first, last]);
});

test.each([
  ['10.96.0.0/24', '10.96.0.0', false],
  ['10.96.0.0/24', '10.96.0.255', false],
  ['10.96.0.0/24', '10.96.0.254', true],
  ['10.96.0.0/24', '10.96.1.1', false],
  ['10.96.0.0/24', 'fd00::1', false],
  ['fd00::/120', 'fd00::', false],
  ['fd00::/120', 'fd00::ff', true],
  ['fd00::/120', 'nonsense', false],
])('%s has %s: %s', (cidr, ip, has) => expect(addressRange(cidr)!.has(ip)).toBe(has));
