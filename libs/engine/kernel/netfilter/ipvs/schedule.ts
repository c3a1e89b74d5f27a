import { bytesOfAddress } from '../prefix.js';
import type { Host, Packet } from '../rule.js';
import type { RealServer, VirtualServer } from './virtual-server.js';

/** Buckets of the kernel's source and destination hashing: IP_VS_SH_TAB_SIZE. */
const BUCKETS = 256;
const GOLDEN_RATIO = 2_654_435_761;

/** The list of clients that persistence keeps for a real server. */
export const listOf = ({ protocol, address, port }: VirtualServer, real: RealServer): string =>
  `${protocol} ${address}:${port} ${real.address}:${real.port}`;

/** The real server that a packet goes to; undefined: there is none. Models net/netfilter/ipvs. */
export function chooseServer(virtual: VirtualServer, packet: Packet, host: Host): RealServer | undefined {
  const servers = virtual.servers.filter(({ weight }) => weight > 0);
  if (servers.length <= 1) return servers[0];
  return findKept(virtual, servers, packet, host) ?? schedule(virtual.scheduler, servers, packet, host);
}

/** The server of a client that came a short time ago. */
function findKept(
  virtual: VirtualServer,
  servers: readonly RealServer[],
  packet: Packet,
  host: Host,
): RealServer | undefined {
  const { persistence } = virtual;
  if (persistence === undefined) return undefined;
  const lists = servers.map((server) => listOf(virtual, server));
  return servers.find((_server, i) => host.isRecent(lists[i]!, packet, persistence, lists));
}

/**
 * Left out: counters of connections. All schedulers that go by these, `rr` among them, take any server equally often,
 * as they do in the long run; `mh` hashes the source and its port, as kube-proxy asks for, without Maglev's table.
 */
function schedule(scheduler: string, servers: readonly RealServer[], packet: Packet, host: Host): RealServer {
  switch (scheduler) {
    case 'sh':
      return servers[bucketOf(packet.source) % servers.length]!;
    case 'dh':
      return servers[bucketOf(packet.destination) % servers.length]!;
    case 'mh':
      return servers[(bucketOf(packet.source) + packet.sourcePort) % servers.length]!;
    case 'fo':
    case 'ovf':
      return servers[0]!;
    default:
      return servers[Math.floor(host.random(packet, 0) * servers.length)]!;
  }
}

/** ip_vs_sh_hashkey and ip_vs_dh_hashkey, for IPv4. */
function bucketOf(address: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOfAddress(address) ?? [];
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return (Math.imul(number, GOLDEN_RATIO) >>> 0) & (BUCKETS - 1);
}
