import type { Node } from '../../../api/core_v1.js';

/** The node's InternalIP; empty when it has none. */
export const internalIPOf = ({ status }: Node): string =>
  status.addresses?.find((address) => address.type === 'InternalIP')?.address ?? '';

/** All of them, one of each family. */
export const internalIPsOf = ({ status }: Node): readonly string[] =>
  status.addresses?.flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : [])) ?? [];
