import type { AddressRange } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Resource } from '../../../machinery/resource.js';
import type { Labels } from '../../../machinery/selectors/requirement.js';
import { toNumber, toText } from '../fabric/fabric.js';

/** Objects of Cilium's own API (cilium.io/v2). */
const resource = <T extends KubeObject>(
  kind: string,
  plural = `${kind.toLowerCase()}s`,
  scope: Resource['scope'] = 'Cluster',
): Resource<T> => ({ group: 'cilium.io', version: 'v2', kind, plural, scope });

export interface CiliumNode extends KubeObject {
  readonly spec?: {
    readonly addresses?: readonly { readonly type?: string; readonly ip?: string }[];
    readonly health?: { readonly ipv4?: string };
    readonly ipam?: { readonly podCIDRs?: readonly string[] };
    readonly [other: string]: unknown;
  };
}

export interface CiliumIdentity extends KubeObject {
  readonly 'security-labels'?: Labels;
}

export interface CiliumEndpoint extends KubeObject {
  readonly status?: {
    readonly id?: number;
    readonly identity?: { readonly id?: number; readonly labels?: readonly string[] };
    readonly networking?: {
      readonly addressing?: readonly { readonly ipv4?: string }[];
      readonly node?: string;
    };
    readonly state?: string;
    readonly [other: string]: unknown;
  };
}

/** A policy as it is stored: `spec` is one rule, `specs` are several. */
export interface CiliumPolicyObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly specs?: readonly Readonly<Record<string, unknown>>[];
  readonly status?: { readonly conditions?: readonly Readonly<Record<string, unknown>>[] };
}

export interface CiliumCIDRGroup extends KubeObject {
  readonly spec?: { readonly externalCIDRs?: readonly string[] };
}

export const CiliumNodes = resource<CiliumNode>('CiliumNode');
export const CiliumIdentities = resource<CiliumIdentity>('CiliumIdentity', 'ciliumidentities');
export const CiliumEndpoints = resource<CiliumEndpoint>('CiliumEndpoint', 'ciliumendpoints', 'Namespaced');
export const CiliumNetworkPolicies = resource<CiliumPolicyObject>(
  'CiliumNetworkPolicy',
  'ciliumnetworkpolicies',
  'Namespaced',
);
export const CiliumClusterwideNetworkPolicies = resource<CiliumPolicyObject>(
  'CiliumClusterwideNetworkPolicy',
  'ciliumclusterwidenetworkpolicies',
);
export const CiliumCIDRGroups = resource<CiliumCIDRGroup>('CiliumCIDRGroup', 'ciliumcidrgroups');

const INTERNAL = 'CiliumInternalIP';

export const ciliumNodeOf = (read: Reader, node: string): CiliumNode | undefined =>
  read.get(CiliumNodes, { namespace: '', name: node });

/** The range of a node's pods; '' while the operator has given it none. */
export function rangeOf(node: CiliumNode | undefined): string {
  const found = node?.spec?.ipam?.podCIDRs?.find((cidr) => /^\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}$/.test(cidr));
  return found ?? '';
}

/** The address of a node's cilium_host, which is all its pods' gateway; '' while there is none. */
export const routerOf = (node: CiliumNode | undefined): string =>
  node?.spec?.addresses?.find(({ type }) => type === INTERNAL)?.ip ?? '';

/** The addresses of a range that may be given, as numbers: all but the first and the last. */
export function usableOf(cidr: string): readonly [first: number, last: number] {
  const [base = '', bits = '24'] = cidr.split('/');
  return [toNumber(base) + 1, toNumber(base) + 2 ** (32 - Number(bits)) - 2];
}

/** What a node gives pods: its range without the addresses of its router and of its health endpoint. */
export function ciliumRanges(read: Reader, node: string): AddressRange[] {
  const found = ciliumNodeOf(read, node);
  const cidr = rangeOf(found);
  const gateway = routerOf(found);
  if (cidr === '' || gateway === '') return [];
  const health = found?.spec?.health?.ipv4 ?? '';
  const [first, last] = usableOf(cidr);
  if (health === '') return [{ first: toText(first), last: toText(last), gateway }];
  const middle = toNumber(health);
  return [
    { first: toText(first), last: toText(middle - 1), gateway },
    { first: toText(middle + 1), last: toText(last), gateway },
  ];
}
