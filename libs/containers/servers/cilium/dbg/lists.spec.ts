import { expect, test } from '@jest/globals';
import type { FlowRecord } from '../../../../engine/machinery/questions/flow.js';
import type { CiliumView } from '../../../../engine/node/cni/cilium/view.js';
import { listAddresses, listBalancers, listEndpoints, listIdentities, listServices } from './lists.js';
import { flowsOf, monitorLines } from './monitor.js';
import { formatStatus } from './status.js';

const web = { identity: 300, pod: 'shop/web', labels: ['k8s:app=web', 'k8s:tier=front'] };
const flow = (more: Partial<FlowRecord>): FlowRecord => ({
  ...{ id: 'f', startedAt: '2026-01-01T12:00:00.123456Z', from: 'pod/evil/spy', to: '10.96.0.9', address: '10.96.0.9' },
  ...{ port: 80, protocol: 'TCP', verdict: 'Dropped', bytesSent: 0, bytesReceived: 0, nodes: [] },
  decided: 'CiliumNetworkPolicy shop/p: no rule of ingress matches, which denies it to pod shop/web',
  ...more,
});
const VIEW: CiliumView = {
  ...{ node: 'worker-1', address: '172.18.0.3', router: '10.0.1.200', range: '10.0.1.0/24', health: '10.0.1.201' },
  settings: {
    ...{
      routing: 'vxlan',
      hasDirectRoutes: false,
      replacesProxy: true,
      enforcement: 'default',
      clusterName: 'default',
    },
    ...{ pools: [], maskSize: 24, ipam: 'cluster-pool', chaining: 'none', matchesNodes: false, masquerades: true },
    nativeCIDR: '',
  },
  config: {},
  version: 'v1.36.0',
  nodes: [
    { name: 'worker-1', address: '172.18.0.3', range: '10.0.1.0/24', router: '10.0.1.200', health: '10.0.1.201' },
    { name: 'worker-2', address: '172.18.0.4', range: '10.0.2.0/24', router: '10.0.2.200', health: '10.0.2.201' },
  ],
  services: [
    {
      ...{
        id: 1,
        type: 'ClusterIP',
        address: '10.96.0.9',
        port: 80,
        protocol: 'TCP',
        affinity: false,
        name: 'shop/web',
      },
      backends: [
        { address: '10.0.1.2', port: 8080, state: 'active' },
        { address: '10.0.2.2', port: 8080, state: 'terminating' },
      ],
    },
  ],
  endpoints: [
    { id: 9, identity: 300, labels: web.labels, ipv4: '10.0.1.2', pod: 'shop/web', ingress: true, egress: false },
  ],
  identities: [{ id: 300, labels: web.labels }],
  addresses: { '10.0.1.2': web, '10.0.2.9': { identity: 301, pod: 'evil/spy', labels: [] } },
  flows: [flow({}), flow({ from: 'pod/evil/spy', to: 'pod/evil/other', verdict: 'Delivered', decided: '' })],
};
const trimmed = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());

test('services and their backends', () => {
  expect(trimmed(listServices(VIEW, true))).toEqual([
    'ID   Frontend           Service Type   Backend',
    '1    10.96.0.9:80/TCP   ClusterIP      1 => 10.0.1.2:8080/TCP (active)',
    '                                       2 => 10.0.2.2:8080/TCP (terminating)',
  ]);
  expect(listServices(VIEW, false)).toContain('10.96.0.9:80 ');
  expect(trimmed(listBalancers(VIEW))[1]).toBe('10.96.0.9:80/TCP (0)   0.0.0.0:0 (1) (0) [ClusterIP, non-routable]');
});

test('endpoints, identities and addresses', () => {
  expect(listEndpoints(VIEW)).toMatch(
    /^9 +Enabled +Disabled +300 +k8s:app=web +10\.0\.1\.2 +ready *\n +k8s:tier=front/m,
  );
  expect(listIdentities(VIEW)).toMatch(/^300 +k8s:app=web *\n +k8s:tier=front/m);
  expect(listAddresses(VIEW)).toMatch(/^10\.0\.2\.9\/32 +identity=301 encryptkey=0 tunnelendpoint=172\.18\.0\.4/m);
});

test('the status says what stands in for kube-proxy', () => {
  expect(formatStatus(VIEW, '1.18.4', false)).toContain('KubeProxyReplacement:    True   [eth0   172.18.0.3');
  expect(formatStatus(VIEW, '1.18.4', true)).toContain('  Socket LB:              Enabled');
});

test('flows are those of the own endpoints, and what was dropped has its receiver', () => {
  expect(flowsOf(VIEW).map(({ from, to }) => `${from.name} ${to.name}`)).toEqual(['evil/spy shop/web']);
  expect(monitorLines(VIEW, ['--type=drop'])).toContain('identity 301->300: 10.0.2.9:');
});
