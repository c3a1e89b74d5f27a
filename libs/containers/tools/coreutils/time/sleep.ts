import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { exit, type Program, sleepUntil, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { SIGNALS, type Signal } from '../../../../engine/kernel/signals.js';
import { exitCodeOf, findCommand } from '../../framework/command.js';
import { type Options, parseOptions, quoteName } from '../../framework/options.js';
import { addOutput, flushOutput, type Output } from '../../framework/output.js';
import {
  explainFailure,
  type Flavour,
  programName,
  strerror,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolSettings,
  UsageFailure,
} from '../../framework/tool.js';

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** `5`, `0.5`, `1m`, `infinity`, in ms; undefined for what is none. */
export function parseDuration(text: Bytes): number | undefined {
  if (/^(?:inf|infinity)$/i.test(text)) return Infinity;
  const [, number, unit] = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * SECONDS[unit!]! * 1_000;
}

/** What a program of its own needs to print and to fail as a tool does. */
export function toolContext(
  state: { readonly argv: readonly Bytes[]; readonly output: Output },
  sys: Syscalls,
  flavour: Flavour,
  settings: ToolSettings,
): ToolContext {
  const name = programName(state.argv, flavour);
  const hasNoInput = () => '';
  return {
    ...{ name, flavour, settings, sys, args: state.argv.slice(1), stdin: hasNoInput, input: hasNoInput },
    out: (bytes) => addOutput(state.output, 1, bytes),
    err: (bytes) => addOutput(state.output, 2, bytes),
    warn: (message) => addOutput(state.output, 2, `${name}: ${message}\n`),
  };
}

type SleepState = { argv: Bytes[]; output: Output; until: number | null; code: number | null };

const SLEEP: ToolSettings = { usage: 'NUMBER[SUFFIX]...' };

/** `until` null: not started; -1: for ever. */
export const sleep: Tool = makeSleep('gnu');

function makeSleep(flavour: Flavour): Tool {
  const program: Program<SleepState> = {
    start: (argv) => ({ argv: [...argv], output: [], until: null, code: null }),
    step(state, sys) {
      if (state.until === null && state.code === null) {
        const tool = toolContext(state, sys, flavour, SLEEP);
        try {
          const duration = readDurations(tool);
          state.until = Number.isFinite(duration) ? sys.now + duration : -1;
        } catch (error) {
          state.code = explainFailure(tool, error);
        }
      }
      if (state.code !== null) return flushOutput(state.output, sys) ?? exit(state.code);
      if (state.until === -1) return { type: 'wait' };
      return sys.now >= state.until! ? exit(0) : sleepUntil(state.until!);
    },
    clock: () => 'waits',
  };
  return { ...(program as unknown as Program), as: makeSleep };
}

function readDurations(tool: ToolContext): number {
  const { operands } = parseOptions(tool, []);
  if (operands.length === 0) throw new UsageFailure(tool.flavour === 'gnu' ? 'missing operand' : '');
  let total = 0;
  for (const text of operands) {
    const duration = parseDuration(text);
    if (duration !== undefined) total += duration;
    else if (tool.flavour === 'gnu') throw new UsageFailure(`invalid time interval ${quoteName(text)}`);
    else throw new ToolFailure(`invalid number '${text}'`);
  }
  return Math.ceil(total);
}

type TimeoutState = {
  argv: Bytes[];
  output: Output;
  child: number;
  until: number;
  killAfter: number;
  signal: string;
  isTimedOut: boolean;
  preserves: boolean;
  /** What -v names: the command. */
  told: Bytes;
  code: number | null;
};

const TIMEOUT: ToolSettings = { usage: '[OPTION] DURATION COMMAND [ARG]...', usageCode: 125 };

export const timeout: Tool = makeTimeout('gnu');

function makeTimeout(flavour: Flavour): Tool {
  const program: Program<TimeoutState> = {
    start: (argv) => ({
      ...{ argv: [...argv], output: [], child: 0, until: 0, killAfter: 0, signal: 'TERM', isTimedOut: false },
      ...{ preserves: false, told: '', code: null },
    }),
    step(state, sys) {
      if (state.child === 0 && state.code === null) startChild(state, sys, flavour);
      if (state.code !== null) return flushOutput(state.output, sys) ?? exit(state.code);
      return watchChild(state, sys, flavour);
    },
  };
  return { ...(program as unknown as Program), as: makeTimeout };
}

function startChild(state: TimeoutState, sys: Syscalls, flavour: Flavour): void {
  const tool = toolContext(state, sys, flavour, TIMEOUT);
  try {
    const options = parseOptions(
      tool,
      ['s,signal:', 'k,kill-after:', 'foreground', 'preserve-status', 'v,verbose'],
      true,
    );
    const [durationText, ...words] = options.operands;
    if (durationText === undefined || words.length === 0) throw new UsageFailure('');
    const duration = readDuration(tool, durationText);
    state.killAfter = options.has('k') ? readDuration(tool, options.value('k')!) : 0;
    state.signal = readSignal(options);
    state.preserves = options.has('preserve-status');
    state.told = options.has('v') ? words[0]! : '';
    state.until = duration === 0 || !Number.isFinite(duration) ? -1 : Math.ceil(sys.now + duration);
    state.child = spawnCommand(tool, words);
    sys.handleSignal('TERM', 'catch');
    sys.handleSignal('INT', 'catch');
  } catch (error) {
    state.code = explainFailure(tool, error);
  }
}

function spawnCommand(tool: ToolContext, words: readonly Bytes[]): number {
  try {
    return tool.sys.spawn({ path: findCommand(tool.sys, words[0]!), argv: words });
  } catch (error) {
    const message = strerror(error);
    throw new ToolFailure(
      tool.flavour === 'gnu'
        ? `failed to run command ${quoteName(words[0]!)}: ${message}`
        : `can't execute '${words[0]}': ${message}`,
      exitCodeOf(error),
    );
  }
}

function readDuration(tool: ToolContext, text: Bytes): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  if (tool.flavour === 'gnu') throw new UsageFailure(`invalid time interval ${quoteName(text)}`);
  throw new ToolFailure(`invalid number '${text}'`);
}

