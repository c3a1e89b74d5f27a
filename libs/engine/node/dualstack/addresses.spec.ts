import { expect, test } from '@jest/globals';
import { podIPTo, secondAddressFor, secondGatewayOf, secondRangeFor } from './addresses.js';

test.each([
  ['10.244.0.0/24', 'fd00:10:244::/64'],
  ['10.244.7.0/24', 'fd00:10:244:7::/64'],
  ['10.244.200.0/24', 'fd00:10:244:c8::/64'],
  ['10.245.0.0/24', 'fd00:10:244:100::/64'],
])('beside %s a node has %s', (podCIDR, expected) => expect(secondRangeFor(podCIDR)).toBe(expected));

test.each<[string, string | undefined, string, string | undefined]>([
  ['10.244.1.5', '10.244.1.0/24', 'fd00:10:244:1::/64', 'fd00:10:244:1::5'],
  ['10.244.0.254', '10.244.0.0/24', 'fd00:10:244::/64', 'fd00:10:244::fe'],
  ['10.99.1.5', '10.244.1.0/24', 'fd00:10:244:1::/64', 'fd00:10:244:1::105'],
  ['10.244.1.5', undefined, 'fd00:1::/64', 'fd00:1::105'],
  ['10.244.1.5', '10.244.1.0/24', '', undefined],
  ['', '10.244.1.0/24', 'fd00:1::/64', undefined],
])('beside %j of %s host-local gives of %s %s', (ip, podCIDR, range, expected) =>
  expect(secondAddressFor(ip, podCIDR, range)).toBe(expected),
);

test('the host has the first address of a range', () => expect(secondGatewayOf('fd00:1::/64')).toBe('fd00:1::1'));

test('a pod sends from its address of the family', () => {
  const pod = { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } } as never;
  const single = { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] } } as never;
  expect([podIPTo(pod, 'fd00::2'), podIPTo(pod, '10.0.0.2'), podIPTo(single, 'fd00::2')]).toEqual([
    'fd00::1',
    '10.0.0.1',
    '',
  ]);
});
