import type { AddressRange } from '../../../kinds/terrarium/noderuntime/kind.js';
import { networkAddress, parseAddress, parsePrefix } from '../../../machinery/net/netip.js';
import { isWithin, toNumber, toText } from '../fabric/fabric.js';

type Fields = Readonly<Record<string, unknown>>;

export interface WhereaboutsRange {
  /** The range as it is named: '192.168.2.0/24'. */
  readonly cidr: string;
  readonly bits: number;
  readonly range: AddressRange;
  readonly excludes: readonly string[];
}

/** Ranges that are left out of one. */
const MAX_EXCLUDES = 64;

/** The addresses that whereabouts was told. Models whereabouts' pkg/config LoadIPAMConfig. */
export function readWhereabouts(ipam: Fields): WhereaboutsRange | { readonly error: string } {
  const text = (name: string): string => (typeof ipam[name] === 'string' ? ipam[name] : '');
  const named = text('range').split('-');
  const prefix = parsePrefix((named.at(-1) ?? '').trim());
  if (!prefix || prefix.address.kind() !== 'ipv4')
    return { error: `IPAM configuration error: invalid CIDR ${text('range')}: invalid CIDR address: ${text('range')}` };
  const base = String(networkAddress(prefix));
  const cidr = `${base}/${prefix.bits}`;
  const start = text('range_start') || (named.length > 1 ? (named[0] ?? '').trim() : '');
  const end = text('range_end') || (named.length > 1 ? String(prefix.address) : '');
  for (const one of [start, end])
    if (one !== '' && (!parseAddress(one) || !isWithin(one, cidr)))
      return { error: `IPAM configuration error: ${one} is not within the network ${cidr}` };
  const size = 2 ** (32 - prefix.bits);
  const excludes = Array.isArray(ipam['exclude'])
    ? (ipam['exclude'] as unknown[])
        .filter((one): one is string => typeof one === 'string')
        .slice(0, MAX_EXCLUDES)
        .map((one) => (one.includes('/') ? one : `${one}/32`))
    : [];
  return {
    cidr,
    bits: prefix.bits,
    excludes,
    range: {
      first: start || toText(toNumber(base) + 1),
      last: end || toText(toNumber(base) + size - 2),
      gateway: text('gateway'),
    },
  };
}
