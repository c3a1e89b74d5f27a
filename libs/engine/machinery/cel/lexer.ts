import { encodeUtf8 } from '../text/utf8.js';
import { SyntaxIssue } from './errors.js';
import { Double, Uint } from './values.js';

export interface Token {
  readonly kind: 'ident' | 'op' | 'int' | 'double' | 'string' | 'bytes' | 'end';
  readonly text: string;
  readonly at: number;
  readonly value?: bigint | Double | Uint | string | Uint8Array;
}

const SKIP = /(?:\s+|\/\/[^\n]*)*/y;
const NUMBER = /(0x[0-9a-fA-F]+|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+)(u|U)?/y;
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENT = /`([A-Za-z0-9_.\-/ ]+)`/y;
const OPERATOR = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;
const STRING = /([rRbB]{0,2})("""|'''|"|')/y;
const MAX_INT = 2n ** 63n;
const MAX_UINT = 2n ** 64n - 1n;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (let at = 0; ;) {
    at += match(SKIP, at)![0].length;
    if (at >= text.length) return [...tokens, { kind: 'end', text: '<EOF>', at }];
    const token =
      readString(text, at, match(STRING, at)) ??
      readNumber(at, match(NUMBER, at)) ??
      readWord(at, match(IDENT, at), match(QUOTED_IDENT, at), match(OPERATOR, at));
    if (!token)
      throw new SyntaxIssue({ at, message: `Syntax error: token recognition error at: '${text.slice(at, at + 1)}'` });
    tokens.push(token);
    at += token.text.length;
  }
}

function readWord(
  at: number,
  ident: RegExpExecArray | null,
  quoted: RegExpExecArray | null,
  operator: RegExpExecArray | null,
): Token | undefined {
  if (ident) return { kind: 'ident', text: ident[0], at };
  if (quoted) return { kind: 'ident', text: quoted[0], at, value: quoted[1]! };
  return operator ? { kind: 'op', text: operator[0], at } : undefined;
}

function readNumber(at: number, found: RegExpExecArray | null): Token | undefined {
  if (!found) return undefined;
  const [text, digits = ''] = found;
  if (/^0x|^\d+$/.test(digits)) {
    const value = BigInt(digits);
    const unsigned = /u$/i.test(text);
    if (value > (unsigned ? MAX_UINT : MAX_INT))
      throw new SyntaxIssue({ at, message: `invalid ${unsigned ? 'uint' : 'int'} literal` });
    return { kind: 'int', text, at, value: unsigned ? new Uint(value) : value };
  }
  if (!Number.isFinite(Number(digits))) throw new SyntaxIssue({ at, message: 'invalid double literal' });
  return { kind: 'double', text, at, value: new Double(Number(digits)) };
}

function readString(text: string, at: number, open: RegExpExecArray | null): Token | undefined {
  if (!open) return undefined;
  const [, prefix = '', quote = ''] = open;
  const raw = /r/i.test(prefix);
  const start = at + open[0].length;
  let end = start;
  while (end < text.length && !text.startsWith(quote, end)) {
    if (quote.length === 1 && text[end] === '\n') break;
    end += !raw && text[end] === '\\' ? 2 : 1;
  }
  if (!text.startsWith(quote, end) || end >= text.length)
    throw new SyntaxIssue({ at, message: `Syntax error: token recognition error at: '${text.slice(at)}'` });
  const body = text.slice(start, end);
  const token = text.slice(at, end + quote.length);
  if (/b/i.test(prefix))
    return { kind: 'bytes', text: token, at, value: raw ? encodeUtf8(body) : unescapeBytes(body, at) };
  return { kind: 'string', text: token, at, value: raw ? body : unescapeText(body, at) };
}

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** A backslash with what it escapes (the group), or a run of other characters. */
const PIECE = /\\(x[0-9a-fA-F]{2}|X[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[\s\S]?)|[^\\]+/g;

const unescapeText = (body: string, at: number): string =>
  body.replace(PIECE, (piece: string, code: string | undefined) => {
    if (code === undefined) return piece;
    if (/^[xXuU]./.test(code)) return codePoint(Number.parseInt(code.slice(1), 16), at);
    return /^[0-7]{3}$/.test(code) ? codePoint(Number.parseInt(code, 8), at) : unescapeSimple(code, at);
  });

/** In bytes an octal or hexadecimal escape is one byte, and there are no escapes of code points. */
function unescapeBytes(body: string, at: number): Uint8Array {
  const bytes: number[] = [];
  for (const [piece, code] of body.matchAll(PIECE)) {
    if (code === undefined) bytes.push(...encodeUtf8(piece));
    else if (/^[xX]./.test(code)) bytes.push(Number.parseInt(code.slice(1), 16));
    else if (/^[0-7]{3}$/.test(code)) bytes.push(Number.parseInt(code, 8));
    else bytes.push(...encodeUtf8(unescapeSimple(code, at)));
  }
  return Uint8Array.from(bytes);
}

function unescapeSimple(code: string, at: number): string {
  const simple = SIMPLE[code];
  if (simple === undefined) throw new SyntaxIssue({ at, message: 'unable to unescape string' });
  return simple;
}

function codePoint(code: number, at: number): string {
  if (code > 0x10ffff) throw new SyntaxIssue({ at, message: 'unable to unescape string' });
  return String.fromCodePoint(code);
}
