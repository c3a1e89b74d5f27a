import { type Plain, type Signal, SIGNALS, SystemError } from '../../kernel.js';
import type { Frame } from '../../state/frame.js';
import type { ShellState } from '../../state/state.js';
import { privateDescriptors } from './descriptors.js';
import { isIgnoringErrors } from '../errors.js';
import { ShellFailure } from '../failure.js';
import type { Shell } from '../shell.js';

export interface ForkOptions {
  /** Descriptors of the child, from the parent's: done in this order. */
  readonly moves?: readonly (readonly [number, number])[];
  readonly closes?: readonly number[];
  /** 0: a process group of its own; null: the parent's. */
  readonly group: number | null;
  readonly foreground?: boolean;
  /** An asynchronous list: without job control it reads nothing and is not stopped by keys. */
  readonly isBackground?: boolean;
  /** `set -e` holds no longer. */
  readonly forgetsErrexit?: boolean;
}

/** A subshell that runs these frames and exits. Its pid. Throws ShellFailure when there may be no more processes. */
export function forkShell(shell: Shell, frames: Frame[], options: ForkOptions): number {
  const { state } = shell;
  const caught = Object.keys(state.traps).filter((name) => name in SIGNALS && state.traps[name] !== '');
  const isDying = shell.isBash && state.traps['EXIT'] !== undefined;
  const resets = [
    ...(isDying ? ['HUP', 'INT', 'TERM'] : []),
    ...caught,
    ...(state.isInteractive ? ['INT', 'TERM', 'QUIT', 'TSTP', 'TTIN', 'TTOU'] : []),
  ] as Signal[];
  const setup: Frame = {
    type: 'setup',
    moves: (options.moves ?? []).map(([from, to]) => [from, to]),
    closes: [...(options.closes ?? []), ...privateDescriptors(shell)],
    resets,
    group: options.group,
    foreground: options.foreground === true,
    isBackground: options.isBackground === true,
  };
  const ignored = Object.entries(state.traps).filter(([, action]) => action === '');
  const child: ShellState = {
    ...state,
    frames: [...frames, setup],
    level: state.level + 1,
    jobs: [],
    pending: [],
    traps: Object.fromEntries(ignored),
    output: [],
    unwind: null,
    substitutionStatus: -1,
    openSubstitutions: [],
    ignoresErrors: isIgnoringErrors(shell),
    isInteractive: false,
    options: { ...state.options, m: false, i: false, ...(options.forgetsErrexit && { e: false }) },
    history: [],
    typed: '',
  };
  try {
    return shell.sys.fork(child as unknown as Plain);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw forkFailure(shell, error);
  }
}

export function forkFailure(shell: Shell, error: SystemError): ShellFailure {
  if (shell.isBash) return new ShellFailure(`fork: ${error.message}`, 254, 'shell');
  return shell.isAsh
    ? new ShellFailure(`can't fork: ${error.message}`, 2, 'shell')
    : new ShellFailure('Cannot fork', 2, 'shell');
}
