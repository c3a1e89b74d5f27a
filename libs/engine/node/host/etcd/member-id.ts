import { hash32 } from '../../../machinery/random.js';

/** The id of etcd's member on a node of the control plane, in hexadecimal. */
export const memberId = (node: string): string =>
  hash32(node).toString(16).padStart(8, '0') + hash32(node, 1).toString(16).padStart(8, '0');
