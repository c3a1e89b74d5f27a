import type { Process } from '../process/process.js';
import type { State } from '../state.js';
import type { Socket } from './socket.js';

/** A process that has the socket open: the one that made it, or, when that has ended, one that inherited it. */
export function holderOf(state: State, socket: Socket): Process | undefined {
  const owner = state.processes.get(socket.owner);
  if (owner !== undefined && owner.status !== 'zombie') return owner;
  for (const process of state.processes.values()) {
    for (const id of Object.values(process.descriptors)) {
      const open = state.descriptions.get(id);
      if (open?.type === 'socket' && open.socket === socket.id) return process;
    }
  }
  return undefined;
}
