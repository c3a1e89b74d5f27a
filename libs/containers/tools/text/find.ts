import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../engine/kernel/files/file.js';
import { exit, type Program, type Wait, waitForChild, YIELD } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { groupName, type Names, readNames, userName } from '../accounts.js';
import { findCommand } from '../command.js';
import { formatDate, formatListTime } from '../coreutils/time/date-format.js';
import { applyMode } from '../coreutils/files/modes.js';
import { toolContext } from '../coreutils/time/sleep.js';
import { modeLetters, unescapeBytes } from '../format.js';
import { matchesGlob } from '../glob.js';
import { quoteName } from '../options.js';
import { flushOutput, type Output } from '../output.js';
import { compileRegex } from '../posix-regex.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  strerror,
  type Tool,
  type ToolContext,
  ToolFailure,
} from '../tool.js';
import { type Expression, type FindPlan, FindReader, TYPE_OF } from './find-expression.js';

type Visit = { path: Bytes; root: Bytes; depth: number; isPost: boolean };
type State = {
  argv: Bytes[];
  output: Output;
  isStarted: boolean;
  follows: 'P' | 'L' | 'H';
  words: Bytes[];
  /** What is still to be visited: the last is next. */
  stack: Visit[];
  current: Visit | null;
  /** Results of the commands that ran for the current file, in the order of the expression. */
  results: boolean[];
  child: number;
  batches: Record<string, Bytes[]>;
  isFinishing: boolean;
  isQuitting: boolean;
  failure: number;
  code: number | null;
};

/** A command is to be run before the expression goes on. */
class CommandNeeded extends Error {
  constructor(
    readonly words: readonly Bytes[],
    readonly directory: Bytes | undefined,
  ) {
    super('command needed');
  }
}

const SETTINGS = { usage: '[-H] [-L] [-P] [path...] [expression]', version: 'find (GNU findutils) 4.9.0' };
/** Files of one step. */
const FILES_PER_STEP = 200;
/** Files of one command of `-exec … +`. */
const BATCH = 1_000;

const plans = new WeakMap<State, FindPlan>();

export const find: Tool = makeFind('gnu');

function makeFind(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv) => ({
      ...{
        argv: [...argv],
        output: [],
        isStarted: false,
        follows: 'P',
        words: [],
        stack: [],
        current: null,
        results: [],
      },
      ...{ child: 0, batches: {}, isFinishing: false, isQuitting: false, failure: 0, code: null },
    }),
    step(state, sys) {
      const tool = toolContext(state, sys, flavour, SETTINGS);
      try {
        const blocked = flushOutput(state.output, sys);
        if (blocked !== undefined) return blocked;
      } catch (error) {
        return failWrite(state, tool.name, error);
      }
      if (state.code !== null) return exit(state.code);
      try {
        return new Search(state, tool).go();
      } catch (error) {
        state.code = explainFailure(tool, error);
        return YIELD;
      }
    },
  };
  return { ...(program as unknown as Program), as: makeFind };
}

class Search {
  private readonly sys: Syscalls;
  private readonly plan: FindPlan;
  private names: Names | undefined;
  private resultAt = 0;
  private isPruned = false;

  constructor(
    private readonly state: State,
    private readonly tool: ToolContext,
  ) {
    this.sys = tool.sys;
    if (!state.isStarted) this.readCommandLine();
    const read = () => new FindReader(state.words, readNames(this.sys), (path) => this.timeOf(path)).read();
    this.plan = plans.get(state) ?? read();
    plans.set(state, this.plan);
  }

  private timeOf(path: Bytes): number {
    try {
      return this.sys.stat(path).modified;
    } catch (error) {
      throw new ToolFailure(`${quoteName(path)}: ${strerror(error)}`);
    }
  }

  private readCommandLine(): void {
    const { state, tool } = this;
    const args = [...tool.args];
    while (/^-[HLP]$/.test(args[0] ?? '')) state.follows = args.shift()![1] as 'P';
    const isExpression = (word: Bytes) => /^-./.test(word) || ['(', '!', ')', ','].includes(word);
    const at = args.findIndex(isExpression);
    const paths = at < 0 ? args : args.slice(0, at);
    state.words = at < 0 ? [] : args.slice(at);
    const roots = paths.length === 0 ? ['.'] : paths;
    state.stack = roots.reverse().map((path) => ({ path, root: path, depth: 0, isPost: false }));
    state.isStarted = true;
  }

