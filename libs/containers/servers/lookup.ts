import type { Bytes } from '../../engine/kernel/bytes.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { readSmallFile } from '../tools/accounts.js';

/** What getaddrinfo knows after `delay`. */
export interface Lookup {
  /** IPv4, in the order of the answer; empty when there is no such host. */
  readonly addresses: readonly string[];
  readonly delay: Millis;
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
  /** The server that was asked last: '10.96.0.10'; '' for none. */
  readonly server: string;
}

const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

export interface ResolverSettings {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly dots: number;
}

/** /etc/resolv.conf. */
export function readResolverSettings(sys: Syscalls): ResolverSettings {
  const settings = { servers: [] as string[], search: [] as string[], dots: 1 };
  for (const line of readSmallFile(sys, '/etc/resolv.conf').split('\n')) {
    const [word, ...values] = line.split('#', 1)[0]!.trim().split(/\s+/);
    if (word === 'nameserver' && values[0] !== undefined) settings.servers.push(values[0]);
    if (word === 'search' || word === 'domain') settings.search = values;
    const dots = word === 'options' ? /ndots:(\d+)/.exec(values.join(' '))?.[1] : undefined;
    if (dots !== undefined) settings.dots = Number(dots);
  }
  return settings;
}

/** A host's addresses by /etc/hosts, then by DNS with the search list of /etc/resolv.conf. */
export function lookUp(sys: Syscalls, host: Bytes): Lookup {
  const known = (addresses: readonly string[]): Lookup => ({ addresses, delay: 0, code: 'NOERROR', server: '' });
  if (ADDRESS.test(host)) return known([host]);
  const local = hostsOf(sys, host);
  if (local.length > 0) return known(local);
  const { servers, search, dots } = readResolverSettings(sys);
  const server = servers[0] ?? '127.0.0.1';
  let delay = 0;
  let code: Lookup['code'] = 'NXDOMAIN';
  for (const name of candidates(host, search, dots)) {
    const answer = sys.queryName(name, 'A');
    delay += answer.delay;
    const addresses = answer.records.filter((record) => record.type === 'A').map((record) => record.data);
    if (addresses.length > 0) return { addresses, delay, code: 'NOERROR', server };
    code = answer.code === 'NOERROR' ? 'NXDOMAIN' : answer.code;
  }
  return { addresses: [], delay, code, server };
}

function candidates(host: Bytes, search: readonly string[], dots: number): readonly Bytes[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const searched = search.map((domain) => `${host}.${domain}`);
  return host.split('.').length > dots ? [host, ...searched] : [...searched, host];
}

function hostsOf(sys: Syscalls, host: Bytes): string[] {
  const found: string[] = [];
  for (const line of readSmallFile(sys, '/etc/hosts').split('\n')) {
    const [address, ...names] = line.split('#', 1)[0]!.trim().split(/\s+/);
    if (address !== undefined && ADDRESS.test(address) && names.includes(host)) found.push(address);
  }
  return found.length === 0 && host === 'localhost' ? ['127.0.0.1'] : found;
}

/** Go's *net.DNSError. */
export const goLookupError = (host: Bytes, { server, code }: Lookup): string =>
  `lookup ${host} on ${server}:53: ${code === 'NXDOMAIN' ? 'no such host' : 'server misbehaving'}`;
