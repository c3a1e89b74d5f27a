import type { Value } from '../data/value.js';

/** A statement of mongosh as plain data: what of JavaScript is simulated. */
export type Node =
  | { type: 'value'; value: Value }
  | { type: 'name'; name: string }
  | { type: 'list'; items: Node[] }
  | { type: 'object'; entries: [string, Node][] }
  | { type: 'member'; of: Node; name: Node }
  | { type: 'call'; of: Node; args: Node[] }
  | { type: 'assign'; name: string; value: Node };

/** What this reader of JavaScript does not understand. */
export class SyntaxFailure extends Error {}

const MAX_DEPTH = 60;
const MAX_STATEMENTS = 1_000;
const NAME = /^[\w$]+/;
const NUMBER = /^(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)/i;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };
const CLOSED = 'not simulated';

export function parseScript(text: string): Node[] {
  const parser = new Parser(text);
  const statements: Node[] = [];
  while (!parser.isDone()) {
    if (statements.length >= MAX_STATEMENTS) throw new SyntaxFailure('the script is too long');
    statements.push(parser.statement());
  }
  return statements;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  isDone(): boolean {
    while (this.take(';'));
    return this.at >= this.text.length;
  }

  statement(): Node {
    const line = this.line();
    if (line !== undefined) return line;
    const keyword = ['const', 'let', 'var'].find((word) => this.isWord(word));
    if (keyword !== undefined) this.name();
    const refused = ['for', 'while', 'if', 'function', 'async', 'try', 'return', 'class'].find((word) =>
      this.isWord(word),
    );
    if (refused !== undefined) throw new SyntaxFailure(`statements of '${refused}' are ${CLOSED}`);
    const node = this.expression();
    if (this.text[this.at] === '=' && !['=', '>'].includes(this.text[this.at + 1] ?? '')) {
      this.at++;
      if (node.type !== 'name') throw new SyntaxFailure(`assignments to other than names are ${CLOSED}`);
      return { type: 'assign', name: node.name, value: this.expression() };
    }
    const end = this.text[this.at];
    const endsLine = this.text.slice(0, this.at).trimEnd().length < this.text.slice(0, this.at).lastIndexOf('\n') + 1;
    if (end !== undefined && end !== ';' && !endsLine)
      throw new SyntaxFailure(`Unexpected token '${end}', or an operator that is ${CLOSED}`);
    return node;
  }

  /** `use shop`, `show dbs`: words of the shell on a line of their own. */
  private line(): Node | undefined {
    this.space();
    const end = this.text.slice(this.at).search(/[\n;]/);
    const line = this.text.slice(this.at, end < 0 ? undefined : this.at + end).trim();
    const words = line.split(' ').filter(Boolean);
    if (!['use', 'show', 'it', 'exit', 'quit'].includes(words[0] ?? '') || words.length > 2 || /[(=]/.test(line))
      return undefined;
    this.at = end < 0 ? this.text.length : this.at + end;
    const args = words.slice(1).map((word): Node => ({ type: 'value', value: word }));
    return { type: 'call', of: { type: 'name', name: words[0]! }, args };
  }

  private space(): void {
    for (;;) {
      while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
      const comment = this.text.slice(this.at, this.at + 2);
      if (comment !== '//' && comment !== '/*') return;
      const end = this.text.indexOf(comment === '//' ? '\n' : '*/', this.at);
      this.at = end < 0 ? this.text.length : end + (comment === '//' ? 1 : 2);
    }
  }

  private isWord(word: string): boolean {
    this.space();
    return this.text.startsWith(word, this.at) && !/[\w$]/.test(this.text[this.at + word.length] ?? '');
  }

  private take(token: string): boolean {
    this.space();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    this.space();
    return true;
  }

  private need(token: string): void {
    if (!this.take(token)) throw new SyntaxFailure(`Unexpected token, expected "${token}"`);
  }

  private name(): string {
    this.space();
    const [name] = NAME.exec(this.text.slice(this.at, this.at + 200)) ?? [];
    if (name === undefined) throw new SyntaxFailure(`Unexpected token '${this.text[this.at] ?? 'end of input'}'`);
    this.at += name.length;
    return name;
  }

  private expression(): Node {
    if (this.depth++ > MAX_DEPTH) throw new SyntaxFailure('the expression is too deep');
    if (this.isWord('await') || this.isWord('new')) this.name();
    let node = this.primary();
    for (;;) {
      if (this.take('.')) node = { type: 'member', of: node, name: { type: 'value', value: this.name() } };
      else if (this.take('[')) {
        node = { type: 'member', of: node, name: this.expression() };
        this.need(']');
      } else if (this.take('(')) node = { type: 'call', of: node, args: this.items(')') };
      else break;
    }
    this.depth--;
    return node;
  }

  private items(end: string): Node[] {
    const items: Node[] = [];
    while (!this.take(end)) {
      items.push(this.expression());
      if (!this.take(',')) {
        this.need(end);
        break;
      }
    }
    return items;
  }

  private primary(): Node {
    this.space();
    const char = this.text[this.at] ?? '';
    if (this.take('{')) return { type: 'object', entries: this.entries() };
    if (this.take('[')) return { type: 'list', items: this.items(']') };
    if (this.take('(')) {
      const node = this.expression();
      this.need(')');
      return node;
    }
    if (char === '"' || char === "'" || char === '`') return { type: 'value', value: this.string(char) };
    if (char === '/') return this.pattern();
    if (char === '-' || char === '+') return this.signed(char);
    const [number] = NUMBER.exec(this.text.slice(this.at, this.at + 40)) ?? [];
    if (number !== undefined) {
      this.at += number.length;
      return { type: 'value', value: Number(number) };
    }
    const name = this.name();
    if (name === 'true' || name === 'false') return { type: 'value', value: name === 'true' };
    if (name === 'null' || name === 'undefined') return { type: 'value', value: null };
    this.space();
    if (this.text.startsWith('=>', this.at)) throw new SyntaxFailure(`functions are ${CLOSED}`);
    return { type: 'name', name };
  }

  private signed(sign: string): Node {
    this.at++;
    const node = this.primary();
    if (node.type !== 'value' || typeof node.value !== 'number') throw new SyntaxFailure(`operators are ${CLOSED}`);
    return { type: 'value', value: sign === '-' ? -node.value : node.value };
  }

  private entries(): [string, Node][] {
    const entries: [string, Node][] = [];
    while (!this.take('}')) {
      const char = this.text[this.at] ?? '';
      const key = char === '"' || char === "'" ? this.string(char) : this.name();
      entries.push([key, this.take(':') ? this.expression() : { type: 'name', name: key }]);
      if (!this.take(',')) {
        this.need('}');
        break;
      }
    }
    return entries;
  }

  private string(quote: string): string {
    let text = '';
    for (this.at++; this.text[this.at] !== quote; this.at++) {
      const char = this.text[this.at];
      if (char === undefined) throw new SyntaxFailure('Unterminated string constant');
      if (char === '$' && quote === '`' && this.text[this.at + 1] === '{')
        throw new SyntaxFailure(`templates are ${CLOSED}`);
      if (char !== '\\') text += char;
      else {
        const next = this.text[++this.at] ?? '';
        const code = /^u([\da-f]{4})/i.exec(this.text.slice(this.at, this.at + 5))?.[1];
        if (code !== undefined) this.at += 4;
        text += code === undefined ? (ESCAPES[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16));
      }
    }
    this.at++;
    return text;
  }

  private pattern(): Node {
    let at = this.at + 1;
    while (at < this.text.length && this.text[at] !== '/' && this.text[at] !== '\n')
      at += this.text[at] === '\\' ? 2 : 1;
    if (this.text[at] !== '/') throw new SyntaxFailure('Unterminated regular expression');
    const pattern = this.text.slice(this.at + 1, at);
    const options = /^[a-z]*/.exec(this.text.slice(at + 1, at + 9))![0];
    this.at = at + 1 + options.length;
    return { type: 'value', value: { $regularExpression: { pattern, options } } };
  }
}
