import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { node, pod } from '../../kubelet/testing.js';
import { hostInterfaces, hostRoutes, podInterfaces, podRoutes } from './interfaces.js';

const podAt = (podIP: string | undefined): Pod => pod({}, podIP === undefined ? {} : { podIP });

test('a pod has a loopback and one end of a pair, whose hardware address holds its address', () => {
  expect(podInterfaces(podAt('10.244.1.5')).map(({ name, addresses, mac }) => [name, ...addresses, mac])).toEqual([
    ['lo', '127.0.0.1/8', '::1/128', '00:00:00:00:00:00'],
    ['eth0', '10.244.1.5/24', '0a:58:0a:f4:01:05'],
  ]);
});

test('everything leaves a pod by its gateway', () => {
  expect(podRoutes(podAt('10.244.1.5'))).toEqual([
    { destination: 'default', gateway: '10.244.1.1', device: 'eth0' },
    { destination: '10.244.1.0/24', gateway: '10.244.1.1', device: 'eth0', source: '10.244.1.5' },
    { destination: '10.244.1.1', device: 'eth0', source: '10.244.1.5' },
  ]);
});

test('before it has an address it has no route', () => {
  expect(podRoutes(podAt(undefined))).toEqual([]);
  expect(podInterfaces(podAt(undefined))[1]!.addresses).toEqual([]);
});

test('a node has an end of a pair for each of its pods, and a route to it', () => {
  const one = podAt('10.244.1.5');
  const other = node({}, { metadata: { name: 'worker-2' }, spec: { podCIDR: '10.244.2.0/24' } });
  const [, veth, eth0] = hostInterfaces(node(), [one]);
  expect([veth, eth0].map((each) => each?.addresses)).toEqual([['10.244.1.1/32'], ['172.18.0.2/16']]);
  expect(hostRoutes(node(), [one], [node(), other])).toEqual([
    { destination: 'default', gateway: '172.18.0.1', device: 'eth0' },
    { destination: '10.244.2.0/24', gateway: '172.18.0.2', device: 'eth0' },
    { destination: '10.244.1.5', device: veth?.name, scope: 'host' },
    { destination: '172.18.0.0/16', device: 'eth0', source: '172.18.0.2' },
  ]);
});
