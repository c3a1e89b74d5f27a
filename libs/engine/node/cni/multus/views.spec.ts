import { expect, test } from '@jest/globals';
import type { Route } from '../../../kernel/process/syscalls.js';
import type { Attachment } from './attachment.js';
import { chooseRoute } from './lookup.js';
import { mergeRoutes } from './views.js';

const OWN: readonly Route[] = [
  { destination: 'default', gateway: '10.244.1.1', device: 'eth0' },
  { destination: '10.244.1.0/24', gateway: '10.244.1.1', device: 'eth0' },
];
const net1: Attachment = {
  ...{ name: 'net1', network: 'default/a', plugin: 'macvlan', node: 'worker-1', segment: 'eth0' },
  ...{ addresses: ['192.168.1.200/24'], mac: '', mtu: 1500, routes: [] },
};
const short = (routes: readonly Route[]): string[] =>
  routes.map(({ destination, gateway, device }) => `${destination} ${gateway ?? '-'} ${device}`);

test.each<[string, Partial<Attachment>, string[]]>([
  ['its network', {}, ['default 10.244.1.1 eth0', '10.244.1.0/24 10.244.1.1 eth0', '192.168.1.0/24 - net1']],
  [
    'the routes of its IPAM',
    { routes: [{ destination: '10.50.0.0/16', gateway: '192.168.1.1' }] },
    [
      ...['default 10.244.1.1 eth0', '10.244.1.0/24 10.244.1.1 eth0', '10.50.0.0/16 192.168.1.1 net1'],
      '192.168.1.0/24 - net1',
    ],
  ],
  [
    'a default route before the first',
    { routes: [{ destination: '0.0.0.0/0', gateway: '192.168.1.1' }] },
    [
      ...['default 192.168.1.1 net1', 'default 10.244.1.1 eth0', '10.244.1.0/24 10.244.1.1 eth0'],
      '192.168.1.0/24 - net1',
    ],
  ],
  [
    'the only default route',
    { defaultGateway: '192.168.1.9' },
    ['default 192.168.1.9 net1', '10.244.1.0/24 10.244.1.1 eth0', '192.168.1.0/24 - net1'],
  ],
])('an interface brings %s', (_case, own, expected) => {
  expect(short(mergeRoutes(OWN, [{ ...net1, ...own }]))).toEqual(expected);
});

test.each([
  ['192.168.1.201', 'net1'],
  ['10.244.1.9', 'eth0'],
  ['10.96.0.10', 'eth0'],
])('%s goes by %s', (address, device) => {
  expect(chooseRoute(mergeRoutes(OWN, [net1]), address)?.device).toBe(device);
});
