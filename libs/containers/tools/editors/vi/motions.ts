import { columnOf, indexAt } from '../core/text.js';
import { findPattern } from './search.js';
import { lineOf, type Target, type ViState } from './state.js';

export interface Motion {
  readonly name: string;
  readonly argument: string;
  readonly count: number | undefined;
}

/** Keys of motions; those of the second list take a character. */
export const MOTION_KEYS = new Set([
  ...[
    'h',
    'j',
    'k',
    'l',
    ' ',
    '0',
    '^',
    '$',
    '|',
    'w',
    'W',
    'b',
    'B',
    'e',
    'E',
    'G',
    'H',
    'M',
    'L',
    'n',
    'N',
    '*',
    '#',
  ],
  ...[';', ',', '%', '+', '-', '_', '\r', '\n', '{', '}', '\b', '\x7f', 'gg', 'ge'],
  ...['<up>', '<down>', '<left>', '<right>', '<home>', '<end>', '\x0e', '\x10', '<ctrl-left>', '<ctrl-right>'],
]);
export const CHARACTER_MOTIONS = new Set(['f', 'F', 't', 'T', "'", '`']);
const ALIASES: Readonly<Record<string, string>> = {
  ...{ '<up>': 'k', '<down>': 'j', '<left>': 'h', '<right>': 'l', '<home>': '0', '<end>': '$', ' ': 'l' },
  ...{ '\b': 'h', '\x7f': 'h', '\x0e': 'j', '\x10': 'k', '\r': '+', '\n': '+' },
  ...{ '<ctrl-left>': 'b', '<ctrl-right>': 'w' },
};

const firstNonBlank = (line: string): number => Math.max(0, line.search(/\S|$/));

/** Undefined: it leads nowhere. */
export function runMotion(state: ViState, motion: Motion): Target | undefined {
  const name = ALIASES[motion.name] ?? motion.name;
  const count = Math.min(motion.count ?? 1, 100_000);
  return (
    moveInLine(state, name, count, motion.argument) ??
    moveByLines(state, name, count, motion) ??
    moveByWords(state, name, count) ??
    moveBySearch(state, name, count)
  );
}

function moveInLine(state: ViState, name: string, count: number, argument: string): Target | undefined {
  const { line, at } = state;
  const text = lineOf(state);
  switch (name) {
    case 'h':
      return at === 0 ? undefined : { line, at: Math.max(0, at - count) };
    case 'l':
      return at >= text.length ? undefined : { line, at: Math.min(text.length, at + count) };
    case '0':
      return { line, at: 0 };
    case '^':
      return { line, at: firstNonBlank(text) };
    case '|':
      return { line, at: Math.min(text.length, indexAt(text, count - 1, state.options.tabstop)) };
    case '$': {
      const last = Math.min(line + count - 1, state.buffer.lines.length - 1);
      return { line: last, at: Math.max(0, state.buffer.lines[last]!.length - 1), isInclusive: true };
    }
    case '%':
      return matchBracket(state);
    case ';':
    case ',': {
      const { key, character } = state.find;
      if (key === '') return undefined;
      const isSame = name === ';';
      const other = key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
      return findCharacter(state, isSame ? key : other, character, count, true);
    }
    case 'f':
    case 'F':
    case 't':
    case 'T':
      state.find = { key: name, character: argument };
      return findCharacter(state, name, argument, count, false);
    default:
      return undefined;
  }
}

function findCharacter(
  { line, at, buffer }: ViState,
  key: string,
  character: string,
  count: number,
  isAgain: boolean,
): Target | undefined {
  const text = buffer.lines[line]!;
  const isForward = key === 'f' || key === 't';
  const isTill = key === 't' || key === 'T';
  let place = at;
  if (isTill && isAgain && text[at + (isForward ? 1 : -1)] === character) place += isForward ? 1 : -1;
  for (let i = 0; i < count; i++) {
    place = isForward ? text.indexOf(character, place + 1) : place > 0 ? text.lastIndexOf(character, place - 1) : -1;
    if (place < 0) return undefined;
  }
  return { line, at: place + (isTill ? (isForward ? -1 : 1) : 0), isInclusive: isForward };
}

