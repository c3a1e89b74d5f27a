import type { Bytes } from '../../engine/kernel/bytes.js';
import type { FileType } from '../../engine/kernel/files/file.js';
import { ToolFailure } from './framework/failure.js';

/** A size in powers of 1,024 (or 1,000) with a letter, rounded up as `ls -h` and `df -h` do: 1.5K, 12M, 0. */
export function humanSize(bytes: number, base: 1_000 | 1_024 = 1_024): string {
  if (bytes < base) return String(Math.ceil(bytes));
  let [value, power] = [bytes, 0];
  while (value >= base && power < 8) [value, power] = [value / base, power + 1];
  let text = value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : String(Math.ceil(value));
  if (text === '10.0') text = '10';
  if (Number(text) >= base) [text, power] = ['1.0', power + 1];
  return `${text}${(base === 1_000 ? ' kMGTPEZY' : ' KMGTPEZY')[power]}`;
}

const UNITS = 'KMGTPEZY';

/**
 * A number with a unit: 10, 4K, 2M, 1kB (1,000), 1KiB, 512b with `blocks`. Undefined when it is none.
 */
export function parseSize(text: Bytes, extra: Readonly<Record<string, number>> = {}): number | undefined {
  const [, digits, unit] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const known = extra[unit];
  if (known !== undefined) return Number(digits) * known;
  if (unit === '') return Number(digits);
  const power = UNITS.indexOf(unit[0]!.toUpperCase()) + 1;
  const suffix = unit.slice(1);
  if (power === 0 || !['', 'B', 'iB'].includes(suffix)) return undefined;
  return Number(digits) * (suffix === 'B' ? 1_000 : 1_024) ** power;
}

const TYPE_LETTERS: Readonly<Record<FileType, string>> = {
  file: '-',
  directory: 'd',
  link: 'l',
  fifo: 'p',
  socket: 's',
  char: 'c',
  block: 'b',
};

/** The ten letters of `ls -l`. */
export function modeLetters(type: FileType, mode: number): string {
  const triple = (shift: number, special: boolean, letter: string) => {
    const bits = mode >> shift;
    const execute = special ? (bits & 1 ? letter : letter.toUpperCase()) : bits & 1 ? 'x' : '-';
    return (bits & 4 ? 'r' : '-') + (bits & 2 ? 'w' : '-') + execute;
  };
  const [user, group, others] = [
    triple(6, (mode & 0o4000) !== 0, 's'),
    triple(3, (mode & 0o2000) !== 0, 's'),
    triple(0, (mode & 0o1000) !== 0, 't'),
  ];
  return TYPE_LETTERS[type] + user + group + others;
}

export const octal = (mode: number, width = 4): string => mode.toString(8).padStart(width, '0');

const ESCAPES: Readonly<Record<string, Bytes>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/**
 * Backslash escapes as `echo -e` and printf's %b know them: `\n`, `\0NNN`, `\xHH`; `\c` ends all output. `isFormat`: in
 * printf's format, where octal numbers have no leading 0 and quotes are escaped.
 */
export function unescapeBytes(text: Bytes, isFormat = false): { readonly bytes: Bytes; readonly isEnd: boolean } {
  let bytes = '';
  const pattern = /\\(?:(x[\da-fA-F]{1,2})|(0?[0-7]{1,3})|([\s\S])|$)/g;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, hex, digits, letter] = match;
    bytes += text.slice(at, match.index);
    at = match.index + whole.length;
    if (hex !== undefined) bytes += String.fromCharCode(Number.parseInt(hex.slice(1), 16));
    else if (digits !== undefined) {
      const used = isFormat ? digits.slice(0, 3) : digits.startsWith('0') ? digits : digits.slice(0, 3);
      bytes += String.fromCharCode(Number.parseInt(used, 8) & 255) + digits.slice(used.length);
    } else if (letter === 'c') return { bytes, isEnd: true };
    else if (letter === '"' && isFormat) bytes += '"';
    else bytes += letter === undefined ? '\\' : (ESCAPES[letter] ?? `\\${letter}`);
  }
  return { bytes: bytes + text.slice(at), isEnd: false };
}

/** Lines that a tool takes that has to see all of them: it goes through them in one step. */
const MAX_LINES = 250_000;

/** Lines without their newlines; an unfinished last line counts. Throws ToolFailure for more than are simulated. */
export function splitLines(text: Bytes, separator = '\n'): Bytes[] {
  if (text === '') return [];
  const lines = text.split(separator, MAX_LINES + 2);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > MAX_LINES) throw new ToolFailure('memory exhausted', 2);
  return lines;
}
