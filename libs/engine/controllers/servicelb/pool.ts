import type { Service } from '../../api/core_v1.js';
import { secondHostFor } from '../../machinery/net/second-family.js';

/** Of the nodes' network, far from the addresses of nodes. */
const PREFIX = '172.18.255.';
const FIRST = 200;
const LAST = 250;

/** The lowest address of the pool that no Service has; undefined when none is left. */
export function freeAddress(services: readonly Service[]): string | undefined {
  const taken = new Set(
    services.flatMap(({ status }) => (status?.loadBalancer?.ingress ?? []).map((ingress) => ingress.ip)),
  );
  for (let last = FIRST; last <= LAST; last++) {
    const ip = PREFIX + last;
    if (!taken.has(ip) && !taken.has(secondHostFor(ip))) return ip;
  }
  return undefined;
}
