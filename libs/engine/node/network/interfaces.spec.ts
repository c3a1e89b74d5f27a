import type { Pod } from '../../api/core_v1.js';
import { podInterfaces, podRoutes } from './interfaces.js';

const podAt = (podIP: string | undefined): Pod => ({ metadata: {}, spec: { containers: [] }, status: { podIP } });

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
