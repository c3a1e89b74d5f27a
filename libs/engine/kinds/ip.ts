/** Rules for IP addresses in fields that are older than strict rules. Models apimachinery/pkg/util/validation/ip.go. */
import { invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { isCIDR, isIP } from '../machinery/meta/validation.js';
import {
  hasHostBits,
  isIPv4Mapped,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseAddress,
  parsePrefix,
  type Address,
} from '../machinery/net/netip.js';

/** Of the decimal numbers of an IPv4 address: '010.0.0.1' -> '10.0.0.1'. */
const stripLeadingZeros = (ip: string): string =>
  ip
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? part.replace(/^0+(?=\d)/, '') : part))
    .join('.');

/** Refuses spellings that are ambiguous, save those that the field had before (`existing`). */
export function isValidIPForLegacyField(path: Path, value: string, existing: readonly string[] = []): FieldError[] {
  if (existing.includes(value)) return [];
  const address = parseAddress(value);
  if (address)
    return isIPv4Mapped(address) ? [invalidValue(path, value, 'must not be an IPv4-mapped IPv6 address')] : [];
  if (parseAddress(stripLeadingZeros(value))?.kind() === 'ipv4')
    return [invalidValue(path, value, 'must not have leading 0s')];
  return isIP(value).map((message) => invalidValue(path, value, message));
}

/** As isValidIPForLegacyField; bits beyond the prefix length are refused too. */
export function isValidCIDRForLegacyField(path: Path, value: string, existing: readonly string[] = []): FieldError[] {
  if (existing.includes(value)) return [];
  const message = cidrFault(value);
  return message === undefined ? [] : [invalidValue(path, value, message)];
}

function cidrFault(value: string): string | undefined {
  const prefix = parsePrefix(value);
  if (!prefix) return isSloppyCIDR(value) ? 'must not have leading 0s in IP or prefix length' : isCIDR(value)[0];
  if (isIPv4Mapped(prefix.address)) return 'must not have an IPv4-mapped IPv6 address';
  return hasHostBits(prefix) ? 'must not have bits set beyond the prefix length' : undefined;
}

/** Whether the text is a CIDR but for leading zeros, as older versions of Kubernetes accepted it. */
function isSloppyCIDR(value: string): boolean {
  const [ip = '', length = ''] = value.split('/');
  return parsePrefix(`${stripLeadingZeros(ip)}/${length.replace(/^0+(?=\d)/, '')}`) !== undefined;
}

/** Refuses addresses that no endpoint can have. Models ValidateEndpointIP of pkg/apis/core/validation. */
export function validateEndpointIP(path: Path, value: string): FieldError[] {
  const address = parseAddress(value);
  if (!address) return [invalidValue(path, value, 'must be a valid IP address')];
  const message = specialAddressFault(address, value);
  return message === undefined ? [] : [invalidValue(path, value, message)];
}

function specialAddressFault(address: Address, text: string): string | undefined {
  if (isUnspecified(address)) return `may not be unspecified (${text})`;
  if (isLoopback(address)) return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (isLinkLocalUnicast(address)) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  if (isLinkLocalMulticast(address)) return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
  return undefined;
}

const isIPv6 = (address: Address): boolean => address.kind() === 'ipv6' && !isIPv4Mapped(address);

/** Warns of an IPv6 address in another spelling than RFC 5952's. Values that are no address get no warning. */
export function getWarningsForIP(path: Path, value: string): string[] {
  const address = parseAddress(value);
  if (!address || !isIPv6(address) || String(address) === value) return [];
  return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${address}")`];
}

/** As getWarningsForIP. */
export function getWarningsForCIDR(path: Path, value: string): string[] {
  const prefix = parsePrefix(value);
  if (!prefix || !isIPv6(prefix.address)) return [];
  const canonical = `${prefix.address}/${prefix.bits}`;
  if (canonical === value) return [];
  return [`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}