function readSignal(options: Options): Signal {
  const text = options.value('s') ?? 'TERM';
  const name = text.toUpperCase().replace(/^SIG/, '');
  const found = Object.entries(SIGNALS).find(([signal, number]) => signal === name || String(number) === text);
  if (found === undefined) throw new UsageFailure(`${quoteName(text)}: invalid signal`);
  return found[0] as Signal;
}

function watchChild(state: TimeoutState, sys: Syscalls, flavour: Flavour): Wait {
  const caught = sys.takeSignal();
  if (caught !== undefined) sys.kill(state.child, caught);
  const ended = sys.wait(state.child);
  if (ended !== undefined) {
    const own = ended.state === 'killed' ? 128 + SIGNALS[ended.signal ?? 'KILL'] : ended.code;
    const isKilled = ended.signal === 'KILL';
    return exit(state.isTimedOut && !state.preserves && flavour === 'gnu' && !isKilled ? 124 : own);
  }
  if (state.until >= 0 && sys.now >= state.until) {
    const signal = (state.isTimedOut ? 'KILL' : state.signal) as Signal;
    if (state.told !== '') sys.write(2, `timeout: sending signal ${signal} to command ${quoteName(state.told)}\n`);
    sys.kill(state.child, signal);
    state.until = state.killAfter > 0 && !state.isTimedOut ? sys.now + state.killAfter : -1;
    state.isTimedOut = true;
  }
  return { type: 'wait', child: true, ...(state.until >= 0 && { until: state.until }) };
}

type WatchState = {
  argv: Bytes[];
  output: Output;
  words: Bytes[];
  interval: number;
  hasTitle: boolean;
  endsOnError: boolean;
  child: number;
  until: number;
  code: number | null;
};

const WATCH: ToolSettings = { usage: '[options] command', version: 'watch from procps-ng 4.0.2' };

export const watch: Tool = makeWatch('gnu');

function makeWatch(flavour: Flavour): Tool {
  const program: Program<WatchState> = {
    start: (argv) => ({
      ...{ argv: [...argv], output: [], words: [], interval: 2_000, hasTitle: true, endsOnError: false, child: 0 },
      ...{ until: 0, code: null },
    }),
    step(state, sys) {
      const tool = toolContext(state, sys, flavour, WATCH);
      try {
        if (state.words.length === 0) readWatch(state, tool);
        return turn(state, tool);
      } catch (error) {
        state.code = explainFailure(tool, error);
        return flushOutput(state.output, sys) ?? exit(state.code);
      }
    },
  };
  return { ...(program as unknown as Program), as: makeWatch };
}

function readWatch(state: WatchState, tool: ToolContext): void {
  const table = [
    'n,interval:',
    't,no-title',
    'd,differences::',
    'e,errexit',
    'g,chgexit',
    'x,exec',
    'b,beep',
    'c,color',
    'p,precise',
  ];
  const options = parseOptions(tool, table, true);
  if (options.operands.length === 0) throw new UsageFailure('');
  state.words = [...options.operands];
  state.interval = Math.max(100, Math.ceil(Number(options.value('n') ?? 2) * 1_000) || 2_000);
  state.hasTitle = !options.has('t');
  state.endsOnError = options.has('e');
}

/** Clears the screen, prints the title, runs the command, sleeps. */
function turn(state: WatchState, tool: ToolContext): Wait {
  const { sys } = tool;
  const blocked = flushOutput(state.output, sys);
  if (blocked !== undefined) return blocked;
  if (state.child !== 0) {
    const ended = sys.wait(state.child);
    if (ended === undefined) return { type: 'wait', child: true };
    state.child = 0;
    if (state.endsOnError && ended.code !== 0) return exit(8);
    state.until = sys.now + state.interval;
  }
  if (sys.now < state.until) return sleepUntil(state.until);
  const title = `Every ${(state.interval / 1_000).toFixed(1)}s: ${state.words.join(' ')}`;
  tool.out(`\x1b[H\x1b[J${state.hasTitle ? `${title}\n\n` : ''}`);
  const waiting = flushOutput(state.output, sys);
  if (waiting !== undefined) return waiting;
  state.child = sys.spawn({ path: '/bin/sh', argv: ['sh', '-c', state.words.join(' ')] });
  return { type: 'wait', child: true };
}
