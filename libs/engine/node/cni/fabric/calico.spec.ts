import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { IPAMBlocks, IPPools } from '../calico/objects.js';
import { calico } from './calico.js';

const OF = 'projectcalico.org/';
const nodeOf = (i: number, tunnel: string): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: {
    name: `worker-${i}`,
    annotations: {
      [`${OF}IPv4Address`]: `172.18.0.${i}/16`,
      ...(tunnel === 'ipip' ? { [`${OF}IPv4IPIPTunnelAddr`]: `10.244.${i}.0` } : {}),
      ...(tunnel === 'vxlan' ? { [`${OF}IPv4VXLANTunnelAddr`]: `10.244.${i}.0` } : {}),
    },
  },
  spec: {},
  status: { addresses: [{ type: 'InternalIP', address: `172.18.0.${i}` }] },
});
const POD: Pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', uid: 'u' } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { podIP: '10.244.1.7' },
};
const MODES: Readonly<Record<string, object>> = {
  ipip: { ipipMode: 'Always' },
  vxlan: { vxlanMode: 'Always' },
  none: {},
};
const readOf = (mode: string): Reader =>
  ({
    get: () => undefined,
    list: (resource: unknown) =>
      resource === IPPools
        ? [{ metadata: { name: 'p' }, spec: { cidr: '10.244.0.0/16', ...MODES[mode] } }]
        : resource === IPAMBlocks
          ? [1, 2].map((i) => ({
              metadata: { name: `b${i}` },
              spec: { cidr: `10.244.${i}.0/26`, affinity: `host:worker-${i}` },
            }))
          : [],
  }) as unknown as Reader;
const viewOf = (mode: string) => ({
  ...{ read: readOf(mode), node: nodeOf(1, mode), pods: [POD] },
  nodes: [nodeOf(1, mode), nodeOf(2, mode)],
});
const podAt = (ip: string): Pod | undefined => (ip === '10.244.1.7' ? POD : undefined);

describe('a node routes', () => {
  test.each([
    ['ipip', '10.244.1.7', 'pod 10.244.1.7 dev cali68caf03a5f4 scope link'],
    ['ipip', '10.244.1.8', 'nobody blackhole 10.244.1.0/26 proto bird'],
    ['ipip', '10.244.1.0', 'local'],
    ['ipip', '10.244.2.7', 'node 10.244.2.0/26 via 172.18.0.2 dev tunl0 proto bird onlink'],
    ['vxlan', '10.244.2.7', 'node 10.244.2.0/26 via 10.244.2.0 dev vxlan.calico onlink'],
    ['none', '10.244.2.7', 'node 10.244.2.0/26 via 172.18.0.2 dev eth0 proto bird'],
    ['ipip', '10.244.9.7', 'elsewhere'],
  ])('by %s to %s: %s', (mode, address, expected) => {
    const found = calico.route(viewOf(mode), address, podAt);
    expect(found ? `${found.type}${'route' in found ? ` ${found.route}` : ''}` : 'elsewhere').toBe(expected);
  });
});

test.each([
  ['ipip', ['tunl0', 'cali68caf03a5f4'], []],
  ['vxlan', ['vxlan.calico', 'cali68caf03a5f4'], ['10.244.2.0']],
  ['none', ['cali68caf03a5f4'], []],
])('by %s a node has the interfaces %j', (mode, names, neighbours) => {
  expect(calico.hostInterfaces(viewOf(mode), {}).map(({ name }) => name)).toEqual(names);
  expect(calico.neighbours(viewOf(mode), {}).map(({ address }) => address)).toEqual(neighbours);
});

test('a pod has one gateway, and an address without a network', () => {
  expect(calico.podInterfaces(POD, {}).map(({ addresses, mtu }) => [addresses[0], mtu])[1]).toEqual([
    ...['10.244.1.7/32', 1_480],
  ]);
  expect(calico.podRoutes(POD, {}, readOf('ipip')).map(({ destination }) => destination)).toEqual([
    ...['default', '169.254.1.1'],
  ]);
});
