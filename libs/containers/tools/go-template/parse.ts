import { TemplateSyntaxFailure } from './failures.js';
import { shown, splitTemplate, tokenize, unquote, type Action, type Token } from './lexer.js';
import type { Command, Operand, Pipeline, Place, Template, TemplateNode } from './nodes.js';

const MAX_TEMPLATE = 100_000;
const MAX_DEPTH = 50;

/** Models text/template/parse; `name` stands in messages. Throws TemplateSyntaxFailure. */
export function parseGoTemplate(text: string, name: string): Template {
  if (text.length > MAX_TEMPLATE) throw new TemplateSyntaxFailure(`template: ${name}: the template is too long`);
  return new Parser(text, name).parse();
}

class Parser {
  private readonly defined = new Map<string, readonly TemplateNode[]>();
  private readonly pieces: (string | Action)[];
  private next = 0;
  private tokens: Token[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly name: string,
  ) {
    this.pieces = splitTemplate(text, (offset, message) => this.fail(offset, message));
  }

  parse(): Template {
    const { nodes, end } = this.list(0, false);
    if (end !== '') this.fail(this.at, `unexpected {{${end}}}`);
    return { nodes, defined: this.defined };
  }

  private fail(offset: number, message: string): never {
    const line = this.text.slice(0, offset).split('\n').length;
    throw new TemplateSyntaxFailure(`template: ${this.name}:${line}: ${message}`);
  }

  private index = 0;
  /** Variables that are known where the parser is. */
  private known: string[] = [];
  private loops = 0;

  /** Nodes up to an `end` or `else`, which is told. */
  private list(depth: number, isInside: boolean): { nodes: TemplateNode[]; end: string } {
    if (depth > MAX_DEPTH) throw new TemplateSyntaxFailure(`template: ${this.name}: the template is nested too deeply`);
    const nodes: TemplateNode[] = [];
    while (this.index < this.pieces.length) {
      const piece = this.pieces[this.index++]!;
      if (typeof piece === 'string') {
        if (piece !== '') nodes.push({ type: 'text', text: piece });
        continue;
      }
      this.tokens = tokenize(piece, (offset, message) => this.fail(offset, message));
      this.at = piece.at;
      this.next = 0;
      const [first] = this.tokens.filter(({ type }) => type !== 'space');
      const word = first?.type === 'word' ? first.text : '';
      if (word === 'end' || word === 'else') {
        if (!isInside) this.fail(piece.at, `unexpected {{${word}}}`);
        this.take(word);
        return { nodes, end: word };
      }
      const node = this.action(word, depth);
      if (node) nodes.push(node);
    }
    if (isInside) this.fail(this.text.length, 'unexpected EOF');
    return { nodes, end: '' };
  }

