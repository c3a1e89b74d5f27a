import type { Call, Node } from './ast.js';
import { SyntaxIssue } from './errors.js';
import { tokenize, type Token } from './lexer.js';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type, unescapeName, UINT } from './types.js';
import { Double, Uint } from './values.js';
import { own } from '../meta/object.js';

const MAX_DEPTH = 50;
const MAX_NODES = 20_000;
/** Operators, selections and calls: they bound how deep the tree may be. */
const MAX_LINKS = 1_000;
/** Upstream's limit on an expression's size. */
export const MAX_TEXT = 16 * 1024;

const PRIMARY =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const RESERVED = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
/** name -> the counts of arguments that make it a macro, with how many of them are variables. */
/** Operators that an expression may begin with. */
const STARTS: ReadonlySet<string> = new Set(['(', '[', '{', '-', '!', '.']);
const MACROS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  all: { 2: 1, 3: 2 },
  exists: { 2: 1, 3: 2 },
  exists_one: { 2: 1, 3: 2 },
  existsOne: { 2: 1, 3: 2 },
  map: { 2: 1, 3: 1 },
  filter: { 2: 1 },
  sortBy: { 2: 1 },
  optMap: { 2: 1 },
  optFlatMap: { 2: 1 },
  transformList: { 3: 2, 4: 2 },
  transformMap: { 3: 2, 4: 2 },
  transformMapEntry: { 3: 2, 4: 2 },
};

const typeOfInteger = ({ value }: Token): Type => (value instanceof Uint ? UINT : INT);

/** Reads an expression. Throws SyntaxIssue. The grammar is that of the CEL specification. */
export function parse(text: string): Node {
  if (text.length > MAX_TEXT)
    throw new SyntaxIssue({
      at: 0,
      message: `expression code point size exceeds limit: size: ${text.length}, limit ${MAX_TEXT}`,
    });
  return new Parser(tokenize(text)).whole();
}