  go(): Wait {
    const { state, sys } = this;
    if (state.child !== 0) {
      const ended = sys.wait(state.child);
      if (ended === undefined) return waitForChild;
      state.child = 0;
      const isGood = ended.state === 'exited' && ended.code === 0;
      if (state.isFinishing || state.current === null) state.failure ||= isGood ? 0 : 1;
      else state.results.push(isGood);
    }
    for (let files = 0; files < FILES_PER_STEP; files++) {
      const wait = this.next();
      if (wait !== undefined) return wait;
    }
    return YIELD;
  }

  private next(): Wait | undefined {
    const { state } = this;
    if (state.current === null) {
      const visit = state.isQuitting ? undefined : state.stack.pop();
      if (visit === undefined) return this.finish();
      state.current = visit;
      state.results = [];
    }
    try {
      this.visit(state.current);
      state.current = null;
      return undefined;
    } catch (error) {
      if (!(error instanceof CommandNeeded)) throw error;
      return this.launch(error.words, error.directory);
    }
  }

  /** Commands of `-exec … +` that are not full yet, then the end. */
  private finish(): Wait {
    const { state } = this;
    state.isFinishing = true;
    const [id, files] = Object.entries(state.batches).find(([, list]) => list.length > 0) ?? [];
    if (id !== undefined && files !== undefined) {
      state.batches[id] = [];
      const words = execWords(this.plan.expression, Number(id))!;
      return this.launch([...words.slice(0, -1), ...files], undefined);
    }
    state.code = state.failure;
    return flushOutput(state.output, this.sys) ?? exit(state.code);
  }

  private launch(words: readonly Bytes[], directory: Bytes | undefined): Wait {
    const { state, sys, tool } = this;
    // What was printed so far comes before what the command prints.
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    try {
      state.child = sys.spawn({
        path: findCommand(sys, words[0]!),
        argv: words,
        ...(directory !== undefined && { cwd: directory }),
      });
      return waitForChild;
    } catch (error) {
      tool.warn(
        tool.flavour === 'gnu' ? `${quoteName(words[0]!)}: ${strerror(error)}` : `${words[0]}: ${strerror(error)}`,
      );
      if (state.isFinishing) state.failure = 1;
      else state.results.push(false);
      return YIELD;
    }
  }

  private statOf(visit: Visit): FileStat {
    const { sys, state } = this;
    const follows = state.follows === 'L' || (state.follows === 'H' && visit.depth === 0);
    if (!follows) return sys.lstat(visit.path);
    try {
      return sys.stat(visit.path);
    } catch (error) {
      strerror(error);
      return sys.lstat(visit.path);
    }
  }

  private visit(visit: Visit): void {
    const { sys, state, plan } = this;
    let stat: FileStat;
    try {
      stat = this.statOf(visit);
    } catch (error) {
      this.complain(visit.path, strerror(error));
      return;
    }
    sys.charge(3);
    const isEvaluated = visit.depth >= plan.minDepth;
    const isDirectory = stat.type === 'directory';
    const descends = isDirectory && visit.depth < plan.maxDepth && !visit.isPost;
    if (plan.isDepthFirst && descends) {
      state.stack.push({ ...visit, isPost: true });
      this.pushChildren(visit);
      return;
    }
    this.resultAt = 0;
    this.isPruned = false;
    if (isEvaluated) this.evaluate(plan.expression, visit, stat);
    if (descends && !this.isPruned && !state.isQuitting) this.pushChildren(visit);
  }

  private pushChildren(visit: Visit): void {
    try {
      const base = visit.path.endsWith('/') ? visit.path : `${visit.path}/`;
      const names = [...this.sys.readDirectory(visit.path)].reverse();
      for (const name of names)
        this.state.stack.push({ path: base + name, root: visit.root, depth: visit.depth + 1, isPost: false });
    } catch (error) {
      this.complain(visit.path, strerror(error));
    }
  }

  private complain(path: Bytes, message: string): void {
    this.tool.warn(this.tool.flavour === 'gnu' ? `${quoteName(path)}: ${message}` : `${path}: ${message}`);
    this.state.failure = 1;
  }

  private evaluate(expression: Expression, visit: Visit, stat: FileStat): boolean {
    switch (expression.type) {
      case 'and':
        return this.evaluate(expression.left, visit, stat) && this.evaluate(expression.right, visit, stat);
      case 'or':
        return this.evaluate(expression.left, visit, stat) || this.evaluate(expression.right, visit, stat);
      case 'comma':
        this.evaluate(expression.left, visit, stat);
        return this.evaluate(expression.right, visit, stat);
      case 'not':
        return !this.evaluate(expression.inner, visit, stat);
      case 'exec':
        return this.execute(expression, visit);
      case 'test':
        return this.test(expression, visit, stat);
    }
  }

