/** A dialect's way to write words. */
export type Dialect = 'postgres' | 'mysql';

/**
 * - `word`: an unquoted name or key word, as it was written; `key` is in lower case.
 * - `name`: a quoted name, without its quotes.
 * - `text`: a string's value.
 */
export interface Token {
  readonly type: 'word' | 'name' | 'text' | 'number' | 'sign' | 'parameter' | 'bytes';
  readonly text: string;
  /** Of a word in lower case, of a sign itself; '' for others. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Where a statement cannot be read. */
export class SqlSyntaxFailure extends Error {
  constructor(
    message: string,
    readonly from: number,
    readonly near: string,
  ) {
    super(message);
  }
}

const SIGNS = [
  ...['<=>', '!~*', '->>', '#>>', '::', '<=', '>=', '<>', '!=', '||', '&&', ':=', '->', '#>', '@>', '<@', '~*', '!~'],
];
const LETTER = /[A-Za-z_\x80-\uffff]/;
const WORD = /[A-Za-z0-9_$\x80-\uffff]*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const DOLLAR = /\$(?:[A-Za-z_]\w*)?\$/y;
const PARAMETER = /\$\d+/y;
const MAX_TOKENS = 50_000;

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

/** The words and signs of SQL text, without comments. Throws SqlSyntaxFailure. */
export function tokenize(sql: string, dialect: Dialect): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while ((at = skipBlank(sql, at, dialect)) < sql.length) {
    if (tokens.length >= MAX_TOKENS) throw new SqlSyntaxFailure('statement is too complex', at, sql.slice(at, at + 20));
    const token = readToken(sql, at, dialect);
    tokens.push(token);
    at = token.to;
  }
  return tokens;
}

/** Past white space and comments. */
function skipBlank(sql: string, from: number, dialect: Dialect): number {
  let at = from;
  for (; at < sql.length; at++) {
    if (/\s/.test(sql[at]!)) continue;
    const isLine = sql.startsWith('--', at) || (dialect === 'mysql' && sql[at] === '#');
    if (isLine) {
      const end = sql.indexOf('\n', at);
      at = end < 0 ? sql.length : end;
    } else if (sql.startsWith('/*', at) && !(dialect === 'mysql' && sql[at + 2] === '!')) {
      const end = sql.indexOf('*/', at + 2);
      if (end < 0) throw new SqlSyntaxFailure('unterminated /* comment', at, sql.slice(at));
      at = end + 1;
    } else if (dialect === 'mysql' && sql.startsWith('/*!', at)) at = Math.max(at + 2, afterVersion(sql, at + 3) - 1);
    else if (dialect === 'mysql' && sql.startsWith('*/', at)) at++;
    else break;
  }
  return at;
}

/** What is in a MySQL comment of a version is run: its number is passed over. */
const afterVersion = (sql: string, at: number): number => at + (match(/\d{0,6}/y, sql, at)?.length ?? 0);

function readToken(sql: string, at: number, dialect: Dialect): Token {
  const first = sql[at]!;
  const make = (type: Token['type'], text: string, to: number, key = ''): Token => ({ type, text, key, from: at, to });
  if (first === "'") return make('text', ...readString(sql, at, "'", dialect === 'mysql'));
  if (first === '"')
    return make(dialect === 'mysql' ? 'text' : 'name', ...readString(sql, at, '"', dialect === 'mysql'));
  if (first === '`' && dialect === 'mysql') return make('name', ...readString(sql, at, '`', false));
  const second = sql[at + 1];
  if (second === "'" && /[eE]/.test(first) && dialect === 'postgres')
    return make('text', ...readString(sql, at + 1, "'", true));
  if (second === "'" && /[xX]/.test(first)) return make('bytes', ...readString(sql, at + 1, "'", false));
  if (first === '0' && (second === 'x' || second === 'X')) {
    const digits = match(/[0-9a-fA-F]*/y, sql, at + 2)!;
    return make('bytes', digits, at + 2 + digits.length);
  }
  if (first === '$') {
    const parameter = match(PARAMETER, sql, at);
    if (parameter !== undefined) return make('parameter', parameter.slice(1), at + parameter.length);
    const mark = match(DOLLAR, sql, at);
    if (mark !== undefined) {
      const end = sql.indexOf(mark, at + mark.length);
      if (end < 0) throw new SqlSyntaxFailure('unterminated dollar-quoted string', at, sql.slice(at));
      return make('text', sql.slice(at + mark.length, end), end + mark.length);
    }
  }
  if (first === '?' && dialect === 'mysql') return make('parameter', '', at + 1);
  if (LETTER.test(first) || (first === '@' && dialect === 'mysql')) {
    const lead = first === '@' ? match(/@{1,2}/y, sql, at)! : '';
    const word = lead + match(WORD, sql, at + lead.length)!;
    return make('word', word, at + word.length, word.toLowerCase());
  }
  const number = /[\d.]/.test(first) ? match(NUMBER, sql, at) : undefined;
  if (number !== undefined) return make('number', number, at + number.length);
  const sign = SIGNS.find((one) => sql.startsWith(one, at)) ?? first;
  return make('sign', sign, at + sign.length, sign);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0', b: '\b', Z: '\x1a' };

/** A quoted text, whose quotes are doubled inside, and where it ends. */
function readString(sql: string, from: number, quote: string, hasEscapes: boolean): [text: string, to: number] {
  let text = '';
  let at = from + 1;
  for (; at < sql.length; at++) {
    const one = sql[at]!;
    if (one === quote) {
      if (sql[at + 1] !== quote) return [text, at + 1];
      at++;
      text += quote;
    } else if (one === '\\' && hasEscapes && at + 1 < sql.length) {
      at++;
      text += ESCAPES[sql[at]!] ?? sql[at]!;
    } else text += one;
  }
  const kind = quote === "'" ? 'string' : 'identifier';
  throw new SqlSyntaxFailure(`unterminated quoted ${kind}`, from, sql.slice(from));
}

/** The statements between semicolons. */
export function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (token.key === ';') statements.push([]);
    else statements.at(-1)!.push(token);
  }
  return statements.filter((one) => one.length > 0);
}

/** In back quotes: what is in double quotes is a text to SQLite where there is no such name. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
