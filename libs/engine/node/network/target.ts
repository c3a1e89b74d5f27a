import type { Pod } from '../../api/core_v1.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';

/** Until the kernel has sent its last SYN in vain. */
export const CONNECT_TIMEOUT = 130 * SECOND;

/** Where a packet to an address is delivered. */
export type Target =
  | { readonly pod: Pod; readonly port: number }
  | { readonly api: true }
  | { readonly error: 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ENETUNREACH' | 'ETIMEDOUT'; readonly after: Millis };

export const REFUSED: Target = { error: 'ECONNREFUSED', after: 0 };
