import type { ProxyEndpoint } from '../endpoints.js';
import type { ServicePortInfo } from '../service-port.js';
import { categorize, type ProxyNode } from '../topology.js';

/** A port of a Service, and what it is balanced to. */
export interface IpvsPort {
  readonly port: ServicePortInfo;
  /** Behind the cluster IP. */
  readonly internal: readonly ProxyEndpoint[];
  /** Behind everything else. */
  readonly external: readonly ProxyEndpoint[];
  /** All, in whatever state. */
  readonly endpoints: readonly ProxyEndpoint[];
  readonly chains: undefined;
}

/** With a Local policy and no endpoint here, those elsewhere are taken. Models pkg/proxy/ipvs syncEndpoint. */
export function ipvsPort(port: ServicePortInfo, endpoints: readonly ProxyEndpoint[], node: ProxyNode): IpvsPort {
  const { cluster, local } = categorize(endpoints, port, node);
  const of = (isLocal: boolean): readonly ProxyEndpoint[] => (isLocal && local.length > 0 ? local : cluster);
  return {
    ...{ port, endpoints, chains: undefined },
    internal: of(port.isInternalLocal),
    external: of(port.isExternalLocal),
  };
}
