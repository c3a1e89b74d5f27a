import type { Node, Pod } from '../../api/core_v1.js';
import { parsePrefix } from '../../machinery/net/netip.js';
import type { AddressRange } from '../../kinds/terrarium/noderuntime/kind.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';

const addressOf = (pod: Pod | undefined): number | undefined =>
  pod?.status.podIP && !pod.spec.hostNetwork ? toNumber(pod.status.podIP) : undefined;

/** '10.244.1.0/24' as [first address as a number, number of addresses]; undefined for what is no IPv4 CIDR. */
export function parseCidr(text: string | undefined): [first: number, size: number] | undefined {
  const prefix = parsePrefix(text ?? '');
  if (prefix?.address.kind() !== 'ipv4') return undefined;
  return [toNumber(String(prefix.address)), 2 ** (32 - prefix.bits)];
}
const toNumber = (ip: string): number => ip.split('.').reduce((n, part) => n * 256 + Number(part), 0);
const toText = (n: number): string =>
  `${Math.floor(n / 2 ** 24)}.${Math.floor(n / 2 ** 16) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`;

/** Addresses of a range that are tried: more than a node has pods. */
const MAX_LOOKED_AT = 65_536;

/** The addresses of one node's pods: `shown` by any pod's status, `held` by those that have not ended. */
class Range {
  private cidr: { readonly text: string | undefined; readonly parsed: ReturnType<typeof parseCidr> } | undefined;
  readonly shown = new Counter();
  readonly held = new Counter();
  private last: number | undefined;

  show(ip: number): void {
    this.shown.add(ip);
    if (this.last !== undefined && ip > this.last) this.last = ip;
  }

  hide(ip: number): void {
    if (this.shown.remove(ip) && ip === this.last) this.last = undefined;
  }

  /** The node's podCIDR, which hardly ever changes. */
  parse(text: string | undefined): ReturnType<typeof parseCidr> {
    if (this.cidr?.text !== text) this.cidr = { text, parsed: parseCidr(text) };
    return this.cidr?.parsed;
  }

  /** The address after the highest in a pod's status. */
  next(ranges: readonly Numbers[]): number | undefined {
    const highest = (this.last ??= this.shown.max());
    const [one] = ranges;
    if (!one || ranges.length > 1) return undefined;
    const next = highest >= one.first && highest <= one.last ? highest + 1 : one.first;
    const free = next === one.gateway ? next + 1 : next;
    return free <= one.last && !this.shown.has(free) ? free : undefined;
  }

  /** The lowest address that nobody shows, then that no running pod holds. */
  lowest(ranges: readonly Numbers[]): number | undefined {
    for (const used of [this.shown, this.held])
      for (const { first, last, gateway } of ranges)
        for (let ip = first; ip <= Math.min(last, first + MAX_LOOKED_AT); ip++)
          if (ip !== gateway && !used.has(ip)) return ip;
    return undefined;
  }
}

class Counter {
  private readonly counts = new Map<number, number>();

  has(ip: number): boolean {
    return this.counts.has(ip);
  }
  add(ip: number): void {
    this.counts.set(ip, (this.counts.get(ip) ?? 0) + 1);
  }
  /** True when no pod has the address any more. */
  remove(ip: number): boolean {
    const left = (this.counts.get(ip) ?? 0) - 1;
    if (left > 0) this.counts.set(ip, left);
    else this.counts.delete(ip);
    return left <= 0;
  }
  max(): number {
    let max = 0;
    for (const ip of this.counts.keys()) if (ip > max) max = ip;
    return max;
  }
}

/**
 * The pod addresses in use, node by node; follows the state, so that the next address is a function of it. Models the
 * host-local plugin of containernetworking/plugins.
 */
export class Addresses {
  private readonly nodes = new Map<string, Range>();

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    const [before, after] = [addressOf(old), addressOf(next)];
    if (before === after && Boolean(old && isPodTerminal(old)) === Boolean(next && isPodTerminal(next))) return;
    if (before !== undefined) this.count(old!, before, -1);
    if (after !== undefined) this.count(next!, after, 1);
  }

  private count(pod: Pod, ip: number, by: 1 | -1): void {
    const range = this.on(pod.spec.nodeName ?? '');
    if (by > 0) range.show(ip);
    else range.hide(ip);
    if (isPodTerminal(pod)) return;
    if (by > 0) range.held.add(ip);
    else range.held.remove(ip);
  }

  private on(node: string): Range {
    let range = this.nodes.get(node);
    if (!range) this.nodes.set(node, (range = new Range()));
    return range;
  }

  /**
   * The address after the highest in use, then the lowest that is free, then the lowest of a pod that has ended; the
   * ranges when none is left. `ranges`: those that host-local was told, by default the node's podCIDR.
   */
  allocate(node: Node, ranges?: readonly AddressRange[]): { readonly ip: string } | { readonly usedUp: string } {
    const range = this.on(node.metadata.name ?? '');
    const own = range.parse(node.spec.podCIDR);
    const given = ranges?.map(parseRange) ?? (own ? [wholeRange(own)] : []);
    const found = range.next(given) ?? range.lowest(given);
    if (found !== undefined) return { ip: toText(found) };
    return { usedUp: given.map(({ first, last }) => `${toText(first)}-${toText(last)}`).join(',') || '<none>' };
  }
}

/** All addresses of a range that pods may have, as 'first-last'. Models host-local's Range.String. */
export function textOfRange(cidr: string | undefined): string {
  const own = parseCidr(cidr);
  const { first, last } = own ? wholeRange(own) : { first: 0, last: -1 };
  return first <= last ? `${toText(first)}-${toText(last)}` : '<none>';
}

interface Numbers {
  readonly first: number;
  readonly last: number;
  readonly gateway: number;
}

/** The first address is the network's own, the last is for broadcasts. Models host-local's Range.Canonicalize. */
const wholeRange = ([base, size]: readonly [number, number]): Numbers => ({
  first: base + 1,
  last: base + size - 2,
  gateway: base + 1,
});

const parseRange = ({ first, last, gateway }: AddressRange): Numbers => ({
  first: toNumber(first),
  last: toNumber(last),
  gateway: toNumber(gateway),
});
