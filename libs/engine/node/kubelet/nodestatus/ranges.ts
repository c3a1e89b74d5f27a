import type { Node } from '../../../api/core_v1.js';
import { parseCidr } from '../../cni/addresses.js';

const MAX_NODES = 65_000;
const NO_FREE_RANGE = '10.245.0.0/24';

/** The first /24 of 10.244.0.0/16 that no node has. */
export function findFreePodCIDR(nodes: readonly Node[]): string {
  const taken = new Set(nodes.map((node) => parseCidr(node.spec.podCIDR)?.[0]));
  for (let i = 0; i < 256; i++) {
    const range = `10.244.${i}.0/24`;
    if (!taken.has(parseCidr(range)![0])) return range;
  }
  return NO_FREE_RANGE;
}

/** The first address of 172.18.0.0/16 that no node has; the first host is the gateway. */
export function findFreeAddress(nodes: readonly Node[]): string {
  const taken = new Set(nodes.flatMap(({ status }) => status.addresses?.map(({ address }) => address) ?? []));
  for (let i = 2; i < MAX_NODES; i++) {
    const address = `172.18.${i >> 8}.${i & 255}`;
    if (!taken.has(address)) return address;
  }
  return '';
}
