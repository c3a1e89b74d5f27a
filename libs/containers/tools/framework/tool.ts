import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import {
  exit,
  type Plain,
  type Program,
  sleepUntil,
  type Wait,
  waitToRead,
  YIELD,
} from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { HelpAnswer, strerror, ToolFailure, UsageFailure } from './failure.js';
import { addOutput, flushOutput, type Output } from './output.js';
import { AnswerNeeded, awaitAnswer, type Dialogue, newDialogue, recordCalls, takeAnswer } from './questions.js';

export * from './failure.js';

/** Whose words and columns a tool prints: GNU's (and util-linux', procps', ...) or busybox'. */
export type Flavour = 'gnu' | 'busybox';

/** What a tool's function gets. */
export interface ToolContext {
  /** How error lines begin: argv[0], for busybox without its directory. */
  readonly name: Bytes;
  /** argv without argv[0]. */
  readonly args: readonly Bytes[];
  readonly flavour: Flavour;
  readonly settings: ToolSettings;
  readonly sys: Syscalls;
  /**
   * Standard input to its end. While there is no end, the step waits and the function runs again from its beginning:
   * a tool reads before it acts.
   */
  stdin(): Bytes;
  /** A file's content, '-' is standard input; waits as stdin() does on pipes. Throws SystemError. */
  input(path: Bytes): Bytes;
  out(bytes: Bytes): void;
  err(bytes: Bytes): void;
  /** A line `NAME: MESSAGE` on standard error. */
  warn(message: Bytes): void;
}

/** Of a tool that waits between its steps. */
export interface WaitingContext extends ToolContext {
  /**
   * What a step of the tool found out, and goes on with after `delay`: until then the process waits, and the function
   * runs again from its beginning, where the same steps in the same order have found the same.
   */
  once<T extends Plain>(find: () => { readonly value: T; readonly delay: Millis }): T;
  /** The same tool, which asks its user. To be called once. */
  asking(): AskingContext;
}

/** Of a tool with questions: its system calls are made once, also when it runs again after an answer. */
export interface AskingContext extends ToolContext {
  /** Prints a question on standard error and reads a line: whether it is a yes. */
  ask(question: Bytes): boolean;
  /** Work of many system calls, done once. `T`: plain data. */
  act<T>(run: () => T): T;
}

export interface ToolSettings {
  /** After the name in `Usage: NAME ...`. */
  readonly usage?: string;
  /** The exit code of a wrong command line; by default 1. */
  readonly usageCode?: number;
  /** In the hint after a wrong command line: ` or 'tar --usage'`. */
  readonly otherHelp?: string;
  /** How it uses the clock: Program.clock. */
  readonly clock?: Program['clock'];
  /** What --version prints first; by default `NAME (GNU coreutils) 9.1`. */
  readonly version?: string;
}

/** A program and its twin in another flavour. */
export interface Tool extends Program {
  as(flavour: Flavour): Tool;
}

/** What the command line's reader needs. */
export type CommandContext = Pick<ToolContext, 'name' | 'args' | 'flavour' | 'settings' | 'sys'>;

/** Returns the exit code, or EXEC after Syscalls.exec. */
export type ToolFunction = (tool: WaitingContext) => number | Wait;

/** Bytes of input that a tool takes. */
const MAX_INPUT = 8 << 20;
const CHUNK = 65_536;

type Input = { descriptor: number; bytes: Bytes; isEnded: boolean };
type ToolState = {
  argv: Bytes[];
  /** What once() found, and when it was there. */
  found?: { value: Plain; at: Millis }[];
  inputs: Record<Bytes, Input>;
  awaited: Bytes | null;
  dialogue?: Dialogue;
  output: Output;
  /** Bytes that were printed before it last waited for a time. */
  shown?: number;
  code: number | null;
};

/** Interrupts a tool's function until the input is there. */
class InputNeeded extends Error {
  constructor(readonly path: Bytes) {
    super('input needed');
  }
}

/** Interrupts a tool's function until a time. */
class TimeNeeded extends Error {
  constructor(readonly until: Millis) {
    super('time needed');
  }
}

/**
 * A tool that reads all of its input, then runs once; its output is written as the readers take it. Only argv, input
 * and output are its state.
 */
