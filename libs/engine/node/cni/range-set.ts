import type { AddressRange } from '../../kinds/terrarium/noderuntime/kind.js';
import {
  contains,
  networkAddress,
  parseAddress,
  parsePrefix,
  type Address,
  type Prefix,
} from '../../machinery/net/netip.js';

type Fields = Readonly<Record<string, unknown>>;

/** Ranges that are read of one configuration. */
const MAX_RANGES = 16;

/** The first range set of host-local's configuration, or why there is none. Models its allocator's LoadIPAMConfig. */
export function readRangeSet(
  ipam: Fields,
): { readonly ranges: AddressRange[]; readonly range6?: string } | { readonly error: string } {
  const old = ipam['subnet'] === undefined ? [] : [[ipam]];
  const sets = [...old, ...(Array.isArray(ipam['ranges']) ? (ipam['ranges'] as unknown[]) : [])];
  if (sets.length === 0) return { error: 'no IP ranges specified' };
  const [set, second] = sets;
  const list = Array.isArray(set) ? (set as unknown[]).slice(0, MAX_RANGES) : [];
  if (list.length === 0) return { error: 'invalid range set 0: empty range set' };
  const ranges: AddressRange[] = [];
  for (const one of list) {
    const read = readRange(typeof one === 'object' && one !== null ? (one as Fields) : {});
    if (typeof read === 'string') return { error: `invalid range set 0: ${read}` };
    ranges.push(read);
  }
  const range6 = readSecond(second);
  return { ranges, ...(range6 === undefined ? {} : { range6 }) };
}

/** The subnet of a second set, when that is of IPv6. */
function readSecond(set: unknown): string | undefined {
  const [one] = Array.isArray(set) ? (set as unknown[]) : [];
  const subnet = textOf(typeof one === 'object' && one !== null ? (one as Fields)['subnet'] : undefined);
  return parsePrefix(subnet)?.address.kind() === 'ipv6' ? subnet : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Models allocator/range.go Canonicalize. */
function readRange({ subnet, rangeStart, rangeEnd, gateway }: Fields): AddressRange | string {
  const prefix = parsePrefix(textOf(subnet));
  if (!prefix) return `invalid CIDR address: ${textOf(subnet)}`;
  if (prefix.address.kind() !== 'ipv4') return `IP ${String(prefix.address)} not v4`;
  if (prefix.bits > 30) return `Network ${textOf(subnet)} too small to allocate from`;
  const network = networkAddress(prefix);
  if (String(network) !== String(prefix.address))
    return `Network has host bits set. For a subnet mask of length ${prefix.bits} the network address is ${String(network)}`;
  const base = numberOf(network);
  const [first, last] = [readEnd('RangeStart', rangeStart, prefix), readEnd('RangeEnd', rangeEnd, prefix)];
  if (first?.error !== undefined) return first.error;
  if (last?.error !== undefined) return last.error;
  const way = parseAddress(textOf(gateway));
  return {
    first: first?.ip ?? addressOf(base + 1),
    last: last?.ip ?? addressOf(base + 2 ** (32 - prefix.bits) - 2),
    gateway: way ? String(way) : addressOf(base + 1),
  };
}

function readEnd(
  name: string,
  value: unknown,
  prefix: Prefix,
): { readonly ip: string; readonly error?: undefined } | { readonly error: string } | undefined {
  if (value === undefined) return undefined;
  const address = parseAddress(textOf(value));
  if (!address) return { error: `invalid IP address: ${textOf(value)}` };
  if (!contains(prefix, address)) {
    const network = `${String(prefix.address)}/${prefix.bits}`;
    return { error: `${name} ${String(address)} not in network ${network}` };
  }
  return { ip: String(address) };
}

const numberOf = (address: Address): number => address.toByteArray().reduce((n, byte) => n * 256 + byte, 0);
const addressOf = (n: number): string =>
  [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(n / unit) % 256).join('.');
