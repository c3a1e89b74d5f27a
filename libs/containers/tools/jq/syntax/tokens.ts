import { SyntaxFault } from './syntax.js';

type Kind = 'number' | 'field' | 'format' | 'word' | 'variable' | 'operator' | 'quote' | 'end' | 'invalid';
type Token = { readonly kind: Kind; readonly text: string; readonly start: number; readonly end: number };

const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['field', /\.[A-Za-z_]\w*/y],
  ['format', /@[A-Za-z0-9]+/y],
  ['word', /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y],
  ['variable', /\$(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y],
  ['operator', /\?\/\/=?|\/\/=|\/\/|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\.\.|[-+*/%=<>|,.:;()[\]{}?$]/y],
  ['quote', /"/y],
];
const SPACE = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
);

/** A program's tokens, one of them looked at. Strings are read by the parser, as programs stand in them. */
export class Tokens {
  protected at = 0;
  protected token: Token;
  private last = 0;

  constructor(protected readonly text: string) {
    this.token = this.read();
  }

  protected read(): Token {
    SPACE.lastIndex = this.at;
    const start = this.at + SPACE.exec(this.text)![0].length;
    if (start >= this.text.length) return { kind: 'end', text: '', start, end: start };
    for (const [kind, pattern] of PATTERNS) {
      pattern.lastIndex = start;
      const found = pattern.exec(this.text);
      if (found !== null) return { kind, text: found[0], start, end: start + found[0].length };
    }
    return { kind: 'invalid', text: this.text[start]!, start, end: start + 1 };
  }

  protected advance(): Token {
    const { token } = this;
    this.at = token.end;
    this.last = token.start;
    this.token = this.read();
    return token;
  }

  protected is(operator: string): boolean {
    return this.token.kind === 'operator' && this.token.text === operator;
  }

  protected isWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text === word;
  }

  protected take(operator: string): boolean {
    const isThere = this.is(operator);
    if (isThere) this.advance();
    return isThere;
  }

  protected takeWord(word: string): boolean {
    const isThere = this.isWord(word);
    if (isThere) this.advance();
    return isThere;
  }

  protected need(operator: string): void {
    if (!this.take(operator)) throw this.unexpected();
  }

  protected needWord(word: string): void {
    if (!this.takeWord(word)) throw this.unexpected();
  }

  /** Where the token begins; at the end, the last one. */
  protected get start(): number {
    return this.token.kind === 'end' ? this.last : this.token.start;
  }

  protected unexpected(): SyntaxFault {
    const { kind, text } = this.token;
    const names: Readonly<Record<Kind, string>> = {
      ...{ number: 'LITERAL', field: 'FIELD', format: 'FORMAT', end: 'end of file', quote: 'QQSTRING_START' },
      word: KEYWORDS.has(text) ? text : 'IDENT',
      variable: "'$'",
      operator: text.length === 1 ? `'${text}'` : text,
      invalid: 'INVALID_CHARACTER',
    };
    const isUnmatched = kind === 'operator' && ')]}'.includes(text);
    const name = isUnmatched && this.token.end === this.text.trimEnd().length ? 'INVALID_CHARACTER' : names[kind];
    return new SyntaxFault(`syntax error, unexpected ${name} (Unix shell quoting issues?)`, this.start);
  }
}

export const UNFINISHED =
  'syntax error, unexpected end of file, expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END ' +
  '(Unix shell quoting issues?)';
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** What stands after a backslash at `at - 1`; undefined: nothing that there is. */
export function readEscape(text: string, at: number): { text: string; end: number } | undefined {
  const letter = text[at] ?? '';
  if (letter !== 'u') return ESCAPES[letter] === undefined ? undefined : { text: ESCAPES[letter], end: at + 1 };
  const digits = text.slice(at + 1, at + 5);
  if (!/^[\da-fA-F]{4}$/.test(digits)) return undefined;
  return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 5 };
}
