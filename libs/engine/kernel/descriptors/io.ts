import type { Bytes } from '../bytes.js';
import { makeMistakes, meetTrouble } from '../containers/trouble.js';
import { SystemError } from '../errno.js';
import { isComputed } from '../files/computed-file-system.js';
import { FileTree } from '../files/tree.js';
import type { Process } from '../process/process.js';
import { actionOf, Killed, sendSignal } from '../process/signal.js';
import { writeLog } from '../sessions/log.js';
import { canPrint, printToSession, sessionChannel } from '../sessions/output.js';
import { isSocketBroken, isSocketReadable, isSocketWritable, readSocket, writeSocket } from '../sockets/stream.js';
import { socketChannel } from '../sockets/table.js';
import type { State } from '../state.js';
import { isTerminalReadable, readTerminal } from '../terminals/input.js';
import { canPrintToTerminal, printToTerminal, roomChannel, terminalChannel } from '../terminals/output.js';
import type { Description, OpenComputed, OpenFile } from './description.js';
import { readDevice, writeDevice } from './device.js';
import { isPipeBroken, isPipeReadable, isPipeWritable, pipeChannel, readPipe, writePipe } from './pipe.js';

/** Undefined: it would block. '': end of file. */
export function readDescription(state: State, process: Process, open: Description, max: number): Bytes | undefined {
  if (!open.read) throw new SystemError('EBADF');
  switch (open.type) {
    case 'directory':
      throw new SystemError('EISDIR');
    case 'file':
      meetTrouble(state, process, open.path, 'read');
      return makeMistakes(state, process, open.path, 'read', readFile(state, open, max));
    case 'computed':
      return readComputed(open, max);
    case 'pipe':
      return readPipe(state, state.pipes.get(open.pipe)!, max);
    case 'terminal':
      return readTerminal(state, state.terminals.get(open.terminal)!, process, max);
    case 'device':
      return readDevice(state, open, max);
    case 'socket':
      return readSocket(state, state.sockets.get(open.socket)!, max);
    default:
      throw new SystemError('EBADF');
  }
}

function readFile(state: State, open: OpenFile, max: number): Bytes {
  const tree = state.trees.get(open.tree);
  if (!(tree instanceof FileTree)) throw new SystemError('EIO');
  const bytes = tree.read(open.key, open.offset, max);
  open.offset += bytes.length;
  return bytes;
}

function readComputed(open: OpenComputed, max: number): Bytes {
  const bytes = open.content.slice(open.offset, open.offset + max);
  open.offset += bytes.length;
  return bytes;
}

/** How many bytes were taken; 0: it would block. */
export function writeDescription(state: State, process: Process, open: Description, bytes: Bytes): number {
  if (!open.write) throw new SystemError('EBADF');
  if (bytes === '') return 0;
  switch (open.type) {
    case 'file':
    case 'directory':
      meetTrouble(state, process, open.path, 'write');
      return writeFile(state, open, makeMistakes(state, process, open.path, 'write', bytes));
    case 'computed':
      return writeComputed(state, open, bytes);
    case 'pipe': {
      const pipe = state.pipes.get(open.pipe)!;
      return isPipeBroken(pipe) ? breakPipe(state, process) : isPipeWritable(pipe) ? writePipe(state, pipe, bytes) : 0;
    }
    case 'terminal':
      return printToTerminal(state, state.terminals.get(open.terminal)!, bytes);
    case 'device':
      return writeDevice(open, bytes);
    case 'log':
      writeLog(state, state.containers.get(open.container)!, open.stream, bytes);
      return bytes.length;
    case 'session': {
      const session = state.sessions.get(open.session)!;
      return session.isHungUp ? breakPipe(state, process) : printToSession(session, open.stream, bytes);
    }
    case 'socket': {
      const socket = state.sockets.get(open.socket)!;
      return isSocketBroken(state, socket) ? breakPipe(state, process) : writeSocket(state, socket, bytes);
    }
  }
}

function writeFile(state: State, open: OpenFile, bytes: Bytes): number {
  const tree = state.trees.get(open.tree);
  if (!(tree instanceof FileTree) || open.type === 'directory') throw new SystemError('EBADF');
  if (open.append) open.offset = tree.size(open.key);
  tree.write(open.key, open.offset, bytes, state.now);
  open.offset += bytes.length;
  return bytes.length;
}

function writeComputed(state: State, open: OpenComputed, bytes: Bytes): number {
  const tree = state.trees.get(open.tree);
  if (tree === undefined || !isComputed(tree)) throw new SystemError('EIO');
  tree.write(open.key, bytes);
  return bytes.length;
}

/** SIGPIPE, and EPIPE for who survives it. */
function breakPipe(state: State, process: Process): never {
  sendSignal(state, process, 'PIPE');
  if (actionOf(process, 'PIPE') === 'default' && process.pending.includes('PIPE')) throw new Killed();
  throw new SystemError('EPIPE');
}

export function isReadable(state: State, open: Description): boolean {
  switch (open.type) {
    case 'pipe':
      return isPipeReadable(state.pipes.get(open.pipe)!);
    case 'terminal':
      return isTerminalReadable(state.terminals.get(open.terminal)!);
    case 'socket':
      return isSocketReadable(state.sockets.get(open.socket)!);
    default:
      return true;
  }
}

export function isWritable(state: State, open: Description): boolean {
  switch (open.type) {
    case 'pipe':
      return isPipeWritable(state.pipes.get(open.pipe)!);
    case 'terminal':
      return canPrintToTerminal(state, state.terminals.get(open.terminal)!);
    case 'socket':
      return isSocketWritable(state, state.sockets.get(open.socket)!);
    case 'session': {
      const session = state.sessions.get(open.session);
      return session === undefined || canPrint(session, open.stream);
    }
    default:
      return true;
  }
}

/** The channel that is woken when the answers of isReadable or isWritable may have changed. */
export function channelOf(state: State, open: Description, forWriting: boolean): string | undefined {
  switch (open.type) {
    case 'pipe':
      return pipeChannel(open.pipe);
    case 'terminal':
      return forWriting ? roomChannel(state.terminals.get(open.terminal)!) : terminalChannel(open.terminal);
    case 'socket': {
      const peer = forWriting ? state.sockets.get(open.socket)?.peer : undefined;
      return peer?.type === 'session' ? sessionChannel(peer.session) : socketChannel(open.socket);
    }
    case 'session':
      return sessionChannel(open.session);
    default:
      return undefined;
  }
}
