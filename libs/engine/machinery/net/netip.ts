/**
 * IP addresses and prefixes, read as strictly as Go reads them: four decimal parts without leading zeros, no zone, no
 * prefix length with a leading zero. ipaddr.js alone accepts all of these, and reads ::1.2.3.4 as ::ffff:1.2.3.4.
 * Models net/netip.
 */
import ipaddr from 'ipaddr.js';

const { IPv4, IPv6 } = ipaddr;

/** An address; its toString() is the canonical text, for IPv6 that of RFC 5952. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and how many of its leading bits count. */
export interface Prefix {
  readonly address: Address;
  readonly bits: number;
}

/** Characters of an address with a prefix length, at most. */
const MAX_ADDRESS = 64;
const PREFIX_LENGTH = /^(0|[1-9]\d{0,2})$/;

/** The address that the text stands for; undefined when it stands for none. */
export const parseAddress = (text: string): Address | undefined =>
  text.length > MAX_ADDRESS ? undefined : text.includes(':') ? parseIPv6(text) : parseIPv4(text);

const parseIPv4 = (text: string): ipaddr.IPv4 | undefined =>
  IPv4.isValidFourPartDecimal(text) ? IPv4.parse(text) : undefined;

function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  const dotted = text.slice(text.lastIndexOf(':') + 1);
  if (dotted.includes('.')) {
    const embedded = parseIPv4(dotted);
    return embedded && parseIPv6(text.slice(0, -dotted.length) + hexadecimal(embedded));
  }
  return !text.includes('%') && IPv6.isValid(text) ? IPv6.parse(text) : undefined;
}

/** An IPv4 address as the last two groups of an IPv6 address. */
function hexadecimal({ octets }: ipaddr.IPv4): string {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** The address of 4 or 16 bytes. */
export const addressOfBytes = (bytes: Uint8Array): Address => ipaddr.fromByteArray([...bytes]);

/** The prefix that a text such as '10.0.0.0/8' stands for; undefined when it stands for none. */
export function parsePrefix(text: string): Prefix | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const [address, length] = [parseAddress(text.slice(0, slash)), text.slice(slash + 1)];
  if (!address || !PREFIX_LENGTH.test(length) || Number(length) > bitLength(address)) return undefined;
  return { address, bits: Number(length) };
}

/** 32 or 128. */
const bitLength = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

/** Whether the address is in the prefix; never when their families differ. */
export const contains = (prefix: Prefix, address: Address): boolean =>
  address.kind() === prefix.address.kind() && address.match(prefix.address, prefix.bits);

/** The prefix's first address: 10.0.0.0 of 10.1.2.3/8. */
export function networkAddress({ address, bits }: Prefix): Address {
  const mask = (i: number): number => 0xff & ~(0xff >> Math.min(Math.max(bits - 8 * i, 0), 8));
  return ipaddr.fromByteArray(address.toByteArray().map((byte, i) => byte & mask(i)));
}

/** '10.244.1.5:80', '[fd00::5]:80'. Models net.JoinHostPort. */
export const joinHostPort = (host: string, port: number | string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Whether bits beyond the prefix length are set, as in 10.0.0.1/8. */
export const hasHostBits = (prefix: Prefix): boolean => String(networkAddress(prefix)) !== String(prefix.address);

/** Whether the address is an IPv4-mapped IPv6 address, ::ffff:0:0/96. */
export const isIPv4Mapped = (address: Address): boolean =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();

/** Tells whether an address is in the range of its family. */
function inRanges(ipv4: string, ipv6: string): (address: Address) => boolean {
  const ranges = [parsePrefix(ipv4)!, parsePrefix(ipv6)!];
  return (address) => ranges.some((range) => contains(range, address));
}

export const isUnspecified = inRanges('0.0.0.0/32', '::/128');
export const isLoopback = inRanges('127.0.0.0/8', '::1/128');
export const isLinkLocalUnicast = inRanges('169.254.0.0/16', 'fe80::/10');
export const isMulticast = inRanges('224.0.0.0/4', 'ff00::/8');
const IPV4_LINK_LOCAL_MULTICAST = parsePrefix('224.0.0.0/24')!;
/** Of IPv6 the scope decides, the flags do not matter: ff02:: as well as ff12::. */
export const isLinkLocalMulticast = (address: Address): boolean =>
  address.kind() === 'ipv4'
    ? contains(IPV4_LINK_LOCAL_MULTICAST, address)
    : ((address as ipaddr.IPv6).parts[0]! & 0xff0f) === 0xff02;
