import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { NodeRuntimes, Nodes, ProxyRuntimes } from '../../../kinds/index.js';
import { podAt } from '../../policy/testing.js';
import { ciliumWorld } from '../../policy/cilium/testing.js';
import { describeHop } from '../../trace/describe.js';
import { ClusterNetwork } from '../cluster-network.js';

const box = podAt('shop/box', '10.0.1.9', {}, { nodeName: 'worker-1' });
const web = podAt('shop/web', '10.0.2.2', { app: 'web' }, { nodeName: 'worker-2' });

const service = (name: string, clusterIP: string, more: object = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name } },
  ...{ spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ port: 80, protocol: 'TCP', ...more }] } },
});
const slice: KubeObject = {
  ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
  metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
  ...{ addressType: 'IPv4', ports: [{ name: '', port: 8080, protocol: 'TCP' }] },
  ...{ endpoints: [{ addresses: ['10.0.2.2'], nodeName: 'worker-2', conditions: { ready: true } }] },
} as KubeObject;

function send(from: 'box' | 'worker-1' | 'outside', address: string, port: number, replaces = 'true') {
  const objects = [service('web', '10.96.0.9', { nodePort: 30_080 }), service('empty', '10.96.0.8'), slice];
  const world = ciliumWorld([box, web], objects, { 'kube-proxy-replacement': replaces });
  for (const name of ['worker-1', 'worker-2']) {
    const runtime = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'NodeRuntime', metadata: { name } };
    const own = { ...runtime, network: { plugin: 'cilium-cni', ipam: 'cilium' } } as unknown as KubeObject;
    world.put(world.resourceOf(NodeRuntimes as never), own, 'test', 0);
    // Nobody has ever run kube-proxy.
    const stopped = { ...runtime, kind: 'ProxyRuntime' } as KubeObject;
    world.put(world.resourceOf(ProxyRuntimes as never), stopped, 'test', 0);
  }
  const network = new ClusterNetwork(world as never);
  const node = world.list(Nodes).find(({ metadata }) => metadata.name === 'worker-1')!;
  const sender = from === 'box' ? { pod: box } : from === 'outside' ? { outside: '203.0.113.7' } : { node };
  return network.send(sender, { address, port, protocol: 'tcp' }, 40_000, world.now);
}

test.each<['box' | 'worker-1' | 'outside', string, number, object, string]>([
  ['box', '10.96.0.9', 80, { port: 8080 }, '10.0.1.9'],
  ['worker-1', '10.96.0.9', 80, { port: 8080 }, '172.18.0.3'],
  ['box', '172.18.0.3', 30_080, { port: 8080 }, '10.0.1.9'],
  ['outside', '172.18.0.3', 30_080, { port: 8080 }, '10.0.1.200'],
  ['outside', '172.18.0.4', 30_080, { port: 8080 }, '203.0.113.7'],
  ['box', '10.96.0.8', 80, { error: 'EHOSTUNREACH', after: 0 }, '10.0.1.9'],
])('%s to %s:%i', (from, address, port, end, source) => {
  const way = send(from, address, port);
  expect(way.end).toMatchObject(end);
  expect(way.source).toBe(source);
});

test('a trace says who has translated', () => {
  const texts = send('box', '10.96.0.9', 80).hops.map((hop) => `${hop.at}: ${describeHop(hop).text}`);
  expect(texts.slice(0, 2)).toEqual([
    'pod shop/box: cilium: TCP 10.96.0.9:80',
    'pod shop/box: 10.96.0.9:80 becomes 10.0.2.2:8080',
  ]);
});

test('unless it stands in for kube-proxy, Services are not its business', () => {
  expect(send('box', '10.96.0.9', 80, 'false').end).toHaveProperty('error');
});
