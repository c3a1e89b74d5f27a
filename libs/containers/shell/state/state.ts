import type { Bytes, Signal } from '../kernel.js';
import type { Frame } from './frame.js';
import type { Variable } from './variable.js';

/** Which shell it is: they differ in words, builtins and syntax. */
export type Flavour = 'bash' | 'dash' | 'ash';

/** A text that is being run: frames and functions refer to its nodes by number. */
export type Source = {
  text: Bytes;
  /** The line of its first character. */
  line: number;
  /** What messages name: '' takes $0. */
  name: Bytes;
  /** How it came in: bash names `-c` and `eval` in syntax errors. */
  kind: 'command' | 'file' | 'stdin' | 'eval' | 'trap' | 'source';
};

/** `marks`: x: exported, r: readonly. */
export type FunctionDefinition = { source: number; node: number; marks?: string };

export type Job = {
  id: number;
  /** The process group; 0 without job control. */
  group: number;
  pids: number[];
  /** By pid: the exit status of those that have ended, 128 + n by a signal. */
  ended: Record<string, number>;
  state: 'running' | 'stopped' | 'done';
  /** The signal that ended or stopped it. */
  signal: Signal | '';
  text: Bytes;
  isBackground: boolean;
  isAnnounced: boolean;
  /** Does not get HUP, is not listed. */
  isDisowned: boolean;
};

/** How a loop, a function or the shell is left early. */
export type Unwind =
  | { kind: 'break' | 'continue'; count: number }
  | { kind: 'return' | 'exit'; status: number }
  /** An error that ends the command line, not the shell. */
  | { kind: 'abort' };

export type ShellState = {
  flavour: Flavour;
  /** $0. */
  name: Bytes;
  mode: 'command' | 'script' | 'stdin';
  isInteractive: boolean;
  isLogin: boolean;
  /** $$: that of the shell that was started, also in subshells. */
  shellPid: number;
  /** How many subshells deep. */
  level: number;
  /** By letter or long name. */
  options: Record<string, boolean>;
  shopts: Record<string, boolean>;
  variables: Record<string, Variable>;
  /** Characters of all variables. */
  bytes: number;
  functions: Record<string, FunctionDefinition>;
  aliases: Record<string, Bytes>;
  /** What ulimit has set, by letter; null is unlimited. */
  limits?: Record<string, { soft: number | null; hard: number | null }>;
  hashes: Record<string, { path: Bytes; hits: number }>;
  traps: Record<string, Bytes>;
  /** Signals that were caught, whose traps have not run yet. */
  pending: Signal[];
  frames: Frame[];
  sources: Record<string, Source>;
  nextSource: number;
  /** Positions from the command that runs: for $LINENO and messages. */
  line: number;
  /** $BASH_COMMAND. */
  command?: Bytes;
  status: number;
  /** Status of the last command substitution of the simple command that runs; -1: none. */
  substitutionStatus: number;
  pipeStatus: number[];
  positional: Bytes[];
  lastArgument: Bytes;
  /** $!: 0 before the first background job. */
  lastBackground: number;
  jobs: Job[];
  /** Descriptors of process substitutions that the running command needs. */
  openSubstitutions: number[];
  directories: Bytes[];
  unwind: Unwind | null;
  /** Written by builtins, not yet taken by the descriptor. */
  output: { descriptor: number; bytes: Bytes; name: Bytes }[];
  /** The shell began in a place where errors do not end it (an if, a && or ||, a !). */
  ignoresErrors: boolean;
  startedAt: number;
  /** How far getopts has come in its word. */
  optionAt: number;
  history: Bytes[];
  /** Bytes that were read from the terminal and not used. */
  typed: Bytes;
  exitTrapRan: boolean;
  /** The signal that ends the shell once its EXIT trap has run. */
  fatalSignal: Signal | '';
};
