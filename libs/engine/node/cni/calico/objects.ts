import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Resource } from '../../../machinery/resource.js';
import type { Reader } from '../../../machinery/client.js';

/** Objects of Calico's own API, as its definitions store them (crd.projectcalico.org/v1). */
const resource = <T extends KubeObject>(
  kind: string,
  plural = `${kind.toLowerCase()}s`,
  scope: Resource['scope'] = 'Cluster',
): Resource<T> => ({ group: 'crd.projectcalico.org', version: 'v1', kind, plural, scope });

export type EncapMode = 'Always' | 'CrossSubnet' | 'Never';

export interface IPPool extends KubeObject {
  readonly spec?: {
    readonly cidr?: string;
    readonly blockSize?: number;
    readonly ipipMode?: string;
    readonly vxlanMode?: string;
    readonly natOutgoing?: boolean;
    readonly nodeSelector?: string;
    readonly disabled?: boolean;
    readonly allowedUses?: readonly string[];
  };
}

export interface IPAMBlock extends KubeObject {
  readonly spec?: {
    readonly cidr?: string;
    /** 'host:worker-1' */
    readonly affinity?: string;
    /** By place in the block: that of its attribute. */
    readonly allocations?: readonly (number | null)[];
    readonly unallocated?: readonly number[];
    readonly attributes?: readonly IPAMAttribute[];
    readonly deleted?: boolean;
    readonly strictAffinity?: boolean;
  };
}

export interface IPAMAttribute {
  readonly handle_id?: string;
  readonly secondary?: Readonly<Record<string, string>>;
}

export const IPPools = resource<IPPool>('IPPool');
export const IPAMBlocks = resource<IPAMBlock>('IPAMBlock');
export const BlockAffinities = resource('BlockAffinity', 'blockaffinities');
export const IPAMHandles = resource('IPAMHandle');
export const CalicoNetworkPolicies = resource('NetworkPolicy', 'networkpolicies', 'Namespaced');
export const GlobalNetworkPolicies = resource('GlobalNetworkPolicy', 'globalnetworkpolicies');
export const NetworkSets = resource('NetworkSet', 'networksets', 'Namespaced');
export const GlobalNetworkSets = resource('GlobalNetworkSet', 'globalnetworksets');
export const Tiers = resource('Tier');

/** The blocks that a node gives addresses from, in the order of their names. */
export const blocksOf = (read: Reader, node: string): readonly IPAMBlock[] =>
  read.list(IPAMBlocks).filter(({ spec }) => spec?.affinity === `host:${node}` && isCidr(spec.cidr));

/** IPv4 only: Calico's blocks of the other family give no addresses here. */
export const isCidr = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}$/.test(text);
