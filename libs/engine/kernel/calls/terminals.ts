import { descriptionOf } from '../descriptors/table.js';
import { SystemError } from '../errno.js';
import type { Place } from '../files/resolve.js';
import type { Process } from '../process/process.js';
import type { State } from '../state.js';
import type { Terminal } from '../terminals/terminal.js';

/** The major numbers of /dev/tty and /dev/console, and of pseudo-terminals. */
const TTY = 5;
const PTS = 136;

/** The terminal behind a device file. Throws ENXIO. */
export function openTerminalOf(
  state: State,
  process: Process,
  place: Place,
  device: readonly [number, number] | undefined,
): number {
  const [major, minor] = device ?? [0, 0];
  let terminal: Terminal | undefined;
  if (major === TTY && minor === 0) terminal = state.terminals.get(process.terminal ?? -1);
  else if (major === TTY && minor === 1) terminal = containerTerminal(state, process);
  else if (major === PTS) terminal = numbered(state, process, minor);
  if (terminal === undefined) throw new SystemError('ENXIO');
  return terminal.id;
}

const containerTerminal = (state: State, process: Process): Terminal | undefined =>
  state.terminals.get(state.containers.get(process.container)?.terminal ?? -1);

const numbered = (state: State, process: Process, number: number): Terminal | undefined =>
  [...state.terminals.values()].find((one) => one.container === process.container && one.number === number);

/** Undefined: the descriptor is no terminal. Throws EBADF. */
export function findTerminal(state: State, process: Process, descriptor: number): Terminal | undefined {
  const open = descriptionOf(state, process, descriptor);
  return open.type === 'terminal' ? state.terminals.get(open.terminal) : undefined;
}

/** Throws ENOTTY. */
export function terminalOf(state: State, process: Process, descriptor: number): Terminal {
  const terminal = findTerminal(state, process, descriptor);
  if (terminal === undefined) throw new SystemError('ENOTTY');
  return terminal;
}

/** tcsetpgrp(3). Throws ENOTTY for a terminal that is not the process's own. */
export function setForeground(state: State, process: Process, descriptor: number, group: number): void {
  const terminal = terminalOf(state, process, descriptor);
  if (terminal.id !== process.terminal) throw new SystemError('ENOTTY');
  terminal.foreground = group;
}
