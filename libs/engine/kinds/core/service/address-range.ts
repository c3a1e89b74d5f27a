import ipaddr from 'ipaddr.js';
import { networkAddress, parseAddress, parsePrefix, contains } from '../../../machinery/net/netip.js';

/** Offsets are counted up to 2^31: so many addresses of a larger range are given out. */
const MAX_BITS = 31;
/** Upstream's static band: a sixteenth of a range, between these. */
const [MIN_BAND, MAX_BAND, BAND_STEP] = [16, 256, 16];

/** The addresses of a ServiceCIDR: at 1 to `size` - 2 from its network address. */
export interface AddressRange {
  readonly isSixth: boolean;
  readonly size: number;
  /** So many of the first are left to Services that ask for an address. */
  readonly band: number;
  at(offset: number): string;
  /** Whether the address may be given to a Service. */
  has(ip: string): boolean;
}

/** Of a valid CIDR: '10.96.0.0/12'. */
export function addressRange(cidr: string): AddressRange | undefined {
  const prefix = parsePrefix(cidr);
  if (!prefix) return undefined;
  const first = networkAddress(prefix);
  const bytes = first.toByteArray();
  const size = 2 ** Math.min(MAX_BITS, bytes.length * 8 - prefix.bits);
  const isSixth = first.kind() === 'ipv6';
  const at = (offset: number): string => String(ipaddr.fromByteArray(add(bytes, offset)));
  const network = at(0);
  const broadcast = isSixth ? undefined : at(size - 1);
  return {
    ...{ isSixth, size, at },
    band: bandOf(size),
    has(ip) {
      const address = parseAddress(ip);
      if (!address || !contains(prefix, address)) return false;
      const text = String(address);
      return text !== network && text !== broadcast;
    },
  };
}

/** Models ipallocator.calculateRangeOffset. */
function bandOf(size: number): number {
  if (size <= MIN_BAND) return 0;
  return Math.min(MAX_BAND, Math.max(MIN_BAND, Math.floor(size / BAND_STEP)));
}

function add(bytes: readonly number[], offset: number): number[] {
  const sum = [...bytes];
  let carry = offset;
  for (let i = sum.length - 1; i >= 0 && carry > 0; i--) {
    carry += sum[i]!;
    sum[i] = carry % 256;
    carry = Math.floor(carry / 256);
  }
  return sum;
}
