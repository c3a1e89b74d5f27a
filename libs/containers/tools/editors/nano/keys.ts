import type { FilterContext } from '../../framework/filter.js';
import { columnOf, indexAt } from '../core/text.js';
import {
  breakLine,
  copyLine,
  cutLine,
  deleteBefore,
  deleteHere,
  findNext,
  insertText,
  pasteLines,
  takeBack,
} from './edit.js';
import { answerKey, ask, askForName, askForSearch, save } from './questions.js';
import { lineOf, moveCursor, type NanoState } from './state.js';
import { textRows } from './view.js';

type Handler = (tool: FilterContext, state: NanoState) => void;

const refuse: Handler = (_tool, state) => void (state.message = 'Key is disabled');

const KEYS: Readonly<Record<string, Handler>> = {
  '\x18': (_tool, state) => {
    if (state.buffer.changes === 0 || state.isView) state.code = 0;
    else {
      state.isLeaving = true;
      ask(state, 'save-changes', 'Save modified buffer?');
    }
  },
  '\x0f': (_tool, state) => askForName(state),
  '\x13': (tool, state) => (state.path === '' ? askForName(state) : save(tool, state, state.path)),
  '\x12': (_tool, state) => ask(state, 'read', 'File to insert [from ./] '.trimEnd()),
  '\x17': (_tool, state) => searchFrom(state, false),
  '\x11': (_tool, state) => searchFrom(state, true),
  '\x1c': (_tool, state) =>
    ask(state, 'replace', `Search (to replace)${state.search === '' ? '' : ` [${state.search}]`}`),
  '\x1f': (_tool, state) => ask(state, 'goto', 'Enter line number, column number'),
  '\x0b': (_tool, state) => cutLine(state),
  '\x15': (_tool, state) => pasteLines(state),
  '\x03': (_tool, state) => void (state.message = locate(state)),
  '\x0c': (_tool, state) => void (state.shown = null),
  '\r': (_tool, state) => breakLine(state),
  '\t': (_tool, state) =>
    insertText(state, state.tabsToSpaces ? ' '.repeat(state.tabSize - (state.at % state.tabSize)) : '\t'),
  '\b': (_tool, state) => deleteBefore(state),
  '\x7f': (_tool, state) => deleteBefore(state),
  '\x04': (_tool, state) => deleteHere(state),
  '<delete>': (_tool, state) => deleteHere(state),
  ...{ '\x07': refuse, '\x14': refuse, '\n': refuse, '\x1a': refuse, '\x16': refuse },
};

const MOVES: Readonly<Record<string, (state: NanoState) => void>> = {
  '<up>': (state) => moveByLines(state, -1),
  '<down>': (state) => moveByLines(state, 1),
  '<left>': (state) =>
    state.at > 0
      ? moveCursor(state, state.line, state.at - 1)
      : state.line > 0 && moveCursor(state, state.line - 1, Infinity),
  '<right>': (state) =>
    state.at < lineOf(state).length
      ? moveCursor(state, state.line, state.at + 1)
      : state.line < state.buffer.lines.length - 1 && moveCursor(state, state.line + 1, 0),
  '<home>': (state) => moveCursor(state, state.line, 0),
  '<end>': (state) => moveCursor(state, state.line, lineOf(state).length),
  '<pageup>': (state) => movePage(state, -1),
  '<pagedown>': (state) => movePage(state, 1),
  '<ctrl-right>': (state) => moveByWord(state, 1),
  '<ctrl-left>': (state) => moveByWord(state, -1),
};
const MOVE_KEYS: Readonly<Record<string, string>> = {
  ...{ '\x10': '<up>', '\x0e': '<down>', '\x02': '<left>', '\x06': '<right>', '\x01': '<home>', '\x05': '<end>' },
  ...{ '\x19': '<pageup>', '\x16': '<pagedown>' },
};

const META: Readonly<Record<string, Handler>> = {
  u: (_tool, state) => takeBack(state, 'undo'),
  e: (_tool, state) => takeBack(state, 'redo'),
  '6': (_tool, state) => copyLine(state),
  '\\': (_tool, state) => moveCursor(state, 0, 0),
  '|': (_tool, state) => moveCursor(state, 0, 0),
  '/': (_tool, state) => moveCursor(state, state.buffer.lines.length - 1, Infinity),
  '?': (_tool, state) => moveCursor(state, state.buffer.lines.length - 1, Infinity),
  r: (tool, state) => KEYS['\x1c']!(tool, state),
  g: (tool, state) => KEYS['\x1f']!(tool, state),
  w: (_tool, state) => (state.search === '' ? askForSearch(state) : void findNext(state)),
  n: (_tool, state) => {
    state.showsNumbers = !state.showsNumbers;
    state.message = `Line numbering ${state.showsNumbers ? 'enabled' : 'disabled'}`;
  },
  ' ': (_tool, state) => moveByWord(state, -1),
};

