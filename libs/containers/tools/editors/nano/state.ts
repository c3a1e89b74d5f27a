import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Buffer } from '../core/buffer.js';

/** What nano asks at the bottom: a text, or a choice of letters. */
export type Question = {
  kind: 'write' | 'search' | 'replace' | 'replace-with' | 'goto' | 'read' | 'save-changes' | 'rename' | 'replace-this';
  label: string;
  answer: string;
};

/** All of a running nano, as plain data. */
export type NanoState = {
  path: Bytes;
  buffer: Buffer;
  isUtf8: boolean;
  isView: boolean;
  showsNumbers: boolean;
  tabSize: number;
  tabsToSpaces: boolean;
  autoindent: boolean;
  line: number;
  at: number;
  /** The column that up and down keep to. */
  want: number;
  top: number;
  question: Question | null;
  /** Whether the file is saved to leave. */
  isLeaving: boolean;
  /** Shown above the keys until the next one; null: nothing. */
  message: string | null;
  /** Keys until the message goes. */
  blankIn: number;
  cutBuffer: string[];
  /** The last key cut a line: the next cut adds to it. */
  isCutting: boolean;
  search: string;
  replacement: string;
  isBackward: boolean;
  /** Occurrences that were replaced, while it asks for each; and where it began. */
  replaced: number;
  isMeta: boolean;
  typed: Bytes;
  /** What the last change was, for the message of undo. */
  lastKind: string;
  kinds: string[];
  shown: string[] | null;
  columns: number;
  rows: number;
  code: number;
};

export const lineOf = (state: NanoState): string => state.buffer.lines[state.line] ?? '';

export function moveCursor(state: NanoState, line: number, at: number, keepsColumn = false): void {
  state.line = Math.max(0, Math.min(line, state.buffer.lines.length - 1));
  state.at = Math.max(0, Math.min(at, lineOf(state).length));
  if (!keepsColumn) state.want = state.at;
  state.lastKind = '';
}
