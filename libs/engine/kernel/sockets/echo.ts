import { isCaptured, show } from '../capture/capture.js';
import type { Tuple } from '../conntrack/track.js';
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
  if (isCaptured(state)) showEcho(state, sent, isAnswered);
  return isAnswered;
}

function showEcho(state: State, { source, destination, sourcePort: id }: Tuple, isAnswered: boolean): void {
  const ends = { protocol: 'icmp', sourcePort: id, destinationPort: id } as const;
  const text = (what: string): string =>
    `${source.includes(':') ? 'ICMP6, echo' : 'ICMP echo'} ${what}, id ${id}, seq 1, length ${ECHO_BYTES}`;
  show(state, { ...ends, source, destination }, true, { length: ECHO_BYTES, text: text('request') });
  if (!isAnswered) return;
  const back = { ...ends, source: destination, destination: source };
  show(state, back, false, { length: ECHO_BYTES, text: text('reply') });
}