/** Keys after which a message goes. */
const BLANK_AFTER = 20;

/** A key of nano. */
export function typeKey(tool: FilterContext, state: NanoState, key: string): void {
  const { message } = state;
  state.message = null;
  pressKey(tool, state, key);
  const isNew = state.message !== null || state.question !== null;
  state.blankIn = isNew ? BLANK_AFTER : state.blankIn - 1;
  if (!isNew && state.blankIn > 0) state.message = message;
}

function pressKey(tool: FilterContext, state: NanoState, key: string): void {
  if (state.question !== null) return answerKey(tool, state, key);
  if (key === '\x1b') {
    state.isMeta = true;
    return;
  }
  const isCutting = state.isCutting;
  if (state.isMeta) {
    state.isMeta = false;
    const handler = META[key.toLowerCase()];
    if (handler === undefined) state.message = `Unbound key: M-${key.toUpperCase()}`;
    else handler(tool, state);
    if (key !== '6') state.isCutting = false;
    return;
  }
  const move = MOVES[MOVE_KEYS[key] ?? key];
  const handler = KEYS[key];
  if (move !== undefined) move(state);
  else if (handler !== undefined) handler(tool, state);
  else if (key.startsWith('<') && key.length > 2) state.message = 'Unbound key';
  else if (key < ' ') state.message = `Unbound key: ^${String.fromCharCode(key.charCodeAt(0) + 64)}`;
  else insertText(state, key);
  state.isCutting = key === '\x0b' && state.isCutting && (isCutting || state.cutBuffer.length > 0);
}

function searchFrom(state: NanoState, isBackward: boolean): void {
  state.isBackward = isBackward;
  askForSearch(state);
}

function moveByLines(state: NanoState, step: number): void {
  const line = state.line + step;
  if (line < 0 || line >= state.buffer.lines.length) return;
  const column = columnOf(lineOf(state), Math.max(state.at, Math.min(state.want, lineOf(state).length)), state.tabSize);
  const wanted = Math.max(column, state.want);
  moveCursor(state, line, indexAt(state.buffer.lines[line]!, wanted, state.tabSize), true);
}

function movePage(state: NanoState, step: number): void {
  const rows = Math.max(1, textRows(state) - 2);
  state.top = Math.max(0, Math.min(state.top + step * rows, state.buffer.lines.length - 1));
  moveCursor(state, state.line + step * rows, 0);
}

function moveByWord(state: NanoState, step: 1 | -1): void {
  const isWord = (at: number) => /[\w\u0080-\uffff]/.test(lineOf(state)[at] ?? '');
  const { length } = lineOf(state);
  let at = state.at;
  if (step > 0) {
    while (at < length && isWord(at)) at++;
    while (at < length && !isWord(at)) at++;
    if (at >= length && state.line < state.buffer.lines.length - 1) return moveCursor(state, state.line + 1, 0);
  } else {
    if (at === 0 && state.line > 0) return moveCursor(state, state.line - 1, Infinity);
    while (at > 0 && !isWord(at - 1)) at--;
    while (at > 0 && isWord(at - 1)) at--;
  }
  moveCursor(state, state.line, at);
}

/** What ^C shows. */
function locate(state: NanoState): string {
  const { lines } = state.buffer;
  const line = lineOf(state);
  const share = (part: number, whole: number) => `${whole === 0 ? 0 : Math.floor((part * 100) / whole)}%`;
  const total = lines.reduce((sum, one) => sum + [...one].length + 1, -1);
  const before = lines.slice(0, state.line).reduce((sum, one) => sum + [...one].length + 1, 0) + state.at;
  const column = columnOf(line, state.at, state.tabSize) + 1;
  const columns = columnOf(line, line.length, state.tabSize) + 1;
  const width = String(lines.length).length;
  const place = `line ${String(state.line + 1).padStart(width + (width < 2 ? 1 : 0))}/${lines.length} (${share(state.line + 1, lines.length).padStart(3)})`;
  const where = `col ${String(column).padStart(2)}/${String(columns).padStart(2)} (${share(column, columns).padStart(4)})`;
  return `${place}, ${where}, char ${String(before).padStart(String(total).length)}/${total} (${share(before, total).padStart(3)})`;
}
