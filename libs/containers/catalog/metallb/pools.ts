import type { Service } from '../../../engine/api/core_v1.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

export interface IPAddressPool extends KubeObject {
  readonly spec?: {
    readonly addresses?: readonly string[];
    readonly autoAssign?: boolean;
    readonly avoidBuggyIPs?: boolean;
    readonly serviceAllocation?: { readonly priority?: number; readonly namespaces?: readonly string[] };
  };
}

const resource = <T extends KubeObject>(kind: string, plural: string): Resource<T> => ({
  ...{ group: 'metallb.io', version: 'v1beta1', kind, plural, scope: 'Namespaced' },
});
export const IPAddressPools = resource<IPAddressPool>('IPAddressPool', 'ipaddresspools');
export const L2Advertisements = resource('L2Advertisement', 'l2advertisements');

/** Addresses of one range that are tried. */
const MAX_TRIED = 65_536;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

const toNumber = (ip: string): number => ip.split('.').reduce((n, part) => n * 256 + Number(part), 0);
const toText = (n: number): string => [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(n / unit) % 256).join('.');
const isAddress = (text: string): boolean => IPV4.test(text) && text.split('.').every((part) => Number(part) < 256);

type Range = readonly [first: number, last: number];

/** '172.18.255.200-172.18.255.250' or '172.18.200.0/24'; undefined: neither. Models internal/config ParseCIDR. */
export function parseRange(text: string): Range | undefined {
  const [from = '', to] = text.split('-').map((part) => part.trim());
  if (to !== undefined) {
    const range: Range = [toNumber(from), toNumber(to)];
    return isAddress(from) && isAddress(to) && range[0] <= range[1] ? range : undefined;
  }
  const [base = '', bits = ''] = from.split('/');
  if (!isAddress(base) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return undefined;
  const size = 2 ** (32 - Number(bits));
  const first = Math.floor(toNumber(base) / size) * size;
  return [first, first + size - 1];
}

const rangesOf = ({ spec }: IPAddressPool): Range[] =>
  (spec?.addresses ?? []).flatMap((text) => {
    const range = parseRange(text);
    return range ? [range] : [];
  });

export const isInPool = (ip: string, pool: IPAddressPool): boolean =>
  isAddress(ip) && rangesOf(pool).some(([first, last]) => toNumber(ip) >= first && toNumber(ip) <= last);

/** The lowest address of a pool that nobody has. */
export function findFree(pool: IPAddressPool, used: ReadonlySet<string>): string | undefined {
  for (const [first, last] of rangesOf(pool))
    for (let n = first; n <= Math.min(last, first + MAX_TRIED); n++) {
      const isBuggy = pool.spec?.avoidBuggyIPs === true && (n % 256 === 0 || n % 256 === 255);
      if (!isBuggy && !used.has(toText(n))) return toText(n);
    }
  return undefined;
}

/** The pools that a Service may have an address from without asking for one, the most wanted first. */
export const automaticPools = (pools: readonly IPAddressPool[], { metadata }: Service): IPAddressPool[] =>
  pools
    .filter(({ spec }) => spec?.autoAssign !== false)
    .filter(({ spec }) => {
      const { namespaces = [] } = spec?.serviceAllocation ?? {};
      return namespaces.length === 0 || namespaces.includes(metadata.namespace ?? '');
    })
    .sort(
      (a, b) => compare(priorityOf(a), priorityOf(b)) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
    );

/** Less is wanted more; those that say nothing come last. */
const priorityOf = ({ spec }: IPAddressPool): number => spec?.serviceAllocation?.priority || Infinity;
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