  /** A command's result is kept while its file is the current one: the expression is evaluated again after each. */
  private execute({ words, isBatch, isInDirectory, id }: Extract<Expression, { type: 'exec' }>, visit: Visit): boolean {
    const { state } = this;
    if (isBatch) {
      const known = state.results[this.resultAt];
      this.resultAt++;
      if (known !== undefined) return true;
      const files = (state.batches[String(id)] ??= []);
      files.push(visit.path);
      if (files.length >= BATCH) {
        state.batches[String(id)] = [];
        throw new CommandNeeded([...words.slice(0, -1), ...files], undefined);
      }
      state.results.push(true);
      return true;
    }
    const known = state.results[this.resultAt++];
    if (known !== undefined) return known;
    const name = isInDirectory ? `./${baseName(visit.path)}` : visit.path;
    const directory = isInDirectory
      ? visit.path.slice(0, -baseName(visit.path).length).replace(/\/$/, '') || '.'
      : undefined;
    throw new CommandNeeded(
      words.map((word) => word.replaceAll('{}', name)),
      directory,
    );
  }

  /** What an expression does is done once, although it is evaluated again after each command. */
  private once(act: () => boolean): boolean {
    const known = this.state.results[this.resultAt++];
    if (known !== undefined) return known;
    const result = act();
    this.state.results.push(result);
    return result;
  }

  private test(test: Extract<Expression, { type: 'test' }>, visit: Visit, stat: FileStat): boolean {
    const { sys, state, tool } = this;
    const { name, text, number, sign } = test;
    const compare = (value: number) =>
      sign === '+' ? value > number : sign === '-' ? value < number : value === number;
    const age = (at: number, unit: number) => Math.floor((sys.now - at) / unit);
    switch (name) {
      case '-true':
        return true;
      case '-false':
        return false;
      case '-name':
        return matchesGlob(text, baseName(visit.path));
      case '-iname':
        return matchesGlob(text, baseName(visit.path), true);
      case '-path':
      case '-wholename':
        return matchesGlob(text, visit.path);
      case '-ipath':
        return matchesGlob(text, visit.path, true);
      case '-regex':
      case '-iregex':
        return compileRegex(`^\\(${text}\\)$`, 'basic', { ignoreCase: name === '-iregex' }).test(visit.path);
      case '-lname':
        return stat.type === 'link' && matchesGlob(text, sys.readLink(visit.path));
      case '-type':
        return text.split(',').some((letter) => TYPE_OF[letter] === stat.type);
      case '-xtype':
        return text.split(',').some((letter) => TYPE_OF[letter] === followedType(sys, visit.path, stat));
      case '-size': {
        const unit = { c: 1, w: 2, b: 512, k: 1_024, M: 1_048_576, G: 1_073_741_824 }[text]!;
        return compare(Math.ceil(stat.size / unit));
      }
      case '-empty':
        return stat.type === 'directory'
          ? sys.readDirectory(visit.path).length === 0
          : stat.type === 'file' && stat.size === 0;
      case '-perm':
        return hasMode(text, stat);
      case '-user':
      case '-uid':
        return compare(stat.user);
      case '-group':
      case '-gid':
        return compare(stat.group);
      case '-nouser':
        return !this.accounts().users.some(({ id }) => id === stat.user);
      case '-nogroup':
        return !this.accounts().groups.some(({ id }) => id === stat.group);
      case '-links':
        return compare(stat.links);
      case '-inum':
        return compare(stat.inode);
      case '-samefile':
        return sys.stat(text).inode === stat.inode;
      case '-fstype':
        return sys.statFileSystem(visit.path).type === text;
      case '-newer':
        return stat.modified > number;
      case '-mtime':
        return compare(age(stat.modified, 86_400_000));
      case '-atime':
        return compare(age(stat.accessed, 86_400_000));
      case '-ctime':
        return compare(age(stat.changed, 86_400_000));
      case '-mmin':
        return compare(age(stat.modified, 60_000) + (sign === '' ? 1 : 0));
      case '-amin':
        return compare(age(stat.accessed, 60_000) + (sign === '' ? 1 : 0));
      case '-cmin':
        return compare(age(stat.changed, 60_000) + (sign === '' ? 1 : 0));
      case '-readable':
      case '-writable':
      case '-executable':
        return sys.access(visit.path, { a: 'r', r: 'w', x: 'x' }[name[2]!] ?? name[1]!);
      case '-prune':
        this.isPruned = true;
        return true;
      case '-quit':
        state.isQuitting = true;
        return true;
      case '-delete':
        return this.once(() => this.remove(visit, stat));
      default:
        return this.once(() => {
          tool.out(this.describe(name, text, visit, stat));
          return true;
        });
    }
  }

  private accounts(): Names {
    return (this.names ??= readNames(this.sys));
  }

