import { beginChange, type Change, replaceLines, undoChange } from '../core/buffer.js';
import { CHARACTER_MOTIONS, type Motion, MOTION_KEYS, runMotion } from './motions.js';
import { findObject } from './objects.js';
import {
  joinLines,
  keepText,
  moveToLine,
  putText,
  type Range,
  rangeOf,
  removeRange,
  shiftLines,
  swapCase,
  textIn,
  wholeLines,
} from './operators.js';
import { lineOf, moveCursor, type Target, type ViState } from './state.js';
import { scrollBy } from './view.js';

const OPERATORS = ['d', 'c', 'y', '>', '<', 'g~', 'gu', 'gU'];
/** Commands that `.` repeats, besides operators. */
const CHANGES = 'xXDCsSpPJrRoOaAiI~';
const OTHERS = 'uU.v\x12\x07\x0c\x06\x02\x04\x15\x05\x19VYmZz:/?&';
/** Commands that take a character. */
const WITH_CHARACTER = ['r', 'm', 'Z', 'z'];

interface Command {
  readonly register: string;
  readonly count: number | undefined;
  readonly name: string;
  readonly argument: string;
  readonly motion?: Motion;
}

/** Keys as a command; 'more' when it goes on, 'bad' when it is none. Models the grammar of POSIX' vi. */
export function readCommand(keys: readonly string[]): Command | 'more' | 'bad' {
  let at = 0;
  let register = '';
  const readCount = (): number | undefined => {
    let digits = '';
    while (/^[0-9]$/.test(keys[at] ?? '') && !(digits === '' && keys[at] === '0')) digits += keys[at++]!;
    return digits === '' ? undefined : Math.min(Number(digits), 1_000_000);
  };
  if (keys[at] === '"') {
    if (keys[at + 1] === undefined) return 'more';
    register = keys[at + 1]!;
    at += 2;
  }
  const count = readCount();
  let name = keys[at++];
  if (name === undefined) return 'more';
  if (name === 'g') {
    if (keys[at] === undefined) return 'more';
    name += keys[at++]!;
  }
  const base = { register, count, argument: '' };
  const isOperator = OPERATORS.includes(name);
  if (!isOperator) {
    if (CHARACTER_MOTIONS.has(name) || WITH_CHARACTER.includes(name)) {
      return keys[at] === undefined ? 'more' : { ...base, name, argument: keys[at]! };
    }
    const isKnown = MOTION_KEYS.has(name) || (name.length === 1 && (CHANGES + OTHERS).includes(name));
    return isKnown || ['<insert>', '<delete>', '<pageup>', '<pagedown>'].includes(name) ? { ...base, name } : 'bad';
  }
  const more = readCount();
  let motion = keys[at++];
  if (motion === undefined) return 'more';
  if (motion === 'g') {
    if (keys[at] === undefined) return 'more';
    motion += keys[at++]!;
  }
  const total = count === undefined && more === undefined ? undefined : (count ?? 1) * (more ?? 1);
  const isObject = motion === 'i' || motion === 'a';
  if (isObject || CHARACTER_MOTIONS.has(motion)) {
    if (keys[at] === undefined) return 'more';
    return { ...base, name, motion: { name: motion, argument: keys[at]!, count: total } };
  }
  const isSame = motion === name || motion === name.at(-1);
  if (!isSame && !MOTION_KEYS.has(motion)) return 'bad';
  return { ...base, name, motion: { name: isSame ? 'line' : motion, argument: '', count: total } };
}

export const isChange = ({ name }: Command): boolean =>
  (OPERATORS.includes(name) && name !== 'y') || (name.length === 1 && CHANGES.includes(name)) || name === '<delete>';

const isInsertion = ({ name }: Command): boolean => 'cCsSiIaAoOR'.includes(name);

