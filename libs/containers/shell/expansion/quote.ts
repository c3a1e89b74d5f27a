import type { Bytes } from '../kernel.js';

const NAMES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\E',
  '\\': '\\\\',
  "'": "\\'",
};

const hasControl = (text: Bytes): boolean => /[\0-\x1f\x7f-\xff]/.test(text);

/** $'...'. */
export const quoteAnsi = (text: Bytes): Bytes =>
  `$'${text.replace(/[\0-\x1f\x7f-\xff\\']/g, (character) => NAMES[character] ?? '\\' + character.charCodeAt(0).toString(8).padStart(3, '0'))}'`;

/** 'it'\''s', as bash's ${x@Q} and `alias`, `trap` and `export -p` of all shells print. */
export const quoteSingle = (text: Bytes): Bytes => `'${text.replaceAll("'", "'\\''")}'`;

/** As bash's `declare -p` prints. */
export function quoteDouble(text: Bytes): Bytes {
  return hasControl(text) ? quoteAnsi(text) : `"${text.replace(/[$`"\\]/g, '\\$&')}"`;
}

/** As bash's `set` prints and `set -x` shows: quotes only where they are needed. */
export function quoteWhereNeeded(text: Bytes): Bytes {
  if (text === '') return "''";
  if (hasControl(text)) return quoteAnsi(text);
  return /[^\w@%+=:,./-]/.test(text) || /^[~#]/.test(text) ? quoteSingle(text) : text;
}

/** bash's printf %q. */
export function quoteBackslash(text: Bytes): Bytes {
  if (text === '') return "''";
  if (hasControl(text)) return quoteAnsi(text);
  return text.replace(/[^\w@%+:./,=-]|^[~#]/g, (character) => (character === '~' ? '\\~' : `\\${character}`));
}

/** dash's and busybox' way: every ' within its own double quotes. */
export const quoteDash = (text: Bytes): Bytes => `'${text.replace(/'+/g, (run) => `'"${run}"'`)}'`;
