import { PodRuntimes, Pods } from '../../../kinds/index.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import type { AddressRange } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf, type KubeObject } from '../../../machinery/meta/object.js';
import { parsePrefix } from '../../../machinery/net/netip.js';
import { isWithin, toNumber, toText } from '../fabric/fabric.js';
import { readRangeSet } from '../range-set.js';
import { ipOf, type AttachedRoute, type Attachment } from './attachment.js';
import { inPool } from '../../../kinds/terrarium/podruntime/attached-keys.js';
import { readWhereabouts } from './whereabouts.js';

type Fields = Readonly<Record<string, unknown>>;

export interface AddressWish {
  readonly read: Reader;
  readonly node: string;
  /** The network's name, by which host-local keeps what it has given. */
  readonly network: string;
  readonly ipam: Fields;
  /** Those that the pod asks for, with or without a length. */
  readonly ips: readonly string[];
  /** Given in the same pod, which nobody has stored yet. */
  readonly given: readonly Attachment[];
}

export interface GivenAddresses {
  /** '192.168.1.200/24' */
  readonly addresses: readonly string[];
  readonly gateway?: string;
  readonly routes: readonly AttachedRoute[];
  readonly pool?: string;
}

/** Range sets of one network, and addresses of a range that are tried. */
const MAX_SETS = 4;
const MAX_LOOKED_AT = 65_536;

/** Asks an IPAM plug-in for the addresses of one interface. */
export function giveAddresses(wish: AddressWish): GivenAddresses | { readonly error: string } {
  switch (wish.ipam['type']) {
    case 'static':
      return giveStatic(wish);
    case 'whereabouts':
      return giveByWhereabouts(wish);
    case 'host-local':
      return giveHostLocal(wish);
    default:
      return {
        error: 'error dialing DHCP daemon: dial unix /run/cni/dhcp.sock: connect: no such file or directory',
      };
  }
}

/** Models containernetworking/plugins' plugins/ipam/static. */
function giveStatic({ ipam, ips }: AddressWish): GivenAddresses | { readonly error: string } {
  const wrong = ips.find((ip) => !parsePrefix(ip));
  if (wrong !== undefined) return { error: `the 'ip' field is expected to be in CIDR notation, got: '${wrong}'` };
  const own = (Array.isArray(ipam['addresses']) ? (ipam['addresses'] as unknown[]) : []).map(fieldsOf);
  const listed = own.map(({ address }) => textOf(address));
  const bad = listed.find((address) => !parsePrefix(address));
  if (bad !== undefined) return { error: `the 'address' field is expected to be in CIDR notation, got: '${bad}'` };
  const addresses = [...(ips.length > 0 ? ips : listed)];
  if (addresses.length === 0) return { error: 'IPAM plugin returned missing IP config' };
  const gateway = own.map((one) => textOf(one['gateway'])).find((text) => text !== '');
  return { addresses, routes: readRoutes(ipam, gateway), ...(gateway === undefined ? {} : { gateway }) };
}

/** Models plugins/ipam/host-local: every node gives the addresses of the whole range, without regard to the others. */
function giveHostLocal(wish: AddressWish): GivenAddresses | { readonly error: string } {
  const { ipam, node, network, ips } = wish;
  const pool = `${node} ${network}`;
  const old = ipam['subnet'] === undefined ? [] : [[ipam]];
  const sets = [...old, ...(Array.isArray(ipam['ranges']) ? (ipam['ranges'] as unknown[]) : [])].slice(0, MAX_SETS);
  if (sets.length === 0) return { error: 'no IP ranges specified' };
  const used = usedOf(wish, pool);
  const open = new Set(ips.map(ipOf));
  const addresses: string[] = [];
  let gateway: string | undefined;
  for (const [i, set] of sets.entries()) {
    const read = readRangeSet({ ranges: [set] });
    if ('error' in read) return { error: read.error.replace('range set 0', `range set ${i}`) };
    const { ranges } = read;
    const wanted = [...open].find((ip) => ranges.some((range) => isInRange(ip, range)));
    const found = wanted === undefined ? nextFree(ranges, used) : takeWanted(wanted, ranges, used);
    if (typeof found === 'object') return { error: `failed to allocate for range ${i}: ${found.error}` };
    if (wanted !== undefined) open.delete(wanted);
    const at = ranges.findIndex((range) => isInRange(found, range));
    const subnet = textOf(fieldsOf((set as unknown[])[at])['subnet']);
    addresses.push(`${found}/${subnet.split('/')[1] ?? '24'}`);
    gateway ??= ranges[at]?.gateway;
  }
  if (open.size > 0) return { error: `failed to allocate all requested IPs: ${[...open].join(' ')}` };
  return { addresses, pool, routes: readRoutes(ipam, gateway), ...(gateway === undefined ? {} : { gateway }) };
}

