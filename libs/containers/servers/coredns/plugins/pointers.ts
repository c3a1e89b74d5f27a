import { EndpointSlices, Services } from '../../../../engine/kinds/index.js';
import { endpointsOf } from './endpoints.js';
import { isExposed, type Found, type Lookup } from './lookup.js';
import { addressOfPointer } from './words.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** The names of an address: a Service's, or those that it has as an endpoint. Models plugin/kubernetes Reverse. */
export function answerPointer(lookup: Lookup): Found {
  const { name, type, read, settings } = lookup;
  const ip = addressOfPointer(name);
  if (ip === undefined) return undefined;
  const zone = settings.zones.find((z) => !z.endsWith('.arpa.')) ?? 'cluster.local.';
  const found = (hosts: readonly string[]): Found => ({
    records: hosts.map((host) => ({ name, type, ttl: settings.ttl, data: `${host}.svc.${zone}` })),
  });
  const service = read.byIndex(Services, 'clusterIP', ip)[0];
  if (service && isExposed(lookup, service.metadata.namespace ?? ''))
    return found([`${service.metadata.name}.${service.metadata.namespace}`]);
  const hosts = new Set<string>();
  for (const { metadata, endpoints } of read.list(EndpointSlices)) {
    const { namespace = '', labels } = metadata;
    if (!endpoints?.some(({ addresses }) => addresses.includes(ip)) || !isExposed(lookup, namespace)) continue;
    const owner = read.get(Services, { namespace, name: labels?.[SERVICE_NAME] ?? '' });
    const endpoint = owner && endpointsOf(lookup, owner).find((one) => one.ip === ip);
    if (endpoint) hosts.add(`${endpoint.name}.${owner.metadata.name}.${namespace}`);
  }
  return hosts.size > 0 ? found([...hosts]) : undefined;
}
