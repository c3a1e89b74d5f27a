import { expect, test } from '@jest/globals';
import type { Service } from '../api/core_v1.js';
import type { PodHttpRequest } from '../machinery/requests/http.js';
import { stateOf } from './cri/testing.js';
import type { Machines } from './cri/machines.js';
import { enterCluster } from './enter.js';
import { ClusterNetwork } from './network/cluster-network.js';
import { agentOn, namespace, nodeAt, podAt, policy } from './policy/testing.js';
import { service, slice } from './proxy/testing.js';

const nodePort = (name: string, port: number, spec: Partial<Service['spec']> = {}): Service =>
  service(`shop/${name}`, {
    ...{ type: 'NodePort', clusterIP: `10.96.0.${port % 100}`, clusterIPs: [`10.96.0.${port % 100}`] },
    ports: [{ name: 'p80', port: 80, protocol: 'TCP', nodePort: port }],
    ...spec,
  });
const nodes = [
  { ...nodeAt('worker-1', '172.18.0.2'), spec: { podCIDR: '10.244.1.0/24' } },
  { ...nodeAt('worker-2', '172.18.0.3'), spec: { podCIDR: '10.244.2.0/24' } },
];
const web = podAt('shop/web', '10.244.2.2', {}, { nodeName: 'worker-2' });
const host = podAt('shop/host', '172.18.0.3', {}, { nodeName: 'worker-2', hostNetwork: true });
const shut = podAt('shop/shut', '10.244.2.4', {}, { nodeName: 'worker-2' });
const state = stateOf(
  ...[...nodes, agentOn('worker-1'), agentOn('worker-2'), namespace('shop'), web, host, shut],
  ...[nodePort('web', 30_080), slice('shop/web', ['10.244.2.2@worker-2'])],
  ...[nodePort('local', 30_081, { externalTrafficPolicy: 'Local' }), slice('shop/local', ['10.244.2.2@worker-2'])],
  ...[nodePort('empty', 30_082), nodePort('shut', 30_083), slice('shop/shut', ['10.244.2.4@worker-2'])],
  policy('shop/shut', { podSelector: { matchLabels: { pod: 'shut' } } }),
);
/** Pods listen at port 80; the one on the network of its node at 8080, and the nodes' agents nowhere. */
const LISTENERS = ['web:80', 'shut:80', 'host:8080'];
const machines = {
  network: new ClusterNetwork(state),
  listenerOf: ({ metadata }: typeof web, port: number) =>
    LISTENERS.includes(`${metadata.name}:${port}`) ? 'machine' : 'none',
} as unknown as Machines;

test.each([
  ['a node port', '172.18.0.2', 30_080, 'web:80'],
  ['a node port of local traffic where the pod is', '172.18.0.3', 30_081, 'web:80'],
  ['a node port of local traffic where none is', '172.18.0.2', 30_081, 'i/o timeout'],
  ['a Service without endpoints', '172.18.0.2', 30_082, 'connect: connection refused'],
  ['a pod that a policy shuts', '172.18.0.3', 30_083, 'i/o timeout'],
  ['a server on the network of a node', '172.18.0.3', 8080, 'host:8080'],
  ['a port of a node that nobody has', '172.18.0.2', 8080, 'connect: connection refused'],
  ['the API server, which speaks TLS', '172.18.0.2', 6443, 'connect: connection refused'],
  ['an address of nobody', '172.18.0.99', 80, 'connect: network is unreachable'],
  ['the address of a pod, to which no route leads', '10.244.2.2', 80, 'connect: network is unreachable'],
])('%s', (_case, address, port, expected) => {
  const request = { method: 'GET', path: '/', port } as PodHttpRequest;
  const answer = enterCluster(
    machines,
    ({ metadata }, reached) => ({ status: 200, body: `${metadata.name}:${reached.port}` }),
    ...([address, request, 0] as const),
  );
  expect('error' in answer ? answer.error : 'body' in answer && answer.body).toBe(
    LISTENERS.includes(expected) ? expected : `dial tcp ${address}:${port}: ${expected}`,
  );
});
