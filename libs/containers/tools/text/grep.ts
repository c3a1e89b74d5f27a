import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { defineFilter, type FilterContext } from '../framework/filter.js';
import { splitLines } from '../format.js';
import { readSmallFile } from '../accounts.js';
import { matchesGlob } from '../patterns/glob.js';
import { parseOptions, type Options } from '../framework/options.js';
import { compileRegex, findAll, type PosixRegex, RegexFault, type Syntax } from '../patterns/posix-regex.js';
import { strerror, type Tool, ToolFailure, UsageFailure } from '../framework/tool.js';

type State = {
  patterns: Bytes[];
  syntax: Syntax;
  flags: string[];
  before: number;
  after: number;
  limit: number;
  hasNames: boolean;
  color: boolean;
  label: Bytes;
  // of the current file
  path: Bytes;
  line: number;
  offset: number;
  found: number;
  lastPrinted: number;
  afterLeft: number;
  held: [line: number, text: Bytes][];
  isBinary: boolean;
  hasPrintedGroup: boolean;
  anyFound: boolean;
  anyError: boolean;
};

const OPTIONS = [
  ...[
    'E,extended-regexp',
    'F,fixed-strings',
    'G,basic-regexp',
    'P,perl-regexp',
    'e,regexp:',
    'f,file:',
    'i,y,ignore-case',
  ],
  ...[
    'no-ignore-case',
    'v,invert-match',
    'w,word-regexp',
    'x,line-regexp',
    'c,count',
    'color,colour::',
    'L,files-without-match',
  ],
  ...['l,files-with-matches', 'm,max-count:', 'o,only-matching', 'q,quiet,silent', 's,no-messages', 'b,byte-offset'],
  ...['H,with-filename', 'h,no-filename', 'label:', 'n,line-number', 'T,initial-tab', 'Z,null', 'A,after-context:'],
  ...[
    'B,before-context:',
    'C,context:',
    'a,text',
    'binary-files:',
    'I',
    'exclude:',
    'exclude-from:',
    'exclude-dir:',
    'include:',
  ],
  ...[
    'r,recursive',
    'R,dereference-recursive',
    'line-buffered',
    'U,binary',
    'z,null-data',
    'd,directories:',
    'D,devices:',
  ],
];
const SETTINGS = { usage: '[OPTION]... PATTERNS [FILE]...', usageCode: 2, version: 'grep (GNU grep) 3.8' };

const compiledOf = new WeakMap<State, PosixRegex[]>();

/** `grep`, and with another syntax `egrep` and `fgrep`. */
export const grep: Tool = makeGrep('basic');
export const egrep: Tool = makeGrep('extended');
export const fgrep: Tool = makeGrep('text');

function makeGrep(syntax: Syntax): Tool {
  return defineFilter<State>(
    {
      separator: (state) => (state.flags.includes('z') ? '\0' : '\n'),
      start: (tool) => readCommandLine(tool, syntax),
      open: (tool, state, path) => openFile(tool, state, path),
      fail(tool, state, path, error) {
        state.anyError = true;
        if (!state.flags.includes('s')) tool.warn(`${path}: ${strerror(error)}`);
        return 2;
      },
      take: (tool, state, line) => takeLine(tool, state, line),
      close: (tool, state) => closeFile(tool, state),
      end: (tool, state) => exitCode(state),
    },
    SETTINGS,
  );
}

function readCommandLine(tool: FilterContext, defaultSyntax: Syntax): { files: Bytes[]; state: State } {
  const args = tool.args.map((word) => word.replace(/^-(\d+)$/, '-C$1'));
  const options = parseOptions({ ...tool, args }, OPTIONS);
  const operands = [...options.operands];
  const given = [...options.values('e'), ...options.values('f').map((path) => readPatternFile(tool, path))];
  if (given.length === 0) {
    const first = operands.shift();
    if (first === undefined) {
      if (tool.flavour === 'gnu') tool.err(`Usage: ${tool.name} ${SETTINGS.usage}\n`);
      throw new UsageFailure('');
    }
    given.push(first);
  }
  const syntaxes: Readonly<Record<string, Syntax>> = { E: 'extended', F: 'text', G: 'basic', P: 'perl' };
  const context = (key: string) => readCount(tool, options.value(key) ?? options.value('C') ?? '0');
  const isRecursive = options.has('r', 'R');
  const listed = isRecursive ? listFiles(tool, operands, options) : operands;
  const when = options.value('color');
  const state: State = {
    patterns: given.flatMap((text) => text.split('\n')),
    syntax: syntaxes[options.last('E', 'F', 'G', 'P') ?? ''] ?? defaultSyntax,
    flags: [...'ivwxcLloqsbnZzTH'].filter((key) => options.has(key)),
    ...{
      before: context('B'),
      after: context('A'),
      limit: options.has('m') ? readCount(tool, options.value('m')!) : -1,
    },
    hasNames:
      options.last('H', 'h') === 'H' || (options.last('H', 'h') === undefined && (isRecursive || operands.length > 1)),
    color: when === 'always' || ((when === 'auto' || when === '') && tool.sys.isTerminal(1)),
    label: options.value('label') ?? '(standard input)',
    ...{ path: '', line: 0, offset: 0, found: 0, lastPrinted: 0, afterLeft: 0, held: [], isBinary: false },
    ...{ hasPrintedGroup: false, anyFound: false, anyError: false },
  };
  if (options.value('d') === 'skip') state.flags.push('skip');
  if (!options.has('a') && options.value('binary-files') !== 'text') state.flags.push('binary');
  if (isRecursive && operands.length === 1 && isFile(tool, operands[0]!) && options.last('H', 'h') === undefined)
    state.hasNames = false;
  regexesOf(state);
  if (isRecursive && listed.length === 0) return { files: ['/dev/null'], state };
  return { files: listed, state };
}

