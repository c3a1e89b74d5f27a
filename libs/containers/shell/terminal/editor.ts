import type { Shell } from '../interpreter/shell.js';
import { takeLine } from '../interpreter/start/typed-line.js';
import { type Bytes, type Wait, waitToRead } from '../kernel.js';
import type { EditorFrame } from '../state/frame.js';
import { completeLine } from './completion.js';

const MAX_LINE = 65_536;
const MAX_HISTORY = 500;

/** Edits one line on a terminal: arrows, ^A ^E ^U ^W ^K ^Y ^L ^R, history, tab. */
export function editLine(shell: Shell, frame: EditorFrame): Wait | void {
  const { sys, state } = shell;
  if (!frame.isReady) {
    sys.setTerminalMode(0, 'raw');
    shell.write(2, frame.prompt);
    frame.isReady = true;
    return;
  }
  // Byte by byte, so that commands that read the terminal find what is typed ahead.
  for (;;) {
    const byte = state.typed !== '' ? state.typed[0]! : sys.read(0, 1);
    if (byte === undefined) return waitToRead(0);
    if (byte === '') {
      endLine(shell, frame, undefined);
      return;
    }
    if (state.typed !== '') state.typed = state.typed.slice(1);
    sys.charge(2);
    if (!typeCharacter(shell, frame, byte)) return;
  }
}

/** Takes one character. Returns false when the line has ended. */
function typeCharacter(shell: Shell, frame: EditorFrame, character: string): boolean {
  if (frame.search !== null && searchHistory(shell, frame, character)) return true;
  if (frame.escape !== '') {
    readEscape(shell, frame, character);
    return true;
  }
  if (character !== '\t') frame.tabs = 0;
  switch (character) {
    case '\r':
    case '\n':
      shell.write(2, '\n');
      endLine(shell, frame, frame.text);
      return false;
    case '\x03':
      shell.write(2, '^C\n');
      shell.state.status = 130;
      endLine(shell, frame, null);
      return false;
    case '\x04':
      if (frame.text === '') {
        endLine(shell, frame, undefined);
        return false;
      }
      erase(shell, frame, frame.at, frame.at + 1);
      return true;
    case '\x1b':
      frame.escape = '\x1b';
      return true;
    case '\t':
      completeLine(
        shell,
        frame,
        (text) => insert(shell, frame, text),
        () => redraw(shell, frame),
      );
      return true;
    default:
      editCharacter(shell, frame, character);
      return true;
  }
}

function editCharacter(shell: Shell, frame: EditorFrame, character: string): void {
  const { text, at } = frame;
  switch (character) {
    case '\x01':
      moveTo(shell, frame, 0);
      return;
    case '\x02':
      moveTo(shell, frame, at - 1);
      return;
    case '\x05':
      moveTo(shell, frame, text.length);
      return;
    case '\x06':
      moveTo(shell, frame, at + 1);
      return;
    case '\b':
    case '\x7f':
      erase(shell, frame, at - 1, at);
      return;
    case '\x0b':
      kill(shell, frame, at, text.length);
      return;
    case '\x0c':
      shell.write(2, '\x1b[H\x1b[J');
      redraw(shell, frame);
      return;
    case '\x0e':
      walkHistory(shell, frame, 1);
      return;
    case '\x10':
      walkHistory(shell, frame, -1);
      return;
    case '\x12':
      frame.search = '';
      showSearch(shell, frame);
      return;
    case '\x15':
      kill(shell, frame, 0, at);
      return;
    case '\x17':
      kill(shell, frame, wordStart(text, at), at);
      return;
    case '\x19':
      insert(shell, frame, frame.killed);
      return;
    default:
      if (character >= ' ' && text.length < MAX_LINE) insert(shell, frame, character);
  }
}

/** Arrows, Home, End, Delete, and words by Alt or Ctrl. */
function readEscape(shell: Shell, frame: EditorFrame, character: string): void {
  frame.escape += character;
  if (/^\x1b(?:[[O]|\[[\d;]+)$/.test(frame.escape)) return;
  const sequence = frame.escape.slice(1);
  frame.escape = '';
  const { text, at } = frame;
  switch (sequence) {
    case '[A':
    case 'OA':
      walkHistory(shell, frame, -1);
      return;
    case '[B':
    case 'OB':
      walkHistory(shell, frame, 1);
      return;
    case '[C':
    case 'OC':
      moveTo(shell, frame, at + 1);
      return;
    case '[D':
    case 'OD':
      moveTo(shell, frame, at - 1);
      return;
    case '[H':
    case 'OH':
    case '[1~':
      moveTo(shell, frame, 0);
      return;
    case '[F':
    case 'OF':
    case '[4~':
      moveTo(shell, frame, text.length);
      return;
    case '[3~':
      erase(shell, frame, at, at + 1);
      return;
    case 'b':
    case '[1;5D':
      moveTo(shell, frame, wordStart(text, at));
      return;
    case 'f':
    case '[1;5C':
      moveTo(shell, frame, wordEnd(text, at));
      return;
    case 'd':
      kill(shell, frame, at, wordEnd(text, at));
      return;
    case '\x7f':
      kill(shell, frame, wordStart(text, at), at);
  }
}

function wordStart(text: Bytes, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] === ' ') start--;
  while (start > 0 && text[start - 1] !== ' ') start--;
  return start;
}

