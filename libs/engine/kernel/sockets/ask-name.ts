import { hash32 } from '../../machinery/random.js';
import { isCaptured, show } from '../capture/capture.js';
import type { Tuple } from '../conntrack/track.js';
import { addTrack } from '../conntrack/table.js';
import type { NameAnswer } from '../process/syscalls.js';
import type { State } from '../state.js';
import { noteLogged } from './note-logged.js';
import { ephemeralPort, sourceAddress } from './table.js';

const DNS_PORT = 53;
/** A question's header and its type and class; an answer of one record beside the name. */
const QUESTION_BYTES = 18;
const RECORD_BYTES = 16;

/** Codes as tcpdump prints them. */
const FAILURES: Readonly<Record<string, string>> = {
  NXDOMAIN: 'NXDomain',
  SERVFAIL: 'ServFail',
  REFUSED: 'Refused',
  NOTIMP: 'NotImp',
};

/** Asks a name server, by a datagram to its port. */
export function askName(state: State, server: string, name: string, type: string): NameAnswer {
  const { flow, logged, ...answer } = state.network.resolve(name, type, state.now, server);
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
  const id = 1 + (hash32(`${type}? ${name}.`, port) % 65_535);
  if (logged && !answer.failure)
    noteLogged(state, { ...answer, logged }, { remote: sent.source, port: String(port), '>id': String(id) });
  if (isCaptured(state)) showQuestion(state, sent, `${type}? ${name}.`, bytes, answer);
  return answer;
}

/** A question and its answer, in tcpdump's words. */
function showQuestion(state: State, sent: Tuple, asked: string, bytes: number, answer: NameAnswer): void {
  const id = 1 + (hash32(asked, sent.sourcePort) % 65_535);
  const out = { protocol: 'udp', ...sent } as const;
  show(state, out, true, { length: bytes, text: `${id}+ ${asked} (${bytes})` });
  if (answer.failure) return;
  const { source, sourcePort, destination, destinationPort } = sent;
  const back = { source: destination, sourcePort: destinationPort, destination: source, destinationPort: sourcePort };
  const { records, authority = [], additional = [], code } = answer;
  const counts = `${records.length}/${authority.length}/${additional.length}`;
  const failure = code === 'NOERROR' ? '' : ` ${FAILURES[code]}`;
  const shown = records.map(({ type, data }) => ` ${type} ${data}`).join(',');
  const length = bytes + RECORD_BYTES * records.length;
  const flags = answer.isAuthoritative === false ? '' : '*';
  const text = `${id}${failure}${flags}${answer.canRecurse ? '' : '-'} ${counts}${shown} (${length})`;
  show(state, { protocol: 'udp', ...back }, false, { length, text });
}
