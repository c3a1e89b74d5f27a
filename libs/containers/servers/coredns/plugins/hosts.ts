import type { NameAnswer, NameRecord } from '../../../../engine/kernel/process/syscalls.js';
import { parseAddress } from '../../../../engine/machinery/net/netip.js';
import type { Directive } from '../corefile.js';
import { addressOfPointer, fault, isInZone } from './words.js';

export interface Hosts {
  readonly zones: readonly string[];
  /** [address, name with the dot at its end]. */
  readonly entries: readonly (readonly [string, string])[];
  readonly ttl: number;
  readonly hasReverse: boolean;
  /** Undefined: never; else what of. */
  readonly fallthrough: readonly string[] | undefined;
}

const DEFAULT_TTL = 3_600;
const MAX_ENTRIES = 10_000;

export function readHosts({ args, block }: Directive, file: string, readFile: (path: string) => string): Hosts {
  const isFile = args[0]?.startsWith('/');
  const entries = readLines(readFile(isFile ? args[0]! : '/etc/hosts').split('\n'));
  let [ttl, hasReverse] = [DEFAULT_TTL, true];
  let fallthrough: readonly string[] | undefined;
  for (const { name, args: words, line } of block) {
    if (name === 'fallthrough') fallthrough = words.map(absolute);
    else if (name === 'no_reverse') hasReverse = false;
    else if (name === 'ttl') {
      ttl = Number(words[0]);
      if (!Number.isInteger(ttl) || ttl <= 0 || ttl > 65_535)
        throw fault('hosts', `ttl provided is invalid: "${words[0] ?? ''}"`, file, line);
    } else if (name === 'reload') continue;
    else if (words.length === 0) throw fault('hosts', `unknown property '${name}'`, file, line);
    else entries.push(...readLines([[name, ...words].join(' ')]));
  }
  const zones = (isFile ? args.slice(1) : args).map(absolute);
  return { zones: zones.length > 0 ? zones : ['.'], entries, ttl, hasReverse, fallthrough };
}

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`).toLowerCase();

function readLines(lines: readonly string[]): (readonly [string, string])[] {
  return lines
    .flatMap((line) => {
      const [address = '', ...names] = line.split('#', 1)[0]!.trim().split(/\s+/);
      return parseAddress(address) ? names.map((name) => [address, absolute(name)] as const) : [];
    })
    .slice(0, MAX_ENTRIES);
}

/** Undefined: the next plug-in is asked. */
export function answerHosts(hosts: Hosts, name: string, type: string): NameAnswer | undefined {
  if (!hosts.zones.some((zone) => isInZone(name, zone)) && type !== 'PTR') return undefined;
  const records = type === 'PTR' ? pointers(hosts, name) : addresses(hosts, name, type);
  if (records.length > 0) return { code: 'NOERROR', records, delay: 0 };
  // A name that is known has no other records.
  if (type !== 'PTR' && hosts.entries.some(([, known]) => known === name))
    return { code: 'NOERROR', records: [], delay: 0 };
  const { fallthrough } = hosts;
  const fallsThrough = fallthrough && (fallthrough.length === 0 || fallthrough.some((zone) => isInZone(name, zone)));
  return fallsThrough || type === 'PTR' ? undefined : { code: 'NXDOMAIN', records: [], delay: 0 };
}

function addresses({ entries, ttl }: Hosts, name: string, type: string): NameRecord[] {
  if (type !== 'A' && type !== 'AAAA') return [];
  return entries
    .filter(([address, known]) => known === name && address.includes(':') === (type === 'AAAA'))
    .map(([data]) => ({ name, type, ttl, data }));
}

function pointers({ entries, ttl, hasReverse }: Hosts, name: string): NameRecord[] {
  const address = hasReverse ? addressOfPointer(name) : undefined;
  return entries.filter(([known]) => known === address).map(([, data]) => ({ name, type: 'PTR', ttl, data }));
}
