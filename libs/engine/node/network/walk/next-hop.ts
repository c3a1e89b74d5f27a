import type { Node, Pod } from '../../../api/core_v1.js';

/** Where a node sends a packet. `route`: as `ip route` prints the route that decided. */
export type NextHop =
  | { readonly type: 'local' }
  /** Of a family that the node has no address of. */
  | { readonly type: 'unreachable' }
  | ({ readonly device: string; readonly route: string } & (
      | { readonly type: 'pod'; readonly pod: Pod }
      | { readonly type: 'node'; readonly node: Node }
      | { readonly type: 'nobody' | 'lost' | 'outside' }
    ));
