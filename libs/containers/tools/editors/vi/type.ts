import type { FilterContext } from '../../framework/filter.js';
import { quit, writeTo } from './ex/files.js';
import { CHARACTER_MOTIONS, MOTION_KEYS } from './motions.js';
import { findObject } from './objects.js';
import { isChange, moveBy, operate, readCommand, runCommand } from './normal.js';
import { joinLines, rangeOf, wholeLines } from './operators.js';
import { moveCursor, type ViState } from './state.js';
import { selection } from './view.js';
import { beginChange } from '../core/buffer.js';

type Press = (tool: FilterContext, state: ViState, key: string) => void;

/** Keys of a command that is typed. */
const MAX_PENDING = 30;
const MAX_REPEAT = 5_000;

/** A key in normal or visual mode. `press` is for keys that `.` types again. */
export function typeKey(tool: FilterContext, state: ViState, key: string, press: Press): void {
  if (key === '\x1b' || key === '\x03') return cancel(state);
  if (state.mode.startsWith('visual')) return typeVisual(tool, state, key);
  state.pending.push(key);
  const command = readCommand(state.pending);
  if (command === 'more' && state.pending.length < MAX_PENDING) return;
  const keys = state.pending;
  state.pending = [];
  if (command === 'more' || command === 'bad') {
    state.message = state.isBusybox ? `'${keys.join('')}' is not implemented` : '';
    return;
  }
  const { name, argument, count } = command;
  switch (name) {
    case ':':
    case '/':
    case '?':
      state.mode = 'prompt';
      state.prompt = count !== undefined && name === ':' ? `:.,.+${count - 1}` : name;
      return;
    case '.':
      return repeat(tool, state, press);
    case 'Z':
      return endBy(tool, state, argument);
    case 'v':
    case 'V':
      if (state.isBusybox) state.message = `'${name}' is not implemented`;
      else
        Object.assign(state, {
          mode: name === 'v' ? 'visual' : 'visual-line',
          visual: [state.line, state.at],
          message: '',
        });
      return;
    case '&':
      return;
  }
  if (isChange(command) && !state.isRepeating) {
    if ('iIaAoOR'.includes(name) || name === 'c' || 'CsS'.includes(name)) state.recording = [...keys];
    else state.dot = keys;
  }
  runCommand(state, command, tool.sys.now);
}

function cancel(state: ViState): void {
  state.pending = [];
  if (!state.mode.startsWith('visual')) return;
  state.mode = 'normal';
  moveCursor(state, state.line, state.at);
}

function repeat(tool: FilterContext, state: ViState, press: Press): void {
  const keys = state.dot.slice(0, MAX_REPEAT);
  if (state.isRepeating || keys.length === 0) return;
  state.isRepeating = true;
  for (const key of keys) press(tool, state, key);
  state.isRepeating = false;
}

/** ZZ and ZQ. */
function endBy(tool: FilterContext, state: ViState, letter: string): void {
  if (letter === 'Q') return quit(tool, state, true);
  if (letter !== 'Z') return;
  const all = { name: 'write', isForced: false, rest: '', from: 0, to: state.buffer.lines.length - 1, hasRange: false };
  if (state.buffer.changes === 0 || writeTo(tool, state, all)) quit(tool, state, true);
}

function typeVisual(tool: FilterContext, state: ViState, key: string): void {
  state.pending.push(key);
  const keys = state.pending;
  const last = keys.at(-1)!;
  const isObject = (keys[0] === 'i' || keys[0] === 'a') && keys.length === 2;
  if (keys.length === 1 && (key === 'i' || key === 'a')) return;
  if (isObject) {
    state.pending = [];
    const found = findObject(state, keys[0]!, last);
    if (found === undefined) return;
    state.visual = [found[0].line, found[0].at];
    return moveCursor(state, found[1].line, found[1].at - (found[1].isInclusive === true ? 0 : 1));
  }
  const count = Number(/^[1-9]\d{0,5}/.exec(keys.join(''))?.[0] ?? 0) || undefined;
  const rest = keys.join('').replace(/^[1-9]\d{0,5}/, '');
  if (rest === '' || rest === 'g' || rest === 'r' || (rest.length === 1 && CHARACTER_MOTIONS.has(rest))) return;
  state.pending = [];
  const name = CHARACTER_MOTIONS.has(rest[0]!) ? rest[0]! : rest;
  if (MOTION_KEYS.has(name) || CHARACTER_MOTIONS.has(name))
    return moveBy(state, { name, argument: rest.slice(1), count });
  if (name === 'o') {
    const here: [number, number] = [state.line, state.at];
    moveCursor(state, ...state.visual);
    state.visual = here;
    return;
  }
  if (name === 'v' || name === 'V') {
    const mode = name === 'v' ? 'visual' : 'visual-line';
    if (state.mode === mode) cancel(state);
    else state.mode = mode;
    return;
  }
  if (name === ':') {
    const [first, end] = selection(state);
    Object.assign(state.marks, { '<': first, '>': end });
    Object.assign(state, { mode: 'prompt', prompt: ":'<,'>" });
    return;
  }
  operateOnSelection(tool, state, name);
}

const VISUAL: Readonly<Record<string, string>> = {
  ...{ d: 'd', x: 'd', X: 'd', D: 'd', '<delete>': 'd', y: 'y', Y: 'y', c: 'c', s: 'c', S: 'c', '>': '>', '<': '<' },
  ...{ '~': 'g~', u: 'gu', U: 'gU' },
};

function operateOnSelection(tool: FilterContext, state: ViState, name: string): void {
  const operator = VISUAL[name];
  if (operator === undefined && name !== 'J') return;
  const [first, last] = selection(state);
  const isLines = state.mode === 'visual-line' || 'XDYS'.includes(name);
  const range = isLines
    ? wholeLines(first[0], last[0])
    : rangeOf(state, { line: first[0], at: first[1] }, { line: last[0], at: last[1], isInclusive: true });
  state.mode = 'normal';
  if (operator !== 'y') beginChange(state.buffer, state.line, state.at, tool.sys.now);
  if (operator === undefined) return joinLines(state, first[0], last[0] - first[0] + 1);
  moveCursor(state, ...first);
  operate(state, operator, range, '');
}
