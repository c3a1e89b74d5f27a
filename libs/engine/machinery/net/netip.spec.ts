import { expect, test } from '@jest/globals';
import {
  contains,
  hasHostBits,
  isIPv4Mapped,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMulticast,
  isUnspecified,
  joinHostPort,
  networkAddress,
  parseAddress,
  parsePrefix,
} from './netip.js';

test.each([
  ['10.9.8.7', '10.9.8.7'],
  ['0.0.0.0', '0.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['::', '::'],
  ['::1', '::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['fe80::00a0', 'fe80::a0'],
  ['::1.2.3.4', '::102:304'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
])('%s is an address, canonically %s', (text, canonical) => expect(String(parseAddress(text))).toBe(canonical));

test.each([
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.04',
  '0x1.2.3.4',
  '1.2.3.4 ',
  ' 1.2.3.4',
  '1.2.3.4\n',
  '1.2.3.-4',
  '1.2..4',
  '3232235777',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  ':1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:',
  '12345::',
  'g::',
  'fe80::1%eth0',
  'fe80::1%',
  '::ffff:01.2.3.4',
  '::ffff:1.2.3',
  '1.2.3.4::',
  '1:2:3:4:5:6:7:1.2.3.4',
  '[::1]',
  '::1/128',
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each([
  ['10.0.0.0/8', '10.0.0.0', 8, false],
  ['10.1.2.3/8', '10.0.0.0', 8, true],
  ['10.1.2.3/0', '0.0.0.0', 0, true],
  ['10.1.2.3/32', '10.1.2.3', 32, false],
  ['192.168.5.0/23', '192.168.4.0', 23, true],
  ['::/0', '::', 0, false],
  ['fd00::1/64', 'fd00::', 64, true],
  ['2001:db8:ffff::/35', '2001:db8:e000::', 35, true],
  ['::ffff:10.0.0.0/104', '::ffff:a00:0', 104, false],
])('%s is a prefix of the network %s', (text, network, bits, host) => {
  const prefix = parsePrefix(text)!;
  expect([String(networkAddress(prefix)), prefix.bits, hasHostBits(prefix)]).toEqual([network, bits, host]);
});

test.each(['10.0.0.0', '10.0.0.0/', '/8', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/+8', '10.0.0/8', '::/8/8'])(
  '%j is no prefix',
  (text) => expect(parsePrefix(text)).toBeUndefined(),
);

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.9.9.9/8', '10.0.0.1', true],
  ['0.0.0.0/0', '8.8.8.8', true],
  ['0.0.0.0/0', '::1', false],
  ['::/0', '1.2.3.4', false],
  ['fd00::/8', 'fdff::1', true],
  ['fd00::/127', 'fd00::2', false],
])('%s contains %s: %s', (prefix, address, result) =>
  expect(contains(parsePrefix(prefix)!, parseAddress(address)!)).toBe(result),
);

const RANGES = { isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast, isMulticast, isIPv4Mapped };

test.each<[string, (keyof typeof RANGES)[]]>([
  ['0.0.0.0', ['isUnspecified']],
  ['0.0.0.1', []],
  ['::', ['isUnspecified']],
  ['127.8.9.10', ['isLoopback']],
  ['::1', ['isLoopback']],
  ['169.254.1.1', ['isLinkLocalUnicast']],
  ['febf::1', ['isLinkLocalUnicast']],
  ['fec0::1', []],
  ['224.0.0.251', ['isLinkLocalMulticast', 'isMulticast']],
  ['224.0.1.1', ['isMulticast']],
  ['ff02::fb', ['isLinkLocalMulticast', 'isMulticast']],
  ['ff12::fb', ['isLinkLocalMulticast', 'isMulticast']],
  ['ff05::2', ['isMulticast']],
  ['::ffff:127.0.0.1', ['isIPv4Mapped']],
  ['10.0.0.1', []],
])('%s: %j', (text, expected) => {
  const address = parseAddress(text)!;
  expect(Object.entries(RANGES).flatMap(([name, isInRange]) => (isInRange(address) ? [name] : []))).toEqual(expected);
});

test('an address of IPv6 stands in brackets before a port', () =>
  expect([joinHostPort('10.0.0.1', 80), joinHostPort('fd00::1', '80')]).toEqual(['10.0.0.1:80', '[fd00::1]:80']));
