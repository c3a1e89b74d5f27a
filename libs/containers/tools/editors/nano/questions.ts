import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { beginChange, replaceLines } from '../core/buffer.js';
import { loadFile, saveFile } from '../core/file.js';
import { decodeFile, encodeText } from '../core/text.js';
import type { FilterContext } from '../../framework/filter.js';
import { findNext, replaceHere } from './edit.js';
import { lineOf, moveCursor, type NanoState, type Question } from './state.js';

const MAX_ANSWER = 4_096;
const MAX_REPLACEMENTS = 20_000;

export function ask(state: NanoState, kind: Question['kind'], label: string, answer = ''): void {
  state.question = { kind, label, answer };
}

/** ^O, and ^X with changes. */
export const askForName = (state: NanoState): void => ask(state, 'write', 'File Name to Write', textOf(state.path));

export function askForSearch(state: NanoState): void {
  const label =
    (state.isBackward ? 'Search [Backwards]' : 'Search') + (state.search === '' ? '' : ` [${state.search}]`);
  ask(state, 'search', label);
}

/** A key while nano asks. */
export function answerKey(tool: FilterContext, state: NanoState, key: string): void {
  const question = state.question!;
  if (key === '\x03') {
    state.question = null;
    state.isLeaving = false;
    state.message = question.kind === 'replace-this' ? countReplaced(state) : 'Cancelled';
    return;
  }
  if (question.kind === 'save-changes' || question.kind === 'rename') return choose(tool, state, question.kind, key);
  if (question.kind === 'replace-this') return chooseReplacement(state, key);
  if (key === '\r' || key === '\n') {
    state.question = null;
    return accept(tool, state, question);
  }
  if (key === '\b' || key === '\x7f') question.answer = question.answer.slice(0, -1);
  else if (key === '\x15' || key === '\x0b') question.answer = '';
  else if (key >= ' ' && (!key.startsWith('<') || key.length < 3) && question.answer.length < MAX_ANSWER)
    question.answer += key;
}

function choose(tool: FilterContext, state: NanoState, kind: string, key: string): void {
  const letter = key.toLowerCase();
  if (letter !== 'y' && letter !== 'n') return;
  const { answer } = state.question!;
  state.question = null;
  if (kind === 'rename') {
    if (letter === 'y') save(tool, state, bytesOf(answer));
    else askForName(state);
  } else if (letter === 'y') askForName(state);
  else state.code = 0;
}

function accept(tool: FilterContext, state: NanoState, { kind, answer }: Question): void {
  switch (kind) {
    case 'write':
      return acceptName(tool, state, answer);
    case 'search':
      if (answer !== '') state.search = answer;
      if (state.search === '') state.message = 'Cancelled';
      else if (!findNext(state)) return;
      else state.message ??= '';
      return;
    case 'replace':
      if (answer !== '') state.search = answer;
      if (state.search === '') state.message = 'Cancelled';
      else ask(state, 'replace-with', 'Replace with');
      return;
    case 'replace-with':
      state.replacement = answer;
      state.replaced = 0;
      state.isBackward = false;
      if (findNext(state, true)) ask(state, 'replace-this', 'Replace this instance?');
      return;
    case 'goto':
      return goTo(state, answer);
    default:
      return readFile(tool, state, bytesOf(answer));
  }
}

function acceptName(tool: FilterContext, state: NanoState, answer: string): void {
  const path = bytesOf(answer);
  if (path === '') {
    state.message = 'Cancelled';
    return;
  }
  const isOther = path !== state.path && state.path !== '';
  const exists = path !== state.path && tool.sys.access(path, '');
  if (exists) return ask(state, 'rename', `File "${answer}" exists; OVERWRITE?`, answer);
  if (isOther) return ask(state, 'rename', 'Save file under DIFFERENT NAME?', answer);
  save(tool, state, path);
}

export function save(tool: FilterContext, state: NanoState, path: string): void {
  const { lines } = state.buffer;
  const isBare = lines.length === 1 && lines[0] === '';
  const text = isBare ? '' : lines.at(-1) === '' ? lines.join('\n') : `${lines.join('\n')}\n`;
  try {
    saveFile(tool.sys, path, encodeText(text, state.isUtf8));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    state.message = `Error writing ${textOf(path)}: ${error.message}`;
    state.isLeaving = false;
    return;
  }
  state.path = path;
  state.buffer.changes = 0;
  const count = isBare ? 0 : lines.length - (lines.at(-1) === '' ? 1 : 0);
  state.message = `Wrote ${count} line${count === 1 ? '' : 's'}`;
  if (state.isLeaving) state.code = 0;
}

function goTo(state: NanoState, answer: string): void {
  const [first = '', second = ''] = answer.trim().split(/[,.:; ]/);
  const line = /^[+-]?\d{1,9}$/.test(first) ? first : undefined;
  const column = /^\d{1,9}$/.test(second.trim()) ? second : undefined;
  if (line === undefined && column === undefined) {
    state.message = answer === '' ? 'Cancelled' : 'Invalid line or column number';
    return;
  }
  const number = line === undefined ? state.line + 1 : Number(line);
  const row = number < 0 ? state.buffer.lines.length + number : number - 1;
  moveCursor(state, row, column === undefined ? 0 : Number(column) - 1);
}

function readFile(tool: FilterContext, state: NanoState, path: string): void {
  try {
    const content = path === '' ? undefined : loadFile(tool.sys, path);
    if (content === undefined) {
      state.message = path === '' ? 'Cancelled' : `File "${textOf(path)}" not found`;
      return;
    }
    const { lines } = decodeFile(content);
    beginChange(state.buffer, state.line, state.at);
    state.kinds.push('insertion');
    const line = lineOf(state);
    const put = [...lines, ''];
    put[0] = line.slice(0, state.at) + put[0]!;
    put[put.length - 1] += line.slice(state.at);
    replaceLines(state.buffer, state.line, 1, put);
    moveCursor(state, state.line + lines.length, 0);
    state.message = `Read ${lines.length} line${lines.length === 1 ? '' : 's'}`;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    state.message =
      error.code === 'EISDIR' ? `"${textOf(path)}" is a directory` : `Error reading ${textOf(path)}: ${error.message}`;
  }
}

const countReplaced = ({ replaced }: NanoState): string =>
  `Replaced ${replaced} occurrence${replaced === 1 ? '' : 's'}`;

function chooseReplacement(state: NanoState, key: string): void {
  const letter = key.toLowerCase();
  if (!['y', 'n', 'a'].includes(letter)) return;
  const { line, at } = state;
  if (letter === 'y') replaceHere(state);
  else if (letter === 'n') moveCursor(state, line, at + 1);
  for (let i = 0; letter === 'a' && i < MAX_REPLACEMENTS; i++) {
    const before = state.line;
    replaceHere(state);
    if (!findNext(state, true) || state.line < before) break;
  }
  const before = { line: state.line, at: state.at };
  const isMore =
    letter !== 'a' &&
    findNext(state, true) &&
    (state.line > before.line || state.at >= before.at) &&
    state.line >= before.line;
  if (isMore) return;
  moveCursor(state, line, letter === 'n' ? at : before.line === line ? Math.max(0, before.at - 1) : before.at);
  state.question = null;
  state.message = countReplaced(state);
}
