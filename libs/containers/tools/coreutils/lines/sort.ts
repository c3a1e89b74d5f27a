import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { splitLines } from '../../format.js';
import { parseOptions, type Options, quoteName } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';
import { compareHuman, compareMonths, compareNumbers, compareVersions } from './sort-order.js';
import { writeWholeFile } from '../../whole-file.js';

const OPTIONS = [
  ...[
    'b,ignore-leading-blanks',
    'd,dictionary-order',
    'f,ignore-case',
    'g,general-numeric-sort',
    'i,ignore-nonprinting',
  ],
  ...['M,month-sort', 'h,human-numeric-sort', 'n,numeric-sort', 'R,random-sort', 'r,reverse', 'V,version-sort'],
  ...[
    'c,check::',
    'C',
    'k,key:',
    'm,merge',
    'o,output:',
    's,stable',
    't,field-separator:',
    'u,unique',
    'z,zero-terminated',
  ],
  ...['S,buffer-size:', 'T,temporary-directory:', 'parallel:'],
];
const ORDERS = 'bdfgiMhnRrV';

interface Key {
  readonly from: readonly [field: number, character: number];
  readonly to: readonly [field: number, character: number] | undefined;
  readonly flags: string;
  /** Blanks are skipped before the end's characters are counted. */
  readonly endFlags: string;
}

type Compare = (a: Bytes, b: Bytes) => number;

const compareBytes: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export const sort = defineTool(
  (tool) => {
    // `-c` takes no argument as a letter.
    const options = parseOptions(
      tool,
      OPTIONS.map((word) => (word === 'c,check::' ? 'c,check' : word)),
    );
    const extra = options.has('c', 'C') ? options.operands[1] : undefined;
    if (extra !== undefined) throw new ToolFailure(`extra operand ${quoteName(extra)} not allowed with -c`, 2);
    const ending = options.has('z') ? '\0' : '\n';
    const compare = makeOrder(tool, options);
    const lines = (options.operands.length === 0 ? ['-'] : options.operands).flatMap((path) =>
      splitLines(readOrFail(tool, path), ending),
    );
    tool.sys.charge(lines.length * 20);
    if (options.has('c', 'C')) return checkOrder(tool, options, lines, compare);
    const sorted = [...lines].sort(compare.full);
    const kept = options.has('u')
      ? sorted.filter((line, i) => i === 0 || compare.keys(sorted[i - 1]!, line) !== 0)
      : sorted;
    const text = kept.map((line) => line + ending).join('');
    const output = options.value('o');
    if (output === undefined) tool.out(text);
    else writeWholeFile(tool.sys, output, text, { mode: 0o666 });
    return 0;
  },
  { usage: '[OPTION]... [FILE]...', usageCode: 2 },
);

function readOrFail(tool: ToolContext, path: Bytes): Bytes {
  try {
    return tool.input(path);
  } catch (error) {
    const message = strerror(error);
    if (tool.flavour === 'busybox') throw new ToolFailure(`${path}: ${message}`, 2);
    const what = message === 'Is a directory' ? 'read failed' : 'cannot read';
    throw new ToolFailure(`${what}: ${path}: ${message}`, 2);
  }
}

function checkOrder(tool: ToolContext, options: Options, lines: readonly Bytes[], { keys }: { keys: Compare }): number {
  const limit = options.has('u') ? 0 : 1;
  const wrong = lines.findIndex((line, i) => i > 0 && keys(lines[i - 1]!, line) >= limit);
  if (wrong < 0) return 0;
  const path = options.operands[0] ?? '-';
  if (options.has('c')) tool.warn(`${path}:${wrong + 1}: disorder: ${lines[wrong]}`);
  return 1;
}

