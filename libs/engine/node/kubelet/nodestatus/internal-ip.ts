import type { Node } from '../../../api/core_v1.js';

/** The node's InternalIP; empty when it has none. */
export const internalIPOf = ({ status }: Node): string =>
  status.addresses?.find((address) => address.type === 'InternalIP')?.address ?? '';
