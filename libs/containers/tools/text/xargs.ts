import type { Bytes } from '../../../engine/kernel/bytes.js';
import { exit, type Program, type Wait, waitToRead } from '../../../engine/kernel/process/program.js';
import { SIGNALS } from '../../../engine/kernel/signals.js';
import { exitCodeOf, findCommand } from '../framework/command.js';
import { toolContext } from '../coreutils/time/sleep.js';
import { unescapeBytes } from '../format.js';
import { parseOptions } from '../framework/options.js';
import { flushOutput, type Output } from '../framework/output.js';
import { explainFailure, type Flavour, strerror, type Tool, type ToolContext, ToolFailure } from '../framework/tool.js';

type State = {
  argv: Bytes[];
  output: Output;
  phase: 'start' | 'read' | 'run' | 'end';
  input: Bytes;
  file: number;
  /** The words of each command that is still to be run. */
  commands: Bytes[][];
  /** The name of the command that runs. */
  command: Bytes;
  parallel: number;
  children: number[];
  isVerbose: boolean;
  code: number;
};

const OPTIONS = [
  ...[
    '0,null',
    'a,arg-file:',
    'd,delimiter:',
    'E:',
    'e::',
    'I:',
    'i,replace::',
    'L,max-lines:',
    'n,max-args:',
    'P,max-procs:',
  ],
  ...['p,interactive', 'r,no-run-if-empty', 's,max-chars:', 't,verbose', 'x,exit', 'o,open-tty', 'show-limits'],
];
const SETTINGS = { usage: '[OPTION]... COMMAND [INITIAL-ARGS]...', version: 'xargs (GNU findutils) 4.9.0' };
const MAX_INPUT = 4 << 20;
/** Bytes of one command line. */
const MAX_LINE = 131_072;

export const xargs: Tool = makeXargs('gnu');

function makeXargs(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv) => ({
      ...{ argv: [...argv], output: [], phase: 'start', input: '', file: 0, commands: [], command: '', parallel: 1 },
      ...{ children: [], isVerbose: false, code: 0 },
    }),
    step(state, sys) {
      const tool = toolContext(state, sys, flavour, SETTINGS);
      try {
        return advance(state, tool);
      } catch (error) {
        state.code = explainFailure(tool, error);
        Object.assign(state, { phase: 'end', commands: [] });
        return flushOutput(state.output, sys) ?? exit(state.code);
      }
    },
  };
  return { ...(program as unknown as Program), as: makeXargs };
}

function advance(state: State, tool: ToolContext): Wait {
  const { sys } = tool;
  const blocked = flushOutput(state.output, sys);
  if (blocked !== undefined) return blocked;
  if (state.phase === 'start') {
    const options = parseOptions(tool, OPTIONS, true);
    if (options.has('p')) throw new ToolFailure('-p asks, which is not supported here; nothing was run');
    if (options.has('a')) state.file = sys.open(options.value('a')!, { read: true });
    state.phase = 'read';
  }
  if (state.phase === 'read') {
    for (;;) {
      const bytes = sys.read(state.file, 65_536);
      if (bytes === undefined) return waitToRead(state.file);
      if (bytes === '') break;
      state.input += bytes;
      if (state.input.length > MAX_INPUT) throw new ToolFailure('memory exhausted');
    }
    plan(state, tool);
    state.phase = 'run';
  }
  reap(state, tool);
  launchMore(state, tool);
  const waiting = flushOutput(state.output, sys);
  if (waiting !== undefined) return waiting;
  return state.children.length === 0 && state.commands.length === 0 ? exit(state.code) : { type: 'wait', child: true };
}