  private remove(visit: Visit, stat: FileStat): boolean {
    if (visit.path === '.' || visit.path === './') return true;
    try {
      if (stat.type === 'directory') this.sys.removeDirectory(visit.path);
      else this.sys.unlink(visit.path);
      return true;
    } catch (error) {
      this.tool.warn(`cannot delete ${quoteName(visit.path)}: ${strerror(error)}`);
      this.state.failure = 1;
      return false;
    }
  }

  private describe(name: string, text: Bytes, visit: Visit, stat: FileStat): Bytes {
    if (name === '-print') return `${visit.path}\n`;
    if (name === '-print0') return `${visit.path}\0`;
    const names = this.accounts();
    if (name === '-ls') {
      const time = formatListTime(stat.modified, this.sys.now, 'locale', 'gnu');
      const columns = [
        String(stat.inode).padStart(9),
        String(stat.blocks / 2).padStart(6),
        modeLetters(stat.type, stat.mode),
      ];
      const owner = [
        String(stat.links).padStart(3),
        userName(names, stat.user).padEnd(8),
        groupName(names, stat.group).padEnd(8),
      ];
      return `${[...columns, ...owner, String(stat.size).padStart(8), time, visit.path].join(' ')}\n`;
    }
    return this.format(text, visit, stat);
  }

  private format(format: Bytes, visit: Visit, stat: FileStat): Bytes {
    const names = this.accounts();
    const parent = visit.path.includes('/') ? visit.path.replace(/\/[^/]*$/, '') : '.';
    const letter = { file: 'f', directory: 'd', link: 'l', fifo: 'p', socket: 's', char: 'c', block: 'b' }[stat.type];
    const values: Readonly<Record<string, () => Bytes>> = {
      p: () => visit.path,
      f: () => baseName(visit.path),
      h: () => parent,
      P: () => (visit.path === visit.root ? '' : visit.path.slice(visit.root.length).replace(/^\//, '')),
      H: () => visit.root,
      s: () => String(stat.size),
      b: () => String(stat.blocks),
      k: () => String(Math.ceil(stat.blocks / 2)),
      m: () => stat.mode.toString(8),
      M: () => modeLetters(stat.type, stat.mode),
      u: () => userName(names, stat.user),
      U: () => String(stat.user),
      g: () => groupName(names, stat.group),
      G: () => String(stat.group),
      y: () => letter,
      d: () => String(visit.depth),
      i: () => String(stat.inode),
      n: () => String(stat.links),
      l: () => (stat.type === 'link' ? this.sys.readLink(visit.path) : ''),
      t: () => formatDate('%a %b %e %H:%M:%S.%N0 %Y', stat.modified),
    };
    const filled = unescapeBytes(format, true).bytes.replace(
      /%([-0]?)(\d*)(T[@a-zA-Z+]|[a-zA-Z%])/g,
      (whole, flag: string, width: string, code: string) => {
        if (code === '%') return '%';
        if (code === 'T@') return `${(stat.modified / 1_000).toFixed(3)}0000000`;
        if (code.startsWith('T') && code.length === 2)
          return code === 'T+' ? formatDate('%F+%T.%N0', stat.modified) : formatDate(`%${code[1]}`, stat.modified);
        const value = values[code]?.();
        if (value === undefined) return whole;
        return flag === '-' ? value.padEnd(Number(width || 0)) : value.padStart(Number(width || 0));
      },
    );
    return filled;
  }
}

const baseName = (path: Bytes) => (/^\/+$/.test(path) ? '/' : path.replace(/\/$/, '').replace(/^.*\//s, ''));

function followedType(sys: Syscalls, path: Bytes, stat: FileStat): string {
  if (stat.type !== 'link') return stat.type;
  try {
    return sys.stat(path).type;
  } catch (error) {
    strerror(error);
    return 'link';
  }
}

/** `mode` exactly, `-mode` all of its bits, `/mode` any of them. */
function hasMode(text: Bytes, stat: FileStat): boolean {
  const sign = /^[-/]/.exec(text)?.[0] ?? '';
  const mode = applyMode(text.slice(sign.length), 0, stat.type === 'directory', 0) ?? 0;
  if (sign === '-') return (stat.mode & mode) === mode;
  if (sign === '/') return mode === 0 || (stat.mode & mode) !== 0;
  return stat.mode === mode;
}

function execWords(expression: Expression, id: number): readonly Bytes[] | undefined {
  if (expression.type === 'exec') return expression.id === id ? expression.words : undefined;
  if (expression.type === 'not') return execWords(expression.inner, id);
  if (expression.type === 'test') return undefined;
  return execWords(expression.left, id) ?? execWords(expression.right, id);
}
