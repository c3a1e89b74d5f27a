import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { showAnswer, showContent } from '../capture/capture.js';
import { noteAnswer, noteBytes } from '../conntrack/table.js';
import type { Remote } from '../network.js';
import { wake } from '../scheduler/queue.js';
import type { State } from '../state.js';
import type { Socket } from './socket.js';
import { socketChannel } from './table.js';
import { noteServed } from './note-logged.js';
import { askNetwork } from './visits.js';

/** Sends bytes to a host that is no machine; its answer has arrived at once, or the host takes its time. */
export function answerRemote(state: State, socket: Socket, bytes: Bytes): void {
  socket.sent += bytes;
  noteBytes(state, socket, bytes.length, state.now);
  showContent(state, socket, bytes);
  askRemote(state, socket);
}

/** Asks such a host for its answer to what it has been sent. */
export function askRemote(state: State, socket: Socket): void {
  const remote = findRemote(state, socket);
  if (remote === undefined) {
    socket.error = 'ECONNRESET';
    return wake(state, socketChannel(socket.id));
  }
  const since = socket.sentAt ?? state.now;
  const { send, close, logged, askAgainAt } = remote.answer(socket.sent, state.now, since);
  if (logged) noteServed(state, logged);
  if (askAgainAt !== undefined) return askAgain(state, socket, since, askAgainAt);
  if (socket.sentAt !== undefined) socket.sentAt = socket.settlesAt = undefined;
  if (send !== '' || close) socket.sent = '';
  receiveAnswer(state, socket, send, close);
  wake(state, socketChannel(socket.id));
}

function askAgain(state: State, socket: Socket, since: Millis, at: Millis): void {
  socket.sentAt = since;
  socket.settlesAt = at;
  state.timers.add({ at, kind: 'socket', id: socket.id });
}

/** What the other side has answered, and whether it has ended the connection; readers are not woken. */
export function receiveAnswer(state: State, socket: Socket, send: Bytes, close: boolean): void {
  if (send !== '') {
    socket.received.push(send);
    socket.receivedBytes += send.length;
    noteAnswer(state, socket, send.length);
    showAnswer(state, socket, send);
  }
  socket.isAtEnd ||= close;
}

/** A machine that was written down asks its network again. */
function findRemote(state: State, socket: Socket): Remote | undefined {
  const known = state.remotes.get(socket.id);
  if (known !== undefined || socket.peer?.type !== 'remote') return known;
  const { address, port } = socket.peer;
  const found = askNetwork(state, address, port, socket.protocol === 'udp' ? 'udp' : 'tcp');
  if (!('remote' in found)) return undefined;
  state.remotes.set(socket.id, found.remote);
  return found.remote;
}
