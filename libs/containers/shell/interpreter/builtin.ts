import type { Bytes, Wait } from '../kernel.js';
import type { CommandFrame, ExpandedAssignment, FrameOf } from '../state/frame.js';
import type { Shell } from './shell.js';

export interface BuiltinContext {
  readonly frame: CommandFrame;
  /** name=(...) and its like among the arguments of declare, export, local: by their place in argv. */
  readonly assignments: Readonly<Record<number, ExpandedAssignment>>;
}

/**
 * A builtin command. It returns its status, or nothing when it has pushed a frame that will give it, or a Wait (exec).
 */
export type Builtin = (shell: Shell, argv: readonly Bytes[], context: BuiltinContext) => number | Wait | void;

/** A builtin that waits: what its frame does each time that the process may go on. It pops the frame at its end. */
export type WaitingBuiltin = (shell: Shell, frame: FrameOf<'builtin'>) => Wait | void;

export interface BuiltinSet {
  readonly builtins: Readonly<Record<string, Builtin>>;
  /** POSIX' special builtins: they come before functions, their assignments stay, their errors end the shell. */
  readonly special: ReadonlySet<string>;
}

/** POSIX' special builtins. */
export const SPECIAL_BUILTINS: ReadonlySet<string> = new Set([
  ...['.', ':', 'break', 'continue', 'eval', 'exec', 'exit', 'export', 'readonly', 'return', 'set', 'shift'],
  ...['times', 'trap', 'unset'],
]);
