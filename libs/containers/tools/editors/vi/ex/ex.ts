import { beginChange, replaceLines } from '../../core/buffer.js';
import type { FilterContext } from '../../../framework/filter.js';
import type { ExCommand } from './command.js';
import { readAddresses } from './address.js';
import { editFile, quit, readInto, writeTo } from './files.js';
import { setOptions } from './options.js';
import { repeatGlobally, substitute } from './substitute.js';
import { runCommand } from '../normal.js';
import { keepText, moveToLine, removeRange, shiftLines, joinLines, putText, wholeLines } from '../operators.js';
import type { ViState } from '../state.js';

type Handler = (tool: FilterContext, state: ViState, command: ExCommand) => void;

/** Full names with the least that may be typed of them. */
const COMMANDS: readonly (readonly [least: string, full: string, run: Handler])[] = [
  ['w', 'write', (tool, state, command) => writeTo(tool, state, command)],
  ['wq', 'wq', (tool, state, command) => writeTo(tool, state, command) && quit(tool, state, true)],
  [
    'x',
    'xit',
    (tool, state, command) => (state.buffer.changes === 0 || writeTo(tool, state, command)) && quit(tool, state, true),
  ],
  [
    'exi',
    'exit',
    (tool, state, command) => (state.buffer.changes === 0 || writeTo(tool, state, command)) && quit(tool, state, true),
  ],
  ['q', 'quit', (tool, state, command) => quit(tool, state, command.isForced)],
  ['qa', 'qall', (tool, state, command) => quit(tool, state, command.isForced)],
  ['wqa', 'wqall', (tool, state, command) => writeTo(tool, state, command) && quit(tool, state, true)],
  ['wa', 'wall', (tool, state, command) => writeTo(tool, state, command)],
  ['e', 'edit', (tool, state, command) => editFile(tool, state, command)],
  ['r', 'read', (tool, state, command) => readInto(tool, state, command)],
  ['se', 'set', (_tool, state, command) => setOptions(state, command.rest)],
  ['s', 'substitute', (tool, state, command) => substitute(tool, state, command)],
  ['g', 'global', (tool, state, command) => repeatGlobally(tool, state, command, runEx)],
  ['v', 'vglobal', (tool, state, command) => repeatGlobally(tool, state, command, runEx)],
  ['d', 'delete', (tool, state, command) => changeLines(tool, state, command)],
  ['y', 'yank', (_tool, state, { from, to }) => keepText(state, wholeLines(from, to), '', 'Yank')],
  ['pu', 'put', (tool, state, command) => changeLines(tool, state, command)],
  ['j', 'join', (tool, state, command) => changeLines(tool, state, command)],
  ['m', 'move', (tool, state, command) => copyLines(tool, state, command)],
  ['t', 't', (tool, state, command) => copyLines(tool, state, command)],
  ['co', 'copy', (tool, state, command) => copyLines(tool, state, command)],
  ['>', '>', (tool, state, command) => changeLines(tool, state, command)],
  ['<', '<', (tool, state, command) => changeLines(tool, state, command)],
  ['u', 'undo', (tool, state) => press(tool, state, 'u')],
  ['red', 'redo', (tool, state) => press(tool, state, '\x12')],
  ['f', 'file', (_tool, state) => void (state.message = describeFile(state))],
  ['noh', 'nohlsearch', () => undefined],
  ['k', 'k', (_tool, state, { rest, to }) => void (state.marks[rest.trim()[0] ?? 'a'] = [to, 0])],
];
const IN_BUSYBOX = new Set('write wq xit quit edit read set substitute delete yank > < file'.split(' '));

/** Runs one line of ex. */
export function runEx(tool: FilterContext, state: ViState, line: string): void {
  const text = line.replace(/^[\s:]{0,100}/, '');
  if (text === '' || text.startsWith('"')) return;
  const found = readAddresses(state, text);
  if (typeof found === 'string') {
    state.message = found;
    return;
  }
  const { rest: words, addresses } = found;
  const [, word = ''] = /^([a-z]+|[<>&=]|)/.exec(words) ?? [];
  if (words === '') {
    if ((addresses.at(-1) ?? 0) >= state.buffer.lines.length) state.message = invalidRange(state);
    else if (addresses.length > 0) moveToLine(state, addresses.at(-1)!);
    return;
  }
  if (words.startsWith('!')) return refuse(state, '!');
  const name = splitName(word, words);
  const known = COMMANDS.find(([least, full]) => name.startsWith(least) && full.startsWith(name));
  if (known === undefined || (state.isBusybox && !IN_BUSYBOX.has(known[1]))) return refuse(state, words);
  const after = words.slice(name.length);
  const isForced = after.startsWith('!');
  const range = rangeFrom(state, addresses, known[1]);
  if (range === undefined) {
    state.message = invalidRange(state);
    return;
  }
  known[2](tool, state, { name: known[1], isForced, rest: isForced ? after.slice(1) : after, ...range });
}