function readPatternFile(tool: FilterContext, path: Bytes): Bytes {
  if (!tool.sys.access(path, 'r')) throw new ToolFailure(`${path}: No such file or directory`, 2);
  return splitLines(readSmallFile(tool.sys, path)).join('\n');
}

function readCount(_tool: FilterContext, text: Bytes): number {
  if (!/^\d+$/.test(text)) throw new ToolFailure(`${text}: invalid context length argument`, 2);
  return Number(text);
}

function isFile(tool: FilterContext, path: Bytes): boolean {
  try {
    return tool.sys.stat(path).type !== 'directory';
  } catch (error) {
    strerror(error);
    return true;
  }
}

/** All files below, in the order of their names. */
function listFiles(tool: FilterContext, operands: readonly Bytes[], options: Options): Bytes[] {
  const { sys } = tool;
  const files: Bytes[] = [];
  const isWanted = (name: Bytes) => {
    const included = options.values('include');
    if (included.length > 0 && !included.some((glob) => matchesGlob(glob, name))) return false;
    return !options.values('exclude').some((glob) => matchesGlob(glob, name));
  };
  const visit = (path: Bytes, name: Bytes, isOperand: boolean) => {
    sys.charge(2);
    try {
      const { type } = isOperand || options.has('R') ? sys.stat(path) : sys.lstat(path);
      if (type === 'directory') {
        if (!isOperand && options.values('exclude-dir').some((glob) => matchesGlob(glob, name))) return;
        for (const child of sys.readDirectory(path)) {
          const base = path === '' ? '' : path.endsWith('/') ? path : `${path}/`;
          visit(base + child, child, false);
        }
      } else if (isOperand || (type === 'file' && isWanted(name))) files.push(path);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (isOperand) files.push(path);
    }
  };
  if (operands.length === 0) {
    for (const name of sys.readDirectory('.')) visit(name, name, false);
  } else for (const path of operands) visit(path, path, true);
  return files;
}

function regexesOf(state: State): PosixRegex[] {
  const known = compiledOf.get(state);
  if (known !== undefined) return known;
  try {
    const regexes = state.patterns.map((pattern) =>
      compileRegex(pattern, state.syntax, { ignoreCase: state.flags.includes('i') }),
    );
    compiledOf.set(state, regexes);
    return regexes;
  } catch (error) {
    if (error instanceof RegexFault) throw new ToolFailure(error.message, 2);
    throw error;
  }
}

function openFile(tool: FilterContext, state: State, path: Bytes): boolean | void {
  if (path !== '-' && tool.sys.stat(path).type === 'directory') {
    if (state.flags.includes('skip')) return false;
    tool.warn(`${path}: Is a directory`);
    state.anyError = true;
    return false;
  }
  Object.assign(state, {
    path: path === '-' ? state.label : path,
    line: 0,
    offset: 0,
    found: 0,
    lastPrinted: 0,
    afterLeft: 0,
    held: [],
    isBinary: false,
  });
}

const isWordByte = (c: string | undefined) => c !== undefined && /\w/.test(c);

/** Matches of a line that count: with -x the whole line, with -w whole words. */
function* matchesOf(state: State, line: Bytes): Generator<{ start: number; end: number }> {
  for (const regex of regexesOf(state)) {
    for (const match of findAll(regex, line)) {
      if (state.flags.includes('x') && (match.start !== 0 || match.end !== line.length)) continue;
      if (state.flags.includes('w') && (isWordByte(line[match.start - 1]) || isWordByte(line[match.end]))) continue;
      yield match;
    }
  }
}

function isMatch(state: State, line: Bytes): boolean {
  const isPlain = !state.flags.includes('x') && !state.flags.includes('w');
  const found = isPlain
    ? regexesOf(state).some((regex) => regex.test(line))
    : matchesOf(state, line).next().done !== true;
  return found !== state.flags.includes('v');
}

