import { showAnswer } from '../capture/capture.js';
import type { Bytes } from '../bytes.js';
import { release } from '../descriptors/table.js';
import { pipeChannel } from '../descriptors/pipe.js';
import { SystemError } from '../errno.js';
import { wake } from '../scheduler/queue.js';
import { endOfSession, receive } from '../sockets/stream.js';
import { socketChannel } from '../sockets/table.js';
import type { State } from '../state.js';
import { typeInto } from '../terminals/discipline.js';
import { hangUpTerminal } from '../terminals/input.js';
import { closeWindows, forgetIfOver, isOver, sessionChannel } from './output.js';
import type { Session, SessionOutput } from './session.js';

/** What a client may send before a process reads it. */
const MAX_INPUT = 4 * 1024 * 1024;

/** How many bytes were taken: less than all when the process does not read. */
export function sendInput(state: State, session: Session, bytes: Bytes): number {
  if (session.isHungUp) return 0;
  closeWindows(session);
  const terminal = state.terminals.get(session.terminal ?? -1);
  if (terminal !== undefined) {
    return typeInto(state, terminal, bytes);
  }
  if (session.socket !== undefined) {
    const socket = state.sockets.get(session.socket);
    if (socket === undefined) throw new SystemError('EPIPE');
    const taken = receive(state, socket, bytes, state.now);
    if (taken > 0) showAnswer(state, socket, bytes.slice(0, taken));
    return taken;
  }
  const open = state.descriptions.get(session.stdin ?? -1);
  const pipe = open?.type === 'pipe' ? state.pipes.get(open.pipe) : undefined;
  if (pipe === undefined || pipe.readers === 0) return bytes.length;
  const taken = bytes.slice(0, Math.max(0, MAX_INPUT - pipe.data.length));
  pipe.data += taken;
  wake(state, pipeChannel(pipe.id));
  return taken.length;
}

/** The process reads the end of its input. An attached session does that to the container with stdinOnce only. */
export function endInput(state: State, session: Session): void {
  const terminal = state.terminals.get(session.terminal ?? -1);
  if (terminal !== undefined) {
    if (session.type === 'exec') typeInto(state, terminal, '\x04');
    return;
  }
  if (session.socket !== undefined) return endOfSession(state, session.socket);
  const container = state.containers.get(session.container);
  if (session.type === 'attach' && container?.stdinOnce !== true) return;
  const open = state.descriptions.get(session.stdin ?? -1);
  session.stdin = undefined;
  if (session.type === 'attach' && container !== undefined) container.stdin = undefined;
  if (open !== undefined) release(state, open);
}

/** The client is gone: SIGHUP on a terminal, the end of input and EPIPE on pipes, a closed connection. */
export function hangUp(state: State, session: Session): void {
  if (session.isHungUp) return;
  const terminal = state.terminals.get(session.terminal ?? -1);
  if (terminal === undefined) endInput(state, session);
  else if (session.type === 'exec') hangUpTerminal(state, terminal);
  session.isHungUp = true;
  wake(state, sessionChannel(session.id));
  const socket = state.sockets.get(session.socket ?? -1);
  if (socket !== undefined) wake(state, socketChannel(socket.id));
  if (session.type === 'attach') state.sessions.delete(session.id);
  else if (socket === undefined && session.type === 'stream') state.sessions.delete(session.id);
  else forgetIfOver(state, session);
}

export function outputOf(state: State, session: Session): SessionOutput {
  const { stdout, stderr, exit } = session;
  const common = { stdout: stdout.data, stderr: stderr.data, stdoutFrom: stdout.from, stderrFrom: stderr.from };
  return { ...common, unread: unreadOf(state, session), ended: hasEnded(state, session), exit };
}

function unreadOf(state: State, session: Session): number {
  const terminal = state.terminals.get(session.terminal ?? -1);
  if (terminal !== undefined) return terminal.input.reduce((sum, { length }) => sum + length, terminal.line.length);
  if (session.socket !== undefined) return state.sockets.get(session.socket)?.receivedBytes ?? 0;
  const open = state.descriptions.get(session.stdin ?? -1);
  const pipe = open?.type === 'pipe' ? state.pipes.get(open.pipe) : undefined;
  return pipe === undefined || pipe.readers === 0 ? 0 : pipe.data.length;
}

function hasEnded(state: State, session: Session): boolean {
  if (session.isHungUp) return true;
  if (session.type === 'stream') return state.sockets.get(session.socket!)?.isShutDown !== false;
  return isOver(session);
}
