import type { Bytes } from '../../../engine/kernel/bytes.js';
import { readSmallFile } from '../accounts.js';
import { defineFilter, type FilterContext } from '../filter.js';
import { parseOptions } from '../options.js';
import { compileRegex, findAll, type Match, type PosixRegex, RegexFault } from '../posix-regex.js';
import { strerror, ToolFailure, UsageFailure } from '../tool.js';
import { type Address, type Command, ScriptReader } from './sed-script.js';

type State = {
  script: Bytes;
  isQuiet: boolean;
  isExtended: boolean;
  isSeparate: boolean;
  /** The suffix of the copy that -i keeps; null without -i. */
  suffix: Bytes | null;
  ending: Bytes;
  // input: the last line is known only when there is no next
  path: Bytes;
  pending: [text: Bytes, isWhole: boolean][];
  line: number;
  isLastFile: boolean;
  // the machine
  space: Bytes;
  isWhole: boolean;
  hold: Bytes;
  ranges: Record<string, number>;
  appended: [kind: string, text: Bytes][];
  /** Where an `n` or `N` goes on when the next line is there. */
  resumeAt: number;
  isJoining: boolean;
  hasSubstituted: boolean;
  files: Record<string, number>;
  result: Bytes;
  lastPattern: Bytes;
  code: number;
  missing: boolean;
};

const OPTIONS = [
  ...[
    'n,quiet,silent',
    'e,expression:',
    'f,file:',
    'E,regexp-extended',
    'r',
    'i,in-place::',
    's,separate',
    'z,null-data',
  ],
  ...['u,unbuffered', 'l,line-length:', 'b,binary', 'posix', 'follow-symlinks', 'debug', 'sandbox'],
];
/** Commands for one line. */
const MAX_STEPS = 200_000;

const scripts = new WeakMap<State, Command[]>();
const commandsOf = (state: State): Command[] => {
  const known = scripts.get(state) ?? new ScriptReader(state.script).read();
  scripts.set(state, known);
  return known;
};

export const sed = defineFilter<State>(
  {
    separator: (state) => state.ending,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const operands = [...options.operands];
      const parts = options.all.flatMap(([key, value]) =>
        key === 'e' ? [value] : key === 'f' ? [readScript(tool, value)] : [],
      );
      if (parts.length === 0) {
        const first = operands.shift();
        if (first === undefined) throw new UsageFailure('');
        parts.push(first);
      }
      const script = parts.join('\n');
      const isInPlace = options.has('i');
      if (isInPlace && operands.length === 0) throw new ToolFailure('no input files');
      const state: State = {
        script,
        isQuiet: options.has('n') || script.startsWith('#n\n'),
        isExtended: options.has('E', 'r'),
        isSeparate: isInPlace || options.has('s'),
        suffix: isInPlace ? options.value('i')! : null,
        ending: options.has('z') ? '\0' : '\n',
        ...{
          path: '',
          pending: [],
          line: 0,
          isLastFile: operands.length <= 1,
          space: '',
          isWhole: true,
          hold: '',
          ranges: {},
        },
        ...{
          appended: [],
          resumeAt: -1,
          isJoining: false,
          hasSubstituted: false,
          files: {},
          result: '',
          lastPattern: '',
        },
        ...{ code: 0, missing: false },
      };
      checkPatterns(state);
      return { files: operands, state };
    },
    open(tool, state, path, index) {
      if (path !== '-' && tool.sys.stat(path).type === 'directory') {
        const message =
          state.suffix === null ? `read error on ${path}: Is a directory` : `couldn't edit ${path}: not a regular file`;
        tool.warn(message);
        state.missing = true;
        return false;
      }
      state.path = path;
      if (state.isSeparate && index > 0) state.line = 0;
      state.result = '';
    },
    fail(tool, state, path, error) {
      tool.warn(tool.flavour === 'gnu' ? `can't read ${path}: ${strerror(error)}` : `${path}: ${strerror(error)}`);
      state.missing = true;
      return 2;
    },
    take(tool, state, line, isWhole) {
      state.pending.push([line, isWhole]);
      // The last line is only known by the next one.
      if (state.pending.length < 2 && asksForLast(state)) return undefined;
      return runLine(tool, state, false);
    },
    close(tool, state) {
      if (!state.isSeparate) return undefined;
      const code = state.pending.length > 0 ? runLine(tool, state, true) : finishWaiting(tool, state);
      writeBack(tool, state);
      return code;
    },
    end(tool, state) {
      const code = state.pending.length > 0 ? runLine(tool, state, true) : finishWaiting(tool, state);
      return code ?? (state.missing ? 2 : state.code);
    },
  },
  { usage: '[OPTION]... {script-only-if-no-other-script} [input-file]...', version: 'sed (GNU sed) 4.9' },
);