export function defineTool(run: ToolFunction, settings: ToolSettings = {}, flavour: Flavour = 'gnu'): Tool {
  const program: Program<ToolState> = {
    ...(settings.clock && { clock: settings.clock }),
    start: (argv) => ({ argv: [...argv], inputs: {}, awaited: null, output: [], code: null }),
    step(state, sys) {
      try {
        if (state.code === null) return runOrWait(state, sys);
        return flushOutput(state.output, sys) ?? exit(state.code);
      } catch (error) {
        return failWrite(state, programName(state.argv, flavour), error);
      }
    },
  };
  function runOrWait(state: ToolState, sys: Syscalls): Wait {
    if (state.dialogue?.isWaiting) {
      const wait = flushOutput(state.output, sys) ?? awaitAnswer(state.dialogue, sys);
      if (wait !== undefined) return wait;
    }
    const context = makeContext(state, sys);
    try {
      if (state.awaited !== null) {
        const input = state.inputs[state.awaited]!;
        if (!takeInput(input, sys)) return waitToRead(input.descriptor);
        state.awaited = null;
      }
      const result = run(context);
      if (typeof result !== 'number') return result;
      state.code = result;
    } catch (error) {
      if (error instanceof InputNeeded) {
        state.awaited = error.path;
        state.output = [];
        return runOrWait(state, sys);
      }
      if (error instanceof AnswerNeeded) return runOrWait(state, sys);
      if (error instanceof TimeNeeded) return flushOutput(state.output, sys) ?? sleepUntil(error.until);
      state.code = explainFailure(context, error);
    }
    return flushOutput(state.output, sys) ?? exit(state.code);
  }
  function makeContext(state: ToolState, sys: Syscalls): WaitingContext {
    const name = programName(state.argv, flavour);
    const input = (path: Bytes) => readInput(state, path, sys);
    let [steps, seen] = [0, 0];
    const print = (descriptor: number, bytes: Bytes): void => {
      const known = Math.max(0, (state.dialogue?.shown ?? state.shown ?? 0) - seen);
      seen += bytes.length;
      addOutput(state.output, descriptor, bytes.slice(known));
    };
    const once = <T extends Plain>(find: () => { readonly value: T; readonly delay: Millis }): T => {
      const all = (state.found ??= []);
      if (steps === all.length) {
        const { value, delay } = find();
        all.push({ value, at: sys.now + delay });
      }
      const { value, at } = all[steps++]!;
      if (sys.now >= at) return value as T;
      state.shown = seen;
      throw new TimeNeeded(at);
    };
    const plain = {
      ...{ name, flavour, settings, sys, args: state.argv.slice(1) },
      stdin: () => input('-'),
      input,
      out: (bytes: Bytes) => print(1, bytes),
      err: (bytes: Bytes) => print(2, bytes),
      warn: (message: Bytes) => print(2, `${name}: ${message}\n`),
    };
    const asking = (): AskingContext => {
      const dialogue = (state.dialogue ??= newDialogue());
      const recorded = recordCalls(sys, dialogue.calls);
      let questions = 0;
      const ask = (question: Bytes): boolean => {
        print(2, question);
        const answer = (dialogue.answers[questions] ??= takeAnswer(dialogue) ?? wait());
        questions++;
        return /^[yY]/.test(answer);
      };
      const wait = (): never => {
        dialogue.shown = seen;
        dialogue.isWaiting = true;
        throw new AnswerNeeded();
      };
      return { ...plain, ...recorded, input: (path) => readInput(state, path, recorded.sys), ask };
    };
    return { ...plain, once, asking };
  }
  return { ...(program as unknown as Program), as: (other) => defineTool(run, settings, other) };
}

export function programName(argv: readonly Bytes[], flavour: Flavour): Bytes {
  const name = argv[0] ?? '';
  return flavour === 'gnu' ? name : name.slice(name.lastIndexOf('/') + 1).replace(/^-/, '');
}

/** Content that is there at once is not kept; what comes through a pipe is, as it cannot be read again. */
function readInput(state: ToolState, path: Bytes, sys: Syscalls): Bytes {
  const known = state.inputs[path];
  if (known !== undefined && known.isEnded) return known.bytes;
  const input = known ?? { descriptor: path === '-' ? 0 : sys.open(path, { read: true }), bytes: '', isEnded: false };
  try {
    const isEnded = takeInput(input, sys);
    if (!isEnded || path === '-') state.inputs[path] = input;
    else sys.close(input.descriptor);
    if (!isEnded) throw new InputNeeded(path);
    return input.bytes;
  } catch (error) {
    if (error instanceof SystemError && path !== '-') sys.close(input.descriptor);
    throw error;
  }
}

/** Reads what there is; false before the end of file. */
function takeInput(input: Input, sys: Syscalls): boolean {
  for (;;) {
    const bytes = sys.read(input.descriptor, CHUNK);
    if (bytes === undefined) return false;
    if (bytes === '') return (input.isEnded = true);
    input.bytes += bytes;
    sys.charge(1 + (bytes.length >> 5));
    sys.setMemory(input.bytes.length);
    if (input.bytes.length > MAX_INPUT) throw new ToolFailure('memory exhausted', 2);
  }
}

/** Prints what ended a tool and gives its exit code. */
export function explainFailure(tool: Omit<ToolContext, 'stdin' | 'input'>, error: unknown): number {
  if (error instanceof HelpAnswer) {
    tool.out(error.message);
    return 0;
  }
  if (error instanceof UsageFailure) {
    if (error.message !== '') tool.warn(error.message);
    tool.err(usageHint(tool));
    return tool.settings.usageCode ?? 1;
  }
  if (error instanceof ToolFailure) {
    if (error.message !== '') tool.warn(error.message);
    return error.code;
  }
  tool.warn(strerror(error));
  return 1;
}

function usageHint({ name, flavour, settings, sys }: CommandContext): Bytes {
  if (flavour === 'gnu') return `Try '${name} --help'${settings.otherHelp ?? ''} for more information.\n`;
  return `${busyboxBanner(sys)}\nUsage: ${name} ${settings.usage ?? '[OPTION]...'}\n`;
}

/** Alpine builds its own busybox, on musl. */
export const isAlpine = (sys: Syscalls): boolean => sys.access('/etc/alpine-release', '');

export function busyboxBanner(sys: Syscalls): Bytes {
  const built = isAlpine(sys) ? '2024-12-05 23:38:02 UTC' : '2024-09-26 21:31:42 UTC';
  return `BusyBox v1.37.0 (${built}) multi-call binary.\n`;
}

/** A write failed: what is left for standard error is still printed, and the tool fails. */
function failWrite(state: { output: Output; code: number | null }, name: Bytes, error: unknown): Wait {
  const message = strerror(error);
  state.code = 1;
  addOutput(state.output, 2, `${name}: write error: ${message}\n`);
  return YIELD;
}

export { failWrite };
