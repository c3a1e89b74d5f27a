import type { Bytes } from '../bytes.js';
import { showContent } from '../capture/capture.js';
import { noteBytes } from '../conntrack/table.js';
import type { StreamFilter } from '../network.js';
import { wake } from '../scheduler/queue.js';
import type { State } from '../state.js';
import { receiveAnswer } from './remote.js';
import type { Socket } from './socket.js';
import { socketChannel } from './table.js';
import { askNetwork } from './visits.js';

/**
 * Sends bytes to a machine, past somebody who looks into them. All of them are taken: what goes on waits at the other
 * end, however much that is, as it is one request at most.
 */
export function sendFiltered(
  state: State,
  socket: Socket,
  peer: { readonly state: State; readonly socket: Socket },
  bytes: Bytes,
): number {
  const filter = findFilter(state, socket);
  const all = socket.sent + bytes;
  const { forward, send, close, left } = filter?.pass(all, state.now) ?? PASSED(all);
  socket.sent = left;
  noteBytes(state, socket, bytes.length, state.now);
  showContent(state, socket, bytes);
  if (forward !== '') {
    peer.socket.received.push(forward);
    peer.socket.receivedBytes += forward.length;
    peer.state.now = Math.max(peer.state.now, state.now);
    wake(peer.state, socketChannel(peer.socket.id));
  }
  receiveAnswer(state, socket, send, close);
  if (send !== '' || close) wake(state, socketChannel(socket.id));
  return bytes.length;
}

const PASSED = (forward: Bytes): ReturnType<StreamFilter['pass']> => ({ forward, send: '', close: false, left: '' });

/** The network is asked each time: nothing of it is kept with the socket. */
function findFilter(state: State, { remoteAddress, remotePort }: Socket): StreamFilter | undefined {
  const found = askNetwork(state, remoteAddress, remotePort, 'tcp');
  return 'machine' in found ? found.filter : undefined;
}
