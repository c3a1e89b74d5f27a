import type { Bytes } from '../bytes.js';
import type { State } from '../state.js';
import type { Terminal } from './terminal.js';

/** What is kept of lines that nobody has taken yet, and of one of them. */
const MAX_LINES = 64;
const MAX_BYTES = 1_000;

/**
 * Notes a line that a person typed with its echo on, and that a program has taken. Of a terminal that is a client's
 * own, it is kept with the session, which outlives the terminal.
 */
export function noteTyped(state: State, terminal: Terminal, line: Bytes): void {
  if (line.trim() === '') return;
  const owner = state.sessions.get(terminal.sessionId ?? '') ?? terminal;
  const typed = (owner.typed ??= []);
  if (typed.length < MAX_LINES) typed.push(line.slice(0, MAX_BYTES));
}

/** The lines since the last time, the oldest first. */
export function takeTyped(state: State, sessionId: string): Bytes[] {
  const session = state.sessions.get(sessionId);
  const terminal = state.terminals.get(session?.terminal ?? -1);
  const lines: Bytes[] = [];
  for (const owner of [session, terminal]) {
    if (owner?.typed === undefined) continue;
    lines.push(...owner.typed);
    delete owner.typed;
  }
  return lines;
}
