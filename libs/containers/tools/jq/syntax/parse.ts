import { type Definition, type Node, type Pattern, SyntaxFault } from './syntax.js';
import { readEscape, Tokens, UNFINISHED } from './tokens.js';

const NOT_TERMS = new Set('then elif else end as catch and or import include'.split(' '));
const MAX_DEPTH = 400;

/** Operators from the weakest to the strongest. */
const LEVELS: readonly { readonly words: readonly string[]; readonly side: 'left' | 'right' | 'none' }[] = [
  { words: ['//'], side: 'right' },
  { words: ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='], side: 'none' },
  { words: ['or'], side: 'left' },
  { words: ['and'], side: 'left' },
  { words: ['==', '!=', '<', '<=', '>', '>='], side: 'none' },
  { words: ['+', '-'], side: 'left' },
  { words: ['*', '/', '%'], side: 'left' },
];

/** Reads a program. Throws SyntaxFault. */
export function parseProgram(text: string): Node {
  const parser = new Parser(text);
  return parser.program();
}

/** Reads definitions alone. */
export function parseDefinitions(text: string): Definition[] {
  return new Parser(text).definitions();
}

const IDENTITY: Node = { type: 'identity' };

class Parser extends Tokens {
  private depth = 0;

  program(): Node {
    const definitions = this.definitions();
    const body = this.token.kind === 'end' ? IDENTITY : this.pipe();
    if (this.token.kind !== 'end') throw this.unexpected();
    return definitions.reduceRight<Node>((inner, definition) => ({ type: 'define', definition, body: inner }), body);
  }

  definitions(): Definition[] {
    const all: Definition[] = [];
    while (this.isWord('def')) all.push(this.definition());
    return all;
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new SyntaxFault('memory exhausted', this.start);
    const node = read();
    this.depth--;
    return node;
  }

  private pipe(): Node {
    return this.deeper((): Node => {
      if (this.isWord('def')) {
        const definition = this.definition();
        return { type: 'define', definition, body: this.pipe() };
      }
      if (this.isWord('label')) return this.label();
      const left = this.comma();
      if (this.isWord('as')) return this.bind(left);
      if (!this.take('|')) return left;
      return { type: 'pipe', left, right: this.pipe() };
    });
  }

  private label(): Node {
    this.advance();
    const name = this.variableName();
    this.need('|');
    return { type: 'label', name, body: this.pipe() };
  }

  private bind(source: Node): Node {
    this.needWord('as');
    const patterns = [this.pattern()];
    while (this.take('?//')) patterns.push(this.pattern());
    this.need('|');
    return { type: 'bind', source, patterns, body: this.pipe() };
  }

  private comma(): Node {
    let left = this.binary(0);
    while (this.take(',')) left = { type: 'comma', left, right: this.binary(0) };
    return left;
  }

  private binary(level: number): Node {
    const rule = LEVELS[level];
    if (rule === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const { kind, text } = this.token;
      const isOperator = (kind === 'operator' || kind === 'word') && rule.words.includes(text);
      if (!isOperator) return left;
      this.advance();
      const right = rule.side === 'right' ? this.deeper(() => this.binary(level)) : this.binary(level + 1);
      left = combine(text, left, right);
      if (rule.side === 'right') return left;
      if (rule.side === 'none' && rule.words.includes(this.token.text) && this.token.kind === 'operator')
        throw this.unexpected();
    }
  }

  private unary(): Node {
    if (this.take('-')) return { type: 'negate', of: this.deeper(() => this.unary()) };
    if (this.takeWord('try')) {
      const body = this.postfix();
      return this.takeWord('catch') ? { type: 'try', body, handler: this.postfix() } : { type: 'try', body };
    }
    const term = this.postfix();
    // `1 + . as $x | …`: the binding takes all that follows.
    return this.isWord('as') ? this.bind(term) : term;
  }

  private postfix(): Node {
    let node = this.deeper(() => this.term());
    for (;;) {
      if (this.token.kind === 'field') node = fieldOf(node, this.advance().text.slice(1));
      else if (this.is('.')) node = this.dotted(node);
      else if (this.take('[')) node = this.bracket(node);
      else if (this.take('?')) node = { type: 'try', body: node };
      else return node;
    }
  }

  /** `.a."b"`, `.a.["b"]`. */
  private dotted(of: Node): Node {
    this.advance();
    if (this.token.kind === 'quote') return { type: 'index', of, key: this.string('') };
    if (this.take('[')) return this.bracket(of);
    throw this.unexpected();
  }

  private bracket(of: Node): Node {
    if (this.take(']')) return { type: 'iterate', of };
    if (this.take(':')) {
      const to = this.pipe();
      this.need(']');
      return { type: 'slice', of, to };
    }
    const key = this.pipe();
    if (this.take(']')) return { type: 'index', of, key };
    this.need(':');
    if (this.take(']')) return { type: 'slice', of, from: key };
    const to = this.pipe();
    this.need(']');
    return { type: 'slice', of, from: key, to };
  }

  private term(): Node {
    const { kind, text, start } = this.token;
    if (kind === 'number') return { type: 'literal', value: Number(this.advance().text) };
    if (kind === 'quote') return this.string('');
    if (kind === 'field') return fieldOf(IDENTITY, this.advance().text.slice(1));
    if (kind === 'format') return this.format();
    if (kind === 'variable') return this.variable();
    if (kind === 'word') return this.word(text, start);
    if (this.take('(')) {
      const inner = this.pipe();
      this.need(')');
      return inner;
    }
    if (this.take('..')) return { type: 'recurse' };
    if (this.take('.')) return this.afterDot();
    if (this.take('[')) return this.array();
    if (this.take('{')) return this.object();
    throw this.unexpected();
  }

  private afterDot(): Node {
    if (this.token.kind === 'quote') return { type: 'index', of: IDENTITY, key: this.string('') };
    return this.take('[') ? this.bracket(IDENTITY) : IDENTITY;
  }

  private format(): Node {
    const name = this.advance().text;
    return this.token.kind === 'quote' ? this.string(name) : { type: 'format', name };
  }

  private variable(): Node {
    const at = this.start;
    const name = this.advance().text.slice(1);
    if (name !== '__loc__') return { type: 'variable', name, at };
    return {
      type: 'literal',
      value: new Map<string, string | number>([
        ['file', '<top-level>'],
        ['line', this.text.slice(0, at).split('\n').length],
      ]),
    };
  }

  private variableName(): string {
    if (this.token.kind !== 'variable') throw this.unexpected();
    return this.advance().text.slice(1);
  }

  private array(): Node {
    if (this.take(']')) return { type: 'array' };
    const body = this.pipe();
    this.need(']');
    return { type: 'array', body };
  }

  private word(text: string, start: number): Node {
    if (NOT_TERMS.has(text)) throw this.unexpected();
    if (text === 'if') return this.condition();
    if (text === 'reduce' || text === 'foreach') return this.fold(text);
    if (text === 'def') {
      const definition = this.definition();
      return { type: 'define', definition, body: this.pipe() };
    }
    if (text === 'label') return this.label();
    if (text === 'try') return this.unary();

    this.advance();
    if (text === 'break' && this.token.kind === 'variable')
      return { type: 'break', name: this.variableName(), at: start };
    const args: Node[] = [];
    if (this.take('(')) {
      do args.push(this.pipe());
      while (this.take(';'));
      this.need(')');
    }
    return { type: 'call', name: text, args, at: start };
  }

  private condition(): Node {
    this.advance();
    const condition = this.pipe();
    this.needWord('then');
    const then = this.pipe();
    if (this.isWord('elif')) return { type: 'if', condition, then, otherwise: this.deeper(() => this.condition()) };
    const otherwise = this.takeWord('else') ? this.pipe() : IDENTITY;
    this.needWord('end');
    return { type: 'if', condition, then, otherwise };
  }

  private fold(type: 'reduce' | 'foreach'): Node {
    this.advance();
    const source = this.postfix();
    this.needWord('as');
    const pattern = this.pattern();
    this.need('(');
    const init = this.pipe();
    this.need(';');
    const update = this.pipe();
    const extract = type === 'foreach' && this.take(';') ? this.pipe() : undefined;
    this.need(')');
    if (type === 'reduce') return { type, source, pattern, init, update };
    return { type, source, pattern, init, update, ...(extract !== undefined && { extract }) };
  }

  private definition(): Definition {
    this.advance();
    if (this.token.kind !== 'word') throw this.unexpected();
    const name = this.advance().text;
    const parameters: string[] = [];
    if (this.take('(')) {
      do {
        if (this.token.kind !== 'word' && this.token.kind !== 'variable') throw this.unexpected();
        parameters.push(this.advance().text);
      } while (this.take(';'));
      this.need(')');
    }
    this.need(':');
    const body = this.pipe();
    this.need(';');
    return { name, parameters, body };
  }

  private pattern(): Pattern {
    if (this.token.kind === 'variable') return { type: 'variable', name: this.variableName() };
    if (this.take('[')) {
      const items = [this.deeper(() => this.pattern())];
      while (this.take(',')) items.push(this.pattern());
      this.need(']');
      return { type: 'array', items };
    }
    this.need('{');
    const entries = [this.patternEntry()];
    while (this.take(',')) entries.push(this.patternEntry());
    this.need('}');
    return { type: 'object', entries };
  }

  private patternEntry(): { key: Node; variable?: string; pattern?: Pattern } {
    const inner = () => (this.take(':') ? { pattern: this.deeper(() => this.pattern()) } : {});
    if (this.token.kind === 'variable') {
      const variable = this.variableName();
      return { key: { type: 'literal', value: variable }, variable, ...inner() };
    }
    const key = this.key();
    this.need(':');
    return { key, pattern: this.deeper(() => this.pattern()) };
  }

  private key(): Node {
    if (this.token.kind === 'word') return { type: 'literal', value: this.advance().text };
    if (this.token.kind === 'number') return { type: 'literal', value: this.advance().text };
    if (this.token.kind === 'quote') return this.string('');
    if (this.token.kind === 'format') return this.format();
    this.need('(');
    const key = this.pipe();
    this.need(')');
    return key;
  }

  private object(): Node {
    const entries: [Node, Node][] = [];
    while (!this.take('}')) {
      entries.push(this.entry());
      if (!this.is('}')) this.need(',');
    }
    return { type: 'object', entries };
  }

  private entry(): [Node, Node] {
    if (this.token.kind === 'variable') {
      const variable = this.variable();
      const name = variable.type === 'variable' ? variable.name : '__loc__';
      return [{ type: 'literal', value: name }, variable];
    }
    const key = this.key();
    if (!this.take(':')) return [key, { type: 'index', of: IDENTITY, key }];
    return [key, this.objectValue()];
  }

  /** Without commas: `{a: 1 | 2}` is right, `{a: 1, b}` has two entries. */
  private objectValue(): Node {
    const left = this.binary(0);
    return this.take('|') ? { type: 'pipe', left, right: this.deeper(() => this.objectValue()) } : left;
  }

  private string(format: string): Node {
    const parts: (string | Node)[] = [];
    let at = this.token.end;
    const begin = this.token.start;
    let plain = '';
    for (;;) {
      const c = this.text[at];
      if (c === undefined) throw new SyntaxFault(UNFINISHED, Math.min(begin + 1, this.text.length - 1));
      if (c === '"') break;
      if (c !== '\\') {
        plain += c;
        at++;
        continue;
      }
      if (this.text[at + 1] === '(') {
        parts.push(plain);
        plain = '';
        this.at = at + 2;
        this.token = this.read();
        parts.push(this.pipe());
        if (!this.is(')')) throw this.unexpected();
        at = this.token.end;
        continue;
      }
      const escape = readEscape(this.text, at + 1);
      if (escape === undefined) throw new SyntaxFault('syntax error, unexpected INVALID_CHARACTER', this.start);
      plain += escape.text;
      at = escape.end;
    }
    this.at = at + 1;
    this.token = this.read();
    if (parts.length === 0) return { type: 'literal', value: plain };
    return { type: 'text', format, parts: [...parts, plain] };
  }
}

const fieldOf = (of: Node, name: string): Node => ({ type: 'index', of, key: { type: 'literal', value: name } });

function combine(operator: string, left: Node, right: Node): Node {
  if (operator === '//') return { type: 'alternative', left, right };
  if (operator === 'and' || operator === 'or') return { type: operator, left, right };
  const isAssignment = operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator);
  return { type: isAssignment ? 'assign' : 'binary', operator, left, right };
}
