/** A cluster's state with pods, Services and policies, for the rows that need no service. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/local/paths.mjs';

export const NOW = Date.UTC(2026, 0, 1);
export const load = (file) => import(pathToFileURL(path.join(root, 'dist/libs/engine', file)).href);
export const addressOf = (i) => `10.96.${i >> 8}.${i & 255}`;

export const podAt = (n) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: `pod-${n}`, uid: `pod-${n}`, labels: { app: `app-${n}` } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { phase: 'Running', podIP: `10.244.1.${n}`, hostIP: '172.18.0.2' },
});

export const serviceAt = (i, port = 80) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name: `s${i}` },
  spec: { type: 'ClusterIP', clusterIP: addressOf(i), ports: [{ port, protocol: 'TCP' }] },
  status: {},
});

const sliceAt = (i) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'shop', name: `s${i}-abc`, labels: { 'kubernetes.io/service-name': `s${i}` } },
  addressType: 'IPv4',
  endpoints: [3, 4].map((n) => ({ addresses: [`10.244.1.${n}`], conditions: { ready: true } })),
  ports: [{ name: '', port: 8_080, protocol: 'TCP' }],
});

const policyAt = (i) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'shop', name: `policy-${i}` },
  spec: { podSelector: { matchLabels: { app: `app-${i}` } }, policyTypes: ['Ingress'], ingress: [{}] },
});

const nodeAt = (n) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `worker-${n}` },
  spec: { podCIDR: `10.${244 + (n >> 8)}.${n & 255}.0/24` },
  status: { addresses: [{ type: 'InternalIP', address: `172.18.${n >> 8}.${(n & 255) + 1}` }] },
});

const configOf = (mode) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kube-system', name: 'kube-proxy' },
  data: { 'config.conf': `mode: ${mode}\nclusterCIDR: 10.244.0.0/16\n` },
});

/** The state, its network, and a function that changes an object. */
export async function makeWorld({ services, policies, nodes = 1, mode = 'iptables' }) {
  const [{ State }, { kinds, ...resources }, { ClusterNetwork }] = await Promise.all([
    load('runtime/state.js'),
    load('kinds/index.js'),
    load('node/network/cluster-network.js'),
  ]);
  const state = new State({ now: NOW });
  for (const kind of kinds)
    for (const [name, of] of Object.entries(kind.indexes ?? {})) state.addIndex(state.resourceOf(kind), name, of);
  const put = (kind, object) => state.put(state.resourceOf(resources[kind]), object, 'bench', 0);
  put('ConfigMaps', configOf(mode));
  for (let n = 1; n <= nodes; n++) put('Nodes', nodeAt(n));
  for (const n of [2, 3, 4]) put('Pods', podAt(n));
  for (let i = 0; i < policies; i++) put('NetworkPolicies', policyAt(i));
  for (let i = 0; i < services; i++) {
    put('Services', serviceAt(i));
    put('EndpointSlices', sliceAt(i));
  }
  return { state, put, network: new ClusterNetwork(state) };
}

/** us of CPU for one of `count` calls, when all have been made before. */
export function cpuOf(count, call) {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) call(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
