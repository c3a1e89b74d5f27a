import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { ProcessInfo } from '../../../engine/kernel/process/syscalls.js';
import { type Signal, SIGNALS } from '../../../engine/kernel/signals.js';
import { findUser, readNames } from '../accounts.js';
import { type Options, parseOptions } from '../framework/options.js';
import { compileRegex, type PosixRegex, RegexFault } from '../patterns/posix-regex.js';
import {
  defineTool,
  strerror,
  type ToolContext,
  ToolFailure,
  UsageFailure,
  type WaitingContext,
} from '../framework/tool.js';
import { isOnNode, signalOnNode } from './node-signals.js';
import { commandLine } from './table.js';

const NAMES_IN_ORDER: readonly string[] = Object.entries(SIGNALS)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => name);

/** A name with or without SIG, or a number; 0 asks whether the process is there. */
function findSignal(text: Bytes): Signal | 0 | undefined {
  if (text === '0' || text.toUpperCase() === 'EXIT') return 0;
  const name = text.toUpperCase().replace(/^SIG/, '');
  const found = Object.entries(SIGNALS).find(([signal, number]) => signal === name || String(number) === text);
  return found?.[0] as Signal | undefined;
}

/** Takes `-9`, `-TERM` or `-s NAME` from the words of a command line. */
function takeSignal(
  words: readonly Bytes[],
  refuse: (text: Bytes) => Error,
): { readonly signal: Signal | 0; readonly rest: Bytes[] } {
  const rest: Bytes[] = [];
  let signal: Signal | 0 = 'TERM';
  const set = (text: Bytes): void => {
    const found = findSignal(text);
    if (found === undefined) throw refuse(text);
    signal = found;
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') return { signal, rest: [...rest, ...words.slice(i)] };
    if (word === '-s' || word === '--signal') set(words[++i] ?? '');
    else if (word.startsWith('--signal=')) set(word.slice(9));
    else if (/^-(?:\d+|(?:SIG)?[A-Z][A-Z]+\d?)$/.test(word) && i === rest.length) set(word.slice(1));
    else rest.push(word);
  }
  return { signal, rest };
}

function listSignals(tool: ToolContext, [text]: readonly Bytes[]): number {
  if (text === undefined) {
    if (tool.flavour === 'gnu') tool.out(`${NAMES_IN_ORDER.join(' ')}\n`);
    else for (const name of NAMES_IN_ORDER) tool.out(`${String(SIGNALS[name as Signal]).padStart(2)}) SIG${name}\n`);
    return 0;
  }
  const number = Number(text) > 128 ? String(Number(text) - 128) : text;
  const signal = findSignal(number);
  if (signal === undefined || signal === 0) throw new ToolFailure(`unknown signal name ${text}`);
  tool.out(`${/^\d+$/.test(number) ? signal : SIGNALS[signal]}\n`);
  return 0;
}

const KILL_USAGE = `
Usage:
 kill [options] <pid> [...]

Options:
 <pid> [...]            send signal to every <pid> listed
 -<signal>, -s, --signal <signal>
                        specify the <signal> to be sent
 -q, --queue <value>    integer value to be sent with the signal
 -l, --list=[<signal>]  list all signal names, or convert one to a name
 -L, --table            list all signal names in a nice table

 -h, --help     display this help and exit
 -V, --version  output version information and exit

For more details see kill(1).
`;

export const kill = defineTool(
  (tool) => {
    if (tool.args[0] === '-l' || tool.args[0] === '-L') return listSignals(tool, tool.args.slice(1));
    const isGnu = tool.flavour === 'gnu';
    const refuse = (text: Bytes): Error =>
      new ToolFailure(isGnu ? `unknown signal name ${text}` : `bad signal name '${text}'`);
    const { signal, rest } = takeSignal(tool.args, refuse);
    const targets = rest[0] === '--' ? rest.slice(1) : rest;
    if (targets.length === 0) {
      if (isGnu) tool.err(KILL_USAGE);
      else tool.warn('you need to specify whom to kill');
      return 1;
    }
    let code = 0;
    for (const target of targets) code = killOne({ ...tool, name: baseName(tool.name) }, target, signal) || code;
    return code;
  },
  { usage: '[-l] [-SIG] PID...' },
);

