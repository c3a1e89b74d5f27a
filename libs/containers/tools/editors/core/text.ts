import { type Bytes, bytesOf, textOf } from '../../../../engine/kernel/bytes.js';

/** A file as an editor holds it: lines of text. What is not UTF-8 is kept byte by byte. */
export interface EditedText {
  readonly lines: string[];
  readonly isUtf8: boolean;
  /** Whether the last line ends with a newline. */
  readonly isWhole: boolean;
}

export function decodeFile(bytes: Bytes): EditedText {
  const text = textOf(bytes);
  const isUtf8 = bytesOf(text) === bytes;
  const lines = (isUtf8 ? text : bytes).split('\n');
  const isWhole = lines.at(-1) === '';
  if (isWhole && lines.length > 1) lines.pop();
  return { lines, isUtf8, isWhole: isWhole || bytes === '' };
}

export const encodeText = (text: string, isUtf8: boolean): Bytes => (isUtf8 ? bytesOf(text) : text);

/** What a terminal shows of a character at a column: tabs as blanks, control characters as ^X. */
export function showCharacter(character: string, column: number, tabStop: number): string {
  if (character === '\t') return ' '.repeat(tabStop - (column % tabStop));
  const code = character.charCodeAt(0);
  if (code < 32) return `^${String.fromCharCode(code + 64)}`;
  if (code === 127) return '^?';
  if (code >= 128 && code < 160) return `~${String.fromCharCode(code - 64)}`;
  return character;
}

/** A line in the cells of a terminal. */
export function expandLine(line: string, tabStop = 8): string {
  if (!/[\0-\x1f\x7f-\x9f]/.test(line)) return line;
  let shown = '';
  for (const character of line) shown += showCharacter(character, shown.length, tabStop);
  return shown;
}

/** The column of the terminal where a character of a line begins. */
export const columnOf = (line: string, at: number, tabStop = 8): number =>
  expandLine(line.slice(0, at), tabStop).length;

/** The character of a line that stands at or before this column. */
export function indexAt(line: string, column: number, tabStop = 8): number {
  let shown = 0;
  for (let i = 0; i < line.length; i++) {
    shown += showCharacter(line[i]!, shown, tabStop).length;
    if (shown > column) return i;
  }
  return line.length;
}
