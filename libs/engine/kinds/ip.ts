/** Addresses in fields that are older than strict rules for them. Models apimachinery/pkg/util/validation/ip.go. */
import { invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { isCIDR, isIP, isIPv4, isIPv6 } from '../machinery/meta/validation.js';

const GROUPS = 8;
const withoutZeros = (text: string): string => text.replace(/(^|[.:])0+(?=\d+(\.|$))/g, '$1');

/** Values that were there before (`existing`) are let be. */
export function legacyIP(path: Path, value: string, existing: readonly string[] = []): FieldError[] {
  if (existing.includes(value)) return [];
  if (isMapped(value)) return [invalidValue(path, value, 'must not be an IPv4-mapped IPv6 address')];
  const messages = isIP(value);
  return messages.length > 0 && isIPv4(withoutZeros(value))
    ? [invalidValue(path, value, 'must not have leading 0s')]
    : messages.map((m) => invalidValue(path, value, m));
}

export function legacyCIDR(path: Path, value: string, existing: readonly string[] = []): FieldError[] {
  if (existing.includes(value)) return [];
  const messages = isCIDR(value);
  const [ip = '', bits = ''] = value.split('/');
  if (messages.length > 0) {
    const sloppy = `${withoutZeros(ip)}/${bits.replace(/^0+(?=\d)/, '')}`;
    return [
      invalidValue(
        path,
        value,
        isCIDR(sloppy).length > 0 ? messages[0]! : 'must not have leading 0s in IP or prefix length',
      ),
    ];
  }
  if (isMapped(ip)) return [invalidValue(path, value, 'must not have an IPv4-mapped IPv6 address')];
  return isMasked(ip, Number(bits))
    ? []
    : [invalidValue(path, value, 'must not have bits set beyond the prefix length')];
}

/** Addresses that no endpoint can have. Models ValidateEndpointIP of pkg/apis/core/validation. */
export function endpointIP(path: Path, value: string): FieldError[] {
  if (isIP(value).length > 0) return [invalidValue(path, value, 'must be a valid IP address')];
  const why = special(value);
  return why === undefined ? [] : [invalidValue(path, value, why)];
}

function special(ip: string): string | undefined {
  const four = isIPv4(ip);
  const [a, b, c] = four ? ip.split('.').map(Number) : groupsOf(ip);
  const six = four ? '' : canonicalIPv6(ip);
  if (ip === '0.0.0.0' || six === '::') return `may not be unspecified (${ip})`;
  if ((four && a === 127) || six === '::1') return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (four ? a === 169 && b === 254 : (a! & 0xffc0) === 0xfe80)
    return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  if (four ? a === 224 && b === 0 && c === 0 : (a! & 0xff0f) === 0xff02)
    return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
  return undefined;
}

/** Of valid addresses only: [] otherwise. */
export function ipWarnings(path: Path, value: string): string[] {
  if (!isIPv6(value) || isMapped(value)) return [];
  const canonical = canonicalIPv6(value);
  return canonical === value
    ? []
    : [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}

export function cidrWarnings(path: Path, value: string): string[] {
  const [ip = '', bits = ''] = value.split('/');
  if (isCIDR(value).length > 0 || !isIPv6(ip) || isMapped(ip)) return [];
  const canonical = `${canonicalIPv6(ip)}/${bits}`;
  return canonical === value
    ? []
    : [`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(ip: string): number[] {
  const plain = ip.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [head = '', tail] = plain.split('::');
  const numbers = (text: string): number[] => (text === '' ? [] : text.split(':').map((g) => parseInt(g, 16)));
  if (tail === undefined) return numbers(head);
  const [left, right] = [numbers(head), numbers(tail)];
  return [...left, ...new Array<number>(GROUPS - left.length - right.length).fill(0), ...right];
}

/** RFC 5952: small letters, no leading zeros, the first longest run of two zeros or more shortened. */
function canonicalIPv6(ip: string): string {
  const groups = groupsOf(ip);
  let [start, length] = [0, 1];
  for (let i = 0; i < GROUPS; i++) {
    let n = 0;
    while (groups[i + n] === 0) n++;
    if (n > length) [start, length] = [i, n];
  }
  const text = (from: readonly number[]): string => from.map((g) => g.toString(16)).join(':');
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function isMapped(ip: string): boolean {
  if (!isIPv6(ip)) return false;
  const groups = groupsOf(ip);
  return groups[5] === 0xffff && groups.slice(0, 5).every((g) => g === 0);
}

/** Whether the bits behind the first `prefix` are zero. */
function isMasked(ip: string, prefix: number): boolean {
  const [parts, width] = isIPv4(ip) ? [ip.split('.').map(Number), 8] : [groupsOf(ip), 16];
  return parts.every((part, i) => {
    const free = Math.min(Math.max((i + 1) * width - prefix, 0), width);
    return part % 2 ** free === 0;
  });
}
