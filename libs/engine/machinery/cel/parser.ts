import type { Call, Node } from './ast.js';
import { SyntaxIssue } from './errors.js';
import { tokenize, type Token } from './lexer.js';
import { BOOL, BYTES, DOUBLE, INT, NULL, RESERVED_WORDS, STRING, type Type, unescapeName, UINT } from './types.js';
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
/** Operators that an expression may begin with. */
const STARTS: ReadonlySet<string> = new Set(['(', '[', '{', '-', '!', '.']);
/** name -> the counts of arguments that make it a macro, with how many of them are variables. */
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
  return new Parser(tokenize(text)).parseWhole();
}

class Parser {
  private next = 0;
  private depth = 0;
  private nodes = 0;
  private links = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parseWhole(): Node {
    const node = this.parseExpression();
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
  private countNode<T extends Node>(node: T): T {
    if (++this.nodes > MAX_NODES) this.fail('expression has too many parts', node.at);
    return node;
  }
  private link(): void {
    if (++this.links > MAX_LINKS) this.fail(`expression has more than ${MAX_LINKS} operators`);
  }
  private call(fn: string, at: number, ...args: Node[]): Call {
    return this.countNode({ kind: 'call', fn, at, args });
  }

  private parseExpression(): Node {
    if (++this.depth > MAX_DEPTH) this.fail(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    const condition = this.parseBinary(0);
    const question = this.take('?');
    let node = condition;
    if (question) {
      const yes = this.parseBinary(0);
      this.need(':');
      node = this.call('_?_:_', question.at, condition, yes, this.parseExpression());
    }
    this.depth--;
    return node;
  }

  private parseBinary(level: number): Node {
    const operators = LEVELS[level];
    if (!operators) return this.parseUnary();
    let left = this.parseBinary(level + 1);
    for (;;) {
      const operator = operators.find((o) => this.is(o));
      if (!operator) return left;
      this.link();
      const { at } = this.need(operator);
      left = this.call(operator === 'in' ? '@in' : `_${operator}_`, at, left, this.parseBinary(level + 1));
    }
  }

  private parseUnary(): Node {
    const { at } = this.token;
    let nots = 0;
    while (this.take('!')) nots++;
    if (nots > 0) {
      this.link();
      const operand = this.parseUnary();
      return nots % 2 === 1 ? this.call('!_', at, operand) : operand;
    }
    let minuses = 0;
    while (this.take('-')) minuses++;
    if (minuses === 0) return this.parseMember();
    const { token } = this;
    const operand = this.parseMember();
    if (minuses % 2 === 0) return operand;
    if (operand.kind === 'literal' && typeof operand.value === 'bigint' && token.kind === 'int')
      return { ...operand, value: -operand.value, at };
    if (operand.kind === 'literal' && operand.value instanceof Double && token.kind === 'double')
      return { ...operand, value: new Double(-operand.value.value), at };
    return this.call('-_', at, operand);
  }

  private parseMember(): Node {
    let node = this.parsePrimary();
    for (; ; this.link()) {
      const dot = this.take('.');
      if (dot) {
        const optional = this.take('?') !== undefined;
        const token = this.takeIdentifier();
        const field = (token.value as string | undefined) ?? token.text;
        const open = !optional && this.is('(') ? this.need('(') : undefined;
        if (open) node = this.parseMethod(node, field, open);
        else
          node = this.countNode({
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
        node = this.call(fn, bracket.at, node, this.parseExpression());
        this.need(']');
        continue;
      }
      const brace = this.is('{') && structName(node);
      if (!brace) return node;
      node = this.parseStruct(brace, this.need('{').at);
    }
  }

  private takeIdentifier(): Token {
    const before = this.tokens[this.next - 1]?.text;
    if (this.token.kind !== 'ident' && before === '.')
      this.fail(`Syntax error: no viable alternative at input '.${this.token.kind === 'end' ? '' : this.token.text}'`);
    if (this.token.kind !== 'ident')
      this.fail(`Syntax error: mismatched input '${this.token.text}' expecting IDENTIFIER`);
    return this.tokens[this.next++]!;
  }

  private parseMethod(target: Node, name: string, open: Token): Node {
    const args = this.parseArgs(')');
    const variables = own(MACROS, name)?.[args.length];
    // transformList and its kin, too, are macros of a value; optional.of is a function of a namespace.
    if (variables === undefined) return this.countNode({ kind: 'call', fn: name, target, args, at: open.at });
    const vars = args
      .slice(0, variables)
      .map((arg) => (arg.kind === 'ident' ? arg.name : this.fail('argument must be a simple name', arg.at)));
    return this.countNode({ kind: 'macro', name, target, vars, args: args.slice(variables), at: open.at });
  }

  private parseArgs(close: string): Node[] {
    const args: Node[] = [];
    if (this.take(close)) return args;
    do args.push(this.parseExpression());
    while (this.take(','));
    this.need(close);
    return args;
  }

  private parsePrimary(): Node {
    const { token } = this;
    const { at } = token;
    if (token.kind === 'op') return this.parseBracketed(token);
    this.next++;
    switch (token.kind) {
      case 'int':
        return this.countNode({ kind: 'literal', value: token.value as bigint | Uint, type: typeOfInteger(token), at });
      case 'double':
        return this.countNode({ kind: 'literal', value: token.value as Double, type: DOUBLE, at });
      case 'string':
        return this.countNode({ kind: 'literal', value: token.value as string, type: STRING, at });
      case 'bytes':
        return this.countNode({ kind: 'literal', value: token.value as Uint8Array, type: BYTES, at });
      case 'ident':
        return this.parseIdentifier(token);
      default:
        return this.fail(`Syntax error: mismatched input '<EOF>' expecting ${PRIMARY}`, at);
    }
  }

  private parseIdentifier(token: Token): Node {
    const { text, at } = token;
    if (text === 'true' || text === 'false')
      return this.countNode({ kind: 'literal', value: text === 'true', type: BOOL, at });
    if (text === 'null') return this.countNode({ kind: 'literal', value: null, type: NULL, at });
    if (text === 'in') this.fail(`Syntax error: mismatched input 'in' expecting ${PRIMARY}`, at);
    if (RESERVED_WORDS.has(text)) this.fail(`reserved identifier: ${text}`, at);
    const open = this.take('(');
    if (!open) return this.countNode({ kind: 'ident', name: text, at });
    const args = this.parseArgs(')');
    if (text !== 'has' || args.length !== 1) return this.call(text, open.at, ...args);
    const [field] = args;
    if (field!.kind !== 'select' || field!.test) return this.fail('invalid argument to has() macro', field!.at);
    return this.countNode({ ...field!, test: true, at: open.at });
  }

  private parseBracketed(token: Token): Node {
    const { at } = token;
    if (this.take('(')) {
      const inner = this.parseExpression();
      this.need(')');
      return inner;
    }
    if (this.take('.')) return this.parseIdentifier(this.takeIdentifier());
    if (this.take('[')) return this.parseList(at);
    if (this.take('{')) return this.parseMap(at);
    // Without the token the text might go on: a symbol too many.
    const after = this.tokens[this.next + 1];
    const starts = after !== undefined && after.kind !== 'end' && (after.kind !== 'op' || STARTS.has(after.text));
    return this.fail(
      `Syntax error: ${starts ? 'extraneous' : 'mismatched'} input '${token.text}' expecting ${PRIMARY}`,
    );
  }

  private parseList(at: number): Node {
    const items: { value: Node; optional: boolean }[] = [];
    while (!this.take(']')) {
      const optional = this.take('?') !== undefined;
      items.push({ value: this.parseExpression(), optional });
      if (!this.take(',') && !this.is(']')) this.need(']');
    }
    return this.countNode({ kind: 'list', items, at });
  }

  private parseMap(at: number): Node {
    const entries: { key: Node; value: Node; optional: boolean }[] = [];
    while (!this.take('}')) {
      const optional = this.take('?') !== undefined;
      const key = this.parseExpression();
      this.need(':');
      entries.push({ key, value: this.parseExpression(), optional });
      if (!this.take(',') && !this.is('}')) this.need('}');
    }
    return this.countNode({ kind: 'map', entries, at });
  }

  private parseStruct(name: string, at: number): Node {
    const fields: { name: string; value: Node; optional: boolean }[] = [];
    while (!this.take('}')) {
      const optional = this.take('?') !== undefined;
      const token = this.takeIdentifier();
      this.need(':');
      fields.push({
        name: (token.value as string | undefined) ?? unescapeName(token.text),
        value: this.parseExpression(),
        optional,
      });
      if (!this.take(',') && !this.is('}')) this.need('}');
    }
    return this.countNode({ kind: 'struct', name, fields, at });
  }
}

/** 'Object.spec' of Object.spec{...}; undefined when the node is no dotted name. */
export function structName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.optional || node.test) return undefined;
  const prefix = structName(node.operand);
  return prefix && `${prefix}.${node.field}`;
}
