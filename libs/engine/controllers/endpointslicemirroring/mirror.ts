import type { EndpointAddress, Endpoints } from '../../api/core_v1.js';
import type { Endpoint, EndpointPort } from '../../api/discovery_v1.js';
import { canonicalJson } from '../canonical-json.js';

/** Of one subset: what exceeds it is left out. */
const MAX_ENDPOINTS = 1_000;

/** What one mirrored slice has: addresses of one family that share their ports. */
export interface Mirrored {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: EndpointPort[];
  readonly endpoints: Endpoint[];
}

/** The slices that say what an Endpoints object says. Models pkg/controller/endpointslicemirroring reconciler.go. */
export function mirrorSubsets({ subsets = [] }: Endpoints): Mirrored[] {
  const slices = new Map<string, Mirrored>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const own = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }): EndpointPort => ({
      ...{ name, port, protocol },
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    const all = [
      ...addresses.map((one) => toEndpoint(one, true)),
      ...notReadyAddresses.map((one) => toEndpoint(one, false)),
    ];
    for (const endpoint of all.slice(0, MAX_ENDPOINTS)) {
      const addressType = endpoint.addresses[0]?.includes(':') === true ? 'IPv6' : 'IPv4';
      const id = idOf({ addressType, ports: own });
      const slice = slices.get(id) ?? { addressType, ports: own, endpoints: [] };
      slices.set(id, slice);
      slice.endpoints.push(endpoint);
    }
  }
  return [...slices.values()];
}

/** Tells slices of one object apart. */
export const idOf = ({ addressType, ports = [] }: { addressType: string; ports?: readonly EndpointPort[] }): string =>
  `${addressType} ${canonicalJson(ports)}`;

const toEndpoint = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname ? { hostname } : {}),
  ...(nodeName ? { nodeName } : {}),
  ...(targetRef ? { targetRef } : {}),
});
