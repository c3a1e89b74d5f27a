import { type Bytes, bytesOf } from '../kernel.js';

const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

export interface EscapeOptions {
  /** Octal as \0nnn (echo, %b) besides \nnn. */
  readonly zeroOctal: boolean;
  readonly plainOctal: boolean;
  /** \c ends everything. */
  readonly stop: boolean;
  /** \xHH, \uHHHH, \UHHHHHHHH, \e. */
  readonly hexadecimal: boolean;
  /** \' \" \? and \cX. */
  readonly ansi?: boolean;
}

/** Text with its backslash escapes replaced. `isStopped`: a \c was there. */
export function decodeEscapes(
  text: Bytes,
  options: EscapeOptions,
): { readonly text: Bytes; readonly isStopped: boolean } {
  let result = '';
  let at = 0;
  for (;;) {
    const backslash = text.indexOf('\\', at);
    if (backslash < 0) return { text: result + text.slice(at), isStopped: false };
    result += text.slice(at, backslash);
    const rest = text.slice(backslash + 1, backslash + 10);
    const escape = decodeEscape(rest, options);
    if (escape === 'stop') return { text: result, isStopped: true };
    result += escape.text;
    at = backslash + 1 + escape.length;
  }
}

function decodeEscape(rest: Bytes, options: EscapeOptions): { text: Bytes; length: number } | 'stop' {
  const letter = rest[0] ?? '';
  if (letter === 'c' && options.stop) return 'stop';
  if (options.ansi && letter === 'c' && rest.length > 1) {
    return { text: String.fromCharCode(rest.charCodeAt(1) & 31), length: 2 };
  }
  if (options.ansi && letter !== '' && `'"?`.includes(letter)) return { text: letter, length: 1 };
  const octal = /^0[0-7]{1,3}/.exec(rest);
  if (octal && options.zeroOctal) return fromCode(parseInt(octal[0], 8) & 255, octal[0].length);
  if (letter === '0' && options.zeroOctal) return fromCode(0, 1);
  const plain = /^[0-7]{1,3}/.exec(rest);
  if (plain && options.plainOctal) return fromCode(parseInt(plain[0], 8) & 255, plain[0].length);
  if (options.hexadecimal) {
    const hexadecimal = /^x[\dA-Fa-f]{1,2}/.exec(rest);
    if (hexadecimal) return fromCode(parseInt(hexadecimal[0].slice(1), 16), hexadecimal[0].length);
    const unicode = /^(?:u[\dA-Fa-f]{1,4}|U[\dA-Fa-f]{1,8})/.exec(rest);
    if (unicode) {
      const code = Math.min(parseInt(unicode[0].slice(1), 16), 0x10ffff);
      return { text: bytesOf(String.fromCodePoint(code)), length: unicode[0].length };
    }
  }
  const named = (letter !== 'e' && letter !== 'E') || options.hexadecimal ? LETTERS[letter] : undefined;
  return named === undefined ? { text: '\\' + letter, length: letter === '' ? 0 : 1 } : { text: named, length: 1 };
}

const fromCode = (code: number, length: number): { text: Bytes; length: number } => ({
  text: String.fromCharCode(code),
  length,
});

/** What stands between $' and '. */
export const decodeAnsi = (text: Bytes): Bytes => {
  const decoded = decodeEscapes(text, {
    zeroOctal: false,
    plainOctal: true,
    stop: false,
    hexadecimal: true,
    ansi: true,
  });
  const nul = decoded.text.indexOf('\0');
  return nul < 0 ? decoded.text : decoded.text.slice(0, nul);
};
