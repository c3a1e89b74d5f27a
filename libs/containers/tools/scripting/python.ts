import type { Bytes } from '../../../engine/kernel/bytes.js';
import { sleepUntil } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { evaluate } from './python-expressions.js';
import { addImports, resolve, type Names } from './python-imports.js';
import {
  append,
  bytesHeld,
  isHeld,
  isTrue,
  PythonError,
  show,
  UnknownExpression,
  type Value,
} from './python-values.js';
import { waitForProgram } from './runtimes.js';
import { splitStatements } from './statements.js';

type Line = { indent: number; text: Bytes; number: number };
/** A loop under way: where it stands, and what a `for` has left. */
type Loop = { at: number; left: number[] | null };
type PythonState = {
  /** There is no program: it is read from standard input. */
  reads?: { seen: boolean };
  lines: Line[];
  at: number;
  loops: Loop[];
  variables: Record<string, Value>;
  names: Names;
  until: number;
};

/** Of Debian's package; images of Python name theirs. */
const VERSION = '3.11.2';
const MAX_LINES = 2_000;
const MAX_RANGE = 10_000;
/** What the interpreter itself takes, about. */
const INTERPRETER = 8 * 1024 * 1024;

/**
 * Python as far as the small programs of the documentation go: print, time.sleep, sys.exit, variables, if, while,
 * for in range, lists that are filled, and expressions of python-expressions.ts. Everything else ends with a traceback
 * that says so.
 * Left out: files of programs, functions, what lists hold, most of modules.
 */
export const python = defineSteps<PythonState>({
  start(tool) {
    const [option, program] = tool.args.filter((word) => word !== '-u' && word !== '-B');
    if (option === '--version' || option === '-V') {
      tool.out(`Python ${tool.sys.env['PYTHON_VERSION'] ?? VERSION}\n`);
      return 0;
    }
    if (option === '-c') {
      if (program === undefined) {
        tool.err(
          'Argument expected for the -c option\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n',
        );
        return 2;
      }
      return { lines: readLines(program), at: 0, loops: [], variables: {}, names: {}, until: 0 };
    }
    if (option === '-m') {
      tool.err(`/usr/bin/python3: No module named ${program ?? ''} (not simulated)\n`);
      return 1;
    }
    if (option !== undefined && !tool.sys.access(option, '')) {
      const path = option.startsWith('/') ? option : `${tool.sys.cwd().replace(/\/$/, '')}/${option}`;
      tool.err(`${tool.name}: can't open file '${path}': [Errno 2] No such file or directory\n`);
      return 2;
    }
    if (option === undefined)
      return { reads: { seen: false }, lines: [], at: 0, loops: [], variables: {}, names: {}, until: 0 };
    return raise(tool, 1, 'NotImplementedError: not simulated: scripts', option);
  },
  step(tool, state) {
    if (state.reads !== undefined) return waitForProgram(tool, state.reads, '');
    if (tool.sys.now < state.until) return sleepUntil(state.until);
    comeRound(state);
    const line = state.lines[state.at];
    if (line === undefined) return 0;
    try {
      const code = run(tool, state, line);
      return code ?? { type: 'yield' };
    } catch (error) {
      if (error instanceof PythonError) return raise(tool, line.number, error.message);
      if (error instanceof UnknownExpression)
        return raise(tool, line.number, `NotImplementedError: not simulated: ${line.text}`);
      throw error;
    }
  },
});

const COMPOUND = /^(if|elif|while|for) (.*)$|^else *:/;

/** Lines of one statement each; a body that stands behind its colon is a line of its own. */
function readLines(program: Bytes): Line[] {
  const lines: Line[] = [];
  for (const [i, raw] of program.split('\n').slice(0, MAX_LINES).entries()) {
    const indent = 2 * (raw.length - raw.trimStart().length);
    for (const text of splitStatements(raw)) {
      const colon = COMPOUND.test(text) ? text.search(/:( |$)/) : -1;
      const head = colon < 0 ? text : text.slice(0, colon + 1);
      lines.push({ indent, text: head, number: i + 1 });
      const body = colon < 0 ? '' : text.slice(colon + 1).trim();
      if (body !== '') lines.push({ indent: indent + 1, text: body, number: i + 1 });
    }
  }
  return lines;
}

/** Where the block of a line ends. */
function endOf({ lines }: PythonState, at: number): number {
  let end = at + 1;
  while (end < lines.length && lines[end]!.indent > lines[at]!.indent) end++;
  return end;
}

/** At the end of a loop's body its head comes again. */
function comeRound(state: PythonState): void {
  const loop = state.loops.at(-1);
  if (loop !== undefined && state.at >= endOf(state, loop.at)) state.at = loop.at;
}

const raise = ({ err }: FilterContext, line: number, message: string, file = '<string>'): number => {
  err(`Traceback (most recent call last):\n  File "${file}", line ${line}, in <module>\n${message}\n`);
  return 1;
};

