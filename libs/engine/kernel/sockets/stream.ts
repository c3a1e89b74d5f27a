import type { Bytes } from '../bytes.js';
import { showContent } from '../capture/capture.js';
import { noteBytes } from '../conntrack/table.js';
import { SystemError } from '../errno.js';
import { wake } from '../scheduler/queue.js';
import { renewDatagrams } from './renew-datagrams.js';
import { canPrint, printToSession } from '../sessions/output.js';
import type { State } from '../state.js';
import { answerRemote } from './remote.js';
import { sendFiltered } from './send-filtered.js';
import type { Socket } from './socket.js';
import { peerOf, socketChannel } from './table.js';

const MAX_DATAGRAM = 65_507;

/** Undefined: nothing has arrived. '': the peer sends no more. A datagram is read as a whole, or cut. */
export function readSocket(state: State, socket: Socket, max: number): Bytes | undefined {
  if (socket.state === 'listening') throw new SystemError('ENOTCONN');
  const first = socket.received.shift();
  if (first !== undefined) {
    socket.receivedBytes -= first.length;
    if (socket.protocol !== 'udp' && socket.protocol !== 'packet' && first.length > max) {
      socket.received.unshift(first.slice(max));
      socket.receivedBytes += first.length - max;
    }
    wakePeer(state, socket);
    return first.slice(0, max);
  }
  if (socket.error !== undefined && socket.state !== 'connecting') throw takeError(socket);
  return socket.isAtEnd ? '' : undefined;
}

function takeError(socket: Socket): SystemError {
  const error = new SystemError(socket.error!);
  if (socket.state === 'connected') socket.error = undefined;
  return error;
}

function wakePeer(state: State, socket: Socket): void {
  const peer = peerOf(state, socket);
  if (peer !== undefined) wake(peer.state, socketChannel(peer.socket.id));
}

/** The peer is gone or this side is shut: EPIPE. */
export function isSocketBroken(state: State, socket: Socket): boolean {
  if (socket.isShutDown || socket.state === 'failed') return true;
  if (socket.protocol === 'udp' || socket.state !== 'connected') return false;
  if (socket.peer?.type === 'socket') return peerOf(state, socket) === undefined;
  if (socket.peer?.type === 'session') return state.sessions.get(socket.peer.session)?.isHungUp !== false;
  return socket.isAtEnd;
}

/** How many bytes were taken: 0 while the peer's buffer is full. Throws ENOTCONN. */
export function writeSocket(state: State, socket: Socket, bytes: Bytes): number {
  if (socket.state === 'connecting') return 0;
  if (socket.state !== 'connected') throw new SystemError('ENOTCONN');
  if (socket.protocol === 'udp') renewDatagrams(state, socket);
  switch (socket.peer?.type) {
    case 'session':
      return printToPeer(state, socket.peer.session, bytes);
    case 'remote':
      answerRemote(state, socket, bytes);
      return bytes.length;
    default:
      return sendToPeer(state, socket, bytes);
  }
}

function printToPeer(state: State, id: string, bytes: Bytes): number {
  const session = state.sessions.get(id);
  return session === undefined ? bytes.length : printToSession(session, 'stdout', bytes);
}

function sendToPeer(state: State, socket: Socket, bytes: Bytes): number {
  const peer = peerOf(state, socket);
  if (peer === undefined) return bytes.length;
  if (socket.isFiltered) return sendFiltered(state, socket, peer, bytes);
  if (socket.protocol === 'udp' && bytes.length > MAX_DATAGRAM) throw new SystemError('EINVAL');
  const taken = receive(peer.state, peer.socket, bytes, state.now);
  noteBytes(state, socket, taken, state.now);
  if (taken > 0 || bytes === '') showContent(state, socket, bytes.slice(0, taken));
  return taken;
}

/** Bytes arrive at a socket; how many it had room for. A datagram without room is lost. */
export function receive(state: State, socket: Socket, bytes: Bytes, at: number): number {
  const isDatagram = socket.protocol === 'udp';
  const room = socket.capacity - socket.receivedBytes;
  if (isDatagram && room < bytes.length) return bytes.length;
  const taken = bytes.slice(0, Math.max(0, room));
  if (taken === '' && !isDatagram) return 0;
  const last = socket.received.length - 1;
  if (isDatagram || last < 0) socket.received.push(taken);
  else socket.received[last] += taken;
  socket.receivedBytes += taken.length;
  state.now = Math.max(state.now, at);
  wake(state, socketChannel(socket.id));
  return taken.length;
}

export const isSocketReadable = (socket: Socket): boolean =>
  socket.state === 'listening'
    ? socket.backlog.length > 0
    : socket.received.length > 0 || socket.isAtEnd || (socket.error !== undefined && socket.state !== 'connecting');

export function isSocketWritable(state: State, socket: Socket): boolean {
  if (socket.state === 'connecting') return false;
  if (socket.state !== 'connected' || isSocketBroken(state, socket)) return true;
  if (socket.peer?.type === 'session') {
    const session = state.sessions.get(socket.peer.session);
    return session === undefined || canPrint(session, 'stdout');
  }
  const peer = peerOf(state, socket);
  return peer === undefined || socket.protocol === 'udp' || peer.socket.receivedBytes < peer.socket.capacity;
}

/** The client of a session sends no more: its socket is at the end. */
export function endOfSession(state: State, id: number): void {
  const socket = state.sockets.get(id);
  if (socket === undefined) return;
  socket.isAtEnd = true;
  wake(state, socketChannel(id));
}
