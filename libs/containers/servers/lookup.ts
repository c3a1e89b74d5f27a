import type { Bytes } from '../../engine/kernel/bytes.js';
import type { NameAnswer, Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { parseAddress } from '../../engine/machinery/net/netip.js';
import { readSmallFile } from '../tools/accounts.js';
import {
  askAsGlibc,
  askAsMusl,
  isMusl,
  readResolverSettings,
  searchAsGlibc,
  searchAsMusl,
  type Asked,
} from './resolver.js';

export { readResolverSettings, type ResolverSettings } from './resolver.js';

/** What getaddrinfo knows after `delay`. */
export interface Lookup {
  /** IPv4, in the order of the answer; empty when there is no such host. */
  readonly addresses: readonly string[];
  readonly delay: Millis;
  /** NODATA: the name is there, without an address. TIMEOUT: no server has answered. */
  readonly code: NameAnswer['code'] | 'NODATA' | 'TIMEOUT' | 'UNREACHABLE';
  /** The server that was asked last: '10.96.0.10'; '' for none. */
  readonly server: string;
  /** The name that the addresses are of, at the end of all aliases, without the dot. */
  readonly canonical: string;
}

const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** Addresses of one family only; absent: of those that the machine has. */
export type Family = '4' | '6';

/** A host's addresses by /etc/hosts, then by DNS, as the libc of the container does it. */
export function lookUp(sys: Syscalls, host: Bytes, family?: Family): Lookup {
  const known = (addresses: readonly string[], canonical = host): Lookup => ({
    ...{ addresses, canonical, delay: 0, code: 'NOERROR', server: '' },
  });
  if (ADDRESS.test(host)) return known(family === '6' ? [] : [host]);
  const sixth = readSixth(host);
  if (sixth !== undefined) return known(family === '4' ? [] : [sixth]);
  const types = typesOf(sys, family);
  const local = hostsOf(sys, host, types);
  if (local.addresses.length > 0) return known(local.addresses, local.canonical);
  const settings = readResolverSettings(sys);
  const isOfMusl = isMusl(sys);
  const names = isOfMusl ? searchAsMusl(settings, host) : searchAsGlibc(settings, host);
  let delay = 0;
  let failed: Lookup = { addresses: [], delay, code: 'NXDOMAIN', server: settings.servers[0]!, canonical: host };
  for (const name of names) {
    const asked = types.map((type) => {
      const one = isOfMusl ? askAsMusl(sys, settings, name, type) : askAsGlibc(sys, settings, name, type);
      return { ...one, type };
    });
    // Both families are asked at once.
    delay += Math.max(...asked.map((one) => one.delay));
    const found = join(asked.map((one) => read(one, one.type, name, delay)));
    if (found.addresses.length > 0) return found;
    // What counts in the end is the worst: no answer, a failure, a name without addresses, no such name.
    if (rank(found) >= rank(failed)) failed = found;
    if (endsSearch(found, isOfMusl)) break;
  }
  return { ...failed, delay };
}

/** An address of IPv6, with or without brackets, as inet_ntop writes it; undefined: it is none. */
export function readSixth(host: Bytes): string | undefined {
  if (!host.includes(':')) return undefined;
  const text = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const read = parseAddress(text);
  return read?.kind() === 'ipv6' ? String(read) : undefined;
}

type RecordType = 'A' | 'AAAA';
const ONLY_IPV4: readonly RecordType[] = ['A'];

/**
 * The records that are asked for: AAAA where the machine has an address of IPv6. By their policies musl prefers IPv4
 * to unique local addresses (RFC 6724), glibc IPv6 (RFC 3484).
 */
function typesOf(sys: Syscalls, family: Family | undefined): readonly RecordType[] {
  if (family === '6') return ['AAAA'];
  if (family === '4' || !hasSixth(sys)) return ONLY_IPV4;
  return isMusl(sys) ? ['A', 'AAAA'] : ['AAAA', 'A'];
}

const hasSixth = (sys: Syscalls): boolean =>
  sys
    .interfaces()
    .some(
      ({ name, addresses }) => name !== 'lo' && addresses.some((one) => one.includes(':') && !one.startsWith('fe80:')),
    );

/** The answers about one name: an address of either is enough. */
function join(found: readonly Lookup[]): Lookup {
  const [first] = found;
  if (found.length === 1) return first!;
  const good = found.filter(({ addresses }) => addresses.length > 0);
  const best = good[0] ?? found.find(({ code }) => code === 'NODATA') ?? first!;
  return { ...best, addresses: good.flatMap(({ addresses }) => addresses) };
}

function read({ answer, server }: Asked, type: RecordType, name: string, delay: Millis): Lookup {
  const addresses = answer.records.filter((record) => record.type === type).map((record) => record.data);
  const owner = answer.records.findLast((record) => record.type === type)?.name ?? name;
  return { addresses, delay, code: codeOf(answer, type), server, canonical: owner.replace(/\.$/, '') };
}

function codeOf({ code, failure, records }: NameAnswer, wanted: RecordType): Lookup['code'] {
  if (failure) return failure === 'lost' ? 'TIMEOUT' : 'UNREACHABLE';
  return code === 'NOERROR' && records.every(({ type }) => type !== wanted) ? 'NODATA' : code;
}

const RANKS: readonly Lookup['code'][] = ['NXDOMAIN', 'NODATA'];
const rank = ({ code }: Lookup): number => (RANKS.includes(code) ? RANKS.indexOf(code) : RANKS.length);

/** musl goes on only after NXDOMAIN, glibc also after a server's failure; both give up when nobody answers. */
function endsSearch({ code }: Lookup, isOfMusl: boolean): boolean {
  if (code === 'TIMEOUT' || code === 'UNREACHABLE') return true;
  return isOfMusl && code !== 'NXDOMAIN';
}

function hostsOf(
  sys: Syscalls,
  host: Bytes,
  types: readonly RecordType[],
): { readonly addresses: string[]; readonly canonical: string } {
  const addresses: string[] = [];
  let canonical = '';
  for (const line of readSmallFile(sys, '/etc/hosts').split('\n')) {
    const [address, ...names] = line.split('#', 1)[0]!.trim().split(/\s+/);
    if (address === undefined || !names.includes(host)) continue;
    const isSixth = readSixth(address) !== undefined;
    if (!types.includes(isSixth ? 'AAAA' : 'A') || (!isSixth && !ADDRESS.test(address))) continue;
    // Both loopbacks are `localhost`: a client takes the first that answers.
    if (address === '::1' && types.length > 1) continue;
    addresses.push(address);
    canonical ||= names[0]!;
  }
  if (addresses.length === 0 && host === 'localhost')
    return { addresses: [types.includes('A') ? '127.0.0.1' : '::1'], canonical: host };
  return { addresses, canonical };
}

/** Nobody could say whether there is such a name: EAI_AGAIN. */
export const isTemporary = ({ code }: Pick<Lookup, 'code'>): boolean =>
  code === 'TIMEOUT' || code === 'UNREACHABLE' || code === 'SERVFAIL' || code === 'REFUSED' || code === 'NOTIMP';

/** gai_strerror of the container's libc. */
export function lookupError(sys: Syscalls, found: Pick<Lookup, 'code'>): string {
  if (isMusl(sys)) return isTemporary(found) ? 'Try again' : 'Name does not resolve';
  if (isTemporary(found)) return 'Temporary failure in name resolution';
  return found.code === 'NODATA' ? 'No address associated with hostname' : 'Name or service not known';
}

/** Go's *net.DNSError. */
export function goLookupError(host: Bytes, { server, code }: Pick<Lookup, 'server' | 'code'>): string {
  const begin = `lookup ${host} on ${server}:53: `;
  if (code === 'NXDOMAIN' || code === 'NODATA') return `${begin}no such host`;
  if (code === 'TIMEOUT') return `${begin}read udp ${server}:53: i/o timeout`;
  if (code === 'UNREACHABLE') return `${begin}read udp ${server}:53: read: connection refused`;
  return `${begin}server misbehaving`;
}
