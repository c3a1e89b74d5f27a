import { waitToRead } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { newBuffer } from '../core/buffer.js';
import { readKeys } from '../core/keys.js';
import { ENTER, leaveScreen, paint } from '../core/screen.js';
import { describeFile, runEx } from './ex/ex.js';
import { openFile } from './ex/files.js';
import { insertKey } from './insert.js';
import { typeKey } from './type.js';
import type { ViState } from './state.js';
import { drawVi, editStatus, follow } from './view.js';

const USAGE = '[-c CMD] [-R] [-H] [FILE]...';
/** Keys of one step. */
const MAX_KEYS = 2_000;

/** Busybox' vi and vim, as far as their common commands go. Models editors/vi.c and vim's `:help index`. */
export const vi = defineSteps<ViState>(
  {
    start(tool) {
      const isBusybox = tool.flavour === 'busybox';
      const args = tool.args.map((word) => (/^\+./.test(word) ? `-c${word.slice(1)}` : word === '+' ? '-c$' : word));
      const options = parseOptions(
        { ...tool, args },
        isBusybox ? ['c:', 'R', 'H'] : ['c:', 'R', 'n', 'u:', 'e', 'v', 'N', 'C', 'y', 'Z', 'T:'],
      );
      if (!isBusybox) warnAboutTerminal(tool);
      const state = newState(isBusybox);
      state.isReadonly = options.has('R');
      resize(tool, state);
      openFile(tool, state, options.operands[0] ?? '');
      for (const command of options.values('c')) runEx(tool, state, command);
      if (tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'raw');
      tool.sys.handleSignal('WINCH', 'catch');
      tool.out(ENTER);
      return state;
    },
    step(tool, state) {
      const { sys } = tool;
      while (sys.takeSignal() !== undefined) resize(tool, state);
      const isEnded = state.code < 0 && takeKeys(tool, state);
      if (state.code >= 0) return leave(tool, state, state.code);
      if (isEnded) {
        if (!state.isBusybox) tool.err('Vim: Error reading input, exiting...\r\nVim: Finished.\r\n');
        const code = leave(tool, state, 1);
        if (state.isBusybox) tool.warn("can't read user input");
        return code;
      }
      show(tool, state);
      return waitToRead(0);
    },
  },
  { usage: USAGE, version: 'VIM - Vi IMproved 9.1 (2024 Jan 02, compiled Jan 01 2026 00:00:00)' },
);

function newState(isBusybox: boolean): ViState {
  return {
    ...{ path: '', buffer: newBuffer(['']), isUtf8: true, isReadonly: false, line: 0, at: 0, want: 0, top: 0, left: 0 },
    ...{ mode: 'normal', visual: [0, 0], pending: [], typed: '', prompt: '', message: '', registers: {} },
    ...{ search: { pattern: '', isForward: true }, find: { key: '', character: '' }, dot: [], recording: [] },
    ...{ isRepeating: false, isLiteral: false, insertCount: 1, insertKeys: [], isOpening: false, marks: {} },
    options: {
      ...{ number: false, relativenumber: false, list: false, autoindent: false, expandtab: false, ignorecase: false },
      ...{ tabstop: 8, shiftwidth: 8 },
    },
    ...{ shown: null, columns: 80, rows: 24, code: -1, isBusybox },
  };
}

function warnAboutTerminal({ sys, err }: FilterContext): void {
  if (!sys.isTerminal(1)) err('Vim: Warning: Output is not to a terminal\n');
  if (!sys.isTerminal(0)) err('Vim: Warning: Input is not from a terminal\n');
}

function resize({ sys }: FilterContext, state: ViState): void {
  const { columns, rows } = sys.isTerminal(1) ? sys.terminalSize(1) : { columns: 80, rows: 24 };
  state.columns = Math.max(2, Math.min(columns, 1_000));
  state.rows = Math.max(2, Math.min(rows, 1_000));
  state.shown = null;
}

/** True at the end of the input. */
function takeKeys(tool: FilterContext, state: ViState): boolean {
  const bytes = tool.sys.read(0, MAX_KEYS);
  if (bytes === undefined) return false;
  if (bytes === '') return true;
  const { keys, rest } = readKeys(state.typed + bytes);
  state.typed = rest;
  for (const key of keys) {
    tool.sys.charge(20 + (state.buffer.lines.length >> 3));
    pressAndFollow(tool, state, key);
    if (state.code >= 0) break;
  }
  return false;
}

/** Vim's message goes when the screen moves. */
function pressAndFollow(tool: FilterContext, state: ViState, key: string): void {
  const { message, top, buffer } = state;
  const { length } = buffer.lines;
  pressKey(tool, state, key);
  follow(state);
  const hasMoved = state.top !== top || state.buffer.lines.length !== length;
  if (hasMoved && (state.message === message || state.message.startsWith(':')) && state.mode === 'normal')
    state.message = '';
}

function pressKey(tool: FilterContext, state: ViState, key: string): void {
  if (state.mode === 'prompt') return typePrompt(tool, state, key);
  if (isInserting(state)) {
    if (!state.isRepeating) state.recording.push(key);
    if (key !== '\x1b' && key !== '\x03') state.insertKeys.push(key);
    insertKey(state, key);
    if (!isInserting(state)) state.dot = state.recording;
    return;
  }
  typeKey(tool, state, key, pressKey);
  if (key === '\x07' && state.pending.length === 0)
    state.message = state.isBusybox ? editStatus(state) : describeFile(state);
}

const isInserting = ({ mode }: ViState): boolean => mode === 'insert' || mode === 'replace';

const MAX_PROMPT = 4_096;

function typePrompt(tool: FilterContext, state: ViState, key: string): void {
  switch (key) {
    case '\x1b':
    case '\x03':
      state.mode = 'normal';
      state.message = '';
      return;
    case '\r':
    case '\n': {
      const line = state.prompt;
      state.mode = 'normal';
      state.message = state.isBusybox ? '' : line;
      if (line[0] === ':') return runEx(tool, state, line.slice(1));
      const pattern = line.slice(1);
      state.search = { pattern: pattern === '' ? state.search.pattern : pattern, isForward: line[0] === '/' };
      return typeKey(tool, state, 'n', pressKey);
    }
    case '\b':
    case '\x7f':
      state.prompt = state.prompt.slice(0, -1);
      if (state.prompt === '') state.mode = 'normal';
      return;
    case '\x15':
      state.prompt = state.prompt[0]!;
      return;
    default:
      if (!key.startsWith('<') || key.length < 3) {
        if (state.prompt.length < MAX_PROMPT) state.prompt += key;
      }
  }
}

function show(tool: FilterContext, state: ViState): void {
  const frame = drawVi(state);
  tool.out(paint(state.shown, frame));
  state.shown = [...frame.rows];
  tool.sys.setMemory(state.buffer.size * 2);
}

function leave({ sys, out }: FilterContext, state: ViState, code: number): number {
  out(leaveScreen(state.rows));
  if (sys.isTerminal(0)) sys.setTerminalMode(0, 'cooked');
  return code;
}
