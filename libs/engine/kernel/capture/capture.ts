import { wake } from '../scheduler/queue.js';
import type { Bytes } from '../bytes.js';
import type { Socket } from '../sockets/socket.js';
import { isLoopback, isOwnAddress, makeSocket, peerOf, socketChannel } from '../sockets/table.js';
import type { State } from '../state.js';
import type { Packet } from './packet.js';

/** Packets that wait for one reader; further ones are dropped by the kernel, and counted. */
const MAX_WAITING = 1_000;
/** Bytes of a packet's content that are shown. */
const MAX_HEAD = 128;

/** A socket that gets a copy of every packet of the machine. */
export function openCapture(state: State): Socket {
  state.captures++;
  return makeSocket(state, { protocol: 'packet', state: 'connected' });
}

/** Whether somebody looks: if nobody does, no packet is made. */
export const isCaptured = (state: State): boolean => state.captures > 0;

type Ends = Pick<Packet, 'protocol' | 'source' | 'sourcePort' | 'destination' | 'destinationPort'>;

/** Shows a packet to those who look at a machine. */
export function show(state: State, ends: Ends, isOut: boolean, what: Partial<Packet>, at = state.now): void {
  const device = isLoopback(ends.destination) || isLoopback(ends.source) ? 'lo' : deviceOf(state, ends);
  const packet: Packet = { at, device, isOut, length: 0, head: '', ...ends, ...what };
  for (const socket of state.sockets.values()) {
    if (socket.protocol !== 'packet') continue;
    if (socket.received.length >= MAX_WAITING) {
      socket.lost = (socket.lost ?? 0) + 1;
      continue;
    }
    const text = JSON.stringify(packet);
    socket.received.push(text);
    socket.receivedBytes += text.length;
    wake(state, socketChannel(socket.id));
  }
}

const deviceOf = (state: State, { source, destination }: Ends): string =>
  isOwnAddress(state, source) && isOwnAddress(state, destination) ? 'lo' : 'eth0';

/** A packet that a socket sends, at both ends: with the addresses that each of them sees. */
export function pass(state: State, socket: Socket, what: Partial<Packet>): void {
  const { protocol } = socket;
  if (protocol !== 'tcp' && protocol !== 'udp') return;
  if (isCaptured(state)) show(state, { protocol, ...outOf(socket) }, true, what);
  const peer = peerOf(state, socket);
  if (peer && peer.state !== state && isCaptured(peer.state))
    show(peer.state, { protocol, ...into(peer.socket) }, false, what, Math.max(peer.state.now, state.now));
}

/** The same of what comes back from an end that is no socket. */
export function passBack(state: State, socket: Socket, what: Partial<Packet>): void {
  const { protocol } = socket;
  if ((protocol === 'tcp' || protocol === 'udp') && isCaptured(state))
    show(state, { protocol, ...into(socket) }, false, what);
}

const outOf = (socket: Socket): Omit<Ends, 'protocol'> => ({
  source: socket.localAddress,
  sourcePort: socket.localPort,
  destination: socket.remoteAddress,
  destinationPort: socket.remotePort,
});

const into = (socket: Socket): Omit<Ends, 'protocol'> => ({
  source: socket.remoteAddress,
  sourcePort: socket.remotePort,
  destination: socket.localAddress,
  destinationPort: socket.localPort,
});

/** The packets of a connection that begins: `ending`: that it is refused, or that nobody answers. */
export function showHandshake(state: State, socket: Socket, ending?: 'refused' | 'lost'): void {
  if (socket.protocol !== 'tcp') return;
  pass(state, socket, { flags: 'S' });
  if (ending === 'lost') return;
  if (ending === 'refused') return passBack(state, socket, { flags: 'R.' });
  answerWith(state, socket, 'S.');
  pass(state, socket, { flags: '.' });
}

/** A packet of TCP without content that the other end sends. */
export function answerWith(state: State, socket: Socket, flags: string): void {
  const peer = peerOf(state, socket);
  if (!peer) return passBack(state, socket, { flags });
  if (isCaptured(state)) show(state, { protocol: 'tcp', ...into(socket) }, false, { flags });
  if (peer.state !== state && isCaptured(peer.state))
    show(peer.state, { protocol: 'tcp', ...outOf(peer.socket) }, true, { flags }, Math.max(peer.state.now, state.now));
}

/** What a socket sends; TCP's other end acknowledges it. */
export function showContent(state: State, socket: Socket, bytes: Bytes): void {
  const what = { length: bytes.length, head: bytes.slice(0, MAX_HEAD) };
  pass(state, socket, socket.protocol === 'tcp' ? { flags: 'P.', ...what } : what);
  if (socket.protocol === 'tcp') answerWith(state, socket, '.');
}

/** What an end that is no machine sends. */
export function showAnswer(state: State, socket: Socket, bytes: Bytes): void {
  const what = { length: bytes.length, head: bytes.slice(0, MAX_HEAD) };
  passBack(state, socket, socket.protocol === 'tcp' ? { flags: 'P.', ...what } : what);
  if (socket.protocol === 'tcp') pass(state, socket, { flags: '.' });
}