/** Carries out a command of normal mode. `now`: for the times of changes. */
export function runCommand(state: ViState, command: Command, now: number): void {
  if (state.isBusybox || isInsertion(command)) state.message = '';
  if (isChange(command)) beginChange(state.buffer, state.line, state.at, now);
  if (OPERATORS.includes(command.name)) return runOperator(state, command);
  const { name, argument, count } = command;
  if (MOTION_KEYS.has(name) || CHARACTER_MOTIONS.has(name)) return moveBy(state, { name, argument, count });
  runSimple(state, command, now);
}

export function moveBy(state: ViState, motion: Motion): void {
  const target = runMotion(state, motion);
  if (target === undefined) return;
  if (['G', 'gg', 'n', 'N', '%', '*', '#', "'", '`', '{', '}'].includes(motion.name)) {
    state.marks['`'] = [state.line, state.at];
  }
  moveCursor(state, target.line, target.at, target.keepsColumn);
  if (motion.name === '$' || motion.name === '<end>') state.want = -1;
}

function runOperator(state: ViState, { name, register, motion }: Command): void {
  const range = findRange(state, name, motion!);
  if (range !== undefined) operate(state, name, range, register);
}

function findRange(state: ViState, operator: string, motion: Motion): Range | undefined {
  const here: Target = { line: state.line, at: state.at };
  if (motion.name === 'line') {
    const last = state.line + Math.max(1, motion.count ?? 1) - 1;
    return wholeLines(state.line, Math.min(last, state.buffer.lines.length - 1));
  }
  if (motion.name === 'i' || motion.name === 'a') {
    const found = findObject(state, motion.name, motion.argument);
    return found === undefined ? undefined : rangeOf(state, found[0], found[1]);
  }
  // `cw` leaves the blanks behind the word, as `ce` does.
  const isOnWord = /\S/.test(lineOf(state)[state.at] ?? '');
  const isWord = motion.name === 'w' || motion.name === 'W';
  const used = operator === 'c' && isWord && isOnWord ? { ...motion, name: motion.name === 'w' ? 'e' : 'E' } : motion;
  if (used !== motion && endsWord(lineOf(state), state.at, motion.name === 'W')) {
    const left = (motion.count ?? 1) - 1;
    const end = left === 0 ? here : runMotion(state, { ...used, count: left });
    return rangeOf(state, here, { ...(end ?? here), isInclusive: true });
  }
  const target = runMotion(state, used);
  if (target === undefined) return undefined;
  // `dw` on the last word of a line ends there.
  if (isWord && used === motion && target.line > here.line && target.isLines !== true) {
    const text = state.buffer.lines[target.line]!.slice(0, target.at);
    if (text.trim() === '') {
      const line = target.line - 1;
      return { isLines: false, from: [here.line, here.at], to: [line, state.buffer.lines[line]!.length] };
    }
  }
  return rangeOf(state, here, target);
}

function endsWord(line: string, at: number, isBig: boolean): boolean {
  const [here = '', next = ' '] = [line[at], line[at + 1]];
  if (/\s/.test(next)) return true;
  return !isBig && /\w/.test(here) !== /\w/.test(next);
}

/** An operator on a part of the text; also of visual mode. */
export function operate(state: ViState, name: string, range: Range, register: string): void {
  const first = range.isLines ? range.from : range.from[0];
  const last = range.isLines ? range.to : range.to[0];
  switch (name) {
    case 'y':
      keepText(state, range, register, 'Yank', true);
      return range.isLines
        ? moveCursor(state, first, first === state.line ? state.at : 0)
        : moveCursor(state, ...range.from);
    case 'd':
      keepText(state, range, register, 'Delete', true);
      return removeRange(state, range);
    case 'c':
      keepText(state, range, register, 'Change');
      state.message = '';
      return changeRange(state, range);
    case '>':
    case '<':
      return shiftLines(state, first, last, name === '>' ? 1 : -1);
    default: {
      const convert = { '~': swapCase, u: (t: string) => t.toLowerCase(), U: (t: string) => t.toUpperCase() }[
        name[1] as 'u'
      ];
      replaceRange(state, range, convert(textIn(state, range)));
    }
  }
}

