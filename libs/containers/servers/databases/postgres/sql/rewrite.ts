import { quoteName, quoteText, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { PgFailure, unsupported } from '../failure.js';
import { readType } from './types.js';

export const fold = (word: string): string => word.toLowerCase();

/** What is known while a statement is put into SQLite's words. */
export interface Rewriting {
  /** Values of $1, $2, … */
  readonly parameters: readonly (string | null)[];
  /** Schemas of the database beside public. */
  readonly schemas: readonly string[];
}

export const NOTHING_KNOWN: Rewriting = { parameters: [], schemas: [] };

const CALLS: Readonly<Record<string, string>> = {
  ...{ current_timestamp: 'now()', localtimestamp: 'now()', current_date: 'tt_today()', current_time: 'tt_time()' },
  ...{ current_user: 'tt_user()', session_user: 'tt_user()', user: 'tt_user()', current_role: 'tt_user()' },
  ...{ current_catalog: 'current_database()', current_schema: 'current_schema()' },
};
/** Names to PostgreSQL that are key words to SQLite. */
const RESERVED = ['index', 'transaction', 'indexed', 'autoincrement', 'glob', 'regexp', 'match'];
const LITERAL_TYPES = ['date', 'timestamp', 'timestamptz', 'time', 'uuid', 'json', 'jsonb', 'inet'];
const SIGNS: Readonly<Record<string, string>> = {
  '~': 'REGEXP',
  '!~': 'NOT REGEXP',
  '~*': 'GLOB',
  '!~*': 'NOT GLOB',
  ':=': '=',
};

/** Tokens in SQLite's words. Throws PgFailure for what is not understood. */
export function rewrite(tokens: readonly Token[], known: Rewriting): string {
  return new Rewriter(tokens, known).run();
}

type Piece = { text: string; key: string; type: Token['type'] | 'call' };

class Rewriter {
  private readonly pieces: Piece[] = [];
  private readonly words: Words;
  private depth = 0;
  private hasLimit = false;

  constructor(
    tokens: readonly Token[],
    private readonly known: Rewriting,
  ) {
    this.words = new Words(tokens, fold);
  }

  run(): string {
    while (!this.words.isAtEnd) if (!this.readSpecial()) this.readPlain();
    guardDivisors(this.pieces);
    return this.pieces.map(({ text }) => text).join(' ');
  }

  private add(text: string, key = '', type: Token['type'] | 'call' = 'sign'): void {
    this.pieces.push({ text, key, type });
  }

  private inner(tokens: readonly Token[]): string {
    return rewrite(tokens, this.known);
  }

  /** Forms that SQLite says otherwise. */
  private readSpecial(): boolean {
    const { words } = this;
    const token = words.next!;
    const after = words.tokens[words.at + 1];
    if (token.key === '::') return this.readCast();
    if (
      (token.key === '+' || token.key === '-') &&
      after?.key === 'interval' &&
      words.tokens[words.at + 2]?.type === 'text'
    )
      return this.readInterval(token.key);
    if (token.key === '=' && after?.key === 'any' && words.tokens[words.at + 2]?.key === '(') return this.readAny();
    if (token.type !== 'word') return false;
    if (this.readName(token, after)) return true;
    if (after?.key === '(') return this.readCall(token.key);
    if (after?.type === 'text' && LITERAL_TYPES.includes(token.key)) {
      words.at += 2;
      this.add(`tt_cast(${quoteText(after.text)}, '${token.key}')`, '', 'call');
      return true;
    }
    return this.readClause(token.key);
  }

  /** `schema.name`, and key words that are calls. */
  private readName(token: Token, after: Token | undefined): boolean {
    const { words } = this;
    const last = words.tokens[words.at + 2];
    if (after?.key === '.' && last !== undefined) {
      if (token.key === 'pg_catalog' || token.key === 'public') {
        words.at += 2;
        return true;
      }
      if (token.key === 'information_schema' || this.known.schemas.includes(token.key)) {
        words.at += 3;
        this.add(quoteName(`${token.key}.${last.type === 'word' ? last.key : last.text}`), '', 'name');
        return true;
      }
    }
    const isPart = after?.key === '.' || this.pieces.at(-1)?.key === '.';
    if (Object.hasOwn(CALLS, token.key) && !isPart && this.pieces.at(-1)?.key !== 'as') {
      words.at++;
      if (words.sees('(')) words.group();
      this.add(CALLS[token.key]!, '', 'call');
      return true;
    }
    if (!RESERVED.includes(token.key)) return false;
    words.at++;
    this.add(quoteName(token.key), '', 'name');
    return true;
  }

  private readCall(key: string): boolean {
    const { words } = this;
    const start = words.at;
    words.at++;
    const tokens =
      key === 'cast' || key === 'extract' || key === 'position' || key === 'substring' || key === 'operator'
        ? words.group()
        : undefined;
    if (tokens === undefined) {
      words.at = start;
      return false;
    }
    const cut = (word: string): number => topLevel(tokens, word);
    if (key === 'cast' && cut('as') >= 0) {
      const inner = new Words(tokens.slice(cut('as') + 1), fold);
      this.add(castTo(this.inner(tokens.slice(0, cut('as'))), readType(inner).type), '', 'call');
    } else if (key === 'extract' && cut('from') >= 0) {
      const field = tokens[0]!.key || tokens[0]!.text;
      this.add(`tt_extract(${quoteText(field)}, ${this.inner(tokens.slice(cut('from') + 1))})`, '', 'call');
    } else if (key === 'position' && cut('in') >= 0)
      this.add(
        `instr(${this.inner(tokens.slice(cut('in') + 1))}, ${this.inner(tokens.slice(0, cut('in')))})`,
        '',
        'call',
      );
    else if (key === 'substring' && cut('from') >= 0) {
      const length = cut('for') >= 0 ? `, ${this.inner(tokens.slice(cut('for') + 1))}` : '';
      const from = this.inner(tokens.slice(cut('from') + 1, cut('for') >= 0 ? cut('for') : undefined));
      this.add(`substr(${this.inner(tokens.slice(0, cut('from')))}, ${from}${length})`, '', 'call');
    } else if (key === 'operator') {
      const sign = tokens.at(-1)?.key ?? '';
      this.add(SIGNS[sign] ?? sign, sign);
    } else {
      words.at = start;
      return false;
    }
    return true;
  }

  /** Clauses at their own place. */
  private readClause(key: string): boolean {
    const { words } = this;
    const before = this.pieces.at(-1)?.key ?? '';
    if (key === 'ilike') return this.replace('MATCH');
    if (key === 'only' && (before === 'from' || before === 'update')) return this.replace('');
    if (key === 'array' && words.tokens[words.at + 1]?.key === '[') throw unsupported('ARRAY[]');
    if (key === 'collate') {
      words.at++;
      words.path();
      return true;
    }
    if (key === 'limit') {
      if (words.tokens[words.at + 1]?.key === 'all') {
        words.at += 2;
        return true;
      }
      this.hasLimit = true;
      return false;
    }
    if (key === 'offset' && !this.hasLimit && !words.tokens.slice(words.at).some((token) => token.key === 'limit')) {
      this.add('LIMIT -1');
      return false;
    }
    if (
      key === 'fetch' &&
      (words.tokens[words.at + 1]?.key === 'first' || words.tokens[words.at + 1]?.key === 'next')
    ) {
      words.at += 2;
      const count = words.next?.type === 'number' ? words.tokens[words.at++]!.text : '1';
      words.takeAny(['row', 'rows']);
      words.take('only');
      this.add(`LIMIT ${count}`);
      return true;
    }
    if (key === 'for' && this.depth === 0) {
      const rest = words.rest().map((token) => token.key);
      if (!['update', 'share', 'no', 'key'].includes(rest[1] ?? '')) throw unsupported('FOR');
      return true;
    }
    return false;
  }

  private replace(text: string): true {
    this.words.at++;
    if (text !== '') this.add(text, text.toLowerCase(), 'word');
    return true;
  }

  private readCast(): true {
    this.words.at++;
    const { type } = readType(this.words);
    const from = this.operandStart();
    const operand = this.pieces.splice(from).map(({ text }) => text);
    this.add(castTo(operand.join(' '), type), '', 'call');
    return true;
  }

  private readInterval(sign: string): true {
    const { words } = this;
    words.at += 2;
    const from = this.operandStart();
    const operand = this.pieces
      .splice(from)
      .map(({ text }) => text)
      .join(' ');
    this.add(`tt_add(${operand}, '${sign}', ${quoteText(words.text())})`, '', 'call');
    return true;
  }

  private readAny(): true {
    const { words } = this;
    words.at += 2;
    const group = words.group();
    if (group[0]?.key === 'select') this.add(`IN (${this.inner(group)})`);
    else throw unsupported('ANY (array)');
    return true;
  }

  /** Where the operand that ends here begins. */
  private operandStart(): number {
    const { pieces } = this;
    let at = pieces.length - 1;
    if (at < 0) throw new PgFailure('42601', 'syntax error at or near "::"');
    if (pieces[at]!.key === ')') {
      for (let depth = 0; at >= 0; at--) {
        if (pieces[at]!.key === ')') depth++;
        if (pieces[at]!.key === '(' && --depth === 0) break;
      }
      if (
        pieces[at - 1]?.type === 'word' &&
        !['in', 'and', 'or', 'select', 'where', 'values', 'not'].includes(pieces[at - 1]!.key)
      )
        at--;
    }
    while (pieces[at - 1]?.key === '.') at -= 2;
    return Math.max(0, at);
  }

  private readPlain(): void {
    const token = this.words.next!;
    this.words.at++;
    if (token.key === '(') this.depth++;
    if (token.key === ')') this.depth--;
    this.add(this.plain(token), token.key, token.type);
  }

  private plain({ type, text, key, from }: Token): string {
    switch (type) {
      case 'text':
        return quoteText(text);
      case 'name':
        return quoteName(text);
      case 'bytes':
        return `x'${text}'`;
      case 'word':
        return key;
      case 'parameter': {
        const value = this.known.parameters[Number(text) - 1];
        if (value === undefined) throw new PgFailure('42P02', `there is no parameter $${text}`, { position: from + 1 });
        return value === null ? 'NULL' : quoteText(value);
      }
      case 'sign':
        return SIGNS[key] ?? text;
      default:
        return text;
    }
  }
}

/**
 * What is divided by has 0 added by a function that refuses it if it is 0: SQLite would give NULL. A value that went
 * through the function would lose whether it is an integer.
 */
function guardDivisors(pieces: Piece[]): void {
  for (const [at, { key, type }] of pieces.entries()) {
    if (type !== 'sign' || (key !== '/' && key !== '%')) continue;
    const start = at + 1;
    const end = operandEnd(pieces, start);
    if (end < start || end >= pieces.length) continue;
    const operand = pieces.slice(start, end + 1).map(({ text }) => text);
    pieces[start]!.text = `(${pieces[start]!.text}`;
    pieces[end]!.text += ` + tt_nonzero(${operand.join(' ')}))`;
  }
}

/** The last piece of the operand that begins here: a sign, names with dots, and what is in parentheses. */
function operandEnd(pieces: readonly Piece[], start: number): number {
  let at = start;
  while (['-', '+'].includes(pieces[at]?.key ?? '')) at++;
  while (pieces[at + 1]?.key === '.') at += 2;
  const isCall = pieces[at]?.type === 'word' && pieces[at + 1]?.key === '(';
  if (isCall) at++;
  if (pieces[at]?.key !== '(') return at;
  for (let depth = 0; at < pieces.length; at++) {
    if (pieces[at]!.key === '(') depth++;
    if (pieces[at]!.key === ')' && --depth === 0) return at;
  }
  return pieces.length;
}

const castTo = (operand: string, type: string): string => `tt_cast(${operand}, ${quoteText(type)})`;

/** The index of a key word outside of parentheses. */
export function topLevel(tokens: readonly Token[], key: string, from = 0): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const one = tokens[i]!.key;
    if (one === '(') depth++;
    else if (one === ')') depth--;
    else if (depth === 0 && one === key) return i;
  }
  return -1;
}

/** Parts between commas outside of parentheses. */
export function splitList(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.key === '(') depth++;
    if (token.key === ')') depth--;
    if (token.key === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}