function wordEnd(text: Bytes, at: number): number {
  let end = at;
  while (end < text.length && text[end] === ' ') end++;
  while (end < text.length && text[end] !== ' ') end++;
  return end;
}

function moveTo(shell: Shell, frame: EditorFrame, at: number): void {
  const target = Math.max(0, Math.min(frame.text.length, at));
  if (target < frame.at) shell.write(2, '\b'.repeat(frame.at - target));
  else if (target > frame.at) shell.write(2, frame.text.slice(frame.at, target));
  frame.at = target;
}

function insert(shell: Shell, frame: EditorFrame, added: Bytes): void {
  const rest = frame.text.slice(frame.at);
  frame.text = frame.text.slice(0, frame.at) + added + rest;
  frame.at += added.length;
  shell.write(2, added + rest + '\b'.repeat(rest.length));
}

function erase(shell: Shell, frame: EditorFrame, from: number, to: number): void {
  if (from < 0 || to > frame.text.length || from >= to) return;
  moveTo(shell, frame, from);
  const rest = frame.text.slice(to);
  frame.text = frame.text.slice(0, from) + rest;
  shell.write(2, `${rest}\x1b[K${'\b'.repeat(rest.length)}`);
}

function kill(shell: Shell, frame: EditorFrame, from: number, to: number): void {
  if (from >= to) return;
  frame.killed = frame.text.slice(from, to);
  erase(shell, frame, from, to);
}

function setText(shell: Shell, frame: EditorFrame, text: Bytes): void {
  moveTo(shell, frame, 0);
  frame.text = text;
  frame.at = text.length;
  shell.write(2, `${text}\x1b[K`);
}

/** The prompt and the line again, with the cursor in its place. */
function redraw(shell: Shell, frame: EditorFrame): void {
  const { text, at, prompt } = frame;
  shell.write(2, `${prompt.slice(prompt.lastIndexOf('\n') + 1)}${text}${'\b'.repeat(text.length - at)}`);
}

function walkHistory(shell: Shell, frame: EditorFrame, by: number): void {
  const { history } = shell.state;
  const target = frame.historyAt + by;
  if (target < 0 || target > history.length) return;
  if (frame.historyAt === history.length) frame.draft = frame.text;
  frame.historyAt = target;
  setText(shell, frame, target === history.length ? frame.draft : history[target]!);
}

/** ^R: characters narrow the search, ^R goes back further, others end it. Returns whether the character was for it. */
function searchHistory(shell: Shell, frame: EditorFrame, character: string): boolean {
  const { history } = shell.state;
  const find = (below: number): void => {
    const found = history.slice(0, below).findLastIndex((line) => line.includes(frame.search ?? ''));
    if (found < 0) return;
    frame.historyAt = found;
    frame.text = history[found]!;
    frame.at = frame.text.length;
  };
  if (character === '\x12') find(frame.historyAt);
  else if (character === '\x7f' || character === '\b') frame.search = frame.search!.slice(0, -1);
  else if (character >= ' ') {
    frame.search += character;
    find(history.length);
  } else {
    frame.search = null;
    shell.write(2, '\r\x1b[K');
    redraw(shell, frame);
    return character === '\x07';
  }
  showSearch(shell, frame);
  return true;
}

const showSearch = (shell: Shell, frame: EditorFrame): void =>
  shell.write(2, `\r\x1b[K(reverse-i-search)\`${frame.search}': ${frame.text}`);

/** undefined: the end of input; null: the line was dropped. */
function endLine(shell: Shell, frame: EditorFrame, text: Bytes | undefined | null): void {
  const { state, sys } = shell;
  if (text) sys.noteTyped(0, text);
  sys.setTerminalMode(0, 'cooked');
  state.frames.pop();
  if (text && text.trim() !== '' && state.history.at(-1) !== text) {
    state.history.push(text);
    if (state.history.length > MAX_HISTORY) state.history.shift();
  }
  const input = state.frames.at(-1);
  if (input?.type !== 'input') return;
  if (text === undefined) input.isEnded = true;
  else if (text === null) {
    input.text = '';
    input.prompt = 'first';
    return;
  } else input.text += text + '\n';
  takeLine(shell, input);
}