function changeRange(state: ViState, range: Range): void {
  state.mode = 'insert';
  if (!range.isLines) return removeRange(state, range);
  const indent = state.options.autoindent ? /^[ \t]*/.exec(state.buffer.lines[range.from]!)![0] : '';
  replaceLines(state.buffer, range.from, range.to - range.from + 1, [indent]);
  moveCursor(state, range.from, indent.length);
}

function replaceRange(state: ViState, range: Range, text: string): void {
  const { buffer } = state;
  if (range.isLines) {
    replaceLines(buffer, range.from, range.to - range.from + 1, text.split('\n').slice(0, -1));
    return moveToLine(state, range.from);
  }
  const [[line, at], [toLine, toAt]] = [range.from, range.to];
  const whole = buffer.lines[line]!.slice(0, at) + text + buffer.lines[toLine]!.slice(toAt);
  replaceLines(buffer, line, toLine - line + 1, whole.split('\n'));
  moveCursor(state, line, at);
}

function runSimple(state: ViState, { name, argument, register, count: given }: Command, now: number): void {
  const count = given ?? 1;
  const line = lineOf(state);
  const inLine = (from: number, to: number): Range => ({
    isLines: false,
    from: [state.line, from],
    to: [state.line, to],
  });
  const cut = (from: number, to: number, verb: 'Delete' | 'Change' = 'Delete'): void => {
    if (from >= to && verb === 'Delete') return;
    keepText(state, inLine(from, to), register, verb);
    removeRange(state, inLine(from, to));
  };
  switch (name) {
    case 'x':
    case '<delete>':
      return cut(state.at, Math.min(line.length, state.at + count));
    case 'X':
      return cut(Math.max(0, state.at - count), state.at);
    case 'D':
      return cut(state.at, line.length);
    case 'C':
    case 's':
      state.mode = 'insert';
      return cut(state.at, name === 'C' ? line.length : Math.min(line.length, state.at + count), 'Change');
    case 'S':
      return operate(
        state,
        'c',
        wholeLines(state.line, Math.min(state.buffer.lines.length, state.line + count) - 1),
        register,
      );
    case 'Y':
      return operate(
        state,
        'y',
        wholeLines(state.line, Math.min(state.buffer.lines.length, state.line + count) - 1),
        register,
      );
    case 'p':
    case 'P':
      return putText(state, state.registers[register === '' ? '"' : register.toLowerCase()], name === 'p', count);
    case 'J':
      return joinLines(state, state.line, count);
    case 'r':
      return replaceCharacters(state, argument, count);
    case '~':
      replaceRange(
        state,
        inLine(state.at, Math.min(line.length, state.at + count)),
        swapCase(line.slice(state.at, state.at + count)),
      );
      return moveCursor(state, state.line, state.at + count);
    case 'u':
    case 'U':
    case '\x12':
      return takeBack(state, name === '\x12' ? 'redo' : 'undo', count, now);
    case 'm':
      state.marks[argument] = [state.line, state.at];
      return;
    default:
      if ('iIaAoOR'.includes(name) || name === '<insert>') return beginInsert(state, name, count);
      return runScreenCommand(state, name, argument, given);
  }
}

function beginInsert(state: ViState, name: string, count: number): void {
  state.insertCount = state.isBusybox ? 1 : Math.max(1, count);
  state.insertKeys = [];
  state.isOpening = false;
  state.mode = name === 'R' ? 'replace' : 'insert';
  const line = lineOf(state);
  if (name === 'I') return moveCursor(state, state.line, Math.max(0, line.search(/\S|$/)));
  if (name === 'a') return moveCursor(state, state.line, state.at + 1);
  if (name === 'A') return moveCursor(state, state.line, line.length);
  if (name !== 'o' && name !== 'O') return;
  state.isOpening = true;
  const indent = state.options.autoindent ? /^[ \t]*/.exec(line)![0] : '';
  const at = state.line + (name === 'o' ? 1 : 0);
  replaceLines(state.buffer, at, 0, [indent]);
  moveCursor(state, at, indent.length);
}

