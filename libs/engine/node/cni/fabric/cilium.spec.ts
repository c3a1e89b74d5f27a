import { expect, test } from '@jest/globals';
import { Nodes } from '../../../kinds/index.js';
import { podAt } from '../../policy/testing.js';
import { ciliumWorld } from '../../policy/cilium/testing.js';
import { cilium, ciliumRules } from './cilium.js';
import type { NodeView } from './fabric.js';

const web = podAt('shop/web', '10.0.1.2', {}, { nodeName: 'worker-1' });
const old = podAt('shop/old', '10.244.1.9', {}, { nodeName: 'worker-1' });

function viewOf(config = {}): NodeView {
  const read = ciliumWorld([web, old], [], config);
  const nodes = read.list(Nodes).map((node, i) => ({ ...node, spec: { podCIDR: `10.244.${i}.0/24` } }));
  return { read, nodes, node: nodes.find(({ metadata }) => metadata.name === 'worker-1')!, pods: [web, old] };
}
const far = podAt('shop/far', '10.244.2.9', {}, { nodeName: 'worker-2' });
const at = (ip: string): typeof web | undefined => [web, old, far].find(({ status }) => status.podIP === ip);

const OWN = '10.0.1.0/24 via 10.0.1.200 dev cilium_host proto kernel src 10.0.1.200';
test.each<[string, string, string]>([
  ['vxlan', '10.0.1.2', `pod ${OWN}`],
  ['vxlan', '10.0.1.200', 'local'],
  ['vxlan', '10.0.1.7', `nobody ${OWN}`],
  ['vxlan', '10.0.2.7', 'node 10.0.2.0/24 via 10.0.1.200 dev cilium_host proto kernel src 10.0.1.200 mtu 1450'],
  ['vxlan', '10.244.1.9', `pod ${OWN}`],
  ['vxlan', '10.244.2.9', 'node 10.244.2.0/24 via 172.18.0.4 dev eth0'],
  ['vxlan', '10.244.2.8', 'elsewhere'],
  ['vxlan', '203.0.113.7', 'elsewhere'],
  ['native', '10.0.2.7', 'node 10.0.2.0/24 via 172.18.0.4 dev eth0 proto kernel'],
])('%s: %s', (mode, address, expected) => {
  const native = { 'routing-mode': 'native', 'auto-direct-node-routes': 'true' };
  const found = cilium.route(viewOf(mode === 'native' ? native : {}), address, at);
  expect(found ? `${found.type}${'route' in found ? ` ${found.route}` : ''}` : 'elsewhere').toBe(expected);
});

test('without routes between nodes nothing is reached natively', () => {
  expect(cilium.route(viewOf({ 'routing-mode': 'native' }), '10.0.2.7', at)).toBeUndefined();
});

test('the interfaces of a node', () => {
  const names = (config = {}): string[] =>
    cilium.hostInterfaces(viewOf(config), {}).map(({ name }) => name.replace(/^lxc[\da-f]{12}$/, 'lxc'));
  expect(names()).toEqual(['cilium_net', 'cilium_host', 'cilium_vxlan', 'lxc_health', 'lxc', 'lxc']);
  expect(names({ 'tunnel-protocol': 'geneve' })).toContain('cilium_geneve');
  expect(names({ 'routing-mode': 'native' })).toEqual(['cilium_net', 'cilium_host', 'lxc_health', 'lxc', 'lxc']);
});

test('what a pod has', () => {
  const { read } = viewOf();
  expect(cilium.podRoutes(web, {}, read)).toEqual([
    { destination: 'default', gateway: '10.0.1.200', device: 'eth0', flags: ['mtu', '1450'] },
    { destination: '10.0.1.200', device: 'eth0', scope: 'link' },
  ]);
  expect(cilium.podInterfaces(web, {})[1]?.addresses).toEqual(['10.0.1.2/32']);
});

test('what leaves is masqueraded, unless the agents are told not to', () => {
  expect(ciliumRules(viewOf().read, 'worker-1').nat?.['CILIUM_POST_nat']).toHaveLength(1);
  expect(ciliumRules(viewOf({ 'enable-ipv4-masquerade': 'false' }).read, 'worker-1')).toEqual({});
});
