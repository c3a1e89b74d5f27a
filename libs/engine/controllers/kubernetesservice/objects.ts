import type { Endpoints, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';

export const KEY = { namespace: 'default', name: 'kubernetes' };
const API_SERVER_PORT = 6443;
const PORTS = [{ name: 'https', port: API_SERVER_PORT, protocol: 'TCP' }];

/** How pods find the API server. `clusterIP` is the first address of the service network. */
export const apiService = (clusterIP: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...KEY, labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: { clusterIP, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: API_SERVER_PORT }] },
  status: {},
});

/** `addresses` are those of the nodes that an API server runs on. */
export const apiEndpoints = (addresses: readonly string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { ...KEY, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: PORTS }],
});

export const apiEndpointSlice = (addresses: readonly string[]): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...KEY, labels: { 'kubernetes.io/service-name': KEY.name } },
  addressType: 'IPv4',
  endpoints: addresses.map((a) => ({ addresses: [a], conditions: { ready: true } })),
  ports: PORTS,
});
