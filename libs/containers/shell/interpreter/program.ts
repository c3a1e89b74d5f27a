import {
  errorCodeOf,
  exit,
  type Plain,
  type Program,
  SIGNALS,
  type Signal,
  SystemError,
  type Syscalls,
  type Wait,
  waitToWrite,
  YIELD,
} from '../kernel.js';
import type { Frame, FrameOf } from '../state/frame.js';
import type { Flavour, ShellState } from '../state/state.js';
import { textsOf } from '../rounds/texts.js';
import { editLine } from '../terminal/editor.js';
import { stepCommand } from './nodes/command.js';
import { stepArithmetic, stepTest } from './nodes/conditional.js';
import { finishCommand, pushTrap } from './errors.js';
import { runDebugTrap, runReturnTrap } from './hooks.js';
import { CommandNeeded, ShellFailure } from './failure.js';
import { stepInput } from './start/input.js';
import { startShell } from './start/invocation.js';
import { waitForJob } from './processes/jobs.js';
import {
  stepAndOr,
  stepGroup,
  stepIf,
  stepList,
  stepPipeline,
  stepRedirected,
  stepSubshell,
  stepWhile,
} from './nodes/lists.js';
import { stepArithmeticFor, stepCase, stepFor, stepSelect } from './nodes/loops.js';
import { stepScript } from './start/script.js';
import { setUp } from './start/set-up.js';
import { Shell } from './shell.js';
import { startNeeded, stepSubstitution } from './nodes/substitution.js';
import { leaveFrame, unwindFrames } from './nodes/unwinding.js';
import { type BuiltinSet, SPECIAL_BUILTINS, type WaitingBuiltin } from './builtin.js';

/** Frames that run in one step of the process, fewer when they were charged for much. */
const FRAMES_OF_A_STEP = 400;
const CHARGE_OF_A_STEP = 20_000;

export interface ShellParts extends BuiltinSet {
  readonly waiting: Readonly<Record<string, WaitingBuiltin>>;
}

/** A shell as a program of the kernel. */
export function makeShell(flavour: Flavour, parts: ShellParts): Program {
  const names = new Set(Object.keys(parts.builtins));
  return {
    start: (argv, sys) => startShell(flavour, argv, sys) as unknown as Plain,
    step: (state, sys) => runShell(state as unknown as ShellState, sys, parts),
    textsOf: (state) => textsOf(state as unknown as ShellState, names),
    isTally: ([table, , field]) => table === 'hashes' && field === 'hits',
  };
}

function runShell(state: ShellState, sys: Syscalls, parts: ShellParts): Wait {
  const shell = new Shell(state, sys);
  const hasWaited = isWaiting(state.frames.at(-1));
  for (let i = 0; i < FRAMES_OF_A_STEP && sys.charged < CHARGE_OF_A_STEP; i++) {
    const blocked = flushOutput(shell);
    if (blocked) return blocked;
    if (state.unwind) {
      unwindFrames(shell, state.unwind);
      continue;
    }
    takeSignals(shell);
    const frame = state.frames.at(-1);
    if (!frame) {
      if (runExitTrap(shell)) continue;
      dieOf(shell, state.fatalSignal);
      return exit(state.status & 255);
    }
    // The kernel sees where an iteration that has waited ends: there the next one may be known.
    if (hasWaited && i > 0 && isLoop(frame) && frame.phase === 'body') return YIELD;
    sys.charge(1);
    if (state.traps['DEBUG'] !== undefined && runDebugTrap(shell, frame)) continue;
    const wait = runFrame(shell, frame, parts);
    if (wait) {
      const unsent = flushOutput(shell);
      if (state.output.length === 0) return wait;
      if (unsent) return unsent;
    }
  }
  return YIELD;
}

/** Whether the frame has let the process wait. */
const isWaiting = (frame: Frame | undefined): boolean =>
  frame?.type === 'wait-job' || frame?.type === 'substitution' || frame?.type === 'builtin';

const isLoop = (frame: Frame): frame is FrameOf<'while'> | FrameOf<'arithmetic-for'> =>
  frame.type === 'while' || frame.type === 'arithmetic-for';

function runFrame(shell: Shell, frame: Frame, parts: ShellParts): Wait | void {
  try {
    return stepFrame(shell, frame, parts);
  } catch (error) {
    if (error instanceof CommandNeeded) handle(shell, () => startNeeded(shell, error));
    else report(shell, error);
  }
}

function handle(shell: Shell, act: () => void): void {
  try {
    act();
  } catch (error) {
    report(shell, error);
  }
}

/** An error that ends a command, a line or the shell. */
function report(shell: Shell, error: unknown): void {
  if (error instanceof SystemError) {
    report(shell, new ShellFailure(error.message, 1, 'command'));
    return;
  }
  if (!(error instanceof ShellFailure)) throw error;
  const { state } = shell;
  shell.complain(error.message);
  // What a failing command says goes where it has redirected its errors to, as far as there is room.
  flushOutput(shell);
  const top = shell.top;
  const command = top?.type === 'command' ? top : undefined;
  const isBase = error.ends === 'command';
  if (isBase) {
    if (top) leaveFrame(shell, top);
    shell.pop();
    const isSpecial = command?.phase === 'finish' && isSpecialCommand(shell, command);
    if (isSpecial && !shell.isBash && !state.isInteractive) {
      shell.exit(error.status);
      return;
    }
    finishCommand(shell, error.status);
    return;
  }
  state.status = error.status;
  if (state.isInteractive) {
    state.status = shell.isBash ? 1 : 2;
    shell.unwind({ kind: 'abort' });
  } else if (error.ends === 'line' && state.mode === 'script') shell.unwind({ kind: 'abort' });
  else shell.exit(error.status);
}