/** One set of addresses for all nodes. Models k8snetworkplumbingwg/whereabouts' pkg/allocate. */
function giveByWhereabouts(wish: AddressWish): GivenAddresses | { readonly error: string } {
  const { ipam } = wish;
  const read = readWhereabouts(ipam);
  if ('error' in read) return read;
  const { range, bits, excludes, cidr } = read;
  const pool = `whereabouts ${cidr}`;
  const used = usedOf(wish, pool);
  const [first, last] = [toNumber(range.first), toNumber(range.last)];
  for (let n = first; n <= Math.min(last, first + MAX_LOOKED_AT); n++) {
    const ip = toText(n);
    if (used.has(ip) || ip === range.gateway || excludes.some((one) => isWithin(ip, one))) continue;
    const gateway = range.gateway === '' ? undefined : range.gateway;
    return {
      addresses: [`${ip}/${bits}`],
      pool,
      routes: readRoutes(ipam, gateway),
      ...(gateway === undefined ? {} : { gateway }),
    };
  }
  return {
    error:
      `error at storage engine: Could not allocate IP in range: ip: ${range.first} / - ${range.last} / ` +
      `range: ${cidr} / excludeRanges: [${excludes.join(' ')}]`,
  };
}

interface Stored extends KubeObject {
  readonly uid?: string;
  readonly attachments?: readonly Attachment[];
}

/** The addresses of a pool that pods have which have not ended. */
function usedOf({ read, given }: AddressWish, pool: string): Set<string> {
  const stored = read.byIndex(PodRuntimes, 'attached', inPool(pool)) as readonly Stored[];
  const alive = stored.filter((one) => {
    const pod = read.get(Pods, keyOf(one));
    return pod !== undefined && pod.metadata.uid === one.uid && !isPodTerminal(pod);
  });
  const all = [...alive.flatMap(({ attachments = [] }) => attachments), ...given];
  return new Set(all.filter((one) => one.pool === pool).flatMap(({ addresses }) => addresses.map(ipOf)));
}

const isInRange = (ip: string, { first, last }: AddressRange): boolean => {
  const n = toNumber(ip);
  return n >= toNumber(first) && n <= toNumber(last);
};

function takeWanted(
  ip: string,
  ranges: readonly AddressRange[],
  used: ReadonlySet<string>,
): string | { readonly error: string } {
  if (ranges.some(({ gateway }) => gateway === ip)) return { error: `requested ip ${ip} is subnet's gateway` };
  if (used.has(ip)) return { error: `requested IP address ${ip} is not available in range set ${textOfSet(ranges)}` };
  return ip;
}

const textOfSet = (ranges: readonly AddressRange[]): string =>
  ranges.map(({ first, last }) => `${first}-${last}`).join(',');

/** The one after the highest that is used, else the lowest that is free. */
function nextFree(ranges: readonly AddressRange[], used: ReadonlySet<string>): string | { readonly error: string } {
  const numbers = [...used].map(toNumber);
  for (const { first, last, gateway } of ranges) {
    const [from, to] = [toNumber(first), toNumber(last)];
    const highest = numbers.filter((n) => n >= from && n <= to).reduce((a, b) => Math.max(a, b), from - 1);
    for (const start of highest >= from && highest < to ? [highest + 1, from] : [from])
      for (let n = start; n <= Math.min(to, start + MAX_LOOKED_AT); n++) {
        const ip = toText(n);
        if (ip !== gateway && !used.has(ip)) return ip;
      }
  }
  return { error: `no IP addresses available in range set: ${textOfSet(ranges)}` };
}

/** A route without a gateway goes by that of the addresses. */
function readRoutes({ routes }: Fields, gateway: string | undefined): AttachedRoute[] {
  const list = Array.isArray(routes) ? (routes as unknown[]).map(fieldsOf) : [];
  return list.flatMap(({ dst, gw }) => {
    const destination = textOf(dst);
    if (!parsePrefix(destination)) return [];
    const by = textOf(gw) || gateway;
    return [{ destination, ...(by === undefined ? {} : { gateway: by }) }];
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
