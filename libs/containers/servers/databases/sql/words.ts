import { SqlSyntaxFailure, type Token } from './tokens.js';

/** A statement's tokens, read from left to right. */
export class Words {
  at = 0;

  /** `fold`: what an unquoted name stands for. */
  constructor(
    readonly tokens: readonly Token[],
    private readonly fold: (word: string) => string,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  get next(): Token | undefined {
    return this.tokens[this.at];
  }

  /** Whether these come next. */
  sees(...keys: readonly string[]): boolean {
    return keys.every((key, i) => this.tokens[this.at + i]?.key === key);
  }

  /** Takes them all, or none. */
  take(...keys: readonly string[]): boolean {
    if (!this.sees(...keys)) return false;
    this.at += keys.length;
    return true;
  }

  takeAny(keys: readonly string[]): string | undefined {
    const key = this.next?.key;
    if (key === undefined || !keys.includes(key)) return undefined;
    this.at++;
    return key;
  }

  expect(...keys: readonly string[]): void {
    for (const key of keys) if (!this.take(key)) this.fail();
  }

  /** Throws SqlSyntaxFailure at the next token. */
  fail(): never {
    const token = this.next;
    throw new SqlSyntaxFailure('syntax error', token?.from ?? -1, token?.text ?? '');
  }

  name(): string {
    const token = this.next;
    if (token?.type !== 'word' && token?.type !== 'name') this.fail();
    this.at++;
    return token.type === 'word' ? this.fold(token.text) : token.text;
  }

  /** `a`, `a.b`, `a.b.c`. */
  path(): string[] {
    const parts = [this.name()];
    while (parts.length < 3 && this.take('.')) parts.push(this.name());
    return parts;
  }

  /** A name, unless one of these comes: then there is none. */
  takeAnyName(unless: readonly string[]): string | undefined {
    return unless.includes(this.next?.key ?? '') ? undefined : this.name();
  }

  text(): string {
    const token = this.next;
    if (token?.type !== 'text') this.fail();
    this.at++;
    return token.text;
  }

  /** `(a, b)`; what follows a name, such as a length or an order, is passed over. */
  names(): string[] {
    this.expect('(');
    const names: string[] = [];
    do {
      names.push(this.name());
      if (this.sees('(')) this.group();
      this.takeAny(['asc', 'desc']);
    } while (this.take(','));
    this.expect(')');
    return names;
  }

  /** What is between the next parenthesis and its partner. */
  group(): Token[] {
    this.expect('(');
    const from = this.at;
    for (let depth = 1; !this.isAtEnd; this.at++) {
      if (this.sees('(')) depth++;
      if (this.sees(')') && --depth === 0) return this.tokens.slice(from, this.at++);
    }
    return this.fail();
  }

  /** Tokens up to one of these outside of parentheses, or the end. */
  until(keys: readonly string[]): Token[] {
    const from = this.at;
    for (let depth = 0; !this.isAtEnd; this.at++) {
      const key = this.next!.key;
      if (depth === 0 && this.at > from && keys.includes(key)) break;
      if (depth === 0 && keys.includes(key) && (key === ',' || key === ')')) break;
      if (key === '(') depth++;
      if (key === ')') depth--;
      if (depth < 0) break;
    }
    return this.tokens.slice(from, this.at);
  }

  rest(): Token[] {
    const rest = this.tokens.slice(this.at);
    this.at = this.tokens.length;
    return rest;
  }
}
