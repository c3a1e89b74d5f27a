/** A parsed script. Words keep their quotes and are expanded when they are run. */
export type Node =
  | {
      readonly type: 'simple';
      readonly assigns: readonly [string, string][];
      readonly words: readonly string[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: 'pipe'; readonly parts: readonly Node[] }
  | { readonly type: 'and' | 'or'; readonly left: Node; readonly right: Node }
  | { readonly type: 'not' | 'background' | 'group'; readonly body: Node }
  | { readonly type: 'seq'; readonly items: readonly Node[] }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly test: Node; readonly body: Node }[];
      readonly otherwise: Node | undefined;
    }
  | { readonly type: 'while'; readonly until: boolean; readonly test: Node; readonly body: Node }
  | { readonly type: 'for'; readonly name: string; readonly words: readonly string[]; readonly body: Node };

export interface Redirect {
  readonly fd: string;
  readonly op: '>' | '>>' | '<' | '>&';
  readonly target: string;
}

export class SyntaxProblem extends Error {}

const MAX_SCRIPT = 64 * 1024;
const OPERATORS = ['&&', '||', ';;', '>>', '>&', '&>', '<<', ';', '|', '&', '(', ')', '<', '>', '\n'];

interface Token {
  readonly op: boolean;
  readonly text: string;
}

/** Where a quoted or substituted part that begins at `i` ends (exclusive). */
function skipQuoted(s: string, i: number): number {
  const c = s[i]!;
  if (c === '\\') return i + 2;
  if (c === "'") {
    const end = s.indexOf("'", i + 1);
    return end < 0 ? s.length : end + 1;
  }
  if (c === '"' || c === '`') {
    let j = i + 1;
    while (j < s.length && s[j] !== c)
      j = s[j] === '\\' || (s[j] === '$' && (s[j + 1] === '(' || s[j + 1] === '{')) ? skipQuoted(s, j) : j + 1;
    return j + 1;
  }
  const [open, close] = s[i + 1] === '(' ? ['(', ')'] : s[i + 1] === '{' ? ['{', '}'] : ['', ''];
  if (c !== '$' || !open) return i + 1;
  let depth = 0;
  for (let j = i + 1; j < s.length; j++) {
    if (s[j] === open) depth++;
    else if (s[j] === close && --depth === 0) return j + 1;
    else if (s[j] === "'" || s[j] === '"' || s[j] === '\\') j = skipQuoted(s, j) - 1;
  }
  return s.length;
}

function tokenize(s: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < s.length) {
    const c = s[i]!;
    if (c === ' ' || c === '\t' || c === '\r' || (c === '\\' && s[i + 1] === '\n')) i += c === '\\' ? 2 : 1;
    else if (c === '#') while (i < s.length && s[i] !== '\n') i++;
    else {
      const op = OPERATORS.find((o) => s.startsWith(o, i));
      if (op) {
        tokens.push({ op: true, text: op });
        i += op.length;
        continue;
      }
      let j = i;
      while (j < s.length && !/[\s;|&()<>]/.test(s[j]!)) j = skipQuoted(s, j);
      tokens.push({ op: false, text: s.slice(i, j) });
      i = j;
    }
  }
  return tokens;
}

const ENDS = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', '}', 'esac']);

