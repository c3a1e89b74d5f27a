import { EvaluationError } from '../errors.js';
import type { Library } from '../registry.js';
import { Opaque } from '../values.js';

interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}
interface Network {
  readonly address: Address;
  readonly length: number;
}
type Text = readonly [string];
type Self = readonly [Opaque];

const IP = 'net.IP';
const CIDR = 'net.CIDR';

function parse4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((p) => /^(0|[1-9]\d{0,2})$/.test(p) && Number(p) < 256)) return undefined;
  return parts.reduce((bits, p) => (bits << 8n) | BigInt(p), 0n);
}

function parse6(text: string): bigint | undefined {
  if (text.includes('%') || text.includes('.')) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const count = groups.reduce((n, g) => n + g.length, 0);
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined;
  const all = halves.length === 1 ? groups[0]! : [...groups[0]!, ...Array<string>(8 - count).fill('0'), ...groups[1]!];
  return all.every((g) => /^[0-9a-fA-F]{1,4}$/.test(g))
    ? all.reduce((bits, g) => (bits << 16n) | BigInt(`0x${g}`), 0n)
    : undefined;
}

/** Undefined when the text is no address; zones and IPv4 in IPv6 are refused, as upstream's library does. */
function parseAddress(text: string): Address | undefined {
  const bits = text.includes(':') ? parse6(text) : parse4(text);
  return bits === undefined ? undefined : { family: text.includes(':') ? 6 : 4, bits };
}
const width = ({ family }: Address): number => (family === 4 ? 32 : 128);
const prefix = (address: Address, length: number): bigint => address.bits >> BigInt(width(address) - length);
const inside = ({ address, length }: Network, other: Address): boolean =>
  other.family === address.family && prefix(address, length) === prefix(other, length);

function addressText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (groups[i + length] === '0') length++;
    if (length > best.length) best = { start: i, length };
  }
  if (best.start < 0) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}

function parseNetwork(text: string): Network | undefined {
  const [host = '', length = '', ...more] = text.split('/');
  const address = parseAddress(host);
  if (!address || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > width(address))
    return undefined;
  return { address, length: Number(length) };
}

const ip = (address: Address): Opaque => new Opaque(IP, addressText(address));
const address = (o: Opaque): Address => parseAddress(o.data as string)!;
const network = (o: Opaque): Network => parseNetwork(o.data as string)!;
const maskedText = ({ address: a, length }: Network): string => {
  const rest = BigInt(width(a) - length);
  return `${addressText({ ...a, bits: (a.bits >> rest) << rest })}/${length}`;
};

function toAddress(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed)
    throw new EvaluationError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  return parsed;
}
function toNetwork(text: string): Network {
  const parsed = parseNetwork(text);
  if (!parsed)
    throw new EvaluationError(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
    );
  return parsed;
}
const range =
  (text: string) =>
  ([o]: Self): boolean =>
    inside(parseNetwork(text)!, address(o));
const either =
  (four: string, six: string) =>
  (args: Self): boolean =>
    range(address(args[0]).family === 4 ? four : six)(args);

/** Models apiserver/pkg/cel/library/ip.go and cidr.go. */
export const networks: Library = {
  [`ip(string): ${IP}`]: ([text]: Text) => ip(toAddress(text)),
  'isIP(string): bool': ([text]: Text) => parseAddress(text) !== undefined,
  '.ip.isCanonical(string): bool': ([text]: Text) => addressText(toAddress(text)) === text,
  [`${IP}.family(): int`]: ([o]: Self) => BigInt(address(o).family),
  [`${IP}.isUnspecified(): bool`]: ([o]: Self) => address(o).bits === 0n,
  [`${IP}.isLoopback(): bool`]: either('127.0.0.0/8', '::1/128'),
  [`${IP}.isLinkLocalMulticast(): bool`]: either('224.0.0.0/24', 'ff02::/16'),
  [`${IP}.isLinkLocalUnicast(): bool`]: either('169.254.0.0/16', 'fe80::/10'),
  [`${IP}.isGlobalUnicast(): bool`]: (args: Self) =>
    !either('127.0.0.0/8', '::1/128')(args) &&
    !either('224.0.0.0/4', 'ff00::/8')(args) &&
    !either('169.254.0.0/16', 'fe80::/10')(args) &&
    address(args[0]).bits !== 0n,
  [`cidr(string): ${CIDR}`]: ([text]: Text) => {
    const parsed = toNetwork(text);
    return new Opaque(CIDR, `${addressText(parsed.address)}/${parsed.length}`);
  },
  'isCIDR(string): bool': ([text]: Text) => parseNetwork(text) !== undefined,
  [`${CIDR}.containsIP(string): bool`]: ([c, text]: readonly [Opaque, string]) => inside(network(c), toAddress(text)),
  [`${CIDR}.containsIP(${IP}): bool`]: ([c, o]: readonly [Opaque, Opaque]) => inside(network(c), address(o)),
  [`${CIDR}.containsCIDR(string): bool`]: ([c, text]: readonly [Opaque, string]) => holds(network(c), toNetwork(text)),
  [`${CIDR}.containsCIDR(${CIDR}): bool`]: ([c, o]: readonly [Opaque, Opaque]) => holds(network(c), network(o)),
  [`${CIDR}.ip(): ${IP}`]: ([c]: Self) => ip(network(c).address),
  [`${CIDR}.masked(): ${CIDR}`]: ([c]: Self) => new Opaque(CIDR, maskedText(network(c))),
  [`${CIDR}.prefixLength(): int`]: ([c]: Self) => BigInt(network(c).length),
};
const holds = (outer: Network, inner: Network): boolean => inner.length >= outer.length && inside(outer, inner.address);