function replaceCharacters(state: ViState, character: string, count: number): void {
  const line = lineOf(state);
  if (character === '\x1b' || state.at + count > line.length) return;
  if (character === '\r') {
    replaceLines(state.buffer, state.line, 1, [line.slice(0, state.at), line.slice(state.at + count)]);
    return moveToLine(state, state.line + 1);
  }
  const text = line.slice(0, state.at) + character.repeat(count) + line.slice(state.at + count);
  replaceLines(state.buffer, state.line, 1, [text]);
  moveCursor(state, state.line, state.at + count - 1);
}

function takeBack(state: ViState, direction: 'undo' | 'redo', count: number, now: number): void {
  for (let i = 0; i < Math.min(count, 200); i++) {
    const before = state.buffer.lines.length;
    const change = undoChange(state.buffer, direction);
    if (change === undefined) {
      state.message = `Already at ${direction === 'undo' ? 'oldest' : 'newest'} change`;
      return;
    }
    const [first] = change.splices;
    moveCursor(state, first === undefined ? change.line : first.at, direction === 'undo' ? change.column : 0);
    if (first !== undefined && first.at !== change.line) moveToLine(state, first.at);
    const grown = state.buffer.lines.length - before;
    state.message = state.isBusybox
      ? describeSplice(change, state.buffer.undo.length + 1, state.buffer.lines)
      : describeUndo(direction, grown, state.buffer.undo.length, now - change.time);
  }
}

/** Busybox tells how many characters came back or went, and where. */
function describeSplice({ splices }: Change, number: number, lines: readonly string[]): string {
  const first = splices.at(-1);
  if (first === undefined) return '';
  const here = lines
    .slice(first.at, first.at + first.added)
    .map((line) => `${line}\n`)
    .join('');
  const gone = first.removed.map((line) => `${line}\n`).join('');
  let same = 0;
  while (same < here.length && here[same] === gone[same]) same++;
  const before = lines.slice(0, first.at).reduce((sum, line) => sum + line.length + 1, 0);
  const verb = here.length >= gone.length ? 'restored' : 'deleted';
  return `Undo [${number}] ${verb} ${Math.abs(here.length - gone.length)} chars at position ${before + same}`;
}

function describeUndo(direction: string, grown: number, number: number, age: number): string {
  const count = Math.abs(grown);
  const what = grown === 0 ? '1 change' : `${count} ${grown > 0 ? 'more' : count === 1 ? 'line less' : 'fewer'}`;
  const lines = grown === 0 || (grown < 0 && count === 1) ? what : `${what} ${count === 1 ? 'line' : 'lines'}`;
  const seconds = Math.max(0, Math.floor(age / 1_000));
  const where = direction === 'undo' ? `before #${number + 1}` : `after #${number}`;
  return `${lines}; ${where}  ${seconds} second${seconds === 1 ? '' : 's'} ago`;
}

function runScreenCommand(state: ViState, name: string, argument: string, count: number | undefined): void {
  const page = Math.max(1, state.rows - 3);
  switch (name) {
    case '\x06':
    case '<pagedown>':
      return scrollBy(state, page * (count ?? 1));
    case '\x02':
    case '<pageup>':
      return scrollBy(state, -page * (count ?? 1));
    case '\x04':
      return scrollBy(state, Math.floor((state.rows - 1) / 2), true);
    case '\x15':
      return scrollBy(state, -Math.floor((state.rows - 1) / 2), true);
    case '\x05':
      return scrollBy(state, count ?? 1);
    case '\x19':
      return scrollBy(state, -(count ?? 1));
    case '\x0c':
      state.shown = null;
      return;
    case 'z': {
      const place = {
        '\r': 0,
        t: 0,
        z: Math.floor((state.rows - 1) / 2),
        '.': Math.floor((state.rows - 1) / 2),
        b: state.rows - 2,
        '-': state.rows - 2,
      }[argument];
      if (place !== undefined) state.top = Math.max(0, state.line - place);
    }
  }
}
