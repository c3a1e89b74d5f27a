import type { Frame } from '../core/screen.js';
import { INVERSE, PLAIN } from '../core/screen.js';
import { columnOf, expandLine } from '../core/text.js';
import { lineOf, moveCursor, type ViState } from './state.js';

const RULER = 18;

/** Columns that line numbers take. */
function gutterOf({ options, buffer }: ViState): number {
  if (!options.number && !options.relativenumber) return 0;
  return Math.max(3, String(buffer.lines.length).length) + 1;
}

const expand = (state: ViState, line: string): string =>
  state.options.list ? `${expandList(line)}$` : expandLine(line, state.options.tabstop);

const expandList = (line: string): string => expandLine(line.replaceAll('\t', '^I'));

/** Rows of the screen that a line takes: busybox cuts lines, vim wraps them. */
function heightOf(state: ViState, line: number): number {
  if (state.isBusybox) return 1;
  const width = Math.max(1, state.columns - gutterOf(state));
  return Math.max(1, Math.ceil(expand(state, state.buffer.lines[line] ?? '').length / width));
}

/** Moves the window over the text, and the cursor with it when it would leave it. */
export function scrollBy(state: ViState, lines: number, movesCursor = false): void {
  const last = state.buffer.lines.length - 1;
  const text = Math.max(1, state.rows - 1);
  state.top = Math.max(0, Math.min(state.top + lines, last));
  if (movesCursor) return moveCursor(state, state.line + lines, state.at, true);
  if (state.line < state.top) moveCursor(state, state.top, state.at, true);
  else if (state.line > state.top + text - 1) moveCursor(state, state.top + text - 1, state.at, true);
}

/** Puts the cursor's line into the window. */
export function follow(state: ViState): void {
  const height = Math.max(1, state.rows - 1);
  if (state.isBusybox) return followLines(state, height);
  if (state.line < state.top - height || state.line > state.top + height * 2) {
    state.top = Math.max(0, state.line - Math.floor(height / 2));
  }
  state.top = Math.min(state.top, state.line);
  let used = 0;
  for (let line = state.line; line >= state.top; line--) {
    used += heightOf(state, line);
    if (used > height) {
      state.top = Math.min(line + 1, state.line);
      break;
    }
  }
}

/** Busybox goes line by line, or puts the cursor's line into the middle. Models sync_cursor. */
function followLines(state: ViState, height: number): void {
  const half = Math.floor(height / 2);
  const [above, below] = [state.top - state.line, state.line - (state.top + height - 1)];
  if (above >= half || below >= half) state.top = Math.max(0, state.line - half);
  else if (above > 0) state.top = state.line;
  else if (below > 0) state.top += below;
  const column = columnOf(lineOf(state), state.at, state.options.tabstop);
  if (column < state.left) state.left = column;
  if (column >= state.left + state.columns) state.left = column - state.columns + 1;
}

/** The screen of a vi. */
export function drawVi(state: ViState): Frame {
  follow(state);
  const height = Math.max(1, state.rows - 1);
  const rows: string[] = [];
  let row = 0;
  for (let line = state.top; rows.length < height; line++) {
    if (line === state.line) row = rows.length;
    if (line >= state.buffer.lines.length) rows.push('~');
    else if (!addLine(state, rows, line, height)) while (rows.length < height) rows.push('@');
  }
  const isPrompt = state.mode === 'prompt';
  rows.push(
    isPrompt ? state.prompt.slice(-(state.columns - 1)) : state.isBusybox ? busyboxStatus(state) : vimStatus(state),
  );
  if (isPrompt) return { rows, row: state.rows - 1, column: Math.min(state.prompt.length, state.columns - 1) };
  return { rows, ...cursorAt(state, row, height) };
}

function addLine(state: ViState, rows: string[], line: number, height: number): boolean {
  const gutter = gutterOf(state);
  const width = Math.max(1, state.columns - gutter);
  const text = expand(state, state.buffer.lines[line]!);
  if (state.isBusybox) {
    rows.push(text.slice(state.left, state.left + width));
    return true;
  }
  const needed = heightOf(state, line);
  if (rows.length + needed > height && rows.length > 0 && line !== state.line) return false;
  for (let i = 0; i < needed && rows.length < height; i++) {
    const piece = text.slice(i * width, (i + 1) * width);
    rows.push((i === 0 ? numberOf(state, line, gutter) : ' '.repeat(gutter)) + mark(state, line, piece, i * width));
  }
  return true;
}

