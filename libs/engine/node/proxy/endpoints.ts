import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery_v1.js';
import { joinHostPort } from '../../machinery/net/netip.js';
import type { Family } from './service-port.js';

/** An address and port behind a Service's port. Models pkg/proxy BaseEndpointInfo. */
export interface ProxyEndpoint {
  readonly ip: string;
  readonly port: number;
  /** 'ip:port', '[ip]:port'. */
  readonly text: string;
  readonly nodeName: string | undefined;
  readonly isReady: boolean;
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** An endpoint is left out, or taken as it is. */
export type EndpointFilter = (endpoint: Endpoint) => boolean;

/**
 * The endpoints of a Service's port, in the order of their addresses; one that stands in two slices is taken once.
 * Models pkg/proxy endpointslicecache.go.
 */
export function endpointsOf(
  slices: readonly EndpointSlice[],
  portName: string,
  protocol: string,
  isThere: EndpointFilter = () => true,
  family: Family = 'IPv4',
): ProxyEndpoint[] {
  const found = new Map<string, ProxyEndpoint>();
  for (const slice of slices) {
    if (slice.addressType !== family) continue;
    for (const port of (slice.ports ?? []) as readonly EndpointPort[]) {
      if ((port.name ?? '') !== portName || (port.protocol ?? 'TCP').toLowerCase() !== protocol) continue;
      for (const endpoint of slice.endpoints ?? []) {
        const made = port.port && isThere(endpoint) ? endpointAt(endpoint, port.port) : undefined;
        if (made && !found.get(made.text)?.isReady) found.set(made.text, made);
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

function endpointAt(
  { addresses, conditions = {}, nodeName, hints }: Endpoint,
  port: number,
): ProxyEndpoint | undefined {
  const ip = addresses[0];
  if (!ip) return undefined;
  return {
    ip,
    port,
    text: joinHostPort(ip, port),
    nodeName,
    isReady: conditions.ready !== false,
    isServing: conditions.serving !== false,
    isTerminating: conditions.terminating === true,
    zoneHints: hints?.forZones?.map(({ name }) => name) ?? [],
    nodeHints: hints?.forNodes?.map(({ name }) => name) ?? [],
  };
}
