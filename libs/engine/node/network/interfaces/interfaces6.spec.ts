import { expect, test } from '@jest/globals';
import { hostRoutes6, linkLocalOf, podInterfaces6, podRoutes6 } from './interfaces6.js';

const single = { status: { podIP: '10.244.1.5', podIPs: [{ ip: '10.244.1.5' }] } } as never;
const dual = { status: { podIP: '10.244.1.5', podIPs: [{ ip: '10.244.1.5' }, { ip: 'fd00:10:244:1::5' }] } } as never;
const eth0 = { name: 'eth0', index: 2, addresses: ['10.244.1.5/24'], mac: '0a:58:0a:f4:01:05', mtu: 1_500, isUp: true };

test('an address of the link is made of that of the hardware', () =>
  expect(linkLocalOf('0a:58:0a:f4:01:05')).toBe('fe80::858:aff:fef4:105'));

test('a pod of one family has its interfaces as they are, and no routes of the other', () => {
  const own = [eth0];
  expect(podInterfaces6(single, own)).toBe(own);
  expect(podRoutes6(single)).toEqual([]);
});

test('a pod of both', () => {
  expect(podInterfaces6(dual, [eth0])[0]!.addresses).toEqual([
    '10.244.1.5/24',
    'fd00:10:244:1::5/64',
    'fe80::858:aff:fef4:105/64',
  ]);
  expect(podRoutes6(dual).map(({ destination, gateway }) => `${destination} ${gateway}`)).toEqual([
    'fd00:10:244:1::1 undefined',
    'fd00:10:244:1::/64 fd00:10:244:1::1',
    'fe80::/64 undefined',
    'default fd00:10:244:1::1',
  ]);
});

test('a node of one family has no routes of the other', () =>
  expect(hostRoutes6({ metadata: {}, spec: {}, status: {} } as never, [dual], [])).toEqual([]));