function moveByLines(state: ViState, name: string, count: number, motion: Motion): Target | undefined {
  const { lines } = state.buffer;
  const last = lines.length - 1;
  const toLine = (line: number): Target | undefined => {
    if (line < 0 || line > last) return undefined;
    return { line, at: firstNonBlank(lines[line]!), isLines: true };
  };
  const clamp = (line: number) => Math.max(0, Math.min(line, last));
  switch (name) {
    case 'j':
    case 'k': {
      const line = state.line + (name === 'j' ? count : -count);
      if ((name === 'j' && state.line === last) || (name === 'k' && state.line === 0)) return undefined;
      return { line: clamp(line), at: keepColumn(state, clamp(line)), isLines: true, keepsColumn: true };
    }
    case '+':
      return toLine(Math.min(last, state.line + count));
    case '-':
      return toLine(state.line - count);
    case '_':
      return toLine(clamp(state.line + count - 1));
    case 'G':
      return toLine(motion.count === undefined ? last : clamp(count - 1));
    case 'gg':
      return toLine(motion.count === undefined ? 0 : clamp(count - 1));
    case 'H':
      return toLine(clamp(state.top + count - 1));
    case 'L':
      return toLine(clamp(Math.min(last, state.top + state.rows - 2) - count + 1));
    case 'M':
      return toLine(clamp(state.top + Math.floor(Math.min(last - state.top, state.rows - 2) / 2)));
    case '{':
    case '}':
      return moveByParagraphs(state, name === '}' ? 1 : -1, count);
    case "'":
    case '`': {
      const mark = state.marks[motion.argument === "'" ? '`' : motion.argument];
      if (mark === undefined) return undefined;
      return name === "'" ? toLine(clamp(mark[0])) : { line: clamp(mark[0]), at: mark[1] };
    }
    default:
      return undefined;
  }
}

function keepColumn(state: ViState, line: number): number {
  const text = state.buffer.lines[line]!;
  if (state.want < 0) return Math.max(0, text.length - 1);
  const from = lineOf(state);
  if (state.want <= from.length && state.want >= state.at) {
    return indexAt(text, Math.max(columnOf(from, state.at, state.options.tabstop), state.want), state.options.tabstop);
  }
  return Math.min(state.want, text.length);
}

function moveByParagraphs({ line, buffer: { lines } }: ViState, step: number, count: number): Target {
  let to = line;
  for (let i = 0; i < count; i++) {
    while (to > 0 && to < lines.length - 1 && lines[to] === '') to += step;
    do to += step;
    while (to > 0 && to < lines.length - 1 && lines[to] !== '');
  }
  const place = Math.max(0, Math.min(to, lines.length - 1));
  return { line: place, at: step > 0 && place === lines.length - 1 ? lines[place]!.length : 0 };
}

export const kindOf = (character: string | undefined, isBig: boolean): number => {
  if (character === undefined || character === ' ' || character === '\t') return 0;
  if (isBig) return 1;
  return /[\w\u0080-\uffff]/.test(character) ? 1 : 2;
};

function moveByWords(state: ViState, name: string, count: number): Target | undefined {
  if (!['w', 'W', 'b', 'B', 'e', 'E', 'ge'].includes(name)) return undefined;
  const isBig = name === 'W' || name === 'B' || name === 'E';
  const step = { w: nextWord, b: previousWord, e: endOfWord, g: previousEnd }[name[0]!.toLowerCase() as 'w'];
  let place: [number, number] = [state.line, state.at];
  for (let i = 0; i < count; i++) {
    const next = step(state.buffer.lines, place, isBig);
    if (next === undefined) {
      if (i > 0 || name[0]!.toLowerCase() !== 'w') break;
      return { line: place[0], at: state.buffer.lines[place[0]]!.length };
    }
    place = next;
  }
  const isInclusive = name[0]!.toLowerCase() === 'e' || name === 'ge';
  return { line: place[0], at: place[1], isInclusive };
}

type Step = (lines: readonly string[], from: [number, number], isBig: boolean) => [number, number] | undefined;

