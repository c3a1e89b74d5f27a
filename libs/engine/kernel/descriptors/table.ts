import { SystemError } from '../errno.js';
import { FileTree } from '../files/tree.js';
import type { Process } from '../process/process.js';
import { forgetIfOver } from '../sessions/output.js';
import { closeSocket } from '../sockets/connect.js';
import type { State } from '../state.js';
import type { Description, NewDescription, OpenSession } from './description.js';
import { addPipeEnd, dropPipeEnd } from './pipe.js';

/** RLIMIT_NOFILE. */
const MAX_DESCRIPTORS = 1_024;

/** A new open file description; who holds it adds a reference. */
export function openDescription(state: State, fields: NewDescription): Description {
  const description = { ...fields, id: state.counters.description++, references: 0 } as Description;
  state.descriptions.set(description.id, description);
  if (description.type === 'pipe') addPipeEnd(state, state.pipes.get(description.pipe)!, description);
  if (description.type === 'session') state.sessions.get(description.session)![description.stream].writers++;
  if (description.type === 'file') treeOf(state, description.tree)?.hold(description.key);
  return description;
}

const treeOf = (state: State, id: string): FileTree | undefined => {
  const tree = state.trees.get(id);
  return tree instanceof FileTree ? tree : undefined;
};

const mostDescriptors = ({ limits }: Process): number => Math.min(MAX_DESCRIPTORS, limits?.files ?? MAX_DESCRIPTORS);

/** Gives the process the lowest free descriptor from a number on. Throws EMFILE; then the description is closed. */
export function install(state: State, process: Process, description: Description, from = 0): number {
  let descriptor = from;
  while (process.descriptors[descriptor] !== undefined) descriptor++;
  description.references++;
  if (descriptor >= mostDescriptors(process)) {
    release(state, description);
    throw new SystemError('EMFILE');
  }
  process.descriptors[descriptor] = description.id;
  return descriptor;
}

/** Throws EBADF. */
export function descriptionOf(state: State, process: Process, descriptor: number): Description {
  const id = process.descriptors[descriptor];
  const description = id === undefined ? undefined : state.descriptions.get(id);
  if (description === undefined) throw new SystemError('EBADF');
  return description;
}

export function duplicate(state: State, process: Process, descriptor: number, as?: number): number {
  const description = descriptionOf(state, process, descriptor);
  if (as === undefined) return install(state, process, description);
  if (as < 0 || as >= mostDescriptors(process)) throw new SystemError('EBADF');
  if (as === descriptor) return as;
  if (process.descriptors[as] !== undefined) closeDescriptor(state, process, as);
  description.references++;
  process.descriptors[as] = description.id;
  return as;
}

export function closeDescriptor(state: State, process: Process, descriptor: number): void {
  const description = descriptionOf(state, process, descriptor);
  delete process.descriptors[descriptor];
  release(state, description);
}

/** A holder lets go; the last one closes. */
export function release(state: State, description: Description): void {
  if (--description.references > 0) return;
  state.descriptions.delete(description.id);
  switch (description.type) {
    case 'file':
      return treeOf(state, description.tree)?.letGo(description.key);
    case 'pipe':
      return dropPipeEnd(state, state.pipes.get(description.pipe)!, description);
    case 'session':
      return releaseSession(state, description);
    case 'terminal':
      return releaseTerminal(state, description.terminal);
    case 'socket': {
      const socket = state.sockets.get(description.socket);
      if (socket !== undefined) closeSocket(state, socket);
      return;
    }
    default:
  }
}

function releaseSession(state: State, open: OpenSession): void {
  const session = state.sessions.get(open.session);
  if (session === undefined) return;
  session[open.stream].writers--;
  forgetIfOver(state, session);
}

/** The terminal of an exec session goes with the last open file; a container's stays. */
function releaseTerminal(state: State, id: number): void {
  for (const open of state.descriptions.values()) if (open.type === 'terminal' && open.terminal === id) return;
  if (state.terminals.get(id)?.sessionId !== undefined) state.terminals.delete(id);
}
