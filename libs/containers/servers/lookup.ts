import type { Bytes } from '../../engine/kernel/bytes.js';
import type { NameAnswer, Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
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

/** A host's addresses by /etc/hosts, then by DNS, as the libc of the container does it. */
export function lookUp(sys: Syscalls, host: Bytes): Lookup {
  const known = (addresses: readonly string[], canonical = host): Lookup => ({
    ...{ addresses, canonical, delay: 0, code: 'NOERROR', server: '' },
  });
  if (ADDRESS.test(host)) return known([host]);
  const local = hostsOf(sys, host);
  if (local.addresses.length > 0) return known(local.addresses, local.canonical);
  const settings = readResolverSettings(sys);
  const isOfMusl = isMusl(sys);
  const names = isOfMusl ? searchAsMusl(settings, host) : searchAsGlibc(settings, host);
  let delay = 0;
  let failed: Lookup = { addresses: [], delay, code: 'NXDOMAIN', server: settings.servers[0]!, canonical: host };
  for (const name of names) {
    const asked = isOfMusl ? askAsMusl(sys, settings, name, 'A') : askAsGlibc(sys, settings, name, 'A');
    delay += asked.delay;
    const found = read(asked, name, delay);
    if (found.addresses.length > 0) return found;
    // What counts in the end is the worst: no answer, a failure, a name without addresses, no such name.
    if (rank(found) >= rank(failed)) failed = found;
    if (endsSearch(found, isOfMusl)) break;
  }
  return { ...failed, delay };
}

function read({ answer, server }: Asked, name: string, delay: Millis): Lookup {
  const addresses = answer.records.filter((record) => record.type === 'A').map((record) => record.data);
  const owner = answer.records.findLast((record) => record.type === 'A')?.name ?? name;
  return { addresses, delay, code: codeOf(answer), server, canonical: owner.replace(/\.$/, '') };
}

function codeOf({ code, failure, records }: NameAnswer): Lookup['code'] {
  if (failure) return failure === 'lost' ? 'TIMEOUT' : 'UNREACHABLE';
  return code === 'NOERROR' && records.every(({ type }) => type !== 'A') ? 'NODATA' : code;
}

const RANKS: readonly Lookup['code'][] = ['NXDOMAIN', 'NODATA'];
const rank = ({ code }: Lookup): number => (RANKS.includes(code) ? RANKS.indexOf(code) : RANKS.length);

/** musl goes on only after NXDOMAIN, glibc also after a server's failure; both give up when nobody answers. */
function endsSearch({ code }: Lookup, isOfMusl: boolean): boolean {
  if (code === 'TIMEOUT' || code === 'UNREACHABLE') return true;
  return isOfMusl && code !== 'NXDOMAIN';
}

function hostsOf(sys: Syscalls, host: Bytes): { readonly addresses: string[]; readonly canonical: string } {
  const addresses: string[] = [];
  let canonical = '';
  for (const line of readSmallFile(sys, '/etc/hosts').split('\n')) {
    const [address, ...names] = line.split('#', 1)[0]!.trim().split(/\s+/);
    if (address === undefined || !ADDRESS.test(address) || !names.includes(host)) continue;
    addresses.push(address);
    canonical ||= names[0]!;
  }
  if (addresses.length === 0 && host === 'localhost') return { addresses: ['127.0.0.1'], canonical: host };
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
