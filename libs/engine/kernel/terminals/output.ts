import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import { writeLog } from '../sessions/log.js';
import { canPrint, sessionChannel } from '../sessions/output.js';
import type { State } from '../state.js';
import type { Terminal } from './terminal.js';

/** A write is cut: each newline becomes two bytes, and the client's side has a capacity. */
const MAX_WRITE = 65_536;

export const terminalChannel = (id: number): string => `terminal${id}`;

export const terminalName = (terminal: Terminal): string => `pts/${terminal.number}`;

/** How many bytes it took. Throws EIO when the client is gone. */
export function printToTerminal(state: State, terminal: Terminal, bytes: Bytes): number {
  if (terminal.isHungUp) throw new SystemError('EIO');
  if (!canPrintToTerminal(state, terminal)) return 0;
  const taken = bytes.slice(0, MAX_WRITE);
  const output = taken.replaceAll('\n', '\r\n');
  const session = terminal.sessionId === undefined ? undefined : state.sessions.get(terminal.sessionId);
  const container = state.containers.get(terminal.container);
  if (session !== undefined) {
    // Over its capacity by less than one write: the output is never cut within a newline.
    session.stdout.data += output;
  } else if (container !== undefined) writeLog(state, container, 'stdout', output);
  return taken.length;
}

export function canPrintToTerminal(state: State, terminal: Terminal): boolean {
  const session = terminal.sessionId === undefined ? undefined : state.sessions.get(terminal.sessionId);
  return terminal.isHungUp || session === undefined || canPrint(session, 'stdout');
}

/** The channel of the room that a blocked write waits for. */
export const roomChannel = (terminal: Terminal): string =>
  terminal.sessionId === undefined ? terminalChannel(terminal.id) : sessionChannel(terminal.sessionId);