class Parser {
  private next = 0;
  private depth = 0;
  private nodes = 0;
  private links = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const node = this.expression();
    if (this.token.kind !== 'end')
      this.fail(
        `Syntax error: ${this.tokens[this.next + 1]?.kind === 'end' ? 'extraneous' : 'mismatched'} input '${this.token.text}' expecting <EOF>`,
      );
    return node;
  }

  private get token(): Token {
    return this.tokens[this.next]!;
  }
  private is(text: string): boolean {
    return this.token.text === text && this.token.kind !== 'string';
  }
  private take(text: string): Token | undefined {
    return this.is(text) ? this.tokens[this.next++] : undefined;
  }
  private need(text: string): Token {
    return this.take(text) ?? this.fail(`Syntax error: mismatched input '${this.token.text}' expecting '${text}'`);
  }
  private fail(message: string, at = this.token.at): never {
    throw new SyntaxIssue({ at, message });
  }
  private made<T extends Node>(node: T): T {
    if (++this.nodes > MAX_NODES) this.fail('expression has too many parts', node.at);
    return node;
  }
  private link(): void {
    if (++this.links > MAX_LINKS) this.fail(`expression has more than ${MAX_LINKS} operators`);
  }
  private call(fn: string, at: number, ...args: Node[]): Call {
    return this.made({ kind: 'call', fn, at, args });
  }

  private expression(): Node {
    if (++this.depth > MAX_DEPTH) this.fail(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    const condition = this.binary(0);
    const question = this.take('?');
    let node = condition;
    if (question) {
      const yes = this.binary(0);
      this.need(':');
      node = this.call('_?_:_', question.at, condition, yes, this.expression());
    }
    this.depth--;
    return node;
  }

  private binary(level: number): Node {
    const operators = LEVELS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = operators.find((o) => this.is(o));
      if (!operator) return left;
      this.link();
      const { at } = this.need(operator);
      left = this.call(operator === 'in' ? '@in' : `_${operator}_`, at, left, this.binary(level + 1));
    }
  }

  private unary(): Node {
    const { at } = this.token;
    let nots = 0;
    while (this.take('!')) nots++;
    if (nots > 0) {
      this.link();
      const operand = this.unary();
      return nots % 2 === 1 ? this.call('!_', at, operand) : operand;
    }
    let minuses = 0;
    while (this.take('-')) minuses++;
    if (minuses === 0) return this.member();
    const { token } = this;
    const operand = this.member();
    if (minuses % 2 === 0) return operand;
    if (operand.kind === 'literal' && typeof operand.value === 'bigint' && token.kind === 'int')
      return { ...operand, value: -operand.value, at };
    if (operand.kind === 'literal' && operand.value instanceof Double && token.kind === 'double')
      return { ...operand, value: new Double(-operand.value.value), at };
    return this.call('-_', at, operand);
  }

  private member(): Node {
    let node = this.primary();
    for (; ; this.link()) {
      const dot = this.take('.');
      if (dot) {
        const optional = this.take('?') !== undefined;
        const token = this.identifier();
        const field = (token.value as string | undefined) ?? token.text;
        const open = !optional && this.is('(') ? this.need('(') : undefined;
        if (open) node = this.method(node, field, open);
        else
          node = this.made({
            kind: 'select',
            operand: node,
            field,
            name: token.value === undefined ? unescapeName(field) : field,
            optional,
            test: false,
            at: dot.at,
          });
        continue;
      }
      const bracket = this.take('[');
      if (bracket) {
        const fn = this.take('?') ? '_[?_]' : '_[_]';
        node = this.call(fn, bracket.at, node, this.expression());
        this.need(']');
        continue;
      }
      const brace = this.is('{') && structName(node);
      if (!brace) return node;
      node = this.struct(brace, this.need('{').at);
    }
  }

  private identifier(): Token {
    const before = this.tokens[this.next - 1]?.text;
    if (this.token.kind !== 'ident' && before === '.')
      this.fail(`Syntax error: no viable alternative at input '.${this.token.kind === 'end' ? '' : this.token.text}'`);
    if (this.token.kind !== 'ident')
      this.fail(`Syntax error: mismatched input '${this.token.text}' expecting IDENTIFIER`);
    return this.tokens[this.next++]!;
  }

  private method(target: Node, name: string, open: Token): Node {
    const args = this.args(')');
    const variables = own(MACROS, name)?.[args.length];
    // transformList and its kin, too, are macros of a value; optional.of is a function of a namespace.
    if (variables === undefined) return this.made({ kind: 'call', fn: name, target, args, at: open.at });
    const vars = args
      .slice(0, variables)
      .map((arg) => (arg.kind === 'ident' ? arg.name : this.fail('argument must be a simple name', arg.at)));
    return this.made({ kind: 'macro', name, target, vars, args: args.slice(variables), at: open.at });
  }

  private args(close: string): Node[] {
    const args: Node[] = [];
    if (this.take(close)) return args;
    do args.push(this.expression());
    while (this.take(','));
    this.need(close);
    return args;
  }

  private primary(): Node {
    const { token } = this;
    const { at } = token;
    if (token.kind === 'op') return this.bracketed(token);
    this.next++;
    switch (token.kind) {
      case 'int':
        return this.made({ kind: 'literal', value: token.value as bigint | Uint, type: typeOfInteger(token), at });
      case 'double':
        return this.made({ kind: 'literal', value: token.value as Double, type: DOUBLE, at });
      case 'string':
        return this.made({ kind: 'literal', value: token.value as string, type: STRING, at });
      case 'bytes':
        return this.made({ kind: 'literal', value: token.value as Uint8Array, type: BYTES, at });
      case 'ident':
        return this.named(token);
      default:
        return this.fail(`Syntax error: mismatched input '<EOF>' expecting ${PRIMARY}`, at);
    }
  }

  private named(token: Token): Node {
    const { text, at } = token;
    if (text === 'true' || text === 'false')
      return this.made({ kind: 'literal', value: text === 'true', type: BOOL, at });
    if (text === 'null') return this.made({ kind: 'literal', value: null, type: NULL, at });
    if (text === 'in') this.fail(`Syntax error: mismatched input 'in' expecting ${PRIMARY}`, at);
    if (RESERVED.has(text)) this.fail(`reserved identifier: ${text}`, at);
    const open = this.take('(');
    if (!open) return this.made({ kind: 'ident', name: text, at });
    const args = this.args(')');
    if (text !== 'has' || args.length !== 1) return this.call(text, open.at, ...args);
    const [field] = args;
    if (field!.kind !== 'select' || field!.test) return this.fail('invalid argument to has() macro', field!.at);
    return this.made({ ...field!, test: true, at: open.at });
  }

  private bracketed(token: Token): Node {
    const { at } = token;
    if (this.take('(')) {
      const inner = this.expression();
      this.need(')');
      return inner;
    }
    if (this.take('.')) return this.named(this.identifier());
    if (this.take('[')) return this.list(at);
    if (this.take('{')) return this.map(at);
    // Without the token the text might go on: a symbol too many.
    const after = this.tokens[this.next + 1];
    const starts = after !== undefined && after.kind !== 'end' && (after.kind !== 'op' || STARTS.has(after.text));
    return this.fail(
      `Syntax error: ${starts ? 'extraneous' : 'mismatched'} input '${token.text}' expecting ${PRIMARY}`,
    );
  }

  private list(at: number): Node {
    const items: { value: Node; optional: boolean }[] = [];
    while (!this.take(']')) {
      const optional = this.take('?') !== undefined;
      items.push({ value: this.expression(), optional });
      if (!this.take(',') && !this.is(']')) this.need(']');
    }
    return this.made({ kind: 'list', items, at });
  }

  private map(at: number): Node {
    const entries: { key: Node; value: Node; optional: boolean }[] = [];
    while (!this.take('}')) {
      const optional = this.take('?') !== undefined;
      const key = this.expression();
      this.need(':');
      entries.push({ key, value: this.expression(), optional });
      if (!this.take(',') && !this.is('}')) this.need('}');
    }
    return this.made({ kind: 'map', entries, at });
  }

  private struct(name: string, at: number): Node {
    const fields: { name: string; value: Node; optional: boolean }[] = [];
    while (!this.take('}')) {
      const optional = this.take('?') !== undefined;
      const token = this.identifier();
      this.need(':');
      fields.push({
        name: (token.value as string | undefined) ?? unescapeName(token.text),
        value: this.expression(),
        optional,
      });
      if (!this.take(',') && !this.is('}')) this.need('}');
    }
    return this.made({ kind: 'struct', name, fields, at });
  }
}

/** 'Object.spec' of Object.spec{...}; undefined when the node is no dotted name. */
export function structName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.optional || node.test) return undefined;
  const prefix = structName(node.operand);
  return prefix && `${prefix}.${node.field}`;
}
