import { describe, expect, test } from '@jest/globals';
import type { ConfigMap, Node, Pod, Service } from '../../../api/core_v1.js';
import type { EndpointSlice } from '../../../api/discovery_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { State } from '../../../runtime/state/state.js';
import { stateOf } from '../../cri/testing.js';
import { node, NOW, pod, running } from '../../kubelet/testing.js';
import { service, slice } from '../../proxy/testing.js';
import { ClusterNetwork } from '../cluster-network.js';
import type { Sender, Way } from '../walk/way.js';

const address = (type: string, text: string) => ({ type, address: text });
const nodeAt = (name: string, n: number): Node =>
  node(
    { addresses: [address('InternalIP', `172.18.0.${n}`), address('InternalIP', `fc00:f853:ccd:e793::${n}`)] },
    {
      metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { podCIDR: `10.244.${n}.0/24`, podCIDRs: [`10.244.${n}.0/24`, `fd00:10:244:${n}::/64`] },
    },
  );
const podAt = (name: string, n: number, host: number, nodeName: string): Pod =>
  pod(
    { nodeName },
    {
      podIP: `10.244.${n}.${host}`,
      podIPs: [{ ip: `10.244.${n}.${host}` }, { ip: `fd00:10:244:${n}::${host}` }],
      hostIP: `172.18.0.${n}`,
    },
    { name, uid: name },
  );
const proxyOn = (nodeName: string): Pod =>
  pod(
    { nodeName, hostNetwork: true },
    { containerStatuses: [running('kube-proxy')] },
    {
      ...{ name: `kube-proxy-${nodeName}`, namespace: 'kube-system', uid: `proxy-${nodeName}` },
      labels: { 'k8s-app': 'kube-proxy' },
    },
  );

const client = podAt('client', 2, 2, 'one');
const far = podAt('far', 3, 2, 'two');
const single = pod({ nodeName: 'one' }, { podIP: '10.244.2.9', podIPs: [{ ip: '10.244.2.9' }] }, { name: 'single' });
const config = (mode: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kube-system', name: 'kube-proxy' },
  data: { 'config.conf': `mode: ${mode}\nclusterCIDR: 10.244.0.0/16,fd00:10:244::/56\n` },
});
const world = (mode: string, objects: readonly KubeObject[]): State =>
  stateOf(
    ...[nodeAt('one', 2), nodeAt('two', 3), proxyOn('one'), proxyOn('two'), client, far, single, config(mode)],
    ...objects,
  );

const VIP = 'fd00:10:96::9';
const web = (spec: Partial<Service['spec']> = {}): Service =>
  service('shop/web', {
    ...{ clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9', VIP] },
    ports: [{ name: 'p80', port: 80, nodePort: 30_080 }],
    ...spec,
  });
const ports = [{ name: 'p80', port: 8_080 }];
const sixth = (...addresses: string[]): EndpointSlice => ({
  ...slice('shop/web', addresses, ports),
  metadata: { ...slice('shop/web', [], ports).metadata, name: 'web-6' },
  addressType: 'IPv6',
});
const endpoints = sixth('fd00:10:244:3::2@two');

function go(state: State, to: string, port: number, from: Sender = { pod: client }): string {
  const way: Way = new ClusterNetwork(state).send(from, { address: to, port, protocol: 'tcp' }, 40_000, NOW);
  const { end } = way;
  if ('error' in end) return end.error;
  const name = 'pod' in end ? end.pod.metadata.name : 'node' in end ? end.node.metadata.name : end.outside;
  return `${name}:${end.port} from ${way.source}`;
}

describe.each(['iptables', 'ipvs', 'nftables'])('in mode %s a packet', (mode) => {
  test.each<[string, string, number, readonly KubeObject[], string]>([
    ['to a pod of another node', 'fd00:10:244:3::2', 80, [], 'far:80 from fd00:10:244:2::2'],
    ['to an address that no pod has', 'fd00:10:244:3::9', 80, [], 'EHOSTUNREACH'],
    ['to its own node', 'fc00:f853:ccd:e793::2', 22, [], 'one:22 from fd00:10:244:2::2'],
    ['to another node', 'fc00:f853:ccd:e793::3', 22, [], 'two:22 from fc00:f853:ccd:e793::2'],
    ['to a cluster IP', VIP, 80, [web(), endpoints], 'far:8080 from fd00:10:244:2::2'],
    ['to a Service without endpoints of its family', VIP, 80, [web(), slice('shop/web', [], ports)], 'ECONNREFUSED'],
    ['to itself', VIP, 80, [web(), sixth('fd00:10:244:2::2@one')], 'client:8080 from fd00:10:244:2::1'],
    [
      'to a node port of its node',
      'fc00:f853:ccd:e793::2',
      30_080,
      [web(), endpoints],
      'far:8080 from fc00:f853:ccd:e793::2',
    ],
    ['to what is outside', '2001:db8::1', 80, [], '2001:db8::1:80 from fc00:f853:ccd:e793::2'],
  ])('%s', (_case, to, port, objects, expected) => expect(go(world(mode, objects), to, port)).toBe(expected));
});

test('a pod without an address of the family does not reach it', () =>
  expect(go(world('iptables', []), 'fd00:10:244:3::2', 80, { pod: single })).toBe('ENETUNREACH'));

test('a node of one family has no rules of the other', () => {
  const plain = node({ addresses: [address('InternalIP', '172.18.0.4')] }, { metadata: { name: 'plain' } });
  const network = new ClusterNetwork(world('iptables', [plain]));
  expect([network.rulesOf(plain, NOW, true).tables, network.routes6Of(plain)]).toEqual([[], []]);
});
