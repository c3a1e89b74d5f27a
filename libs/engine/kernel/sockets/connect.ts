import type { Millis } from '../../machinery/time/time.js';
import { SystemError, type ErrorCode } from '../errno.js';
import { answerWith, pass, passBack, showHandshake } from '../capture/capture.js';
import { addTrack, endTrack, tupleOf } from '../conntrack/table.js';
import { wake } from '../scheduler/queue.js';
import type { State } from '../state.js';
import { askRemote } from './remote.js';
import type { Socket } from './socket.js';
import {
  ephemeralPort,
  findListener,
  isOwnAddress,
  makeSocket,
  peerOf,
  socketChannel,
  sourceAddress,
} from './table.js';
import { askNetwork } from './visits.js';

/** net.core.somaxconn. */
const MAX_BACKLOG = 4_096;

/** Throws EADDRINUSE, EADDRNOTAVAIL. */
export function listenAt(state: State, port: number, address: string, protocol: 'tcp' | 'udp'): Socket {
  if (!isOwnAddress(state, address)) throw new SystemError('EADDRNOTAVAIL');
  const localPort = port === 0 ? ephemeralPort(state) : port;
  if (findListener(state, protocol, address, localPort) !== undefined) throw new SystemError('EADDRINUSE');
  return makeSocket(state, { protocol, state: 'listening', since: state.now, localAddress: address, localPort });
}

/** A socket that is connected, or will know later that it is not. */
export function connectTo(state: State, address: string, port: number, protocol: 'tcp' | 'udp', user: number): Socket {
  const socket = makeSocket(state, {
    protocol,
    state: 'connected',
    localAddress: sourceAddress(state, address),
    localPort: ephemeralPort(state),
    remoteAddress: address,
    remotePort: port,
  });
  const isOwn = isOwnAddress(state, address);
  if (isOwn && (!state.network.isShared || findListener(state, protocol, address, port) !== undefined)) {
    deliver(state, socket, state, port, socket.localAddress);
    return socket;
  }
  const redirected = protocol === 'tcp' ? state.network.redirects?.()?.outbound(address, port, user) : undefined;
  if (redirected === undefined) walk(state, socket, protocol);
  else deliver(state, socket, state, redirected, socket.localAddress, { address, port });
  return socket;
}

/** The next datagram is the first one of a connection again. */
export function connectAgain(state: State, socket: Socket): void {
  socket.peer = undefined;
  state.remotes.delete(socket.id);
  walk(state, socket, 'udp');
}

function walk(state: State, socket: Socket, protocol: 'tcp' | 'udp'): void {
  const { remoteAddress: address, remotePort: port } = socket;
  const destination = askNetwork(state, address, port, protocol);
  const track = addTrack(state, destination.flow, { id: socket.id, protocol, sent: tupleOf(socket) });
  if (track) socket.isTracked = true;
  if (track && 'error' in destination) {
    track.end = destination.error === 'ECONNREFUSED' ? 'reset' : 'lost';
    track.endedAt = state.now;
  }
  if ('error' in destination) {
    showHandshake(state, socket, destination.error === 'ECONNREFUSED' ? 'refused' : 'lost');
    failAt(state, socket, destination.error, state.now + destination.after);
  } else if ('remote' in destination) {
    socket.peer = { type: 'remote', address, port };
    state.remotes.set(socket.id, destination.remote);
    showHandshake(state, socket);
  } else {
    const there = state.findMachine(destination.machine);
    if (there === undefined) failAt(state, socket, 'EHOSTUNREACH', state.now);
    else {
      deliver(state, socket, there, destination.port, destination.from);
      if (destination.filter) socket.isFiltered = true;
    }
  }
  if (destination.latency !== undefined) connectAt(state, socket, state.now + destination.latency);
}