const nextWord: Step = (lines, [line, at], isBig) => {
  const text = lines[line]!;
  const kind = kindOf(text[at], isBig);
  let i = at;
  while (i < text.length && kind !== 0 && kindOf(text[i], isBig) === kind) i++;
  while (i < text.length && kindOf(text[i], isBig) === 0) i++;
  if (i < text.length) return [line, i];
  for (let next = line + 1; next < lines.length; next++) {
    const start = lines[next]!.search(/\S/);
    if (start >= 0 || lines[next] === '') return [next, Math.max(0, start)];
  }
  return undefined;
};

const previousWord: Step = (lines, [line, at], isBig) => {
  let [row, i] = [line, at - 1];
  for (;;) {
    const text = lines[row]!;
    while (i >= 0 && kindOf(text[i], isBig) === 0) i--;
    if (i >= 0) {
      const kind = kindOf(text[i], isBig);
      while (i > 0 && kindOf(text[i - 1], isBig) === kind) i--;
      return [row, i];
    }
    if (row === 0) return line === 0 && at === 0 ? undefined : [0, 0];
    row--;
    if (lines[row] === '') return [row, 0];
    i = lines[row]!.length - 1;
  }
};

const endOfWord: Step = (lines, [line, at], isBig) => {
  let [row, i] = [line, at + 1];
  for (;;) {
    const text = lines[row]!;
    while (i < text.length && kindOf(text[i], isBig) === 0) i++;
    if (i < text.length) {
      const kind = kindOf(text[i], isBig);
      while (i + 1 < text.length && kindOf(text[i + 1], isBig) === kind) i++;
      return [row, i];
    }
    if (row === lines.length - 1) return undefined;
    [row, i] = [row + 1, 0];
  }
};

const previousEnd: Step = (lines, [line, at], isBig) => {
  let [row, i] = [line, at];
  const text = lines[row]!;
  const kind = kindOf(text[i], isBig);
  while (i >= 0 && kind !== 0 && kindOf(text[i], isBig) === kind) i--;
  for (;;) {
    while (i >= 0 && kindOf(lines[row]![i], isBig) === 0) i--;
    if (i >= 0) return [row, i];
    if (row === 0) return undefined;
    row--;
    i = lines[row]!.length - 1;
  }
};

export const PAIRS = '()[]{}';
/** Characters that a search for the other bracket looks at. */
export const MAX_SCAN = 500_000;

export function matchBracket({ line, at, buffer: { lines } }: ViState): Target | undefined {
  const text = lines[line]!;
  const first = [...text.slice(at)].findIndex((c) => PAIRS.includes(c));
  if (first < 0) return undefined;
  const open = text[at + first]!;
  const index = PAIRS.indexOf(open);
  const step = index % 2 === 0 ? 1 : -1;
  const close = PAIRS[index + step]!;
  let depth = 0;
  let [row, i] = [line, at + first];
  for (let scanned = 0; scanned < MAX_SCAN; scanned++) {
    const character = lines[row]![i];
    if (character === open) depth++;
    if (character === close && --depth === 0) return { line: row, at: i, isInclusive: true };
    i += step;
    while (i < 0 || i >= lines[row]!.length) {
      row += step;
      if (row < 0 || row >= lines.length) return undefined;
      i = step > 0 ? 0 : lines[row]!.length - 1;
      if (lines[row] !== '') break;
    }
  }
  return undefined;
}

function moveBySearch(state: ViState, name: string, count: number): Target | undefined {
  if (name === '*' || name === '#') {
    const text = lineOf(state);
    const word = /^\w+/.exec(text.slice(wordStart(text, state.at)))?.[0];
    if (word === undefined) return undefined;
    state.search = { pattern: `\\<${word}\\>`, isForward: name === '*' };
    return findPattern(state, name === '*', count);
  }
  if (name !== 'n' && name !== 'N') return undefined;
  return findPattern(state, state.search.isForward === (name === 'n'), count);
}

function wordStart(text: string, at: number): number {
  let i = at;
  while (i < text.length && !/\w/.test(text[i]!)) i++;
  while (i > 0 && /\w/.test(text[i - 1]!)) i--;
  return i;
}
