import type { Millis } from '../../machinery/time/time.js';
import { wake } from '../scheduler/queue.js';
import type { Socket } from '../sockets/socket.js';
import { peerOf, socketChannel } from '../sockets/table.js';
import type { State } from '../state.js';
import { isForgotten } from './state.js';
import type { Flow, Track, Tuple } from './track.js';

/** Connections that one machine remembers; the oldest go first, as early_drop has it. */
const MAX_TRACKS = 64;

/** Remembers a connection that a machine begins now. What is forgotten goes then: looking changes nothing. */
export function addTrack(
  state: State,
  flow: Flow | undefined,
  made: Pick<Track, 'id' | 'protocol' | 'sent'> & Partial<Track>,
): Track | undefined {
  if (!flow) return undefined;
  const { now, tracks } = state;
  for (const [id, track] of tracks) if (isForgotten(track, now)) tracks.delete(id);
  for (const id of tracks.keys()) {
    if (tracks.size < MAX_TRACKS) break;
    tracks.delete(id);
  }
  const { passed, decided } = flow;
  const track: Track = { startedAt: now, lastAt: now, bytesSent: 0, bytesReceived: 0, passed, decided, ...made };
  tracks.set(track.id, track);
  return track;
}

/** The two ends of a socket's connection, as its machine has them. */
export const tupleOf = (socket: Socket): Tuple => ({
  source: socket.localAddress,
  sourcePort: socket.localPort,
  destination: socket.remoteAddress,
  destinationPort: socket.remotePort,
});

/** Bytes have passed: from the machine that has begun the connection, or to it. */
export function noteBytes(state: State, socket: Socket, count: number, at: Millis): void {
  const own = state.tracks.get(socket.id);
  if (own) {
    own.bytesSent += count;
    own.lastAt = at;
    return;
  }
  const peer = peerOf(state, socket);
  const track = peer?.state.tracks.get(peer.socket.id);
  if (!track) return;
  track.bytesReceived += count;
  track.lastAt = at;
}

/** A host that is no machine has answered. */
export function noteAnswer(state: State, socket: Socket, count: number): void {
  const track = state.tracks.get(socket.id);
  if (track) track.bytesReceived += count;
}

/** One of both ends has closed the connection. */
export function endTrack(state: State, socket: Socket, end: 'closed' | 'reset'): void {
  const peer = state.tracks.has(socket.id) ? undefined : peerOf(state, socket);
  const track = state.tracks.get(socket.id) ?? peer?.state.tracks.get(peer.socket.id);
  if (!track || track.endedAt !== undefined || track.protocol !== 'tcp') return;
  track.endedAt = state.now;
  track.end = end;
}

/**
 * conntrack -D of a machine's connection. Packets of one whose addresses were translated come to an end that knows
 * nothing of it, which resets it.
 */
export function forgetTrack(state: State, id: number): void {
  const track = state.tracks.get(id);
  state.tracks.delete(id);
  const socket = state.sockets.get(id);
  if (!track || !socket || socket.protocol !== 'tcp' || socket.state !== 'connected') return;
  if (!track.passed.some(({ from, to }) => from.destination !== to.destination || from.source !== to.source)) return;
  const peer = peerOf(state, socket);
  for (const [there, one] of [[state, socket] as const, ...(peer ? [[peer.state, peer.socket] as const] : [])]) {
    one.error = 'ECONNRESET';
    one.isAtEnd = true;
    wake(there, socketChannel(one.id));
  }
}