/** A number: the program ends with it. */
function run(tool: FilterContext, state: PythonState, { text }: Line): number | undefined {
  const { sys } = tool;
  const { variables, names } = state;
  const scope = { variables, names, env: sys.env, now: sys.now, hostname: sys.hostname, pid: sys.pid };
  const valueOf = (expression: Bytes): Value => evaluate(expression, scope);
  const [, word, head = ''] = /^(if|elif|while|for) (.*):$/.exec(text) ?? [];
  if (word === 'if') return void choose(state, head, valueOf);
  if (word === 'elif' || text === 'else:') return void (state.at = endOf(state, state.at));
  if (word === 'while') return void loop(state, isTrue(valueOf(head)), null);
  if (word === 'for') return void countOn(state, head, valueOf);
  state.at++;
  if (text === 'pass' || addImports(text, names)) return undefined;
  if (text === 'break' || text === 'continue') return void leave(state, text === 'break');
  const [, name, sign, expression] = /^([A-Za-z_]\w*) *((?:[-+]|\*\*?|\/\/?)?)=(?!=)(.*)$/.exec(text) ?? [];
  if (name !== undefined) {
    variables[name] = valueOf(sign === '' ? expression! : `${name} ${sign} (${expression})`);
    return holdMemory(tool, state);
  }
  const [, callee, given = ''] = /^([\w.]+)\((.*)\)$/s.exec(text) ?? [];
  const [, list] = /^(\w+)\.append$/.exec(callee ?? '') ?? [];
  const filled = list === undefined ? undefined : variables[list];
  if (filled !== undefined && isHeld(filled)) {
    variables[list!] = append(filled, valueOf(given));
    return holdMemory(tool, state);
  }
  const called = callee === undefined ? undefined : resolve(callee, names);
  if (called === 'print') return void print(tool, given, valueOf);
  if (called === 'time.sleep') {
    state.until = tool.sys.now + Number(valueOf(given)) * 1_000;
    return undefined;
  }
  if (called === 'sys.exit' || called === 'exit' || called === 'quit') return exitWith(tool, given && valueOf(given));
  throw new UnknownExpression(text);
}

/** What is in variables counts as the process' memory. */
function holdMemory({ sys }: FilterContext, { variables }: PythonState): undefined {
  sys.setMemory(Object.values(variables).reduce<number>((sum, value) => sum + bytesHeld(value), INTERPRETER));
}

function exitWith(tool: FilterContext, value: Value): number {
  if (value === '' || value === null) return 0;
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value) & 255;
  tool.err(`${value}\n`);
  return 1;
}

/** The first branch whose condition holds. */
function choose(state: PythonState, condition: Bytes, valueOf: (text: Bytes) => Value): void {
  const { indent } = state.lines[state.at]!;
  for (let next: Bytes | undefined = condition; next !== undefined;) {
    if (isTrue(valueOf(next))) {
      state.at++;
      return;
    }
    state.at = endOf(state, state.at);
    const line = state.lines[state.at];
    if (line?.indent !== indent) return;
    if (line.text === 'else:') {
      state.at++;
      return;
    }
    next = /^elif (.*):$/.exec(line.text)?.[1];
  }
}

function loop(state: PythonState, goesOn: boolean, left: number[] | null): void {
  const isUnderWay = state.loops.at(-1)?.at === state.at;
  if (goesOn && !isUnderWay) state.loops.push({ at: state.at, left });
  if (!goesOn && isUnderWay) state.loops.pop();
  state.at = goesOn ? state.at + 1 : endOf(state, state.at);
}

function countOn(state: PythonState, head: Bytes, valueOf: (text: Bytes) => Value): void {
  const [, name, given] = /^(\w+) in range\((.*)\)$/.exec(head) ?? [];
  if (name === undefined) throw new UnknownExpression(head);
  const under = state.loops.at(-1);
  const left = under?.at === state.at ? under.left! : rangeOf(given!.split(',').map((text) => Number(valueOf(text))));
  const next = left.shift();
  if (next !== undefined) state.variables[name] = next;
  loop(state, next !== undefined, left);
}

function rangeOf(given: readonly number[]): number[] {
  const [from, to, step = 1] = given.length === 1 ? [0, given[0]!] : (given as [number, number, number?]);
  const count = Math.max(0, Math.ceil((to - from) / step));
  return Array.from({ length: Math.min(count, MAX_RANGE) }, (_, i) => from + i * step);
}

function leave(state: PythonState, isBreak: boolean): void {
  const under = state.loops.at(-1);
  if (under === undefined) throw new PythonError(`SyntaxError: '${isBreak ? 'break' : 'continue'}' outside loop`);
  state.at = isBreak ? endOf(state, under.at) : under.at;
  if (isBreak) state.loops.pop();
}

function print(tool: FilterContext, given: Bytes, valueOf: (text: Bytes) => Value): void {
  const words = splitArguments(given);
  const isOption = (word: Bytes): boolean => /^(?:flush|end|sep|file) *=/.test(word);
  const end = words.find((word) => /^end *=/.test(word));
  const texts = words.filter((word) => !isOption(word)).map((word) => show(valueOf(word)));
  tool.out(texts.join(' ') + (end === undefined ? '\n' : show(valueOf(end.replace(/^end *= */, '')))));
}

/** Splits at commas that stand outside of quotes and parentheses. */
function splitArguments(text: Bytes): Bytes[] {
  const parts: Bytes[] = [''];
  let quote = '';
  let depth = 0;
  for (const c of text) {
    if (quote !== '') quote = c === quote ? '' : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === ',' && depth === 0) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