const invalidRange = ({ isBusybox }: ViState): string => (isBusybox ? 'Invalid range' : 'E16: Invalid range');

/** `s/a/b/`, `g/x/d`, `ka`: the pattern follows the letter at once. */
function splitName(word: string, words: string): string {
  if (word.length > 1 && COMMANDS.some(([least, full]) => word.startsWith(least) && full.startsWith(word))) return word;
  if (/^[sgvk]/.test(word) && !/[a-z]/.test(words[1] ?? '')) return word[0]!;
  return word;
}

function rangeFrom(
  state: ViState,
  addresses: readonly number[],
  name: string,
): Pick<ExCommand, 'from' | 'to' | 'hasRange'> | undefined {
  const last = state.buffer.lines.length - 1;
  const isWhole = ['write', 'wq', 'xit', 'exit', 'wqall', 'wall', 'global', 'vglobal'].includes(name);
  const [a, b] = addresses.slice(-2);
  if (a === undefined) return { from: isWhole ? 0 : state.line, to: isWhole ? last : state.line, hasRange: false };
  const [from, to] = [a, b ?? a];
  if (from > last || to > last || (from > to && state.isBusybox)) return undefined;
  return { from: Math.max(0, Math.min(from, to)), to: Math.max(from, to), hasRange: true };
}

/** Words for what is not there. */
function refuse(state: ViState, words: string): void {
  if (state.isBusybox) {
    state.message = `'${words.slice(0, 60)}' is not implemented`;
    return;
  }
  const isKnown =
    /^(!|sh|shell|make|help|h|split|sp|vsplit|vs|new|tabe|syntax|syn|filetype|colorscheme|b|bn|n|map|abbr)\b/.test(
      words,
    ) || words === '!';
  state.message = isKnown
    ? 'E319: Sorry, the command is not available in this version'
    : `E492: Not an editor command: ${words.slice(0, 60)}`;
}

function press(tool: FilterContext, state: ViState, name: string): void {
  runCommand(state, { register: '', count: undefined, name, argument: '' }, tool.sys.now);
}

function changeLines(tool: FilterContext, state: ViState, { name, rest, from, to, hasRange }: ExCommand): void {
  beginChange(state.buffer, state.line, state.at, tool.sys.now);
  const register = /^\s*([a-z])\b/.exec(rest)?.[1] ?? '';
  const count = Number(/^(?:[a-z] )?(\d{1,9})$/.exec(rest.trim())?.[1] ?? 0);
  const last = count > 0 ? Math.min(state.buffer.lines.length - 1, to + count - 1) : to;
  switch (name) {
    case 'delete':
      keepText(state, wholeLines(count > 0 ? to : from, last), register, 'Delete');
      if (state.isBusybox) state.message = '';
      return removeRange(state, wholeLines(count > 0 ? to : from, last));
    case 'put':
      moveToLine(state, to);
      return putText(state, state.registers[register === '' ? '"' : register], true, 1);
    case 'join':
      return joinLines(state, from, hasRange ? to - from + 1 : Math.max(2, count));
    default:
      return shiftLines(state, from, last, name === '>' ? 1 : -1);
  }
}

function copyLines(tool: FilterContext, state: ViState, { name, rest, from, to }: ExCommand): void {
  const found = readAddresses(state, rest.trim());
  const target = typeof found === 'string' ? undefined : found.addresses[0];
  if (target === undefined || target >= state.buffer.lines.length) {
    state.message = 'E16: Invalid range';
    return;
  }
  if (name === 'move' && target >= from && target < to) {
    state.message = 'E134: Cannot move a range of lines into itself';
    return;
  }
  beginChange(state.buffer, state.line, state.at, tool.sys.now);
  const lines = state.buffer.lines.slice(from, to + 1);
  replaceLines(state.buffer, target + 1, 0, lines);
  if (name === 'move') replaceLines(state.buffer, target < from ? from + lines.length : from, lines.length, []);
  moveToLine(state, name === 'move' && target > from ? target : target + lines.length);
}

/** What Ctrl-G shows. */
export function describeFile(state: ViState): string {
  const total = state.buffer.lines.length;
  const isEmpty = total === 1 && state.buffer.lines[0] === '';
  const notes = (state.buffer.changes !== 0 ? ' [Modified]' : '') + (state.isReadonly ? ' [readonly]' : '');
  const name = state.path === '' ? '[No Name]' : `${state.path}`;
  if (isEmpty) return `"${name}"${notes} --No lines in buffer--`;
  const share = Math.floor(((state.line + 1) * 100) / total);
  return `"${name}"${notes} ${total} line${total === 1 ? '' : 's'} --${share}%--`;
}
