import { SystemError } from '../errno.js';
import type { State } from '../state.js';
import type { Socket } from './socket.js';

export const socketChannel = (id: number): string => `socket${id}`;

/** Another socket's state and record, in this machine or another. */
export interface PeerSocket {
  readonly state: State;
  readonly socket: Socket;
}

const CAPACITY = 256 * 1024;
/** Memory for sockets is short (tcp_mem): further ones have small buffers. */
const MAX_FULL_SOCKETS = 256;
const SMALL_CAPACITY = 16 * 1024;
const MAX_SOCKETS = 8_192;

/** Throws ENFILE. */
export function makeSocket(state: State, fields: Pick<Socket, 'protocol' | 'state'> & Partial<Socket>): Socket {
  if (state.sockets.size >= MAX_SOCKETS) throw new SystemError('ENFILE');
  const socket: Socket = {
    capacity: state.sockets.size < MAX_FULL_SOCKETS ? CAPACITY : SMALL_CAPACITY,
    id: state.counters.socket++,
    localAddress: '0.0.0.0',
    localPort: 0,
    remoteAddress: '0.0.0.0',
    remotePort: 0,
    owner: state.current?.id ?? 0,
    backlog: [],
    received: [],
    receivedBytes: 0,
    isAtEnd: false,
    isShutDown: false,
    sent: '',
    ...fields,
  };
  state.sockets.set(socket.id, socket);
  return socket;
}

/** The socket at the other end; undefined when it is closed, or no socket. */
export function peerOf(state: State, socket: Socket): PeerSocket | undefined {
  if (socket.peer?.type !== 'socket') return undefined;
  const there = socket.peer.machine === state.id ? state : state.findMachine(socket.peer.machine);
  const peer = there?.sockets.get(socket.peer.socket);
  return there === undefined || peer === undefined ? undefined : { state: there, socket: peer };
}

const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::' || address === '*';

export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** The machine's own addresses. */
export const isOwnAddress = (state: State, address: string): boolean =>
  isLoopback(address) ||
  isWildcard(address) ||
  state.network.interfaces().some((one) => one.addresses.some((own) => own.split('/')[0] === address));

/** The listening socket that a packet to an address and port belongs to. */
export function findListener(
  state: State,
  protocol: Socket['protocol'],
  address: string,
  port: number,
): Socket | undefined {
  for (const socket of state.sockets.values()) {
    if (socket.state !== 'listening' || socket.protocol !== protocol || socket.localPort !== port) continue;
    if (isWildcard(socket.localAddress) || isWildcard(address) || socket.localAddress === address) return socket;
  }
  return undefined;
}

const FIRST_EPHEMERAL = 32_768;
const LAST_EPHEMERAL = 60_999;

export function ephemeralPort(state: State): number {
  const port = state.counters.port;
  state.counters.port = port >= LAST_EPHEMERAL ? FIRST_EPHEMERAL : port + 1;
  return port;
}

/** The address that the machine sends from. */
export function sourceAddress(state: State, destination: string): string {
  if (destination === '::1') return destination;
  if (isLoopback(destination) || isWildcard(destination)) return '127.0.0.1';
  const chosen = state.network.sourceTo?.(destination);
  if (chosen !== undefined) return chosen;
  const plugged = state.network.interfaces().find((one) => one.name !== 'lo' && one.isUp);
  const isSixth = destination.includes(':');
  const own = isSixth ? plugged?.addresses.find((one) => one.includes(':')) : plugged?.addresses[0];
  return own?.split('/')[0] ?? (isSixth ? '::1' : '127.0.0.1');
}