/** `outbound`: where a connection was to go that the machine's own rules lead to a program of it. */
function deliver(
  state: State,
  socket: Socket,
  there: State,
  port: number,
  from: string,
  outbound?: Socket['original'],
): void {
  const address = there === state && !outbound ? socket.remoteAddress : '0.0.0.0';
  const isTcp = there !== state && socket.protocol === 'tcp';
  const redirected = isTcp ? there.network.redirects?.()?.inbound(port) : undefined;
  const listener = findListener(there, socket.protocol, address, redirected ?? port);
  const isReachable = listener !== undefined && (there === state || !listener.localAddress.startsWith('127.'));
  if (!isReachable || listener.backlog.length >= MAX_BACKLOG) {
    endTrack(state, socket, 'reset');
    showHandshake(state, socket, 'refused');
    return failAt(state, socket, 'ECONNREFUSED', state.now);
  }
  // A Service's address is translated on the way.
  const own = there === state && !outbound ? socket.remoteAddress : sourceAddress(there, from);
  const original = outbound ?? (redirected === undefined ? undefined : { address: own, port });
  const peer = makeSocket(there, {
    protocol: socket.protocol,
    state: 'connected',
    localAddress: listener.localAddress === '0.0.0.0' ? own : listener.localAddress,
    localPort: redirected ?? port,
    remoteAddress: from,
    remotePort: socket.localPort,
    owner: listener.owner,
    ...(original ? { original } : {}),
    peer: { type: 'socket', machine: state.id, socket: socket.id },
  });
  socket.peer = { type: 'socket', machine: there.id, socket: peer.id };
  listener.backlog.push(peer.id);
  showHandshake(state, socket);
  there.now = Math.max(there.now, state.now);
  wake(there, socketChannel(listener.id));
}

/** A stream of a session from outside to a port. Throws ECONNREFUSED. */
export function connectSession(state: State, session: string, port: number, address: string, from: string): Socket {
  const listener = findListener(state, 'tcp', address, port);
  if (listener === undefined) throw new SystemError('ECONNREFUSED');
  const socket = makeSocket(state, {
    protocol: 'tcp',
    state: 'connected',
    localAddress: address,
    localPort: port,
    remoteAddress: from,
    remotePort: ephemeralPort(state),
    owner: listener.owner,
    peer: { type: 'session', session },
  });
  listener.backlog.push(socket.id);
  passBack(state, socket, { flags: 'S' });
  pass(state, socket, { flags: 'S.' });
  passBack(state, socket, { flags: '.' });
  wake(state, socketChannel(listener.id));
  return socket;
}

/** What has been delivered is known to the sender later. */
function connectAt(state: State, socket: Socket, at: Millis): void {
  if (socket.state !== 'connected') return;
  socket.state = 'connecting';
  socket.settlesAt = at;
  state.timers.add({ at, kind: 'socket', id: socket.id });
}

function failAt(state: State, socket: Socket, error: ErrorCode, at: Millis): void {
  socket.error = error;
  socket.state = at > state.now ? 'connecting' : 'failed';
  if (at <= state.now) return;
  socket.settlesAt = at;
  state.timers.add({ at, kind: 'socket', id: socket.id });
}

/** The connecting has ended, or a remote is asked again. */
export function settle(state: State, socket: Socket): void {
  if (socket.state === 'connected') return askRemote(state, socket);
  if (socket.state !== 'connecting') return;
  socket.state = socket.error === undefined ? 'connected' : 'failed';
  socket.settlesAt = undefined;
  wake(state, socketChannel(socket.id));
}

/** The peer reads end of file. */
export function shutDownSocket(state: State, socket: Socket): void {
  if (socket.isShutDown) return;
  socket.isShutDown = true;
  if (socket.protocol === 'tcp' && socket.state === 'connected') {
    pass(state, socket, { flags: 'F.' });
    answerWith(state, socket, socket.peer?.type === 'remote' ? 'F.' : '.');
  }
  const peer = peerOf(state, socket);
  if (peer !== undefined) {
    peer.socket.isAtEnd = true;
    peer.state.now = Math.max(peer.state.now, state.now);
    wake(peer.state, socketChannel(peer.socket.id));
  }
}

/** Both directions end; unread data resets the connection, as Linux does it. */
export function closeSocket(state: State, socket: Socket): void {
  const peer = peerOf(state, socket);
  const isReset = peer !== undefined && socket.receivedBytes > 0 && socket.protocol === 'tcp';
  if (isReset) peer.socket.error = 'ECONNRESET';
  endTrack(state, socket, isReset ? 'reset' : 'closed');
  shutDownSocket(state, socket);
  if (socket.protocol === 'packet' && state.sockets.has(socket.id)) state.captures--;
  state.sockets.delete(socket.id);
  state.remotes.delete(socket.id);
  for (const id of socket.backlog) {
    const waiting = state.sockets.get(id);
    if (waiting !== undefined) closeSocket(state, waiting);
  }
  wake(state, socketChannel(socket.id));
}
