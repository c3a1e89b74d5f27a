import { EvaluationError } from '../errors.js';
import {
  contains,
  isIPv4Mapped,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMulticast,
  isUnspecified,
  networkAddress,
  parseAddress,
  parsePrefix,
  type Address,
  type Prefix,
} from '../../net/netip.js';
import type { Library } from '../registry.js';
import { Opaque } from '../values.js';

type Text = readonly [string];
type Self = readonly [Opaque];

const IP = 'net.IP';
const CIDR = 'net.CIDR';

/** Undefined when the text is no address, or an IPv4-mapped IPv6 address. */
function parseIP(text: string): Address | undefined {
  const parsed = parseAddress(text);
  return parsed && !isIPv4Mapped(parsed) ? parsed : undefined;
}

function parseCIDR(text: string): Prefix | undefined {
  const prefix = parsePrefix(text);
  return prefix && parseIP(text.slice(0, text.indexOf('/'))) ? prefix : undefined;
}

const ip = (address: Address): Opaque => new Opaque(IP, String(address));
const cidr = ({ address, bits }: Prefix): Opaque => new Opaque(CIDR, `${address}/${bits}`);
const address = (o: Opaque): Address => parseIP(o.data as string)!;
const prefix = (o: Opaque): Prefix => parseCIDR(o.data as string)!;
const BROADCAST = '255.255.255.255';
/** Models net/netip Addr.IsGlobalUnicast. */
const isGlobalUnicast = (a: Address): boolean =>
  String(a) !== BROADCAST && !isLoopback(a) && !isMulticast(a) && !isLinkLocalUnicast(a) && !isUnspecified(a);

function toAddress(text: string): Address {
  const parsed = parseIP(text);
  if (!parsed)
    throw new EvaluationError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  return parsed;
}
function toPrefix(text: string): Prefix {
  const parsed = parseCIDR(text);
  if (!parsed)
    throw new EvaluationError(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
    );
  return parsed;
}

/** Models apiserver/pkg/cel/library/ip.go and cidr.go. */
export const networks: Library = {
  [`ip(string): ${IP}`]: ([text]: Text) => ip(toAddress(text)),
  'isIP(string): bool': ([text]: Text) => parseIP(text) !== undefined,
  '.ip.isCanonical(string): bool': ([text]: Text) => String(toAddress(text)) === text,
  [`${IP}.family(): int`]: ([o]: Self) => (address(o).kind() === 'ipv4' ? 4n : 6n),
  [`${IP}.isUnspecified(): bool`]: ([o]: Self) => isUnspecified(address(o)),
  [`${IP}.isLoopback(): bool`]: ([o]: Self) => isLoopback(address(o)),
  [`${IP}.isLinkLocalMulticast(): bool`]: ([o]: Self) => isLinkLocalMulticast(address(o)),
  [`${IP}.isLinkLocalUnicast(): bool`]: ([o]: Self) => isLinkLocalUnicast(address(o)),
  [`${IP}.isGlobalUnicast(): bool`]: ([o]: Self) => isGlobalUnicast(address(o)),
  [`cidr(string): ${CIDR}`]: ([text]: Text) => cidr(toPrefix(text)),
  'isCIDR(string): bool': ([text]: Text) => parseCIDR(text) !== undefined,
  [`${CIDR}.containsIP(string): bool`]: ([c, text]: readonly [Opaque, string]) => contains(prefix(c), toAddress(text)),
  [`${CIDR}.containsIP(${IP}): bool`]: ([c, o]: readonly [Opaque, Opaque]) => contains(prefix(c), address(o)),
  [`${CIDR}.containsCIDR(string): bool`]: ([c, text]: readonly [Opaque, string]) =>
    containsPrefix(prefix(c), toPrefix(text)),
  [`${CIDR}.containsCIDR(${CIDR}): bool`]: ([c, o]: readonly [Opaque, Opaque]) => containsPrefix(prefix(c), prefix(o)),
  [`${CIDR}.ip(): ${IP}`]: ([c]: Self) => ip(prefix(c).address),
  [`${CIDR}.masked(): ${CIDR}`]: ([c]: Self) => {
    const network = prefix(c);
    return cidr({ address: networkAddress(network), bits: network.bits });
  },
  [`${CIDR}.prefixLength(): int`]: ([c]: Self) => BigInt(prefix(c).bits),
};
const containsPrefix = (outer: Prefix, inner: Prefix): boolean =>
  inner.bits >= outer.bits && contains(outer, inner.address);