/** `keys` compares by the keys alone; `full` falls back to all bytes unless the sort is stable or unique. */
function makeOrder(tool: ToolContext, options: Options): { keys: Compare; full: Compare } {
  const global = [...ORDERS].filter((letter) => options.has(letter)).join('');
  const separator = options.value('t')?.replace(/^\\0$/, '\0');
  if (separator !== undefined && separator.length !== 1) {
    throw new ToolFailure(separator === '' ? 'empty tab' : `multi-character tab ${quoteName(separator)}`, 2);
  }
  const given = options.values('k').map((text) => readKey(text, global));
  const list: Key[] = given.length > 0 ? given : [{ from: [1, 0], to: undefined, flags: global, endFlags: '' }];
  const seed = tool.sys.random();
  const compares = list.map((key) => {
    const compare = compareBy(key.flags, seed);
    const cut = key.from[0] === 1 && key.from[1] === 0 && key.to === undefined ? (line: Bytes) => line : undefined;
    const keyOf = cut ?? ((line: Bytes) => cutKey(line, key, separator));
    return (a: Bytes, b: Bytes) => compare(keyOf(a), keyOf(b));
  });
  const keys: Compare = (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
  if (options.has('s', 'u')) return { keys, full: keys };
  const sign = global.includes('r') ? -1 : 1;
  return { keys, full: (a, b) => keys(a, b) || sign * compareBytes(a, b) };
}

function readKey(text: Bytes, global: string): Key {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (match === null) {
    throw new ToolFailure(`invalid number at field start: invalid count at start of ${quoteName(text)}`, 2);
  }
  const [, field, character, startFlags = '', toField, toCharacter, endFlags = ''] = match;
  if (field === '0') throw new ToolFailure(`field number is zero: invalid field specification ${quoteName(text)}`, 2);
  const own = startFlags + endFlags;
  const stray = [...own].find((letter) => !ORDERS.includes(letter));
  if (stray !== undefined)
    throw new ToolFailure(`stray character in field spec: invalid field specification ${quoteName(text)}`, 2);
  return {
    from: [Number(field), Math.max(0, Number(character ?? 1) - 1)],
    to: toField === undefined ? undefined : [Number(toField), Number(toCharacter ?? 0)],
    flags: own === '' ? global : own,
    endFlags,
  };
}

/** The key's part of a line: fields begin after a separator, or with the blanks before them. */
function cutKey(line: Bytes, key: Key, separator: Bytes | undefined): Bytes {
  let start = fieldStart(line, key.from[0], separator);
  if (key.flags.includes('b')) start = skipBlanks(line, start);
  start = Math.min(line.length, start + key.from[1]);
  if (key.to === undefined) return line.slice(start);
  const [field, character] = key.to;
  if (character === 0) {
    const next = fieldStart(line, field + 1, separator);
    const hasNext = separator !== undefined && next <= line.length && line[next - 1] === separator;
    const isInside = fieldStart(line, field, separator) < line.length;
    return line.slice(start, hasNext && isInside && next > 0 ? next - 1 : next);
  }
  let end = fieldStart(line, field, separator);
  if (key.endFlags.includes('b')) end = skipBlanks(line, end);
  return line.slice(start, end + character);
}

function fieldStart(line: Bytes, field: number, separator: Bytes | undefined): number {
  let at = 0;
  for (let i = 1; i < field && at < line.length; i++) {
    if (separator === undefined) {
      at = skipBlanks(line, at);
      while (at < line.length && !isBlank(line[at]!)) at++;
    } else {
      const next = line.indexOf(separator, at);
      if (next < 0) return line.length;
      at = next + 1;
    }
  }
  return at;
}

const isBlank = (c: string) => c === ' ' || c === '\t';

function skipBlanks(line: Bytes, at: number): number {
  let end = at;
  while (end < line.length && isBlank(line[end]!)) end++;
  return end;
}

function compareBy(flags: string, seed: number): Compare {
  const compare = pickCompare(flags, seed);
  return flags.includes('r') ? (a, b) => -compare(a, b) : compare;
}

function pickCompare(flags: string, seed: number): Compare {
  const has = (letter: string) => flags.includes(letter);
  if (has('n') || has('g')) return compareNumbers;
  if (has('h')) return compareHuman;
  if (has('M')) return compareMonths;
  if (has('R')) return compareShuffled(seed);
  const fold = (text: Bytes) => {
    let folded = has('b') ? text.slice(skipBlanks(text, 0)) : text;
    if (has('d')) folded = folded.replace(/[^a-zA-Z0-9 \t]/g, '');
    if (has('i')) folded = folded.replace(/[^ -~]/g, '');
    return has('f') ? folded.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : folded;
  };
  const base = has('V') ? compareVersions : compareBytes;
  return /[bdif]/.test(flags) ? (a, b) => base(fold(a), fold(b)) : base;
}

/** By a number of each text, for -R: equal texts stay together. */
function compareShuffled(seed: number): Compare {
  const numbers = new Map<Bytes, number>();
  const numberOf = (text: Bytes): number => {
    const known = numbers.get(text) ?? hashText(text, seed);
    numbers.set(text, known);
    return known;
  };
  return (a, b) => numberOf(a) - numberOf(b);
}

function hashText(text: Bytes, seed: number): number {
  let hash = Math.floor(seed * 2 ** 31) | 1;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0;
}