function plan(state: State, tool: ToolContext): void {
  const options = parseOptions(tool, OPTIONS, true);
  const command = options.operands.length === 0 ? ['echo'] : [...options.operands];
  const number = (key: string) => {
    const text = options.value(key);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new ToolFailure(`invalid number "${text}" for -${key} option`);
    if (Number(text) === 0 && key !== 'P') throw new ToolFailure(`value ${text} for -${key} option should be >= 1`);
    return Number(text);
  };
  const replace = options.value('I') ?? (options.has('i') ? options.value('i') || '{}' : undefined);
  const delimiter = options.has('0')
    ? '\0'
    : options.has('d')
      ? unescapeBytes(options.value('d')!, true).bytes
      : undefined;
  const [most, lines] = [number('n'), number('L')];
  state.parallel = number('P') === 0 ? 64 : (number('P') ?? 1);
  state.isVerbose = options.has('t');
  const { input } = state;
  state.input = '';
  if (replace !== undefined) {
    const texts =
      delimiter === undefined
        ? splitBy(input, '\n')
            .map((line) => line.trimStart())
            .filter(Boolean)
        : splitBy(input, delimiter);
    state.commands = texts.map((text) => command.map((word) => word.replaceAll(replace, text)));
    return;
  }
  const rows = delimiter === undefined ? splitWords(input) : splitBy(input, delimiter).map((item) => [item]);
  const groups = lines === undefined ? chunk(rows.flat(), most ?? Infinity, command) : groupLines(rows, lines);
  state.commands = groups.map((group) => [...command, ...group]);
  if (groups.length === 0 && !options.has('r')) state.commands = [command];
}

function groupLines(rows: readonly Bytes[][], count: number): Bytes[][] {
  const groups: Bytes[][] = [];
  for (let at = 0; at < rows.length; at += count) groups.push(rows.slice(at, at + count).flat());
  return groups;
}

const splitBy = (text: Bytes, delimiter: Bytes): Bytes[] => {
  const parts = text.split(delimiter);
  if (parts.at(-1) === '') parts.pop();
  return parts;
};

/** Words by lines: quotes and backslashes hold them together. */
function splitWords(text: Bytes): Bytes[][] {
  const lines: Bytes[][] = [];
  let words: Bytes[] = [];
  let word = '';
  let isInWord = false;
  const endWord = () => {
    if (isInWord) words.push(word);
    [word, isInWord] = ['', false];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '\n') {
      endWord();
      if (words.length > 0) lines.push(words);
      words = [];
    } else if (c === ' ' || c === '\t') endWord();
    else if (c === '"' || c === "'") {
      const end = text.indexOf(c, i + 1);
      const newline = text.indexOf('\n', i + 1);
      if (end < 0 || (newline >= 0 && newline < end)) {
        const kind = c === '"' ? 'double' : 'single';
        throw new ToolFailure(
          `unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`,
        );
      }
      word += text.slice(i + 1, end);
      isInWord = true;
      i = end;
    } else {
      word += c === '\\' ? (text[++i] ?? '') : c;
      isInWord = true;
    }
  }
  endWord();
  if (words.length > 0) lines.push(words);
  return lines;
}

function chunk(items: readonly Bytes[], most: number, command: readonly Bytes[]): Bytes[][] {
  const base = command.reduce((sum, word) => sum + word.length + 1, 0);
  const groups: Bytes[][] = [];
  let size = 0;
  for (const item of items) {
    const last = groups.at(-1);
    if (last === undefined || last.length >= most || size + item.length + 1 > MAX_LINE) {
      groups.push([item]);
      size = base + item.length + 1;
    } else {
      last.push(item);
      size += item.length + 1;
    }
  }
  return groups;
}

function launchMore(state: State, tool: ToolContext): void {
  const { sys } = tool;
  while (state.commands.length > 0 && state.children.length < state.parallel) {
    const words = state.commands.shift()!;
    state.command = words[0]!;
    if (state.isVerbose) tool.err(`${words.join(' ')}\n`);
    try {
      if (state.isVerbose) flushOutput(state.output, sys);
      state.children.push(sys.spawn({ path: findCommand(sys, words[0]!), argv: words }));
    } catch (error) {
      tool.warn(`${words[0]}: ${strerror(error)}`);
      Object.assign(state, { code: exitCodeOf(error), commands: [] });
    }
  }
}

/** 255 of a command stops xargs (124), a signal too (125); other failures make it 123. */
function reap(state: State, tool: ToolContext): void {
  const { sys } = tool;
  for (const child of [...state.children]) {
    const ended = sys.wait(child);
    if (ended === undefined) continue;
    state.children = state.children.filter((pid) => pid !== child);
    if (ended.state === 'killed') {
      tool.warn(`${state.command}: terminated by signal ${SIGNALS[ended.signal ?? 'KILL']}`);
      Object.assign(state, { code: 125, commands: [] });
    } else if (ended.code === 255) {
      tool.warn(`${state.command}: exited with status 255; aborting`);
      Object.assign(state, { code: 124, commands: [] });
    } else if (ended.code !== 0 && state.code === 0) state.code = 123;
  }
}
