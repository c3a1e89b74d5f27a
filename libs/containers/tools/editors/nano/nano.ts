import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { waitToRead } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { newBuffer } from '../core/buffer.js';
import { loadFile } from '../core/file.js';
import { readKeys } from '../core/keys.js';
import { ENTER, leaveScreen, paint } from '../core/screen.js';
import { decodeFile } from '../core/text.js';
import { typeKey } from './keys.js';
import { moveCursor, type NanoState } from './state.js';
import { drawNano } from './view.js';

const OPTIONS = [
  'l,linenumbers',
  'v,view',
  'E,tabstospaces',
  'T,tabsize:',
  'i,autoindent',
  'I,ignorercfiles',
  'w,nowrap',
];
const MAX_KEYS = 2_000;

/** GNU nano 7.2, as far as its common keys go. Models nano(1). */
export const nano = defineSteps<NanoState>(
  {
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      if (!tool.sys.isTerminal(0) || !tool.sys.isTerminal(1)) {
        tool.err(`Standard ${tool.sys.isTerminal(0) ? 'output' : 'input'} is not a terminal\n`);
        return 1;
      }
      const tabSize = Number(options.value('T') ?? 8);
      if (!Number.isInteger(tabSize) || tabSize < 1 || tabSize > 32) {
        tool.err(`Requested tab size "${options.value('T')}" is invalid\n`);
        return 1;
      }
      const state: NanoState = {
        ...{
          path: '',
          buffer: newBuffer(['']),
          isUtf8: true,
          isView: options.has('v'),
          showsNumbers: options.has('l'),
        },
        ...{ tabSize, tabsToSpaces: options.has('E'), autoindent: options.has('i'), line: 0, at: 0, want: 0, top: 0 },
        ...{
          question: null,
          isLeaving: false,
          message: null,
          blankIn: 20,
          cutBuffer: [],
          isCutting: false,
          search: '',
        },
        ...{ replacement: '', isBackward: false, replaced: 0, isMeta: false, typed: '', lastKind: '', kinds: [] },
        ...{ shown: null, columns: 80, rows: 24, code: -1 },
      };
      const [first, second] = options.operands;
      const place = /^\+(\d{0,9})(?:,(\d{1,9}))?$/.exec(first ?? '');
      open(tool, state, (place === null ? first : second) ?? '');
      if (place !== null) moveCursor(state, Number(place[1] === '' ? 1e9 : place[1]) - 1, Number(place[2] ?? 1) - 1);
      resize(tool, state);
      tool.sys.setTerminalMode(0, 'raw');
      tool.sys.handleSignal('WINCH', 'catch');
      tool.out(ENTER);
      return state;
    },
    step(tool, state) {
      const { sys } = tool;
      while (sys.takeSignal() !== undefined) resize(tool, state);
      const bytes = sys.read(0, MAX_KEYS);
      if (bytes === '') state.code = 1;
      else if (bytes !== undefined) takeKeys(tool, state, bytes);
      if (state.code >= 0) {
        tool.out(`\x1b[${Math.max(1, state.rows - 2)};1H\x1b[J${leaveScreen(state.rows)}`);
        sys.setTerminalMode(0, 'cooked');
        return state.code;
      }
      const frame = drawNano(state);
      tool.out(paint(state.shown, frame));
      state.shown = [...frame.rows];
      sys.setMemory(state.buffer.size * 2);
      return waitToRead(0);
    },
  },
  { usage: '[OPTIONS] [[+LINE[,COLUMN]] FILE]...', version: ' GNU nano, version 7.2' },
);

function takeKeys(tool: FilterContext, state: NanoState, bytes: string): void {
  const { keys, rest } = readKeys(state.typed + bytes);
  state.typed = rest;
  for (const key of keys) {
    tool.sys.charge(20 + (state.buffer.lines.length >> 3));
    typeKey(tool, state, key);
    if (state.code >= 0) return;
  }
}

function open(tool: FilterContext, state: NanoState, path: string): void {
  if (path === '') {
    state.message = 'Welcome to nano.  For basic help, type Ctrl+G.';
    return;
  }
  try {
    const content = loadFile(tool.sys, path);
    const { lines, isUtf8, isWhole } = decodeFile(content ?? '');
    const count = content === undefined || content === '' ? 0 : lines.length;
    // Behind the last newline stands an empty line.
    state.buffer = newBuffer(isWhole && count > 0 ? [...lines, ''] : lines);
    state.isUtf8 = isUtf8;
    state.path = path;
    const isReadonly = content !== undefined && !tool.sys.access(path, 'w');
    const read = `Read ${count} line${count === 1 ? '' : 's'}`;
    state.message = content === undefined ? 'New File' : isReadonly ? `File '${textOf(path)}' is unwritable` : read;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const isDirectory = error.code === 'EISDIR';
    state.message = isDirectory
      ? `"${textOf(path)}" is a directory`
      : `Error reading ${textOf(path)}: ${error.message}`;
    state.path = isDirectory ? '' : bytesOf(textOf(path));
  }
}

function resize({ sys }: FilterContext, state: NanoState): void {
  const { columns, rows } = sys.terminalSize(1);
  state.columns = Math.max(10, Math.min(columns, 1_000));
  state.rows = Math.max(5, Math.min(rows, 1_000));
  state.shown = null;
}
