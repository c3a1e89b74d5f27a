import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { exit, type Program, type Wait, waitForChild, YIELD } from '../../../../engine/kernel/process/program.js';
import { readNames } from '../../accounts.js';
import { findCommand } from '../../framework/command.js';
import { toolContext } from '../../coreutils/time/sleep.js';
import { quoteName } from '../../framework/options.js';
import { flushOutput } from '../../framework/output.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  strerror,
  type Tool,
  type ToolContext,
  ToolFailure,
} from '../../framework/tool.js';
import { type Expression, type FindPlan, FindReader } from './expression.js';
import { baseName, type State, type Visit } from './state.js';
import { FindTests } from './tests.js';

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

class Search extends FindTests {
  protected readonly plan: FindPlan;

  constructor(state: State, tool: ToolContext) {
    super(state, tool);
    if (!state.isStarted) this.readCommandLine();
    const { flavour } = tool;
    const read = () => new FindReader(state.words, readNames(this.sys), (path) => this.timeOf(path), flavour).read();
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
}

function execWords(expression: Expression, id: number): readonly Bytes[] | undefined {
  if (expression.type === 'exec') return expression.id === id ? expression.words : undefined;
  if (expression.type === 'not') return execWords(expression.inner, id);
  if (expression.type === 'test') return undefined;
  return execWords(expression.left, id) ?? execWords(expression.right, id);
}
