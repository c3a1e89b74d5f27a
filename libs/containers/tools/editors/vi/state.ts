import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Buffer } from '../core/buffer.js';

export type Register = { text: string; isLines: boolean };

export type ViOptions = {
  number: boolean;
  relativenumber: boolean;
  list: boolean;
  autoindent: boolean;
  expandtab: boolean;
  ignorecase: boolean;
  tabstop: number;
  shiftwidth: number;
};

/** All of a running vi, as plain data. */
export type ViState = {
  path: Bytes;
  /** Files of the command line that are still to come. */
  buffer: Buffer;
  isUtf8: boolean;
  isReadonly: boolean;
  /** The cursor: a line, a character of it, and the column that up and down keep to; -1: the end of lines. */
  line: number;
  at: number;
  want: number;
  /** The first line on the screen, and for busybox the first column. */
  top: number;
  left: number;
  mode: 'normal' | 'insert' | 'replace' | 'prompt' | 'visual' | 'visual-line';
  visual: [line: number, at: number];
  /** Keys of a command that is not whole yet. */
  pending: string[];
  /** Bytes of a key that is not whole yet. */
  typed: Bytes;
  /** What is typed after `:`, `/` or `?`, which it begins with. */
  prompt: string;
  message: string;
  registers: Record<string, Register>;
  search: { pattern: string; isForward: boolean };
  find: { key: string; character: string };
  /** Keys of the last command that changed something, for `.`, and those of the one that is typed. */
  dot: string[];
  recording: string[];
  isRepeating: boolean;
  /** The text that Ctrl-V takes as it is. */
  isLiteral: boolean;
  /** A change that was counted: `3ix`. */
  insertCount: number;
  insertKeys: string[];
  /** It is on a line that `o` or `O` has opened. */
  isOpening: boolean;
  marks: Record<string, [line: number, at: number]>;
  options: ViOptions;
  shown: string[] | null;
  columns: number;
  rows: number;
  /** -1: it runs. */
  code: number;
  /** Whose words and screen it has: busybox' or vim's. */
  isBusybox: boolean;
};

/** Where a motion leads. `isInclusive`: an operator takes the character there too. */
export interface Target {
  readonly line: number;
  readonly at: number;
  readonly isLines?: boolean;
  readonly isInclusive?: boolean;
  readonly keepsColumn?: boolean;
}

export const lineOf = (state: ViState): string => state.buffer.lines[state.line] ?? '';

/** Sets the cursor within the text, and the column that it keeps to. */
export function moveCursor(state: ViState, line: number, at: number, keepsColumn = false): void {
  state.line = Math.max(0, Math.min(line, state.buffer.lines.length - 1));
  const { length } = lineOf(state);
  const isBehind = state.mode === 'insert' || state.mode === 'replace' || state.mode.startsWith('visual');
  const last = isBehind ? length : length - 1;
  state.at = Math.max(0, Math.min(at, last));
  if (!keepsColumn) state.want = at;
}
