import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { flannel } from './flannel.js';

const nodeOf = (i: number, backend: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `worker-${i}`,
    annotations: {
      'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
      'flannel.alpha.coreos.com/backend-type': backend,
      'flannel.alpha.coreos.com/backend-data': `{"VNI":1,"VtepMAC":"ae:00:00:00:00:0${i}"}`,
      'flannel.alpha.coreos.com/public-ip': `172.18.0.${i}`,
    },
  },
  spec: { podCIDR: `10.244.${i}.0/24` },
  status: {},
});
const POD: Pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', uid: 'u' } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { podIP: '10.244.1.7' },
};
const read = { get: () => undefined } as unknown as Reader;
const viewOf = (backend: string, other = backend) => ({
  ...{ read, node: nodeOf(1, backend), pods: [POD] },
  nodes: [nodeOf(1, backend), nodeOf(2, other)],
});
const podAt = (ip: string): Pod | undefined => (ip === '10.244.1.7' ? POD : undefined);
const routed = (backend: string, address: string, other = backend): string => {
  const found = flannel.route(viewOf(backend, other), address, podAt);
  return found ? `${found.type}${'route' in found ? ` ${found.route}` : ''}` : 'elsewhere';
};

describe('a node routes', () => {
  const own = '10.244.1.0/24 dev cni0 proto kernel scope link src 10.244.1.1';
  test.each([
    ['vxlan', '10.244.1.7', `pod ${own}`],
    ['vxlan', '10.244.1.8', `nobody ${own}`],
    ['vxlan', '10.244.1.1', 'local'],
    ['vxlan', '10.244.1.0', 'local'],
    ['vxlan', '10.244.2.7', 'node 10.244.2.0/24 via 10.244.2.0 dev flannel.1 onlink'],
    ['host-gw', '10.244.2.7', 'node 10.244.2.0/24 via 172.18.0.2 dev eth0'],
    ['host-gw', '10.244.9.7', 'nobody default via 172.18.0.1 dev eth0'],
    ['host-gw', '172.18.0.2', 'elsewhere'],
  ])('by %s to %s: %s', (backend, address, route) => {
    expect(routed(backend, address)).toBe(route);
  });

  test('not to a node of another backend', () => {
    expect(routed('vxlan', '10.244.2.7', 'host-gw')).toBe('nobody default via 172.18.0.1 dev eth0');
  });
});

test.each([
  ['vxlan', ['flannel.1', 'cni0', 'veth'], [['10.244.2.0', 'ae:00:00:00:00:02', '172.18.0.2']]],
  ['host-gw', ['cni0', 'veth'], []],
])('by %s a node has the interfaces %j', (backend, names, neighbours) => {
  const view = viewOf(backend);
  const shown = flannel.hostInterfaces(view, {}).map(({ name }) => (name.startsWith('veth') ? 'veth' : name));
  expect(shown).toEqual(names);
  expect(flannel.neighbours(view, {}).map(({ address, mac, remote }) => [address, mac, remote])).toEqual(neighbours);
});

test('a pod has the bridge for a gateway', () => {
  expect(flannel.podInterfaces(POD, { mtu: 1_450 }).map(({ name, mtu }) => [name, mtu])).toEqual([
    ['lo', 65_536],
    ['eth0', 1_450],
  ]);
  expect(flannel.podRoutes(POD, {}).map(({ destination, gateway }) => [destination, gateway])).toEqual([
    ['default', '10.244.1.1'],
    ['10.244.0.0/16', '10.244.1.1'],
    ['10.244.1.0/24', undefined],
  ]);
});