  private action(word: string, depth: number): TemplateNode | undefined {
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        this.take(word);
        return this.control(word, depth);
      case 'break':
      case 'continue':
        if (this.loops === 0) this.fail(this.at, `{{${word}}} outside {{range}}`);
        return { type: word };
      case 'define':
      case 'block':
      case 'template':
        return this.named(word, depth);
      default:
        return { type: 'action', pipeline: this.pipeline('command') };
    }
  }

  private control(type: 'if' | 'with' | 'range', depth: number): TemplateNode {
    const mark = this.known.length;
    const pipeline = this.pipeline(type);
    if (type === 'range') this.loops++;
    const { nodes: body, end } = this.list(depth + 1, true);
    if (type === 'range') this.loops--;
    let otherwise: readonly TemplateNode[] = [];
    if (end === 'else') {
      this.skipSpace();
      const token = this.tokens[this.next]!;
      if (token.type === 'word' && (token.text === 'if' || token.text === 'with')) {
        this.take(token.text);
        otherwise = [this.control(token.text, depth + 1)];
      } else otherwise = this.list(depth + 1, true).nodes;
    }
    this.known.length = mark;
    return { type, pipeline, body, otherwise };
  }

  private named(word: 'define' | 'block' | 'template', depth: number): TemplateNode | undefined {
    this.take(word);
    this.skipSpace();
    const token = this.tokens[this.next++]!;
    if (token.type !== 'string') this.fail(token.at, `unexpected ${shown(token)} in ${word} clause`);
    const name = unquote(token.text);
    this.skipSpace();
    const start = this.tokens[this.next]!.at;
    const pipeline = this.tokens[this.next]!.type === 'end' ? undefined : this.pipeline(word);
    const rest = pipeline ? ` ${this.text.slice(start, this.tokens.at(-1)!.at).trim()}` : '';
    const at = { offset: token.at, text: token.text + rest };
    if (word !== 'template') {
      const { known, loops } = this;
      this.known = [];
      this.loops = 0;
      this.defined.set(name, this.list(depth + 1, true).nodes);
      this.known = known;
      this.loops = loops;
    }
    return word === 'define' ? undefined : { type: 'call', name, pipeline, at };
  }

  private take(word: string): void {
    this.skipSpace();
    if (this.tokens[this.next]!.text === word) this.next++;
  }

  private skipSpace(): boolean {
    const start = this.next;
    while (this.tokens[this.next]!.type === 'space') this.next++;
    return this.next > start;
  }

  private pipeline(context: string, close = ''): Pipeline {
    const variables = this.declared();
    const commands: Command[] = [];
    for (;;) {
      this.skipSpace();
      // Nothing behind the last `|` is nothing to do.
      if (commands.length > 0 && close === '' && this.tokens[this.next]!.type === 'end') {
        if (variables.declares) this.known.push(...variables.variables);
        return { ...variables, commands };
      }
      commands.push(this.command(context));
      const [first] = commands.at(-1)!.operands;
      if (commands.length > 1 && first!.type === 'literal')
        this.fail(first!.at.offset, `non executable command in pipeline stage ${commands.length}`);
      this.skipSpace();
      const token = this.tokens[this.next]!;
      if (token.text === '|' && token.type === 'punctuation') {
        this.next++;
        continue;
      }
      if (close === '' ? token.type === 'end' : token.text === close) {
        if (close !== '') this.next++;
        if (variables.declares) this.known.push(...variables.variables);
        return { ...variables, commands };
      }
      this.fail(
        token.at,
        close !== '' && token.type === 'end' ? 'unclosed left paren' : `unexpected ${shown(token)} in ${context}`,
      );
    }
  }

  /** `$x := `, `$i, $x := `, `$x = `. */
  private declared(): Pick<Pipeline, 'variables' | 'declares'> {
    const words = this.tokens.slice(this.next).filter(({ type }) => type !== 'space');
    const found = /^((?:\$[\p{L}\p{N}_]+,)?\$[\p{L}\p{N}_]+)(:=|=)/u.exec(
      words
        .slice(0, 4)
        .map(({ text }) => text)
        .join(''),
    );
    if (!found) return { variables: [], declares: false };
    const variables = found[1]!.split(',');
    const unknown = found[2] === ':=' ? undefined : variables.find((name) => !this.known.includes(name));
    if (unknown !== undefined) this.fail(words[0]!.at, `undefined variable ${JSON.stringify(unknown)}`);
    for (let left = variables.length * 2; left > 0; this.next++) if (this.tokens[this.next]!.type !== 'space') left--;
    return { variables, declares: found[2] === ':=' };
  }

  private command(context: string): Command {
    const operands: Operand[] = [];
    const start = this.tokens[this.next]!.at;
    let end = start;
    for (;;) {
      const token = this.tokens[this.next]!;
      if (token.type === 'end' || (token.type === 'punctuation' && token.text !== '(' && token.text !== '.')) break;
      operands.push(this.operand(context));
      end = this.tokens[this.next]!.at;
      if (!this.skipSpace()) break;
    }
    if (operands.length === 0) {
      const token = this.tokens[this.next]!;
      this.fail(
        start,
        token.type === 'end' ? `missing value for ${context}` : `unexpected ${shown(token)} in ${context}`,
      );
    }
    return { operands, at: { offset: start, text: this.text.slice(start, end) } };
  }

  private operand(context: string): Operand {
    const token = this.tokens[this.next++]!;
    const fieldsFrom = (first: readonly string[]): { fields: string[]; at: Place } => {
      const fields = [...first];
      // As in Go, a chain of fields is where its second one is.
      const offset = this.tokens[this.next]!.type === 'field' ? this.tokens[this.next]!.at : token.at;
      while (this.tokens[this.next]!.type === 'field') {
        fields.push(this.tokens[this.next++]!.text.slice(1));
      }
      return { fields, at: { offset, text: this.text.slice(token.at, this.tokens[this.next]!.at) } };
    };
    switch (token.type) {
      case 'field':
        return { type: 'dot', ...fieldsFrom([token.text.slice(1)]) };
      case 'variable':
        if (token.text !== '$' && !this.known.includes(token.text))
          this.fail(token.at, `undefined variable ${JSON.stringify(token.text)}`);
        return token.text === '$'
          ? { type: 'root', ...fieldsFrom([]) }
          : { type: 'variable', name: token.text, ...fieldsFrom([]) };
      case 'string':
        return {
          type: 'literal',
          value: token.text.startsWith("'") ? unquote(token.text).codePointAt(0)! : unquote(token.text),
          isInt: token.text.startsWith("'"),
          at: { offset: token.at, text: token.text },
        };
      case 'number': {
        const text = token.text.replaceAll('_', '');
        return {
          type: 'literal',
          value: /^[-+]?0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text),
          isInt: /^[-+]?(?:\d+|0[xX].*)$/.test(text),
          at: { offset: token.at, text: token.text },
        };
      }
      case 'word': {
        const at = { offset: token.at, text: token.text };
        if (token.text === 'true' || token.text === 'false')
          return { type: 'literal', value: token.text === 'true', isInt: false, at };
        if (token.text === 'nil') return { type: 'literal', value: null, isInt: false, at };
        return { type: 'function', name: token.text, at };
      }
      default:
        if (token.text === '.') return { type: 'dot', ...fieldsFrom([]) };
        if (token.text === '(')
          return { type: 'group', pipeline: this.pipeline('parenthesized pipeline', ')'), ...fieldsFrom([]) };
        return this.fail(token.at, `unexpected ${shown(token)} in ${context}`);
    }
  }
}
