import { isForgotten } from '../conntrack/state.js';
import type { State } from '../state.js';
import { connectAgain } from './connect.js';
import type { Socket } from './socket.js';

/**
 * Datagrams go where the first one of their connection went, also when nobody is there any more, until the tables of
 * the nodes have forgotten it: by time, or because somebody has taken it out.
 */
export function renewDatagrams(state: State, socket: Socket): void {
  const track = state.tracks.get(socket.id);
  const isKnown = track && !isForgotten(track, state.now) && state.network.isCleared?.(track, state.now) !== true;
  if (isKnown || !socket.isTracked) return;
  state.tracks.delete(socket.id);
  connectAgain(state, socket);
}
