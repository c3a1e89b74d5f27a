import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { Plain } from './plain.js';
import type { Syscalls } from './syscalls.js';

export type { Plain };

/**
 * A program: a pure step over plain data. The kernel calls `start` once, then `step` whenever the process may go on; a
 * step changes `state` in place, makes system calls, which never block, and returns what the process waits for. Nothing
 * else outlives a step. A step does a bounded piece of work (some thousand simple operations), charges it
 * (`Syscalls.charge`), and returns `yield` when there is more.
 */
export interface Program<State extends Plain = Plain> {
  start(argv: readonly Bytes[], sys: Syscalls): State;
  step(state: State, sys: Syscalls): Wait;
  /** How a run of it uses the clock, when that is one of the ways that need not be run to be known. */
  clock?(argv: readonly Bytes[]): ClockUse | undefined;
  /**
   * Whether a number of its state is a mere count, by its path there: no step reads it but to list it, and each round
   * of a loop adds the same.
   */
  isTally?(path: readonly string[]): boolean;
  /** How the texts of its state go on in the loop that it is in, when it is where a round of it begins. */
  textsOf?(state: State): Texts | undefined;
}

/** Texts that each round of a loop makes anew, all else being the same. */
export interface Texts {
  /** Where they stand in the program's state. */
  readonly paths: readonly (readonly string[])[];
  /** From these values on. `lengths`: those of a round that was run; undefined: they are to be known. */
  start(values: readonly Bytes[], lengths?: readonly number[]): TextCourse;
}

/** The texts of one round after the other. Rounds with the same `lengths` do the same work. */
export interface TextCourse {
  /** After the last round. */
  readonly values: readonly Bytes[];
  /** What the program itself writes to its log in the last round, in order. */
  readonly prints: readonly Bytes[];
  readonly lengths: readonly number[];
  /**
   * One round on: `answers` are what the program's children write to it, a text a child. False: the round may go
   * another way, or does other work; the values are as before it.
   */
  next(answers: readonly Bytes[]): boolean;
}

/**
 * `waits`: to wait for a duration that its arguments say, whatever the time. A function: to print, in one write, a text
 * that follows from the time of that step and from the arguments; nothing else depends on the time.
 */
export type ClockUse = 'waits' | ((now: Millis) => Bytes);

/**
 * - `exit`: the process ends with a code of 0 to 255.
 * - `yield`: it goes on at once, after the others had their turn.
 * - `wait`: it goes on when one of these is so: a descriptor can be read (data, end of file, a connection to accept) or
 *   written without blocking, the time has come (virtual ms), a child has changed its state. A signal that it catches
 *   always wakes it. Without any: until a signal comes.
 * - `exec`: the process goes on as another program, which `Syscalls.exec` has set.
 */
export type Wait =
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'yield' }
  | {
      readonly type: 'wait';
      readonly readable?: readonly number[];
      readonly writable?: readonly number[];
      readonly until?: number;
      readonly child?: true;
    }
  | { readonly type: 'exec' };

export const exit = (code: number): Wait => ({ type: 'exit', code });
export const YIELD: Wait = { type: 'yield' };
export const EXEC: Wait = { type: 'exec' };
export const waitToRead = (...readable: number[]): Wait => ({ type: 'wait', readable });
export const waitToWrite = (...writable: number[]): Wait => ({ type: 'wait', writable });
export const sleepUntil = (until: number): Wait => ({ type: 'wait', until });
export const waitForChild: Wait = { type: 'wait', child: true };

/** Programs by the name that an executable file of an image carries (FileNode.program). */
export interface Programs {
  find(name: string): Program | undefined;
  /** Whether a command line is known to run for ever, whatever happens around it; false when that is not sure. */
  isEndless?(argv: readonly Bytes[]): boolean;
  /** Whether one that runs for ever is known to send nothing over a network; false when that is not sure. */
  isQuiet?(argv: readonly Bytes[]): boolean;
  /**
   * Whether the course of a command line follows from itself and from its image's files: it takes as long and ends the
   * same in any pod, at any time; false when that is not sure.
   */
  isSelfContained?(argv: readonly Bytes[]): boolean;
}
