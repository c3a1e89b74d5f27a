import type { Bytes } from '../kernel.js';

/**
 * An error of an expansion, an assignment, a redirection or a special builtin: its message (without the shell's own
 * beginning) and what it ends. `command`: only the command that runs; `line`: all of what was read with it; `shell`: a
 * shell that is not interactive ends with it.
 */
export class ShellFailure extends Error {
  constructor(
    message: Bytes,
    readonly status: number,
    readonly ends: 'command' | 'line' | 'shell',
  ) {
    super(message);
  }
}

/**
 * Thrown by an expansion that needs a command to run: `$` for its output, < or > for a descriptor to it. The expansion
 * goes on when the answer is there.
 */
export class CommandNeeded extends Error {
  constructor(
    readonly kind: '$' | '<' | '>',
    readonly text: Bytes,
  ) {
    super('a command has to run for an expansion');
  }
}
