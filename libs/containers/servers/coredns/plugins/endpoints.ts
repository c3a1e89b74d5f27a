import type { Service } from '../../../../engine/api/core_v1.js';
import type { Endpoint, EndpointPort } from '../../../../engine/api/discovery_v1.js';
import { EndpointSlices, Pods } from '../../../../engine/kinds/index.js';
import { isReadyAt } from '../../../../engine/node/kubelet/container/process.js';
import { lingers } from '../../../../engine/node/network/tracks/lingering.js';
import type { Lookup } from './lookup.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
/** CoreDNS' own for slices that name no port: no SRV record is made of it. */
export const NO_PORT = -1;

export interface NamedEndpoint {
  /** The pod's hostname, or the address with dashes. */
  readonly name: string;
  readonly ip: string;
  readonly ports: readonly { readonly name: string; readonly protocol: string; readonly port: number }[];
}

/** The addresses behind a Service that are, and were at the time of the question, ready, in the slices' order. */
export function endpointsOf({ read, now, settings }: Lookup, { metadata, spec }: Service): NamedEndpoint[] {
  const { namespace = '', name = '' } = metadata;
  const found = new Map<string, NamedEndpoint>();
  for (const slice of read.list(EndpointSlices, namespace)) {
    if (slice.metadata.labels?.[SERVICE_NAME] !== name) continue;
    const ports = portsOf(slice.ports as EndpointPort[] | undefined);
    for (const endpoint of slice.endpoints ?? []) {
      if (endpoint.conditions?.ready === false) continue;
      if (!spec.publishNotReadyAddresses && !isReadyAt(read, namespace, endpoint, now)) continue;
      for (const ip of endpoint.addresses) {
        const known = found.get(ip)?.ports ?? [];
        found.set(ip, { ip, name: nameOf(endpoint, ip, settings.namesEndpointsByPod), ports: [...known, ...ports] });
      }
    }
  }
  return [...found.values()];
}

/**
 * The endpoint of a pod that has ended a moment ago: the slice without it has not come yet, or its name is in the cache
 * (30 s by the default Corefile).
 */
export function endedEndpoints({ read, now }: Lookup, { metadata, spec }: Service, endpoint: string): NamedEndpoint[] {
  const { selector } = spec;
  if (!selector || Object.keys(selector).length === 0) return [];
  return read
    .list(Pods, metadata.namespace ?? '')
    .filter((pod) => pod.spec.subdomain === metadata.name && pod.spec.hostname === endpoint)
    .filter((pod) => Object.entries(selector).every(([key, value]) => pod.metadata.labels?.[key] === value))
    .filter((pod) => pod.status.podIP && lingers(pod, now))
    .map((pod) => ({ name: endpoint, ip: pod.status.podIP!, ports: portsOf(undefined) }));
}

function portsOf(ports: readonly EndpointPort[] | undefined): NamedEndpoint['ports'] {
  if (!ports?.length) return [{ name: '', protocol: 'tcp', port: NO_PORT }];
  return ports.map(({ name = '', protocol = 'TCP', port = NO_PORT }) => ({
    name,
    protocol: protocol.toLowerCase(),
    port,
  }));
}

/** Models plugin/kubernetes endpointHostname. */
function nameOf({ hostname, targetRef }: Endpoint, ip: string, byPod: boolean): string {
  if (hostname) return hostname;
  if (byPod && targetRef?.name && targetRef.name.length < 64) return targetRef.name;
  return ip.replaceAll('.', '-').replaceAll(':', '-');
}
