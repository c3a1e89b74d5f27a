import type { Destination } from '../network.js';
import type { State } from '../state.js';

/** Lists that a machine is remembered in: xt_recent keeps 100 clients in each of its own. */
const MAX_VISITS = 100;

/**
 * Asks the network for the way to an address, and remembers which of its lists of clients the machine came to now: a
 * Service with affinity finds its client again by them.
 */
export function askNetwork(state: State, address: string, port: number, protocol: 'tcp' | 'udp'): Destination {
  const { network, visits, now } = state;
  const destination = network.connect(state.id, address, port, protocol, now, visits);
  for (const list of destination.visited ?? []) {
    visits.delete(list);
    visits.set(list, now);
  }
  for (const list of visits.keys()) {
    if (visits.size <= MAX_VISITS) break;
    visits.delete(list);
  }
  return destination;
}
