import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import { parseAddress } from '../../../../../engine/machinery/net/netip.js';

const PREFIX = 'nginx.ingress.kubernetes.io/';
const UNITS: Readonly<Record<string, number>> = { k: 1_024, m: 1_048_576, g: 1_073_741_824 };

export const annotation = ({ metadata }: Pick<Ingress, 'metadata'>, name: string): string | undefined =>
  metadata.annotations?.[PREFIX + name];
export const isOn = (ingress: Ingress, name: string): boolean => annotation(ingress, name) === 'true';
export const isCanary = (ingress: Ingress): boolean => isOn(ingress, 'canary');

/** A number of an annotation; undefined for what is none. */
export function numberOf(ingress: Ingress, name: string): number | undefined {
  const text = annotation(ingress, name)?.trim() ?? '';
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export const listOf = (ingress: Ingress, name: string): string[] =>
  (annotation(ingress, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** '8m' in bytes; undefined for what is no size. */
export function sizeOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9})([kmg]?)$/i.exec(text?.trim() ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/** Whether an IPv4 address is in one of some ranges: '10.0.0.0/8', '10.1.2.3'. */
export const isInRanges = (address: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => isInRange(address, range));

function isInRange(address: string, range: string): boolean {
  const [base = '', text = '32'] = range.split('/');
  const bits = Number(text);
  const [own, other] = [wordOf(address), wordOf(base)];
  if (own === undefined || other === undefined || !(bits >= 0 && bits <= 32)) return false;
  const mask = bits === 0 ? 0 : (~0 << (32 - bits)) >>> 0;
  return (own & mask) >>> 0 === (other & mask) >>> 0;
}

export const isRange = (text: string): boolean => {
  const [base = '', bits = '32'] = text.split('/');
  return parseAddress(base) !== undefined && /^\d{1,3}$/.test(bits);
};

function wordOf(address: string): number | undefined {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return undefined;
  return parts.reduce((word, part) => word * 256 + part, 0);
}

/**
 * Why the paths of an Ingress answer nothing but 503: an annotation that cannot be obeyed. Models the parsers of
 * internal/ingress/annotations that return LocationDenied.
 */
export function deniedBecause(
  ingress: Ingress,
  hasSecret: (namespace: string, name: string) => boolean,
): string | undefined {
  const namespace = ingress.metadata.namespace ?? '';
  const type = annotation(ingress, 'auth-type');
  if (type !== undefined) {
    if (type !== 'basic' && type !== 'digest') return 'invalid authentication type';
    const secret = annotation(ingress, 'auth-secret');
    if (!secret) return 'error reading secret name from annotation: ingress rule without annotations';
    const [first = '', second] = secret.split('/');
    const [own, name] = second === undefined ? [namespace, first] : [first, second];
    if (own !== namespace) return 'cross namespace usage of secrets is not allowed';
    if (!hasSecret(own, name))
      return `unexpected error reading secret ${own}/${name}: no object matching key "${own}/${name}" in local store`;
  }
  for (const name of ['whitelist-source-range', 'allowlist-source-range', 'denylist-source-range']) {
    const bad = listOf(ingress, name).find((range) => !isRange(range));
    if (bad !== undefined)
      return `the annotation does not contain a valid IP address or network: invalid CIDR address: ${bad}`;
  }
  return undefined;
}

/** What is written into nginx's configuration cannot be anything. Models internal/ingress/annotations/parser. */
const VALIDATORS: readonly (readonly [readonly string[], (value: string) => boolean])[] = [
  [
    ['ssl-redirect', 'force-ssl-redirect', 'use-regex', 'enable-cors', 'canary', 'service-upstream'],
    (value) => /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value),
  ],
  [
    ['limit-rps', 'limit-rpm', 'limit-connections', 'limit-burst-multiplier', 'canary-weight', 'canary-weight-total'],
    (value) => /^-?\d{1,9}$/.test(value),
  ],
  [['affinity'], (value) => value === 'cookie'],
  [['auth-type'], (value) => /basic|digest/.test(value)],
  [['backend-protocol'], (value) => /^(HTTP|HTTPS|AUTO_HTTP|GRPC|GRPCS|FCGI)$/i.test(value)],
  [['proxy-body-size'], (value) => sizeOf(value) !== undefined],
  [['rewrite-target', 'app-root'], (value) => !/[\s;{}"'\\]/.test(value)],
  [['upstream-vhost'], (value) => /^[A-Za-z0-9.:_~-]*$/.test(value)],
];

/** The annotation that the admission webhook refuses for its value. */
export function invalidAnnotation(ingress: Ingress): string | undefined {
  for (const [names, isValid] of VALIDATORS) {
    const bad = names.find((name) => {
      const value = annotation(ingress, name);
      return value !== undefined && !isValid(value);
    });
    if (bad !== undefined) return PREFIX + bad;
  }
  return undefined;
}
