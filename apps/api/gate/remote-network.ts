import net from 'node:net';
import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that one customer of a provider has to itself: a /64. */
const CUSTOMER_BYTES = 8;
const IPV4_MAPPED = '::ffff:';

/** The network that stands for one client: an IPv4 address, or the /64 of an IPv6 address. */
export function remoteNetworkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.startsWith(IPV4_MAPPED) && address.includes('.')) return address.slice(IPV4_MAPPED.length);
  if (!net.isIPv6(address)) return address;
  const bytes = ipaddr.parse(address).toByteArray().slice(0, CUSTOMER_BYTES);
  return `${Buffer.from(bytes).toString('hex')}/64`;
}
