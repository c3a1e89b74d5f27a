import { type Bytes, bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { type Wait, waitToRead, YIELD } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { Budget } from './evaluate/budget.js';
import { BUILTINS, Halt } from './evaluate/builtins.js';
import { checkNames } from './syntax/check.js';
import { Evaluator } from './evaluate/evaluate.js';
import type { Scope } from './evaluate/scope.js';
import { dump, type DumpOptions } from './values/json.js';
import { fillInput, InputNeeded, InputReader, type InputState, newInput } from './input.js';
import { HELP, JqRefusal, type JqOptions, readOptions } from './options.js';
import { parseProgram } from './syntax/parse.js';
import { PRELUDE } from './evaluate/prelude.js';
import { JsonFault, JsonReader } from './values/read-json.js';
import { type Node, SyntaxFault } from './syntax/syntax.js';
import { isTruthy, JqExhausted, JqFault, type Json } from './values/values.js';

type JqState = {
  options: JqOptions;
  input: InputState;
  /** Pieces of output that the current input has given: evaluated again from its beginning, it leaves them out. */
  emitted: number;
  /** The last output: for -e. */
  last: 'none' | 'false' | 'true';
  code: number;
  isLast: boolean;
  isColored: boolean;
};

/** Output of one evaluation before it is written. */
const MAX_OUTPUT = 256 << 10;
const MAX_FILE = 16 << 20;

/** Ends an evaluation whose output is to be written first. */
class Paused extends Error {}

/**
 * jq 1.7. A program is evaluated for one input at a time; when its output must be written first, or more input must
 * come, it is evaluated again from the beginning of that input, so that nothing but text is kept in between. Left out:
 * modules, numbers of more than 17 digits.
 */
export const jq = defineSteps<JqState>({
  start(tool) {
    try {
      return begin(tool);
    } catch (error) {
      if (!(error instanceof JqRefusal)) throw error;
      tool.err(bytesOf(error.message));
      return error.code;
    }
  },
  step(tool, state) {
    try {
      return advance(tool, state);
    } catch (error) {
      if (!(error instanceof JqExhausted) && !(error instanceof RangeError)) throw error;
      const message = error instanceof JqExhausted ? error.message : 'the program nests deeper than is simulated';
      tool.err(`jq: error: ${message}\n`);
      return 5;
    }
  },
});

function begin(tool: FilterContext): JqState | number {
  const options = readOptions(tool, (path) => readFile(tool, path));
  if (options.flags.includes('h')) tool.out(HELP);
  else if (options.flags.includes('V')) tool.out('jq-1.7.1\n');
  else if (options.flags.includes('build-configuration')) tool.out('--with-oniguruma=builtin\n');
  else {
    compile(options);
    const isColored =
      options.flags.includes('C') ||
      (!options.flags.includes('M') && tool.sys.isTerminal(1) && (tool.sys.env['NO_COLOR'] ?? '') === '');
    const input = newInput(options.files);
    return { options, input, emitted: 0, last: 'none', code: 0, isLast: false, isColored };
  }
  return 0;
}

function readFile({ sys }: FilterContext, path: Bytes): Bytes {
  const descriptor = sys.open(path, { read: true });
  try {
    let content = '';
    for (let bytes = sys.read(descriptor); bytes !== undefined && bytes !== ''; bytes = sys.read(descriptor)) {
      content += bytes;
      if (content.length > MAX_FILE) throw new SystemError('EFBIG');
    }
    return content;
  } finally {
    sys.close(descriptor);
  }
}

/** Programs by the options that hold them: not a part of the state, and made again when it is taken up. */
const compiled = new WeakMap<JqOptions, Node>();

function compile(options: JqOptions): Node {
  const known = compiled.get(options);
  if (known !== undefined) return known;
  const { program, named } = options;
  try {
    const node = parseProgram(program);
    const variables = ['ENV', 'ARGS', '__prog_args', ...Object.keys(named)].map((name) => `$${name}`);
    checkNames(node, new Set([...BUILTINS.keys(), ...PRELUDE.keys(), ...variables]));
    compiled.set(options, node);
    return node;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const before = program.slice(0, error.at).split('\n');
    const line = program.split('\n')[before.length - 1] ?? '';
    // jq pads the line with as many spaces as stand before the fault.
    const padding = ' '.repeat(before.at(-1)!.length);
    const where = `${error.message} at <top-level>, line ${before.length}:\n${line}${padding}`;
    throw new JqRefusal(`jq: error: ${where}\njq: 1 compile error\n`, 3);
  }
}

const parse = (json: string): Json => new JsonReader(bytesOf(json)).next()!.value;

function scopeOf({ named, positional }: JqOptions): Scope {
  const values = Object.entries(named).map(([name, json]): [string, Json] => [name, parse(json)]);
  const all = new Map<string, Json>([
    ['positional', positional.map(parse)],
    ['named', new Map(values)],
  ]);
  return [...values, ['ARGS', all] as [string, Json]].reduce<Scope>(
    (parent, [name, value]) => ({ name: `$${name}`, value, parent }),
    null,
  );
}

function advance(tool: FilterContext, state: JqState): number | Wait {
  if (state.isLast) return exitCode(state);
  const has = (flag: string) => state.options.flags.includes(flag);
  const reader = new InputReader(state.input, has('R'), has('stream'));
  try {
    const value = has('n') ? null : has('s') ? reader.slurp() : reader.next();
    if (value === undefined) return exitCode(state);
    const code = evaluateAll(tool, state, reader, value);
    if (code !== undefined) return code;
    state.isLast = has('n') || has('s');
    state.emitted = 0;
    reader.commit();
    return YIELD;
  } catch (error) {
    if (error instanceof Paused) return YIELD;
    if (error instanceof InputNeeded) return needInput(tool, state);
    if (!(error instanceof JsonFault)) throw error;
    tool.err(`jq: ${has('R') ? '' : 'parse '}error: ${error.message}\n`);
    return 2;
  }
}

function needInput(tool: FilterContext, state: JqState): Wait {
  const isThere = fillInput(state.input, tool.sys, (message) => tool.err(message));
  return isThere ? YIELD : waitToRead(state.input.descriptor);
}

/** An input, or all events of it. A number ends jq. */
function evaluateAll(tool: FilterContext, state: JqState, reader: InputReader, first: Json): number | undefined {
  const budget = new Budget();
  const node = compile(state.options);
  const scope = scopeOf(state.options);
  const output = new Output(tool, state);
  const position = state.input.filename ?? '<stdin>';
  const isNull = state.options.flags.includes('n');
  let hasRead = !isNull;
  const engine = new Evaluator(
    budget,
    {
      env: Object.fromEntries(Object.entries(tool.sys.env).map(([name, text]) => [textOf(name), textOf(text)])),
      now: tool.sys.clock / 1_000,
      filename: state.input.filename,
      line: () => reader.lines(),
      input: () => {
        hasRead = true;
        return reader.next();
      },
      say: (text) => output.say(text),
    },
    BUILTINS,
    PRELUDE,
  );
  try {
    for (let value: Json | undefined = first; value !== undefined; value = reader.hasEvents ? reader.next() : undefined)
      runOne(engine, node, scope, value, output, () => (hasRead ? `${position}:${reader.lines()}` : '<unknown>'));
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    output.say(error.message);
    return error.code & 255;
  } finally {
    tool.sys.charge(budget.work >> 3);
    tool.sys.setMemory(Math.min(budget.work * 16, 512 << 20));
  }
  return undefined;
}

function runOne(engine: Evaluator, node: Node, scope: Scope, value: Json, output: Output, where: () => string): void {
  try {
    engine.run(node, scope, value, undefined, (one) => output.print(one));
    output.end();
  } catch (error) {
    if (!(error instanceof JqFault)) throw error;
    const { value: fault } = error;
    const text = typeof fault === 'string' ? `: ${fault}` : ` (not a string): ${dump(fault)}`;
    output.fail(`jq: error (at ${where()})${text}\n`);
  }
}

/** What an evaluation prints. What an earlier one of the same input has printed is left out. */
class Output {
  private count = 0;
  private size = 0;
  private readonly dumping: DumpOptions;
  private readonly flags: ReadonlySet<string>;

  constructor(
    private readonly tool: FilterContext,
    private readonly state: JqState,
  ) {
    const { options, isColored } = state;
    this.flags = new Set(options.flags);
    const [sortsKeys, isAscii] = [this.flags.has('S'), this.flags.has('a')];
    this.dumping = { indent: options.indent, sortsKeys, isAscii, isColored };
  }

  print(value: Json): void {
    const { flags } = this;
    const isRaw = typeof value === 'string' && (flags.has('r') || flags.has('j') || flags.has('raw-output0'));
    const text =
      isRaw && !flags.has('a') ? value : dump(value, isRaw ? { ...this.dumping, isColored: false } : this.dumping);
    const end = flags.has('raw-output0') ? '\0' : flags.has('j') ? '' : '\n';
    const begin = flags.has('seq') && !isRaw ? '\x1e' : '';
    this.give(() => {
      this.tool.out(bytesOf(begin + text + end));
      this.state.last = isTruthy(value) ? 'true' : 'false';
    }, text.length);
  }

  say(text: string): void {
    this.give(() => this.tool.err(bytesOf(text)), text.length);
  }

  fail(text: string): void {
    this.give(() => this.tool.err(bytesOf(text)), 0);
    this.state.code = 5;
  }

  /** The program has ended well. */
  end(): void {
    this.state.code = 0;
  }

  private give(write: () => void, size: number): void {
    if (this.count++ < this.state.emitted) return;
    if (this.size > MAX_OUTPUT) {
      throw new Paused();
    }
    write();
    this.state.emitted++;
    this.size += size;
  }
}

function exitCode({ options, code, last, input }: JqState): number {
  if (input.failures > 0) return 2;
  if (code !== 0) return code;
  if (!options.flags.includes('e')) return 0;
  return { none: 4, false: 1, true: 0 }[last];
}
