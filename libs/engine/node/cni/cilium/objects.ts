import type { AddressRange } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Resource } from '../../../machinery/resource.js';
import { toNumber, toText } from '../fabric/fabric.js';

/** Objects of Cilium's own API (cilium.io/v2). */
const resource = <T extends KubeObject>(kind: string, plural: string, scope: Resource['scope']): Resource<T> => ({
  ...{ group: 'cilium.io', version: 'v2', kind, plural, scope },
});

export interface CiliumNode extends KubeObject {
  readonly spec?: {
    readonly addresses?: readonly { readonly type?: string; readonly ip?: string }[];
    readonly health?: { readonly ipv4?: string };
    readonly ipam?: { readonly podCIDRs?: readonly string[] };
  };
}

export const CiliumNodes = resource<CiliumNode>('CiliumNode', 'ciliumnodes', 'Cluster');

/** What a node gives pods: its range without the addresses of its router and of its health endpoint. */
export function ciliumRanges(read: Reader, node: string): AddressRange[] {
  const { spec } = read.get(CiliumNodes, { namespace: '', name: node }) ?? {};
  const [cidr = ''] = spec?.ipam?.podCIDRs ?? [];
  const [base = '', bits = '24'] = cidr.split('/');
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(base)) return [];
  const router = spec?.addresses?.find(({ type }) => type === 'CiliumInternalIP')?.ip ?? '';
  const health = spec?.health?.ipv4 ?? '';
  const [first, last] = [toNumber(base) + 1, toNumber(base) + 2 ** (32 - Number(bits)) - 2];
  if (health === '') return [{ first: toText(first), last: toText(last), gateway: router }];
  const middle = toNumber(health);
  return [
    { first: toText(first), last: toText(middle - 1), gateway: router },
    { first: toText(middle + 1), last: toText(last), gateway: router },
  ];
}
