import { isIPv4 } from '../../machinery/meta/validation.js';

/** An IP prefix: the address as a number and how many leading bits count. */
export interface Prefix {
  readonly version: 4 | 6;
  readonly address: bigint;
  readonly bits: number;
}

/** The number that a valid IPv4 or IPv6 address stands for. */
export function parseAddress(text: string): { version: 4 | 6; address: bigint } {
  if (isIPv4(text)) return { version: 4, address: fromOctets(text) };
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part ? part.split(':').flatMap(hexGroups) : []);
  const [front, back] = [groups(head), groups(tail ?? '')];
  const all =
    tail === undefined
      ? front
      : [...front, ...new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return { version: 6, address: all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}

const fromOctets = (text: string): bigint => text.split('.').reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n);
function hexGroups(group: string): string[] {
  if (!group.includes('.')) return [group];
  const value = fromOctets(group);
  return [(value >> 16n).toString(16), (value & 0xffffn).toString(16)];
}

/** Of a text that `isCIDR` accepts. */
export function parseCIDR(text: string): Prefix {
  const slash = text.lastIndexOf('/');
  return { ...parseAddress(text.slice(0, slash)), bits: Number(text.slice(slash + 1)) };
}

const width = (p: Pick<Prefix, 'version'>): number => (p.version === 4 ? 32 : 128);

/** Is the inner prefix's address within the outer prefix? */
export const contains = (outer: Prefix, inner: Pick<Prefix, 'version' | 'address'>): boolean => {
  const shift = BigInt(width(outer) - outer.bits);
  return outer.version === inner.version && outer.address >> shift === inner.address >> shift;
};

/** The one spelling that upstream accepts for new fields: RFC 5952 for IPv6. */
export function canonicalAddress(text: string): string {
  const { version, address } = parseAddress(text);
  if (version === 4) return text;
  const groups = Array.from({ length: 8 }, (_, i) => ((address >> BigInt(16 * (7 - i))) & 0xffffn).toString(16));
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let i = 0; i < groups.length; i++) {
    let n = 0;
    while (groups[i + n] === '0') n++;
    if (n > best.length) best = { start: i, length: n };
    i += n;
  }
  return best;
}

/** Does the prefix have bits of the host set, as 10.0.0.1/8 does? */
export const hasHostBits = (p: Prefix): boolean => (p.address & ((1n << BigInt(width(p) - p.bits)) - 1n)) !== 0n;
