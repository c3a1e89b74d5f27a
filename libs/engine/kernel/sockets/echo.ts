import { addTrack } from '../conntrack/table.js';
import type { State } from '../state.js';
import { ephemeralPort, isOwnAddress, sourceAddress } from './table.js';
import { askNetwork } from './visits.js';

/** A host answers an echo when a connection to this port of it is accepted or refused. */
const PROBE_PORT = 9;
const ECHO_BYTES = 64;

/** Whether a host answers echoes. Their identifier is in the place of a port. */
export function echoTo(state: State, address: string): boolean {
  if (isOwnAddress(state, address)) return true;
  const { flow, ...found } = askNetwork(state, address, PROBE_PORT, 'tcp');
  const isAnswered = !('error' in found) || found.error === 'ECONNREFUSED';
  const id = ephemeralPort(state);
  const sent = { source: sourceAddress(state, address), sourcePort: id, destination: address, destinationPort: 0 };
  // Sockets count from one upwards: these are numbers that none of them has.
  addTrack(state, flow, {
    ...{ id: -id, protocol: 'icmp', sent, bytesSent: ECHO_BYTES },
    ...(isAnswered ? { bytesReceived: ECHO_BYTES } : { end: 'lost' }),
  });
  return isAnswered;
}
