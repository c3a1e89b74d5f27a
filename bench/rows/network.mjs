import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../service/http.mjs';
import { root } from '../../scripts/local/paths.mjs';

const SERVICES = 10_000;
const POLICIES = 500;
const CONNECTS = 5_000;
const RUNS = 5;
const NOW = Date.UTC(2026, 0, 1);

export const title = 'a packet through a ClusterIP';
/** Needs no service. */
export const alone = true;

const load = (file) => import(pathToFileURL(path.join(root, 'dist/libs/engine', file)).href);
const addressOf = (i) => `10.96.${i >> 8}.${i & 255}`;
const podAt = (n) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: `pod-${n}`, uid: `pod-${n}`, labels: { app: `app-${n}` } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { phase: 'Running', podIP: `10.244.1.${n}`, hostIP: '172.18.0.2' },
});
const serviceAt = (i) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name: `s${i}` },
  spec: { type: 'ClusterIP', clusterIP: addressOf(i), ports: [{ port: 80, protocol: 'TCP' }] },
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
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1' },
  spec: { podCIDR: '10.244.1.0/24' },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
};

/** us of CPU for one connect, when every Service has been met once. */
async function connect(services) {
  const [{ State }, { kinds, ...resources }, { ClusterNetwork }] = await Promise.all([
    load('runtime/state.js'),
    load('kinds/index.js'),
    load('node/network/cluster-network.js'),
  ]);
  const state = new State({ now: NOW });
  for (const kind of kinds)
    for (const [name, of] of Object.entries(kind.indexes ?? {})) state.addIndex(state.resourceOf(kind), name, of);
  const put = (kind, object) => state.put(state.resourceOf(kind), object, 'bench', 0);
  put(resources.Nodes, node);
  for (const n of [2, 3, 4]) put(resources.Pods, podAt(n));
  for (let i = 0; i < POLICIES; i++) put(resources.NetworkPolicies, policyAt(i));
  for (let i = 0; i < services; i++) {
    put(resources.Services, serviceAt(i));
    put(resources.EndpointSlices, sliceAt(i));
  }
  const network = new ClusterNetwork(state);
  const from = { pod: podAt(2) };
  const send = (i) => {
    const to = { address: addressOf(i % services), port: 80, protocol: 'tcp' };
    const { end } = network.send(from, to, i, NOW);
    if (end.port !== 8_080) throw new Error(`a connection ended as ${JSON.stringify(end)}`);
  };
  for (let i = 0; i < services; i++) send(i);
  const measure = () => {
    const before = process.cpuUsage();
    for (let i = 0; i < CONNECTS; i++) send(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CONNECTS;
  };
  return median(Array.from({ length: RUNS }, measure));
}

export async function run() {
  const few = await connect(100);
  const many = await connect(SERVICES);
  const row = `connect through a ClusterIP, ${SERVICES.toLocaleString('en')} Services and ${POLICIES} policies`;
  return [
    { row, value: many, unit: 'us', target: 50, better: 'less' },
    { row: `${row}: against 100 Services`, value: many / few, unit: 'x', target: 1.5, better: 'less' },
  ];
}
