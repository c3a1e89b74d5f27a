import { bytesOfAddress } from '../prefix.js';
import type { Host, Packet } from '../rule.js';
import type { RealServer, VirtualServer } from './virtual-server.js';

/** Buckets of the kernel's source and destination hashing: IP_VS_SH_TAB_SIZE. */
const BUCKETS = 256;
const GOLDEN_RATIO = 2_654_435_761;

/**
 * The real server that a packet goes to; undefined: there is none. Models net/netfilter/ipvs. Left out: counters of
 * connections. All schedulers that go by these, `rr` among them, take any server equally often, as they do in the long
 * run.
 */
export function chooseServer(virtual: VirtualServer, packet: Packet, host: Host): RealServer | undefined {
  const servers = virtual.servers.filter(({ weight }) => weight > 0);
  if (servers.length <= 1) return servers[0];
  if (virtual.persistence !== undefined) return keep(virtual, servers, virtual.persistence, packet, host);
  switch (virtual.scheduler) {
    case 'sh':
      return servers[bucketOf(packet.source) % servers.length];
    case 'dh':
      return servers[bucketOf(packet.destination) % servers.length];
    case 'mh':
      return keep(virtual, servers, Infinity, packet, host);
    case 'fo':
    case 'ovf':
      return servers[0];
    default:
      return servers[Math.floor(host.random(packet, 0) * servers.length)];
  }
}

/** A client keeps its server for some seconds. */
function keep(
  virtual: VirtualServer,
  servers: readonly RealServer[],
  seconds: number,
  packet: Packet,
  host: Host,
): RealServer | undefined {
  const nameOf = ({ address, port }: RealServer): string => `${virtual.protocol} ${address}:${port}`;
  const lists = servers.map(nameOf);
  return servers.find((server) => host.isRecent(nameOf(server), packet, seconds, lists)) ?? servers[0];
}

/** ip_vs_sh_hashkey and ip_vs_dh_hashkey, for IPv4. */
function bucketOf(address: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOfAddress(address) ?? [];
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return (Math.imul(number, GOLDEN_RATIO) >>> 0) & (BUCKETS - 1);
}