const asksForLast = (state: State) =>
  commandsOf(state).some(({ from, to }) => from?.type === 'last' || to?.type === 'last');

function readScript(tool: FilterContext, path: Bytes): Bytes {
  if (!tool.sys.access(path, 'r')) throw new ToolFailure(`couldn't open file ${path}: No such file or directory`);
  return readSmallFile(tool.sys, path).replace(/\n$/, '');
}

function checkPatterns(state: State): void {
  for (const command of commandsOf(state)) {
    if (command.name === 's' && command.pattern !== '') {
      const regex = regexOf(state, command.pattern, command.flags);
      const most = Math.max(0, ...[...command.other.matchAll(/\\(\d)/g)].map(([, digit]) => Number(digit)));
      if (most > regex.groupCount) {
        throw new ToolFailure(
          `-e expression #1, char ${state.script.length}: invalid reference \\${most} on \`s' command's RHS`,
        );
      }
    }
    for (const address of [command.from, command.to]) {
      if (address?.type === 'regex' && address.pattern !== '')
        regexOf(state, address.pattern, address.ignoreCase ? 'i' : '');
    }
  }
}

function regexOf(state: State, pattern: Bytes, flags: string): PosixRegex {
  const text = pattern === '' ? state.lastPattern : pattern;
  if (text === '') throw new ToolFailure(`-e expression #1, char 0: no previous regular expression`);
  state.lastPattern = text;
  try {
    const settings = { ignoreCase: flags.includes('i'), multiline: flags.includes('M') };
    return compileRegex(text, state.isExtended ? 'extended' : 'basic', settings);
  } catch (error) {
    if (error instanceof RegexFault)
      throw new ToolFailure(`-e expression #1, char ${state.script.length}: ${error.message}`);
    throw error;
  }
}

const emit = (tool: FilterContext, state: State, text: Bytes) => {
  if (state.suffix === null) tool.out(text);
  else state.result += text;
};

function printSpace(tool: FilterContext, state: State): void {
  emit(tool, state, state.space + (state.isWhole ? state.ending : ''));
}

/** At the end of a line's cycle: what a and r queued. */
function flushAppended(tool: FilterContext, state: State): void {
  if (state.appended.length > 0 && !state.isWhole) emit(tool, state, '\n');
  for (const [kind, text] of state.appended) {
    emit(tool, state, kind === 'text' ? text : readSmallFile(tool.sys, text === '/dev/stdin' ? '/dev/null' : text));
  }
  state.appended = [];
}

/** Takes the next line and runs the script on it, or goes on where it waited for it. */
function runLine(tool: FilterContext, state: State, isLast: boolean): number | undefined {
  const [line, isWhole] = state.pending.shift()!;
  state.line++;
  state.isWhole = isWhole;
  state.space = state.isJoining ? `${state.space}\n${line}` : line;
  const start = state.resumeAt < 0 ? 0 : state.resumeAt;
  if (state.resumeAt < 0) state.hasSubstituted = false;
  state.resumeAt = -1;
  state.isJoining = false;
  return new Run(tool, state, isLast).run(start);
}

/** The script waits for a line that does not come: GNU prints the pattern space (not with POSIX' N). */
function finishWaiting(tool: FilterContext, state: State): number | undefined {
  if (state.resumeAt < 0) return undefined;
  state.resumeAt = -1;
  if (state.isJoining && !state.isQuiet) printSpace(tool, state);
  state.isJoining = false;
  flushAppended(tool, state);
  return undefined;
}

function writeBack(tool: FilterContext, state: State): void {
  const { sys } = tool;
  if (state.suffix === null) return;
  const { mode } = sys.stat(state.path);
  if (state.suffix !== '')
    sys.rename(
      state.path,
      state.suffix.includes('*') ? state.suffix.replaceAll('*', state.path) : state.path + state.suffix,
    );
  const descriptor = sys.open(state.path, { write: true, create: true, truncate: true }, mode);
  sys.write(descriptor, state.result);
  sys.close(descriptor);
  state.result = '';
}

