import { replaceLines } from '../core/buffer.js';
import { lineOf, moveCursor, type ViState } from './state.js';

const MAX_LINE = 1 << 20;

/** A key in insert or replace mode. */
export function insertKey(state: ViState, key: string): void {
  if (state.isLiteral) {
    state.isLiteral = false;
    return insertText(state, key === '\n' ? '\0' : key);
  }
  switch (key) {
    case '\x1b':
    case '\x03':
      return leaveInsert(state);
    case '\x16':
      state.isLiteral = true;
      return;
    case '\r':
    case '\n':
      return breakLine(state);
    case '\b':
    case '\x7f':
      return eraseBefore(state, 1);
    case '\x17':
      return eraseBefore(state, wordBefore(lineOf(state), state.at));
    case '\x15':
      return eraseBefore(state, Math.max(1, state.at));
    case '\x14':
      return shiftHere(state, 1);
    case '\x04':
      return shiftHere(state, -1);
    case '<delete>':
      return eraseHere(state);
    case '<left>':
      return moveCursor(state, state.line, state.at - 1);
    case '<right>':
      return moveCursor(state, state.line, state.at + 1);
    case '<up>':
      return moveCursor(state, state.line - 1, state.at);
    case '<down>':
      return moveCursor(state, state.line + 1, state.at);
    case '<home>':
      return moveCursor(state, state.line, 0);
    case '<end>':
      return moveCursor(state, state.line, lineOf(state).length);
    case '\t':
      return insertText(state, state.options.expandtab ? ' '.repeat(blanksToStop(state)) : '\t');
    default:
      if (key.length === 1 ? key >= ' ' : !key.startsWith('<') || key.length < 3) insertText(state, key);
  }
}

const blanksToStop = ({ at, options: { shiftwidth, tabstop } }: ViState): number => {
  const width = shiftwidth > 0 ? shiftwidth : tabstop;
  return width - (at % width);
};

export function insertText(state: ViState, text: string): void {
  const line = lineOf(state);
  if (line.length > MAX_LINE) return;
  const gone = state.mode === 'replace' ? text.length : 0;
  replaceLines(state.buffer, state.line, 1, [line.slice(0, state.at) + text + line.slice(state.at + gone)]);
  moveCursor(state, state.line, state.at + text.length);
}

function breakLine(state: ViState): void {
  const line = lineOf(state);
  const indent = state.options.autoindent ? /^[ \t]*/.exec(line)![0].slice(0, state.at) : '';
  const before = line.slice(0, state.at);
  replaceLines(state.buffer, state.line, 1, [
    indent !== '' && before === indent ? '' : before,
    indent + line.slice(state.at).replace(indent === '' ? /^$/ : /^[ \t]+/, ''),
  ]);
  moveCursor(state, state.line + 1, indent.length);
}

/** Characters of the word before a place, and of the blanks behind it. */
function wordBefore(line: string, at: number): number {
  let from = at;
  while (from > 0 && /\s/.test(line[from - 1]!)) from--;
  const isWord = /\w/.test(line[from - 1] ?? '');
  while (from > 0 && !/\s/.test(line[from - 1]!) && /\w/.test(line[from - 1]!) === isWord) from--;
  return Math.max(1, at - from);
}

function eraseBefore(state: ViState, count: number): void {
  const { line, at } = state;
  const text = lineOf(state);
  if (state.mode === 'replace') return moveCursor(state, line, at - count);
  if (at > 0) {
    const from = Math.max(0, at - count);
    replaceLines(state.buffer, line, 1, [text.slice(0, from) + text.slice(at)]);
    return moveCursor(state, line, from);
  }
  if (line === 0) return;
  const before = state.buffer.lines[line - 1]!;
  replaceLines(state.buffer, line - 1, 2, [before + text]);
  moveCursor(state, line - 1, before.length);
}

function eraseHere(state: ViState): void {
  const text = lineOf(state);
  replaceLines(state.buffer, state.line, 1, [text.slice(0, state.at) + text.slice(state.at + 1)]);
}

function shiftHere(state: ViState, sign: number): void {
  const text = lineOf(state);
  const { shiftwidth, expandtab } = state.options;
  const unit = expandtab || shiftwidth % state.options.tabstop !== 0 ? ' '.repeat(shiftwidth) : '\t';
  const blank = /^[ \t]*/.exec(text)![0];
  const shifted = sign > 0 ? unit + text : text.slice(Math.min(blank.length, unit.length));
  replaceLines(state.buffer, state.line, 1, [shifted]);
  moveCursor(state, state.line, Math.max(0, state.at + shifted.length - text.length));
}

/** Escape: what was counted is typed so many times, and the cursor goes back by one. */
function leaveInsert(state: ViState): void {
  const keys = state.insertKeys;
  const times = Math.min(state.insertCount, 1_000, Math.floor(100_000 / (keys.length + 1)));
  state.insertCount = 1;
  state.insertKeys = [];
  for (let i = 1; i < times; i++) {
    if (state.isOpening) {
      moveCursor(state, state.line, lineOf(state).length);
      breakLine(state);
    }
    for (const key of keys) insertKey(state, key);
  }
  state.mode = 'normal';
  state.message = '';
  const line = lineOf(state);
  if (state.options.autoindent && line !== '' && line.trim() === '' && keys.at(-1) === '\r') {
    replaceLines(state.buffer, state.line, 1, ['']);
  }
  moveCursor(state, state.line, state.at - 1);
}
