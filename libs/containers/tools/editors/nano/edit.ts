import { beginChange, replaceLines, undoChange } from '../core/buffer.js';
import { lineOf, moveCursor, type NanoState } from './state.js';

const MAX_LINE = 1 << 20;

/** Begins a change that one undo takes back; typing on is one change. */
function begin(state: NanoState, kind: string): void {
  if (state.lastKind !== kind || kind !== 'addition') {
    beginChange(state.buffer, state.line, state.at);
    state.kinds = [...state.kinds.slice(-199), kind];
  }
}

function isRefused(state: NanoState): boolean {
  if (!state.isView) return false;
  state.message = 'Key is invalid in view mode';
  return true;
}

export function insertText(state: NanoState, text: string): void {
  const line = lineOf(state);
  if (isRefused(state) || line.length > MAX_LINE) return;
  begin(state, 'addition');
  replaceLines(state.buffer, state.line, 1, [line.slice(0, state.at) + text + line.slice(state.at)]);
  keepLastLine(state);
  moveCursor(state, state.line, state.at + text.length);
  state.lastKind = 'addition';
}

/** Nano shows an empty line behind the last newline: text that is typed there gets one of its own. */
function keepLastLine(state: NanoState): void {
  const { lines } = state.buffer;
  if (lines.at(-1) !== '') replaceLines(state.buffer, lines.length, 0, ['']);
}

export function breakLine(state: NanoState): void {
  if (isRefused(state)) return;
  const line = lineOf(state);
  const indent = state.autoindent ? /^[ \t]*/.exec(line)![0].slice(0, state.at) : '';
  begin(state, 'line break');
  replaceLines(state.buffer, state.line, 1, [line.slice(0, state.at), indent + line.slice(state.at)]);
  moveCursor(state, state.line + 1, indent.length);
}

export function deleteBefore(state: NanoState): void {
  if (state.at === 0 && state.line === 0) return;
  if (state.at === 0) moveCursor(state, state.line - 1, Infinity);
  else moveCursor(state, state.line, state.at - 1);
  deleteHere(state);
}

export function deleteHere(state: NanoState): void {
  if (isRefused(state)) return;
  const line = lineOf(state);
  const isLast = state.line === state.buffer.lines.length - 1;
  if (state.at < line.length) {
    begin(state, 'deletion');
    replaceLines(state.buffer, state.line, 1, [line.slice(0, state.at) + line.slice(state.at + 1)]);
  } else if (!isLast) {
    const isBeforeEnd = state.line === state.buffer.lines.length - 2 && line !== '';
    if (isBeforeEnd && state.buffer.lines.at(-1) === '') return;
    begin(state, 'line join');
    replaceLines(state.buffer, state.line, 2, [line + state.buffer.lines[state.line + 1]!]);
  }
}

export function cutLine(state: NanoState): void {
  if (isRefused(state)) return;
  const isLast = state.line === state.buffer.lines.length - 1;
  if (isLast && lineOf(state) === '') {
    state.message = 'Nothing was cut';
    return;
  }
  begin(state, 'cut');
  state.cutBuffer = [...(state.isCutting ? state.cutBuffer : []), lineOf(state)];
  replaceLines(state.buffer, state.line, 1, isLast ? [''] : []);
  moveCursor(state, state.line, 0);
  state.isCutting = true;
}

export function copyLine(state: NanoState): void {
  state.cutBuffer = [...(state.isCutting ? state.cutBuffer : []), lineOf(state)];
  moveCursor(state, state.line + 1, 0);
  state.isCutting = true;
}

export function pasteLines(state: NanoState): void {
  if (isRefused(state)) return;
  if (state.cutBuffer.length === 0) {
    state.message = 'Cutbuffer is empty';
    return;
  }
  begin(state, 'paste');
  const line = lineOf(state);
  const [first = '', ...rest] = [...state.cutBuffer, ''];
  const lines = [line.slice(0, state.at) + first, ...rest];
  lines[lines.length - 1] += line.slice(state.at);
  replaceLines(state.buffer, state.line, 1, lines);
  moveCursor(state, state.line + rest.length, 0);
}

export function takeBack(state: NanoState, direction: 'undo' | 'redo'): void {
  const change = undoChange(state.buffer, direction);
  if (change === undefined) {
    state.message = `Nothing to ${direction}`;
    return;
  }
  const depth = state.buffer.undo.length - (direction === 'undo' ? 0 : 1);
  moveCursor(state, change.line, change.column);
  state.message = `${direction === 'undo' ? 'Undid' : 'Redid'} ${state.kinds[depth] ?? 'change'}`;
}

/** The next occurrence, around the end; nano looks for plain text in any case. */
export function findNext(state: NanoState, includesHere = false): boolean {
  const wanted = state.search.toLowerCase();
  const { lines } = state.buffer;
  for (let i = 0; i <= lines.length; i++) {
    const line = (state.line + (state.isBackward ? lines.length * 2 - i : i)) % lines.length;
    const text = lines[line]!.toLowerCase();
    const from = state.at + (includesHere ? 0 : 1);
    const at = state.isBackward
      ? findBefore(text, wanted, i === 0 ? state.at : Infinity)
      : text.indexOf(wanted, i === 0 ? from : 0);
    if (at < 0) continue;
    const isSame = line === state.line && at === state.at;
    const hasWrapped = state.isBackward ? line > state.line : line < state.line || (i > 0 && line === state.line);
    if (isSame && !includesHere) state.message = 'This is the only occurrence';
    else if (hasWrapped) state.message = 'Search Wrapped';
    moveCursor(state, line, at);
    return true;
  }
  state.message = `"${state.search}" not found`;
  return false;
}

const findBefore = (text: string, wanted: string, before: number): number =>
  before <= 0 ? -1 : text.lastIndexOf(wanted, before - 1);

/** Replaces the occurrence at the cursor. */
export function replaceHere(state: NanoState): void {
  if (isRefused(state)) return;
  begin(state, 'replacement');
  const line = lineOf(state);
  const text = line.slice(0, state.at) + state.replacement + line.slice(state.at + state.search.length);
  replaceLines(state.buffer, state.line, 1, [text]);
  moveCursor(state, state.line, state.at + state.replacement.length);
  state.replaced++;
}
