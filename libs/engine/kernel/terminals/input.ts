import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { Process } from '../process/process.js';
import { actionOf, sendSignal, signalGroup } from '../process/signal.js';
import { wake } from '../scheduler/queue.js';
import type { TerminalSize } from '../sessions/session.js';
import type { State } from '../state.js';
import { terminalChannel } from './output.js';
import type { Terminal } from './terminal.js';
import { noteTyped } from './typed.js';

export const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 };

export function makeTerminal(
  state: State,
  owner: { container: string; sessionId?: string; namespace: string },
  size: TerminalSize = DEFAULT_SIZE,
): Terminal {
  const id = state.counters.terminal++;
  const taken = new Set(
    [...state.terminals.values()].filter((t) => t.container === owner.container).map((t) => t.number),
  );
  let number = 0;
  while (taken.has(number)) number++;
  const terminal: Terminal = {
    id,
    number,
    columns: size.columns,
    rows: size.rows,
    mode: 'cooked',
    line: '',
    input: [],
    foreground: 0,
    session: 0,
    isHungUp: false,
    ...owner,
  };
  state.terminals.set(id, terminal);
  return terminal;
}

/** Undefined: no line has been typed. A reader in the background is stopped. */
export function readTerminal(state: State, terminal: Terminal, process: Process, max: number): Bytes | undefined {
  if (terminal.isHungUp) return '';
  if (process.terminal === terminal.id && isBackground(terminal, process)) {
    if (actionOf(process, 'TTIN') === 'ignore') throw new SystemError('EIO');
    signalGroup(state, process.namespace, process.group, 'TTIN');
    return undefined;
  }
  const chunk = terminal.input.shift();
  if (chunk === undefined) return undefined;
  const end = Math.min(max, terminal.mode === 'cooked' ? lineEnd(chunk) : chunk.length);
  if (end < chunk.length) terminal.input.unshift(chunk.slice(end));
  noteRead(state, terminal, chunk, end);
  const taken = chunk.slice(0, end);
  return terminal.mode === 'cooked' && taken.endsWith('\r') ? `${taken.slice(0, -1)}\n` : taken;
}

/** A line is noted whole when a program reads its first byte, unless it could not be seen. */
function noteRead(state: State, terminal: Terminal, chunk: Bytes, end: number): void {
  const length = lineEnd(chunk);
  if (terminal.mode === 'cooked' && !terminal.isPartlyRead && !terminal.isSecret)
    noteTyped(state, terminal, chunk.slice(0, length).replace(/[\r\n]$/, ''));
  if (terminal.mode === 'cooked' && end < length) terminal.isPartlyRead = true;
  else delete terminal.isPartlyRead;
  if (terminal.input.length === 0) delete terminal.isSecret;
}

/** Behind the first line of what was typed ahead while nothing was made of it; of any other line, its length. */
function lineEnd(chunk: Bytes): number {
  const at = chunk.search(/[\r\n]/);
  return at < 0 ? chunk.length : at + 1;
}

const isBackground = (terminal: Terminal, process: Process): boolean =>
  terminal.namespace === process.namespace && terminal.foreground !== 0 && terminal.foreground !== process.group;

export const isTerminalReadable = (terminal: Terminal): boolean => terminal.isHungUp || terminal.input.length > 0;

export function resizeTerminal(state: State, terminal: Terminal, size: TerminalSize): void {
  if (terminal.columns === size.columns && terminal.rows === size.rows) return;
  terminal.columns = size.columns;
  terminal.rows = size.rows;
  signalGroup(state, terminal.namespace, terminal.foreground, 'WINCH');
}

/** The client is gone: SIGHUP for the session's leader and the foreground. */
export function hangUpTerminal(state: State, terminal: Terminal): void {
  if (terminal.isHungUp) return;
  terminal.isHungUp = true;
  for (const process of state.processes.values()) {
    if (process.terminal !== terminal.id) continue;
    const isLeader = process.pid === process.session;
    if (!isLeader && process.group !== terminal.foreground) continue;
    sendSignal(state, process, 'CONT');
    sendSignal(state, process, 'HUP');
  }
  wake(state, terminalChannel(terminal.id));
}

export function setTerminalMode(state: State, terminal: Terminal, mode: Terminal['mode']): void {
  if (terminal.mode === mode) return;
  if (mode === 'raw' && terminal.line !== '') {
    terminal.input.push(terminal.line);
    terminal.line = '';
  }
  if (terminal.mode === 'raw') cookAhead(terminal);
  terminal.mode = mode;
  wake(state, terminalChannel(terminal.id));
}

/**
 * What was typed ahead is for the command that a shell starts, which reads it line by line. Its last line, which has no
 * end yet, can still be edited; the others stay as they are until they are read, however many they are.
 */
function cookAhead(terminal: Terminal): void {
  const last = terminal.input.pop();
  if (last === undefined) return;
  const end = /[\r\n]$/.test(last) ? last.length : Math.max(last.lastIndexOf('\r'), last.lastIndexOf('\n')) + 1;
  if (end > 0 || last === '') terminal.input.push(last.slice(0, end));
  terminal.line = last.slice(end);
}
