/** The router of the network that the nodes stand in. */
export const HOST_GATEWAY = '172.18.0.1';

/** The first address of a node's range of pods, which its end of every pair has: '10.244.1.1' for '10.244.1.0/24'. */
export const gatewayOf = (address: string): string =>
  address === '' ? '' : `${address.slice(0, address.lastIndexOf('.'))}.1`;

export { vethOf } from '../../cni/fabric/names.js';
