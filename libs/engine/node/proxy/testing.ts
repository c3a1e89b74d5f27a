/** Services and endpoints for the specs of the proxy and the network. */
import type { Service, ServiceSpec } from '../../api/core_v1.js';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery_v1.js';
import { SERVICE_NAME, ServiceTable } from './service-table.js';

export const service = (key: string, spec: Partial<ServiceSpec>, status: Service['status'] = {}): Service => {
  const [namespace, name] = key.split('/');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: { type: 'ClusterIP', ports: [{ name: 'p80', port: 80, protocol: 'TCP' }], ...spec },
    status,
  };
};

/** One slice of endpoints: 'ip' or 'ip@node', ready unless more is said. */
export const slice = (
  key: string,
  endpoints: readonly (string | Endpoint)[],
  ports: readonly EndpointPort[] = [{ name: 'p80', port: 80, protocol: 'TCP' }],
): EndpointSlice => {
  const [namespace = '', name = ''] = key.split('/');
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name: `${name}-abc`, labels: { [SERVICE_NAME]: name } },
    addressType: 'IPv4',
    endpoints: endpoints.map((one) => (typeof one === 'string' ? endpointAt(one) : one)),
    ports: [...ports],
  };
};

export function endpointAt(text: string, more: Partial<Endpoint> = {}): Endpoint {
  const [ip = '', nodeName] = text.split('@');
  return {
    addresses: [ip],
    conditions: { ready: true, serving: true, terminating: false },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...more,
  };
}

export function tableOf(...objects: readonly (Service | EndpointSlice)[]): ServiceTable {
  const table = new ServiceTable();
  for (const object of objects)
    if ('spec' in object) table.putService(undefined, object);
    else table.putSlice(undefined, object);
  return table;
}
