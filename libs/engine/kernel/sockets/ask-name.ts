import { addTrack } from '../conntrack/table.js';
import type { NameAnswer } from '../process/syscalls.js';
import type { State } from '../state.js';
import { ephemeralPort, sourceAddress } from './table.js';

const DNS_PORT = 53;
/** A question's header and its type and class; an answer of one record beside the name. */
const QUESTION_BYTES = 18;
const RECORD_BYTES = 16;

/** Asks a name server, by a datagram to its port. */
export function askName(state: State, server: string, name: string, type: string): NameAnswer {
  const { flow, ...answer } = state.network.resolve(name, type, state.now, server);
  if (!flow) return answer;
  const port = ephemeralPort(state);
  const sent = {
    source: sourceAddress(state, server),
    sourcePort: port,
    destination: server,
    destinationPort: DNS_PORT,
  };
  const bytes = QUESTION_BYTES + name.length;
  addTrack(state, flow, {
    ...{ id: -port, protocol: 'udp', sent, bytesSent: bytes },
    ...(answer.failure
      ? { end: answer.failure === 'refused' ? 'reset' : 'lost' }
      : { bytesReceived: bytes + RECORD_BYTES * answer.records.length }),
  });
  return answer;
}
