import { bytesOfAddress, type VirtualServer, type VirtualServers } from '../../../kernel/netfilter/index.js';
import type { ProxyEndpoint } from '../endpoints.js';
import type { IpvsPort } from './port.js';
import type { KnownPorts } from './sets.js';

const DEVICE = 'kube-ipvs0';
/** As IP numbers them, by which ipvsadm sorts. */
const PROTOCOL_ORDER = ['tcp', 'udp', 'sctp'];

/** The virtual servers of a node: one for each address and port of a Service, and each address of the node. */
export function virtualServers(known: KnownPorts, scheduler: string): VirtualServers {
  return {
    device: DEVICE,
    addresses: () => known.bound(),
    isBound: (address) => known.isBound(address),
    find({ protocol, destination, destinationPort }) {
      for (const one of known.at(destination, destinationPort)) {
        if (one.port.protocol !== protocol) continue;
        const found = serversOf(one, known, scheduler).find(
          ({ address, port }) => address === destination && port === destinationPort,
        );
        if (found) return found;
      }
      return undefined;
    },
    all: () =>
      known
        .all()
        .flatMap((one) => serversOf(one, known, scheduler))
        .sort(compare),
  };
}

function serversOf(
  { port, internal, external }: IpvsPort,
  { nodeIPs }: KnownPorts,
  scheduler: string,
): VirtualServer[] {
  const { protocol, affinity, clusterIP, externalIPs, vips, nodePort } = port;
  const at = (address: string, number: number, endpoints: readonly ProxyEndpoint[]): VirtualServer => ({
    ...{ protocol, address, port: number, scheduler },
    ...(scheduler === 'mh' ? { flags: 'mh-port' } : {}),
    ...(affinity === undefined ? {} : { persistence: affinity }),
    servers: endpoints.map((one) => ({ address: one.ip, port: one.port, weight: 1 })).sort(compareEnds),
  });
  return [
    at(clusterIP, port.port, internal),
    ...[...externalIPs, ...vips].map((ip) => at(ip, port.port, external)),
    ...(nodePort === 0 ? [] : nodeIPs.map((ip) => at(ip, nodePort, external))),
  ];
}

interface End {
  readonly address: string;
  readonly port: number;
}

function compare(a: VirtualServer, b: VirtualServer): number {
  const order = PROTOCOL_ORDER.indexOf(a.protocol) - PROTOCOL_ORDER.indexOf(b.protocol);
  return order === 0 ? compareEnds(a, b) : order;
}

const compareEnds = (a: End, b: End): number => compareAddresses(a.address, b.address) || a.port - b.port;

/** As numbers. */
export function compareAddresses(a: string, b: string): number {
  const [x, y] = [bytesOfAddress(a) ?? [], bytesOfAddress(b) ?? []];
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - (y[i] ?? 0);
  return 0;
}