function numberOf(state: ViState, line: number, gutter: number): string {
  if (gutter === 0) return '';
  const { number, relativenumber } = state.options;
  const isHere = line === state.line;
  const shown = relativenumber && !(number && isHere) ? Math.abs(line - state.line) : line + 1;
  return relativenumber && number && isHere
    ? `${String(shown).padEnd(gutter - 1)} `
    : `${String(shown).padStart(gutter - 1)} `;
}

/** What visual mode has selected is inverse. */
function mark(state: ViState, line: number, piece: string, from: number): string {
  if (!state.mode.startsWith('visual')) return piece;
  const [first, last] = selection(state);
  if (line < first[0] || line > last[0]) return piece;
  const text = state.buffer.lines[line]!;
  const isLines = state.mode === 'visual-line';
  const start = isLines || line > first[0] ? 0 : columnOf(text, first[1], state.options.tabstop);
  const end = isLines || line < last[0] ? Infinity : columnOf(text, last[1] + 1, state.options.tabstop);
  const [a, b] = [Math.max(0, start - from), Math.max(0, Math.min(piece.length, end - from))];
  return a >= b ? piece : `${piece.slice(0, a)}${INVERSE}${piece.slice(a, b)}${PLAIN}${piece.slice(b)}`;
}

/** Both ends of what is selected, in their order. */
export function selection({ visual, line, at }: ViState): [[number, number], [number, number]] {
  const isForward = visual[0] < line || (visual[0] === line && visual[1] <= at);
  return isForward ? [visual, [line, at]] : [[line, at], visual];
}

function cursorAt(state: ViState, row: number, height: number): { row: number; column: number } {
  const gutter = gutterOf(state);
  const width = Math.max(1, state.columns - gutter);
  const text = lineOf(state);
  const isInserting = state.mode === 'insert' || state.mode === 'replace';
  let column = columnOf(text, state.at, state.options.tabstop);
  // In normal mode the cursor stands on the last cell of a tab.
  if (!isInserting && text[state.at] === '\t') column = columnOf(text, state.at + 1, state.options.tabstop) - 1;
  if (state.isBusybox) return { row, column: Math.max(0, Math.min(column - state.left, state.columns - 1)) };
  return { row: Math.min(height - 1, row + Math.floor(column / width)), column: gutter + (column % width) };
}

function busyboxStatus(state: ViState): string {
  if (state.message !== '') return state.message.slice(0, state.columns - 1);
  return editStatus(state).slice(0, state.columns - 1);
}

/** Models format_edit_status of busybox' vi. */
export function editStatus(state: ViState): string {
  const total = state.buffer.lines.length;
  const mode = state.mode === 'insert' ? 'I' : state.mode === 'replace' ? 'R' : '-';
  const name = state.path === '' ? 'No file' : state.path;
  const notes = (state.isReadonly ? ' [Readonly]' : '') + (state.buffer.changes !== 0 ? ' [Modified]' : '');
  return `${mode} ${name}${notes} ${state.line + 1}/${total} ${Math.floor(((state.line + 1) * 100) / total)}%`;
}

const MODES: Readonly<Record<string, string>> = {
  insert: '-- INSERT --',
  replace: '-- REPLACE --',
  visual: '-- VISUAL --',
  'visual-line': '-- VISUAL LINE --',
};

function vimStatus(state: ViState): string {
  const room = state.columns - RULER;
  const message = MODES[state.mode] ?? state.message;
  if (room < 20) return message.slice(0, state.columns - 1);
  if (message.length >= state.columns) return message.slice(0, state.columns - 1);
  return message.length >= room ? message : `${message.padEnd(room)}${ruler(state)}`;
}

/** `LINE,COLUMN` and how much of the text is above the window. */
function ruler(state: ViState): string {
  const { lines } = state.buffer;
  const text = lineOf(state);
  const shown =
    columnOf(text, state.at, state.options.tabstop) +
    (text[state.at] === '\t' && state.mode === 'normal'
      ? columnOf(text, state.at + 1, state.options.tabstop) - columnOf(text, state.at, state.options.tabstop)
      : 1);
  const isEmpty = lines.length === 1 && text === '';
  const column = text === '' ? '0-1' : state.at + 1 === shown ? String(shown) : `${state.at + 1}-${shown}`;
  const place = `${isEmpty ? 0 : state.line + 1},${column}`;
  const height = state.rows - 1;
  const isAllAbove = state.top === 0;
  const isEnd = state.top + height >= lines.length;
  const part = isAllAbove
    ? isEnd
      ? 'All'
      : 'Top'
    : isEnd
      ? 'Bot'
      : `${Math.floor((state.top * 100) / Math.max(1, lines.length - height))}%`;
  return `${place.padEnd(14)}${part}`;
}