/** Throws SystemError, ToolFailure. */
function send(tool: WaitingContext, pid: number, signal: Signal | 0): void {
  if (pid > 0 && isOnNode(tool.sys, pid)) signalOnNode(tool, pid, signal);
  else tool.sys.kill(pid, signal);
}

function killOne(tool: WaitingContext, target: Bytes, signal: Signal | 0): number {
  const isGnu = tool.flavour === 'gnu';
  if (!/^-?\d+$/.test(target)) {
    tool.err(
      isGnu ? `${tool.name}: failed to parse argument: '${target}'\n` : `${tool.name}: invalid number '${target}'\n`,
    );
    return 1;
  }
  try {
    send(tool, Number(target), signal);
    return 0;
  } catch (error) {
    const message = error instanceof ToolFailure ? error.message : strerror(error);
    tool.err(`${tool.name}: ${isGnu ? `(${target}): ${message}` : `can't kill pid ${target}: ${message}`}\n`);
    return 1;
  }
}

export const killall = defineTool((tool) => {
  if (tool.args[0] === '-l') return listSignals(tool, tool.args.slice(1));
  const refuse = (text: Bytes): Error => new ToolFailure(`${text}: unknown signal; killall -l lists signals.`);
  const { signal, rest } = takeSignal(tool.args, refuse);
  const table = ['q,quiet', 'e,exact', 'I,ignore-case', 'w,wait', 'v,verbose', 'r,regexp', 'i,interactive', 'u,user:'];
  const options = parseOptions({ ...tool, args: rest }, table);
  if (options.operands.length === 0) {
    if (tool.flavour === 'busybox') throw new ToolFailure('you need to specify whom to kill');
    tool.err('Usage: killall [OPTION]... [--] NAME...\n       killall -l, --list\n       killall -V, --version\n');
    return 1;
  }
  let code = 0;
  for (const name of options.operands) {
    const found = tool.sys.processes().filter((one) => one.pid !== tool.sys.pid && isNamed(one, name));
    const failed = found.filter((one) => !trySignal(tool, one, signal));
    if (found.length > failed.length) continue;
    code = 1;
    if (found.length === 0 && !options.has('q')) {
      if (tool.flavour === 'gnu') tool.err(`${name}: no process found\n`);
      else tool.warn(`${name}: no process killed`);
    }
  }
  return code;
});

const baseName = (path: Bytes): Bytes => path.slice(path.lastIndexOf('/') + 1);

const isNamed = (one: ProcessInfo, name: Bytes): boolean =>
  one.state !== 'Z' && (one.name === name.slice(0, 15) || baseName(one.argv[0] ?? '') === name);

function trySignal(tool: WaitingContext, one: ProcessInfo, signal: Signal | 0): boolean {
  try {
    send(tool, one.pid, signal);
    return true;
  } catch (error) {
    if (!(error instanceof SystemError || error instanceof ToolFailure)) throw error;
    if (error instanceof SystemError && error.code === 'ESRCH') return true;
    if (tool.flavour === 'gnu') tool.err(`${one.name}(${one.pid}): ${error.message}\n`);
    else tool.warn(`can't kill pid ${one.pid}: ${error.message}`);
    return false;
  }
}

const PGREP_OPTIONS = [
  ...['f,full', 'l,list-name', 'a,list-full', 'x,exact', 'v,inverse', 'n,newest', 'o,oldest', 'c,count'],
  ...['i,ignore-case', 'd,delimiter:', 'u,euid:', 'U,uid:', 'P,parent:', 'g,pgroup:', 's,session:', 't,terminal:'],
  ...['e,echo', 'w,lightweight', 'q,queue:'],
];

/** Models match_one of procps' pgrep: itself it never finds. */
function findProcesses(tool: ToolContext, options: Options): ProcessInfo[] {
  const [pattern] = options.operands;
  const isSelecting = ['u', 'U', 'P', 'g', 's', 't'].some((key) => options.has(key));
  if (pattern === undefined && !isSelecting) throw new UsageFailure('no matching criteria specified');
  if (options.operands.length > 1) {
    throw new UsageFailure('only one pattern can be provided');
  }
  const regex = compilePattern(tool, pattern ?? '', options);
  const names = readNames(tool.sys);
  const listOf = (key: string): number[] =>
    options.values(key).flatMap((list) => list.split(',').map((word) => findUser(names, word) ?? -1));
  const matches = (one: ProcessInfo): boolean => {
    const users = [...listOf('u'), ...listOf('U')];
    return (
      regex.test(options.has('f') ? commandLine(one) : one.name) &&
      (users.length === 0 || users.includes(one.user)) &&
      (!options.has('P') || listOf('P').includes(one.parent)) &&
      (!options.has('g') || listOf('g').includes(one.group)) &&
      (!options.has('s') || listOf('s').includes(one.session)) &&
      (!options.has('t') || options.values('t').includes(one.terminal))
    );
  };
  const all = tool.sys.processes();
  const found = all.filter((one) => one.pid !== tool.sys.pid && matches(one) !== options.has('v'));
  if (options.has('n')) return found.slice(-1);
  return options.has('o') ? found.slice(0, 1) : found;
}

/** An extended regular expression, as regcomp(3) takes it. */
function compilePattern(tool: ToolContext, pattern: Bytes, options: Options): PosixRegex {
  try {
    const whole = options.has('x') ? `^(${pattern})$` : pattern;
    return compileRegex(whole, 'extended', { ignoreCase: options.has('i') });
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    throw new ToolFailure(error.message, tool.flavour === 'gnu' ? 2 : 1);
  }
}

const PGREP = { usage: '[options] <pattern>', usageCode: 2 };

export const pgrep = defineTool((tool) => {
  const options = parseOptions(tool, PGREP_OPTIONS);
  const found = findProcesses(tool, options);
  if (options.has('c')) tool.out(`${found.length}\n`);
  else if (found.length > 0) {
    const show = (one: ProcessInfo): Bytes => {
      if (options.has('a')) return `${one.pid} ${commandLine(one)}`;
      if (!options.has('l')) return String(one.pid);
      return `${one.pid} ${tool.flavour === 'busybox' && options.has('f') ? commandLine(one) : one.name}`;
    };
    tool.out(`${found.map(show).join(options.value('d') ?? '\n')}\n`);
  }
  return found.length > 0 ? 0 : 1;
}, PGREP);

export const pkill = defineTool((tool) => {
  const refuse = (text: Bytes): Error => new UsageFailure(`invalid option -- '${text[0] ?? ''}'`);
  const { signal, rest } = takeSignal(tool.args, refuse);
  const options = parseOptions({ ...tool, args: rest }, PGREP_OPTIONS);
  const found = findProcesses(tool, options);
  let hasFailed = false;
  for (const one of found) {
    try {
      send(tool, one.pid, signal);
      if (options.has('e')) tool.out(`${one.name} killed (pid ${one.pid})\n`);
    } catch (error) {
      tool.warn(`killing pid ${one.pid} failed: ${error instanceof ToolFailure ? error.message : strerror(error)}`);
      hasFailed = true;
    }
  }
  if (options.has('c')) tool.out(`${found.length}\n`);
  return found.length === 0 || hasFailed ? 1 : 0;
}, PGREP);

export const pidof = defineTool((tool) => {
  const options = parseOptions(tool, [
    's,single-shot',
    'c,check-root',
    'x',
    'q',
    'w',
    'o,omit-pid:',
    'S,separator:',
    'z',
    'n',
  ]);
  const omitted = options.values('o').map(Number);
  const found = tool.sys
    .processes()
    .filter((one) => options.operands.some((name) => isNamed(one, baseName(name))) && !omitted.includes(one.pid))
    .map(({ pid }) => pid)
    .reverse();
  if (found.length === 0) return 1;
  if (!options.has('q'))
    tool.out(`${(options.has('s') ? found.slice(0, 1) : found).join(options.value('S') ?? ' ')}\n`);
  return 0;
});