class Parser {
  private at = 0;
  constructor(private readonly tokens: readonly Token[]) {}

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }
  private is(text: string, op = true): boolean {
    const t = this.peek();
    return t?.text === text && t.op === op;
  }
  private eat(text: string, op = true): boolean {
    if (!this.is(text, op)) return false;
    this.at++;
    return true;
  }
  private expect(word: string): void {
    while (this.eat('\n') || this.eat(';'));
    if (!this.eat(word, word === ')'))
      throw new SyntaxProblem(`syntax error: unexpected "${this.peek()?.text ?? 'end of file'}" (expecting "${word}")`);
  }

  script(): Node {
    const body = this.list();
    if (this.peek()) throw new SyntaxProblem(`syntax error near unexpected token \`${this.peek()!.text}'`);
    return body;
  }

  private list(): Node {
    const items: Node[] = [];
    for (;;) {
      while (this.eat(';') || this.eat('\n'));
      const t = this.peek();
      if (!t || (t.op && t.text === ')') || (!t.op && ENDS.has(t.text))) break;
      const item = this.logical();
      items.push(this.eat('&') ? { type: 'background', body: item } : item);
    }
    return items.length === 1 ? items[0]! : { type: 'seq', items };
  }

  private logical(): Node {
    let left = this.pipeline();
    for (;;) {
      const type = this.eat('&&') ? 'and' : this.eat('||') ? 'or' : undefined;
      if (!type) return left;
      while (this.eat('\n'));
      left = { type, left, right: this.pipeline() };
    }
  }

  private pipeline(): Node {
    if (this.eat('!', false)) return { type: 'not', body: this.pipeline() };
    const parts = [this.command()];
    while (this.eat('|')) {
      while (this.eat('\n'));
      parts.push(this.command());
    }
    return parts.length === 1 ? parts[0]! : { type: 'pipe', parts };
  }

  private command(): Node {
    if (this.eat('(')) {
      const body = this.list();
      this.expect(')');
      return { type: 'group', body };
    }
    const word = this.peek();
    if (!word || word.op) throw new SyntaxProblem(`syntax error near unexpected token \`${word?.text ?? 'newline'}'`);
    switch (word.text) {
      case '{':
        return this.braces();
      case 'if':
        return this.if();
      case 'while':
      case 'until':
        return this.while(word.text === 'until');
      case 'for':
        return this.for();
      default:
        return this.simple();
    }
  }

  private braces(): Node {
    this.at++;
    const body = this.list();
    this.expect('}');
    return body;
  }

  private if(): Node {
    const branches: { test: Node; body: Node }[] = [];
    let otherwise: Node | undefined;
    do {
      this.at++;
      const test = this.list();
      this.expect('then');
      branches.push({ test, body: this.list() });
    } while (this.is('elif', false));
    if (this.eat('else', false)) otherwise = this.list();
    this.expect('fi');
    return { type: 'if', branches, otherwise };
  }

  private while(until: boolean): Node {
    this.at++;
    const test = this.list();
    this.expect('do');
    const body = this.list();
    this.expect('done');
    return { type: 'while', until, test, body };
  }

  private for(): Node {
    this.at++;
    const name = this.tokens[this.at++]?.text ?? '';
    const words: string[] = [];
    if (this.eat('in', false)) while (this.peek() && !this.peek()!.op) words.push(this.tokens[this.at++]!.text);
    this.expect('do');
    const body = this.list();
    this.expect('done');
    return { type: 'for', name, words, body };
  }

  private simple(): Node {
    const assigns: [string, string][] = [];
    const words: string[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const t = this.peek();
      if (!t) break;
      if (t.op) {
        if (!['>', '>>', '<', '>&', '&>'].includes(t.text)) break;
        this.at++;
        const fd = /^\d$/.test(words.at(-1) ?? '') && words.length > 1 ? words.pop()! : '1';
        redirects.push({
          fd: t.text === '<' ? '0' : fd,
          op: t.text === '&>' ? '>' : (t.text as Redirect['op']),
          target: this.tokens[this.at++]?.text ?? '',
        });
        continue;
      }
      this.at++;
      const assign = words.length === 0 ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(t.text) : null;
      if (assign) assigns.push([assign[1]!, assign[2]!]);
      else words.push(t.text);
    }
    return { type: 'simple', assigns, words, redirects };
  }
}

/** Throws SyntaxProblem. */
export function parse(script: string): Node {
  if (script.length > MAX_SCRIPT) throw new SyntaxProblem('script too long');
  return new Parser(tokenize(script)).script();
}