class Run {
  private readonly commands: Command[];

  constructor(
    private readonly tool: FilterContext,
    private readonly state: State,
    private readonly isLast: boolean,
  ) {
    this.commands = commandsOf(state);
  }

  run(start: number): number | undefined {
    const { tool, state } = this;
    let at = start;
    for (let steps = 0; at < this.commands.length; steps++) {
      if (steps > MAX_STEPS) throw new ToolFailure('the script does not end for this line');
      const command = this.commands[at]!;
      tool.sys.charge(1);
      if (!this.selects(command, at)) {
        at = command.name === '{' ? command.target + 1 : at + 1;
        continue;
      }
      const next = this.execute(command, at);
      if (typeof next === 'object') return next.code;
      at = next;
    }
    if (!state.isQuiet) printSpace(tool, state);
    flushAppended(tool, state);
    return undefined;
  }

  private matches(address: Address): boolean {
    const { state } = this;
    if (address.type === 'last') return this.isLast;
    if (address.type === 'regex')
      return regexOf(state, address.pattern, address.ignoreCase ? 'i' : '').test(state.space);
    if (address.type === 'offset') return false;
    if (address.step === undefined) return state.line === address.line;
    return address.step === 0
      ? state.line === address.line
      : state.line >= address.line && (state.line - address.line) % address.step === 0;
  }

  private selects(command: Command, index: number): boolean {
    const { from, to, isNegated } = command;
    if (from === undefined) return !isNegated;
    if (to === undefined) return this.matches(from) !== isNegated;
    return this.isInRange(from, to, index) !== isNegated;
  }

  /** `ranges` has for each open range the line where it ends, or 0 when an expression or `$` ends it. */
  private isInRange(from: Address, to: Address, index: number): boolean {
    const { ranges, line } = this.state;
    const key = String(index);
    const end = ranges[key];
    if (end === undefined) {
      const isZero = from.type === 'line' && from.line === 0 && line === 1;
      if (!isZero && !this.matches(from)) return false;
      if (to.type === 'line' && to.line > line) ranges[key] = to.line;
      else if (to.type === 'offset' && to.lines > 0) ranges[key] = line + to.lines;
      else if (to.type === 'last' || to.type === 'regex') ranges[key] = 0;
      if (isZero && to.type === 'regex' && this.matches(to)) delete ranges[key];
      return true;
    }
    if (end > 0) {
      if (line >= end) delete ranges[key];
      return line <= end;
    }
    if (this.matches(to)) delete ranges[key];
    return true;
  }

  /** The next command's index, or the end of the cycle. */
  private execute(command: Command, at: number): number | { code: number | undefined } {
    const { tool, state } = this;
    const cycle = { code: undefined };
    switch (command.name) {
      case '=':
        emit(tool, state, `${state.line}\n`);
        break;
      case 'a':
        state.appended.push(['text', command.text]);
        break;
      case 'i':
        emit(tool, state, command.text);
        break;
      case 'c':
        if (command.to === undefined || command.isNegated || state.ranges[String(at)] === undefined)
          emit(tool, state, command.text);
        flushAppended(tool, state);
        return cycle;
      case 'b':
        return command.target;
      case 't':
      case 'T': {
        const jumps = state.hasSubstituted === (command.name === 't');
        state.hasSubstituted = false;
        if (jumps) return command.target;
        break;
      }
      case 'd':
        flushAppended(tool, state);
        return cycle;
      case 'D': {
        const newline = state.space.indexOf('\n');
        if (newline < 0) {
          flushAppended(tool, state);
          return cycle;
        }
        state.space = state.space.slice(newline + 1);
        flushAppended(tool, state);
        return 0;
      }
      case 'g':
        state.space = state.hold;
        break;
      case 'G':
        this.grow(`${state.space}\n${state.hold}`);
        break;
      case 'h':
        state.hold = state.space;
        break;
      case 'H':
        this.grow(state.space);
        state.hold = `${state.hold}\n${state.space}`;
        break;
      case 'x':
        [state.space, state.hold] = [state.hold, state.space];
        break;
      case 'l':
        emit(tool, state, `${showLine(state.space)}\n`);
        break;
      case 'n':
      case 'N':
        return this.nextLine(command.name, at);
      case 'p':
        emit(tool, state, `${state.space}${state.ending}`);
        break;
      case 'P':
        emit(tool, state, `${state.space.split('\n')[0]}\n`);
        break;
      case 'q':
        if (!state.isQuiet) printSpace(tool, state);
        flushAppended(tool, state);
        return { code: command.number };
      case 'Q':
        return { code: command.number };
      case 'r':
        state.appended.push(['file', command.text]);
        break;
      case 's':
        this.substitute(command);
        break;
      case 'w':
        this.writeFile(command.text, `${state.space}\n`);
        break;
      case 'y':
        state.space = [...state.space]
          .map((c) => (command.text.includes(c) ? command.other[command.text.indexOf(c)]! : c))
          .join('');
        break;
      case 'z':
        state.space = '';
        break;
      case 'F':
        emit(tool, state, `${state.path}\n`);
        break;
    }
    return at + 1;
  }