function takeLine(tool: FilterContext, state: State, line: Bytes): number | 'next' | undefined {
  state.line++;
  const start = state.offset;
  state.offset += line.length + 1;
  tool.sys.charge(1 + (line.length >> 3));
  if (state.flags.includes('binary') && !state.isBinary && line.includes('\0')) state.isBinary = true;
  if (!isMatch(state, line)) {
    keepContext(tool, state, line);
    return undefined;
  }
  if (state.limit === 0) return 'next';
  state.found++;
  state.anyFound = true;
  const has = (flag: string) => state.flags.includes(flag);
  if (has('q')) return 0;
  const isListing = has('l') || has('L');
  if (!isListing && !has('c')) printMatch(tool, state, line, start);
  const isEnough = isListing || state.found === state.limit;
  if (!isEnough) return undefined;
  closeFile(tool, state);
  return 'next';
}

function keepContext(tool: FilterContext, state: State, line: Bytes): void {
  if (state.afterLeft > 0) {
    state.afterLeft--;
    printLine(tool, state, state.line, line, '-');
  } else if (state.before > 0) {
    state.held.push([state.line, line]);
    if (state.held.length > state.before) state.held.shift();
  }
}

function printMatch(tool: FilterContext, state: State, line: Bytes, start: number): void {
  if (state.isBinary) {
    if (state.found === 1 || state.lastPrinted >= 0) tool.warn(`${state.path}: binary file matches`);
    state.limit = state.found;
    return;
  }
  const first = state.held[0]?.[0] ?? state.line;
  const hasContext = state.before > 0 || state.after > 0;
  if (hasContext && state.hasPrintedGroup && first > state.lastPrinted + 1) tool.out('--\n');
  if (hasContext && state.hasPrintedGroup && state.lastPrinted === 0 && first === 1) tool.out('--\n');
  for (const [number, text] of state.held) printLine(tool, state, number, text, '-');
  state.held = [];
  if (state.flags.includes('o')) printParts(tool, state, line, start);
  else printLine(tool, state, state.line, line, ':', start);
  state.afterLeft = state.after;
  state.hasPrintedGroup = true;
}

function printParts(tool: FilterContext, state: State, line: Bytes, start: number): void {
  if (state.flags.includes('v')) return;
  const matches = [...matchesOf(state, line)]
    .filter(({ start: from, end }) => end > from)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let last = 0;
  for (const match of matches) {
    if (match.start < last) continue;
    last = match.end;
    const text = line.slice(match.start, match.end);
    tool.out(
      `${prefixOf(state, state.line, ':', start + match.start)}${state.color ? `\x1b[01;31m\x1b[K${text}\x1b[m\x1b[K` : text}\n`,
    );
  }
}

function printLine(tool: FilterContext, state: State, number: number, line: Bytes, sign: ':' | '-', start = 0): void {
  state.lastPrinted = number;
  const text = state.color && sign === ':' && !state.flags.includes('v') ? colorMatches(state, line) : line;
  tool.out(`${prefixOf(state, number, sign, start)}${text}${state.flags.includes('z') ? '\0' : '\n'}`);
}

function colorMatches(state: State, line: Bytes): Bytes {
  let text = '';
  let at = 0;
  for (const { start, end } of matchesOf(state, line)) {
    if (end === start || start < at) continue;
    text += `${line.slice(at, start)}\x1b[01;31m\x1b[K${line.slice(start, end)}\x1b[m\x1b[K`;
    at = end;
  }
  return text + line.slice(at);
}

function prefixOf(state: State, number: number, sign: string, offset: number): Bytes {
  const separator = state.color ? `\x1b[36m\x1b[K${sign}\x1b[m\x1b[K` : sign;
  const paint = (text: Bytes, color: string) => (state.color ? `\x1b[${color}m\x1b[K${text}\x1b[m\x1b[K` : text);
  const name = state.hasNames ? paint(state.path, '35') + (state.flags.includes('Z') ? '\0' : separator) : '';
  const line = state.flags.includes('n') ? paint(String(number), '32') + separator : '';
  return name + line + (state.flags.includes('b') ? `${offset}${separator}` : '');
}

function closeFile(tool: FilterContext, state: State): undefined {
  const has = (flag: string) => state.flags.includes(flag);
  const ending = has('Z') ? '\0' : '\n';
  if (has('c') && !has('l') && !has('L'))
    tool.out(`${state.hasNames ? `${state.path}${has('Z') ? '\0' : ':'}` : ''}${state.found}\n`);
  if (has('l') && state.found > 0) tool.out(state.path + ending);
  if (has('L') && state.found === 0) tool.out(state.path + ending);
  return undefined;
}

function exitCode(state: State): number {
  if (state.anyError && !(state.flags.includes('q') && state.anyFound)) return 2;
  return state.anyFound ? 0 : 1;
}