function isSpecialCommand(_shell: Shell, frame: FrameOf<'command'>): boolean {
  const first = frame.words[0];
  return Array.isArray(first) && SPECIAL_BUILTINS.has(first[0] ?? '');
}

function stepFrame(shell: Shell, frame: Frame, parts: ShellParts): Wait | void {
  switch (frame.type) {
    case 'command':
      return stepCommand(shell, frame, parts);
    case 'list':
      return stepList(shell, frame);
    case 'and-or':
      return stepAndOr(shell, frame);
    case 'pipeline':
      return stepPipeline(shell, frame);
    case 'redirected':
      return stepRedirected(shell, frame);
    case 'subshell':
      return stepSubshell(shell, frame);
    case 'group':
      return stepGroup(shell, frame);
    case 'if':
      return stepIf(shell, frame);
    case 'while':
      return stepWhile(shell, frame);
    case 'for':
      return stepFor(shell, frame);
    case 'arithmetic-for':
      return stepArithmeticFor(shell, frame);
    case 'select':
      return stepSelect(shell, frame);
    case 'case':
      return stepCase(shell, frame);
    case 'test':
      return stepTest(shell, frame);
    case 'arithmetic':
      return stepArithmetic(shell, frame);
    case 'wait-job':
      return waitForJob(shell, frame);
    case 'script':
      return stepScript(shell, frame);
    case 'input':
      return stepInput(shell, frame);
    case 'substitution':
      return stepSubstitution(shell, frame);
    case 'setup':
      return setUp(shell, frame);
    case 'editor':
      return editLine(shell, frame);
    case 'builtin':
      return parts.waiting[frame.name]!(shell, frame);
    case 'call':
      if (runReturnTrap(shell, frame)) return;
      leaveFrame(shell, frame);
      shell.pop();
      return;
    case 'trap':
      shell.pop(frame.status);
      shell.state.line = frame.line;
      if (frame.ends) shell.exit(frame.status);
  }
}

/** Gives builtins' output to its descriptors. A Wait: one of them takes no more now. */
function flushOutput(shell: Shell): Wait | undefined {
  const { state, sys } = shell;
  while (state.output.length > 0) {
    const entry = state.output[0]!;
    try {
      const taken = sys.write(entry.descriptor, entry.bytes);
      if (taken === 0) return waitToWrite(entry.descriptor);
      entry.bytes = entry.bytes.slice(taken);
      if (entry.bytes === '') state.output.shift();
    } catch (error) {
      state.output.shift();
      reportWriteError(shell, entry.name, entry.descriptor, errorCodeOf(error));
    }
  }
  return undefined;
}

function reportWriteError(
  shell: Shell,
  name: string,
  descriptor: number,
  code: Parameters<typeof describeError>[0],
): void {
  if (descriptor === 2) return;
  shell.state.status = 1;
  const words = describeError(code);
  if (shell.isBash) shell.complain(`${name || 'echo'}: write error: ${words}`);
  else if (shell.isDash) shell.complain(`${name || 'echo'}: I/O error`);
  else shell.write(2, `sh: write error: ${words}\n`);
}

const describeError = (code: ConstructorParameters<typeof SystemError>[0]): string => new SystemError(code).message;

/** Notes signals that were caught and runs their traps between two commands. */
function takeSignals(shell: Shell): void {
  const { state, sys } = shell;
  for (let signal = sys.takeSignal(); signal; signal = sys.takeSignal()) noteSignal(shell, signal);
  if (state.pending.length === 0 || !isBetweenCommands(state.frames.at(-1))) return;
  const signal = state.pending.shift()!;
  const action = state.traps[signal];
  if (action !== undefined && action !== '') pushTrap(shell, signal, action, false);
}

function noteSignal(shell: Shell, signal: Signal): void {
  const { state } = shell;
  if (state.traps[signal] !== undefined) {
    state.pending.push(signal);
    return;
  }
  if (!state.isInteractive && state.traps['EXIT'] !== undefined) {
    state.fatalSignal = signal;
    shell.exit(128 + SIGNALS[signal]);
    return;
  }
  if (signal !== 'INT' || !state.isInteractive) return;
  const top = state.frames.at(-1);
  if (top?.type === 'wait-job') return;
  shell.write(2, '\n');
  state.status = 130;
  shell.unwind({ kind: 'abort' });
}

function isBetweenCommands(frame: Frame | undefined): boolean {
  if (!frame) return true;
  if (frame.type === 'command')
    return (
      frame.phase === 'finish' || (frame.phase === 'expand' && frame.words.length === 0 && frame.memo.length === 0)
    );
  return (
    frame.type === 'list' ||
    frame.type === 'and-or' ||
    frame.type === 'script' ||
    frame.type === 'input' ||
    frame.type === 'while'
  );
}

/** A shell that a signal ends, after its EXIT trap, dies of it. */
function dieOf(shell: Shell, signal: Signal | ''): void {
  if (signal === '') return;
  shell.sys.handleSignal(signal, 'default');
  shell.sys.kill(shell.sys.pid, signal);
}

/** trap ... EXIT. */
function runExitTrap(shell: Shell): boolean {
  const { state } = shell;
  const action = state.traps['EXIT'];
  if (action === undefined || state.exitTrapRan) return false;
  state.exitTrapRan = true;
  if (action === '') return false;
  pushTrap(shell, 'EXIT', action, false);
  return true;
}