  private grow(space: Bytes): void {
    if (space.length + this.state.hold.length > 4 << 20) throw new ToolFailure('memory exhausted', 4);
    this.state.space = space;
  }

  private nextLine(name: string, at: number): number | { code: number | undefined } {
    const { tool, state } = this;
    if (this.isLast) {
      if (!state.isQuiet) printSpace(tool, state);
      flushAppended(tool, state);
      return { code: state.isSeparate ? undefined : state.code };
    }
    if (name === 'n') {
      if (!state.isQuiet) printSpace(tool, state);
      flushAppended(tool, state);
    }
    state.isJoining = name === 'N';
    state.resumeAt = at + 1;
    return { code: undefined };
  }

  private writeFile(path: Bytes, text: Bytes): void {
    const { tool, state } = this;
    if (path === '/dev/stdout') return emit(tool, state, text);
    if (path === '/dev/stderr') return tool.err(text);
    state.files[path] ??= tool.sys.open(path, { write: true, create: true, truncate: true });
    tool.sys.write(state.files[path], text);
  }

  private substitute(command: Command): void {
    const { tool, state } = this;
    const regex = regexOf(state, command.pattern, command.flags);
    const first = Math.max(1, command.number);
    let [result, at, count] = ['', 0, 0];
    let isChanged = false;
    for (const match of findAll(regex, state.space)) {
      count++;
      if (count < first) continue;
      if (count > first && !command.flags.includes('g')) break;
      isChanged = true;
      result += state.space.slice(at, match.start) + replacement(command.other, match);
      at = match.end;
      if (result.length > 4 << 20) throw new ToolFailure('memory exhausted', 4);
    }
    if (!isChanged) return;
    state.space = result + state.space.slice(at);
    state.hasSubstituted = true;
    if (command.flags.includes('p')) emit(tool, state, `${state.space}${state.ending}`);
    if (command.flags.includes('w')) this.writeFile(command.text, `${state.space}\n`);
  }
}

/** & and \1; \n, \t; and GNU's \U \L \u \l \E. */
function replacement(template: Bytes, match: Match): Bytes {
  let text = '';
  let mode = '';
  let once = '';
  const add = (piece: Bytes) => {
    let shown = mode === 'U' ? piece.toUpperCase() : mode === 'L' ? piece.toLowerCase() : piece;
    if (once !== '' && shown !== '') {
      shown = (once === 'u' ? shown[0]!.toUpperCase() : shown[0]!.toLowerCase()) + shown.slice(1);
      once = '';
    }
    text += shown;
  };
  for (let i = 0; i < template.length; i++) {
    const c = template[i]!;
    if (c === '&') add(match.groups[0] === undefined ? '' : match.groups[0]);
    else if (c !== '\\') add(c);
    else {
      const next = template[++i] ?? '\\';
      if (/\d/.test(next)) add(match.groups[Number(next)] ?? '');
      else if (next === 'U' || next === 'L') mode = next;
      else if (next === 'E') mode = '';
      else if (next === 'u' || next === 'l') once = next;
      else add({ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[next] ?? next);
    }
  }
  return text;
}

/** The command l. */
function showLine(space: Bytes): Bytes {
  const names: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  const shown = [...space].map(
    (c) => names[c] ?? (/[ -~]/.test(c) ? c : `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  let text = '';
  let column = 0;
  for (const piece of shown) {
    if (column + piece.length > 69) {
      text += '\\\n';
      column = 0;
    }
    text += piece;
    column += piece.length;
  }
  return `${text}$`;
}
