import type { Node, Pod } from '../../../api/core_v1.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';

/** Until the kernel has sent its last SYN in vain. */
export const CONNECT_TIMEOUT = 130 * SECOND;
/** Until the kernel gives up to find a neighbour by ARP. */
export const NEIGHBOUR_TIMEOUT = 3.06 * SECOND;

export interface Unreached {
  readonly error: 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ENETUNREACH' | 'ETIMEDOUT';
  /** Until the sender knows. */
  readonly after: Millis;
}

export const REFUSED: Unreached = { error: 'ECONNREFUSED', after: 0 };

/** Why a connection does not come about, in the words of Go's dialer. */
export const DIAL_ERRORS: Readonly<Record<Unreached['error'], string>> = {
  ETIMEDOUT: 'i/o timeout',
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
};

/** Where the network delivers a packet: a pod's namespace, a node's, or a host outside the cluster. */
export type Reached =
  | { readonly pod: Pod; readonly port: number }
  | { readonly node: Node; readonly port: number }
  | { readonly outside: string; readonly port: number }
  | Unreached;
