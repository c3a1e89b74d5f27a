import type { Bytes } from '../../../engine/kernel/bytes.js';
import { ToolFailure } from '../tool.js';
import { readTokens, type Token } from './tokens.js';

/** One instruction of the stack machine: the operation and its operands. */
export type Instruction = readonly [operation: string, a?: string | number, b?: string | number];

export interface Compiled {
  readonly code: readonly Instruction[];
  /** Where END's rules begin: `exit` goes there. */
  readonly endAt: number;
  /** Where the next record is read: `next` goes there. */
  readonly nextAt: number;
  readonly functions: Readonly<Record<string, { readonly at: number; readonly parameters: readonly string[] }>>;
  readonly arrays: ReadonlySet<string>;
}

type LValue = { readonly kind: 'name' | 'field' | 'element'; readonly name: string };
type Loop = { breaks: number[]; continues: number[]; isIteration: boolean };

const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '^=': '^',
  '**=': '^',
};

/** POSIX awk, compiled to a stack machine's code, so that a program can stop between any two instructions. */
export function compileAwk(program: Bytes): Compiled {
  return new Compiler(readTokens(program)).compile();
}

class Compiler {
  private readonly code: Instruction[] = [];
  private at = 0;
  private readonly functions: Record<string, { at: number; parameters: string[] }> = {};
  private readonly arrays = new Set<string>();
  private locals: string[] = [];
  private readonly loops: Loop[] = [];
  private ranges = 0;
  /** Within print's list `>` redirects. */
  private isInPrint = false;

  constructor(private readonly tokens: readonly Token[]) {}

  // tokens

  private get token(): Token {
    return this.tokens[this.at]!;
  }

  private is(text: string): boolean {
    const { token } = this;
    return token.text === text && ['operator', 'keyword', 'newline', 'builtin'].includes(token.type);
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  private need(text: string): void {
    if (!this.take(text)) this.fail();
  }

  private fail(): never {
    const { token } = this;
    const shown = token.type === 'newline' ? 'end of line' : token.text;
    throw new ToolFailure(`line ${token.line}: syntax error at or near ${shown}`, 2);
  }

  private skipNewlines(): void {
    while (this.take('\n'));
  }

  private skipTerminators(): void {
    while (this.take('\n') || this.take(';'));
  }

  // code

  private emit(operation: string, a?: string | number, b?: string | number): number {
    return this.code.push([operation, a, b]) - 1;
  }

  private patch(index: number, target = this.code.length): void {
    const [operation, , b] = this.code[index]!;
    this.code[index] = [operation, target, b];
  }

  compile(): Compiled {
    const begins: [number, number][] = [];
    const rules: [number, number][] = [];
    const ends: [number, number][] = [];
    const save = this.tokens.length;
    this.skipTerminators();
    while (this.token.type !== 'end' && this.at < save) {
      if (this.take('function')) this.function();
      else {
        const kind = this.is('BEGIN') ? begins : this.is('END') ? ends : rules;
        if (kind !== rules) this.at++;
        const start = this.emit('jump');
        const bodyAt = this.code.length;
        if (kind === rules) this.rule();
        else {
          this.skipNewlines();
          this.block();
        }
        this.emit('return-rule');
        this.patch(start);
        kind.push([bodyAt, this.code.length]);
      }
      this.skipTerminators();
    }
    return this.link(begins, rules, ends);
  }

  /** Rules are called one after the other: BEGIN's, then the others for each record, then END's. */
  private link(begins: [number, number][], rules: [number, number][], ends: [number, number][]): Compiled {
    const startAt = this.code.length;
    for (const [at] of begins) this.emit('call-rule', at);
    const nextAt = this.code.length;
    if (rules.length > 0 || ends.length > 0) {
      const read = this.emit('next-record');
      for (const [at] of rules) this.emit('call-rule', at);
      this.emit('jump', nextAt);
      this.patch(read);
    }
    const endAt = this.code.length;
    for (const [at] of ends) this.emit('call-rule', at);
    this.emit('finish');
    // Execution begins behind the bodies.
    this.code.push(['start', startAt]);
    return { code: this.code, endAt, nextAt, functions: this.functions, arrays: this.arrays };
  }

  private function(): void {
    const name = this.token.text;
    this.at++;
    this.need('(');
    const parameters: string[] = [];
    while (!this.is(')')) {
      this.skipNewlines();
      parameters.push(this.token.text);
      this.at++;
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.skipNewlines();
    const jump = this.emit('jump');
    this.functions[name] = { at: this.code.length, parameters };
    this.locals = parameters;
    this.block();
    this.emit('push-null');
    this.emit('return');
    this.locals = [];
    this.patch(jump);
  }

  private rule(): void {
    if (!this.is('{')) {
      this.expression();
      if (this.take(',')) this.rangeRule();
      const skip = this.emit('jump-false');
      if (this.is('{')) this.block();
      else this.printRecord();
      this.patch(skip);
    } else this.block();
  }

  /** The start's value is on the stack; leaves whether the record is in the range. */
  private rangeRule(): void {
    this.skipNewlines();
    const id = this.ranges++;
    this.emit('range-start', 0, id);
    const outside = this.code.length - 1;
    this.expression();
    this.emit('range-end', id);
    const done = this.emit('jump');
    this.patch(outside);
    this.emit('push-number', 0);
    this.patch(done);
  }

  private printRecord(): void {
    this.emit('push-number', 0);
    this.emit('field');
    this.emit('print', 1, '');
  }

  private block(): void {
    this.need('{');
    this.skipTerminators();
    while (!this.is('}')) {
      if (this.token.type === 'end') this.fail();
      this.statement();
      this.skipTerminators();
    }
    this.need('}');
  }

  private endStatement(): void {
    if (this.is('}') || this.token.type === 'end') return;
    if (!this.take(';') && !this.take('\n')) this.fail();
  }

  private statement(): void {
    if (this.is('{')) return this.block();
    if (this.take(';')) return;
    if (this.take('if')) return this.ifStatement();
    if (this.take('while')) return this.whileStatement();
    if (this.take('do')) return this.doStatement();
    if (this.take('for')) return this.forStatement();
    this.simpleStatement();
    this.endStatement();
  }

  private body(): void {
    this.skipNewlines();
    this.statement();
  }

  private ifStatement(): void {
    this.need('(');
    this.expression();
    this.need(')');
    const skip = this.emit('jump-false');
    this.body();
    const before = this.at;
    this.skipTerminators();
    if (!this.take('else')) {
      this.at = before;
      this.patch(skip);
      return;
    }
    const end = this.emit('jump');
    this.patch(skip);
    this.body();
    this.patch(end);
  }

  private loop(isIteration: boolean, run: () => number): void {
    const loop: Loop = { breaks: [], continues: [], isIteration };
    this.loops.push(loop);
    const continueAt = run();
    this.loops.pop();
    for (const index of loop.breaks) this.patch(index);
    for (const index of loop.continues) this.patch(index, continueAt);
  }

  private whileStatement(): void {
    this.need('(');
    const start = this.code.length;
    this.expression();
    this.need(')');
    const end = this.emit('jump-false');
    this.loop(false, () => {
      if (!this.take(';')) this.body();
      this.emit('jump', start);
      this.patch(end);
      return start;
    });
  }

  private doStatement(): void {
    const start = this.code.length;
    this.loop(false, () => {
      this.body();
      this.skipTerminators();
      this.need('while');
      const test = this.code.length;
      this.need('(');
      this.expression();
      this.need(')');
      this.emit('jump-true', start);
      return test;
    });
  }

  private forStatement(): void {
    this.need('(');
    const [name, word, array, close] = this.tokens.slice(this.at, this.at + 4);
    if (name?.type === 'name' && word?.text === 'in' && array?.type === 'name' && close?.text === ')') {
      this.at += 4;
      return this.forIn(name.text, array.text);
    }
    if (!this.is(';')) this.simpleStatement();
    this.need(';');
    this.skipNewlines();
    const test = this.code.length;
    let end = -1;
    if (!this.is(';')) {
      this.expression();
      end = this.emit('jump-false');
    }
    this.need(';');
    this.skipNewlines();
    const toBody = this.emit('jump');
    const increment = this.code.length;
    if (!this.is(')')) this.simpleStatement();
    this.need(')');
    this.emit('jump', test);
    this.patch(toBody);
    this.loop(false, () => {
      if (!this.take(';')) this.body();
      this.emit('jump', increment);
      if (end >= 0) this.patch(end);
      return increment;
    });
  }

  private forIn(name: string, array: string): void {
    this.emit('iterate', this.arrayName(array));
    const start = this.code.length;
    const next = this.emit('iterate-next', 0);
    this.loop(true, () => {
      this.assign({ kind: 'name', name });
      this.emit('pop');
      this.body();
      this.emit('jump', start);
      return start;
    });
    this.patch(next);
  }

  private simpleStatement(): void {
    if (this.is('print') || this.is('printf')) return this.printStatement();
    if (this.take('break') || this.take('continue')) {
      const isBreak = this.tokens[this.at - 1]!.text === 'break';
      const loop = this.loops.at(-1);
      if (loop === undefined) this.fail();
      (isBreak ? loop.breaks : loop.continues).push(
        this.emit(isBreak && loop.isIteration ? 'break-iteration' : 'jump'),
      );
    } else if (this.take('next')) this.emit('next');
    else if (this.take('nextfile')) this.emit('nextfile');
    else if (this.take('exit')) {
      const hasCode = !this.isEnd();
      if (hasCode) this.expression();
      this.emit('exit', hasCode ? 1 : 0);
    } else if (this.take('return')) {
      if (this.isEnd()) this.emit('push-null');
      else this.expression();
      this.emit('return');
    } else if (this.take('delete')) this.deleteStatement();
    else {
      this.expression();
      this.emit('pop');
    }
  }

  private isEnd(): boolean {
    return this.is('}') || this.is(';') || this.is('\n') || this.token.type === 'end';
  }

  private deleteStatement(): void {
    const name = this.token.text;
    this.at++;
    if (!this.take('[')) {
      this.emit('delete-all', this.arrayName(name));
      return;
    }
    this.subscript();
    this.emit('delete', this.arrayName(name));
  }

  private printStatement(): void {
    const operation = this.token.text;
    this.at++;
    let count = 0;
    const outer = this.isInPrint;
    const isWrapped = this.is('(') && this.isWholeList();
    if (isWrapped) {
      this.at++;
      this.isInPrint = false;
      count = this.list(')');
      this.need(')');
      this.isInPrint = outer;
    } else if (!this.isEnd() && !this.is('>') && !this.is('>>') && !this.is('|')) {
      this.isInPrint = true;
      do {
        this.skipNewlines();
        this.expression();
        count++;
      } while (this.take(','));
      this.isInPrint = outer;
    }
    if (count === 0 && operation === 'print') {
      this.emit('push-number', 0);
      this.emit('field');
      count = 1;
    }
    let target = '';
    for (const redirection of ['>', '>>', '|']) {
      if (target !== '' || !this.take(redirection)) continue;
      target = redirection;
      this.isInPrint = true;
      this.concatenation();
      this.isInPrint = outer;
    }
    this.emit(operation, count, target);
  }

  /** Do the parentheses hold the whole list of print? */
  private isWholeList(): boolean {
    let depth = 0;
    for (let i = this.at; i < this.tokens.length; i++) {
      const { text, type } = this.tokens[i]!;
      if (type === 'operator' && text === '(') depth++;
      if (type === 'operator' && text === ')' && --depth === 0) {
        const next = this.tokens[i + 1]!;
        return (
          ['newline', 'end'].includes(next.type) ||
          (next.type === 'operator' && [';', '}', '>', '>>', '|'].includes(next.text))
        );
      }
    }
    return false;
  }

  private list(closing: string): number {
    let count = 0;
    this.skipNewlines();
    while (!this.is(closing)) {
      this.expression();
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    return count;
  }

  // expressions, by falling precedence

  private expression(): void {
    this.ternary();
  }

  private ternary(): void {
    const start = this.code.length;
    this.or();
    if (this.take('?')) {
      this.skipNewlines();
      const skip = this.emit('jump-false');
      this.ternary();
      this.skipNewlines();
      this.need(':');
      this.skipNewlines();
      const end = this.emit('jump');
      this.patch(skip);
      this.ternary();
      this.patch(end);
      return;
    }
    const { text, type } = this.token;
    if (type !== 'operator' || (text !== '=' && ASSIGNMENTS[text] === undefined)) return;
    const target = this.takeLValue(start);
    this.at++;
    this.skipNewlines();
    if (text !== '=') this.load(target, true);
    this.ternary();
    if (text !== '=') this.emit('arithmetic', ASSIGNMENTS[text]!);
    this.assign(target);
  }

  /**
   * What was compiled last is a load: makes it a place again. Its address (a field's number, a key) stays on the stack.
   */
  private takeLValue(start: number): LValue {
    const last = this.code.length - 1;
    const [operation, name] = this.code[last] ?? ['none'];
    if (last < start) this.fail();
    if (operation === 'load') {
      this.code.pop();
      return { kind: 'name', name: String(name) };
    }
    if (operation === 'field') {
      this.code.pop();
      return { kind: 'field', name: '' };
    }
    if (operation === 'element') {
      this.code.pop();
      return { kind: 'element', name: String(name) };
    }
    this.fail();
  }

  private load({ kind, name }: LValue, keepsAddress: boolean): void {
    if (kind === 'name') this.emit('load', name);
    else {
      if (keepsAddress) this.emit('duplicate');
      this.emit(kind === 'field' ? 'field' : 'element', name);
    }
  }

  /** Stores the value on the stack, which stays there. */
  private assign({ kind, name }: LValue): void {
    this.emit(kind === 'name' ? 'store' : kind === 'field' ? 'store-field' : 'store-element', name);
  }

  private or(): void {
    this.and();
    while (this.take('||')) {
      this.skipNewlines();
      const end = this.emit('or');
      this.and();
      this.emit('truth');
      this.patch(end);
    }
  }

  private and(): void {
    this.membership();
    while (this.take('&&')) {
      this.skipNewlines();
      const end = this.emit('and');
      this.membership();
      this.emit('truth');
      this.patch(end);
    }
  }

  private membership(): void {
    this.matching();
    while (this.take('in')) {
      this.emit('in', this.arrayName(this.token.text));
      this.at++;
    }
  }

  private matching(): void {
    this.comparison();
    while (this.is('~') || (this.is('!') && this.tokens[this.at + 1]?.text === '~')) {
      const isNegated = this.take('!');
      this.need('~');
      this.pattern(() => this.comparison());
      this.emit('match', isNegated ? 1 : 0);
    }
  }

  /** A regular expression as an operand: a literal's text, or a value's. */
  private pattern(otherwise: () => void): void {
    const { token } = this;
    if (token.type === 'regex') {
      this.at++;
      this.emit('push-string', token.text);
    } else otherwise();
  }

  private comparison(): void {
    this.concatenation();
    const { text, type } = this.token;
    const isComparison = type === 'operator' && ['<', '<=', '==', '!=', '>=', '>'].includes(text);
    if (!isComparison || (this.isInPrint && text === '>')) return;
    this.at++;
    this.concatenation();
    this.emit('compare', text);
  }

  private pipeGetline(): void {
    while (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
      this.at += 2;
      this.getlineTarget('command');
    }
  }

  private concatenation(): void {
    this.additive();
    for (;;) {
      if (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
        this.pipeGetline();
        continue;
      }
      const { token } = this;
      const isOperand =
        ['number', 'string', 'name', 'call', 'builtin', 'regex'].includes(token.type) ||
        (token.type === 'operator' && ['$', '!', '(', '-', '+', '++', '--'].includes(token.text));
      if (!isOperand || token.text === 'in' || (token.text === '!' && this.tokens[this.at + 1]?.text === '~')) return;
      this.additive();
      this.emit('concatenate');
    }
  }

  private additive(): void {
    this.multiplicative();
    while (this.is('+') || this.is('-')) {
      const { text } = this.token;
      this.at++;
      this.multiplicative();
      this.emit('arithmetic', text);
    }
  }

  private multiplicative(): void {
    this.unary();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const { text } = this.token;
      this.at++;
      this.unary();
      this.emit('arithmetic', text);
    }
  }

  private unary(): void {
    if (this.take('!')) {
      this.unary();
      this.emit('not');
    } else if (this.take('-')) {
      this.unary();
      this.emit('negate');
    } else if (this.take('+')) {
      this.unary();
      this.emit('number');
    } else this.power();
  }

  private power(): void {
    this.postfix();
    if (!this.take('^') && !this.take('**')) return;
    // It binds to the right, and tighter than a minus before it.
    if (this.take('-')) {
      this.power();
      this.emit('negate');
    } else this.power();
    this.emit('arithmetic', '^');
  }

  private postfix(): void {
    const start = this.code.length;
    this.primary();
    const { text } = this.token;
    if (!this.is('++') && !this.is('--')) return;
    const [operation] = this.code.at(-1) ?? ['none'];
    if (!['load', 'field', 'element'].includes(operation)) return;
    this.at++;
    this.step(this.takeLValue(start), text, true);
  }

  /** ++ and --: leaves the old value (after) or the new one (before). */
  private step(target: LValue, text: string, isAfter: boolean): void {
    this.load(target, true);
    if (isAfter) this.emit('number');
    if (isAfter) this.emit(target.kind === 'name' ? 'duplicate' : 'duplicate-under');
    this.emit('push-number', 1);
    this.emit('arithmetic', text[0]!);
    this.assign(target);
    if (isAfter) this.emit('pop');
  }

  private primary(): void {
    const { token } = this;
    this.at++;
    switch (token.type) {
      case 'number':
        this.emit('push-number', Number(token.text));
        return;
      case 'string':
        this.emit('push-string', token.text);
        return;
      case 'regex':
        this.emit('push-number', 0);
        this.emit('field');
        this.emit('push-string', token.text);
        this.emit('match', 0);
        return;
      case 'name':
        if (!this.take('[')) {
          this.emit('load', token.text);
          return;
        }
        this.subscript();
        this.emit('element', this.arrayName(token.text));
        return;
      case 'call':
        this.need('(');
        return this.call(token.text);
      case 'builtin':
        return this.builtin(token.text);
      default:
        this.at--;
        this.otherPrimary();
    }
  }

  private otherPrimary(): void {
    if (this.take('$')) {
      const sign = this.is('++') || this.is('--') ? this.token.text : '';
      if (sign !== '') {
        this.at++;
        const start = this.code.length;
        this.primary();
        this.step(this.takeLValue(start), sign, false);
      } else if (this.take('-')) {
        this.primary();
        this.emit('negate');
      } else this.primary();
      this.emit('field');
    } else if (this.take('getline')) this.getlineTarget('');
    else if (this.is('++') || this.is('--')) {
      const { text } = this.token;
      this.at++;
      const start = this.code.length;
      this.primary();
      this.step(this.takeLValue(start), text, false);
    } else if (this.take('(')) this.group();
    else this.fail();
  }

  /** (expression), or (i, j) in array. */
  private group(): void {
    const outer = this.isInPrint;
    this.isInPrint = false;
    const count = this.list(')');
    this.need(')');
    this.isInPrint = outer;
    if (count > 1) {
      this.emit('join', count);
      if (!this.is('in')) this.fail();
    } else this.emit('group');
  }

  private subscript(): void {
    const outer = this.isInPrint;
    this.isInPrint = false;
    const count = this.list(']');
    this.need(']');
    this.isInPrint = outer;
    this.emit('join', count);
  }

  private arrayName(name: string): string {
    if (!this.locals.includes(name)) this.arrays.add(name);
    return name;
  }

  /** `getline`, `getline x`, `getline x < file`, and behind a command. */
  private getlineTarget(source: string): void {
    const start = this.code.length;
    const { token } = this;
    let target: LValue | undefined;
    if (token.type === 'name' || token.text === '$') {
      if (token.text === '$') this.otherPrimary();
      else this.primary();
      target = this.takeLValue(start);
    }
    let from = source;
    if (from === '' && this.is('<')) {
      this.at++;
      this.primary();
      from = 'file';
    }
    // The address of the target lies above a command, and below a file's name.
    const hasAddress = target !== undefined && target.kind !== 'name';
    this.emit('getline', from, hasAddress && from === 'command' ? 1 : 0);
    if (target === undefined) this.emit('getline-record');
    else {
      const skip = this.emit('getline-value');
      this.assign(target);
      this.emit('pop');
      this.emit('push-number', 1);
      const end = this.emit('jump');
      this.patch(skip);
      if (hasAddress) this.emit('drop-under');
      this.patch(end);
    }
  }

  private call(name: string): void {
    let count = 0;
    const outer = this.isInPrint;
    this.isInPrint = false;
    this.skipNewlines();
    while (!this.is(')')) {
      const next = this.tokens[this.at + 1]!;
      // A bare name may be an array.
      if (this.token.type === 'name' && next.type === 'operator' && [',', ')'].includes(next.text)) {
        this.emit('push-reference', this.token.text);
        this.at++;
      } else this.expression();
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.isInPrint = outer;
    this.emit('call', name, count);
  }

  private builtin(name: string): void {
    if (!this.is('(')) {
      if (name !== 'length') this.fail();
      this.emit('push-number', 0);
      this.emit('field');
      this.emit('builtin', name, 1);
      return;
    }
    this.need('(');
    const outer = this.isInPrint;
    this.isInPrint = false;
    let count = 0;
    let target: LValue | undefined;
    this.skipNewlines();
    while (!this.is(')')) {
      const start = this.code.length;
      const next = this.tokens[this.at + 1]!;
      const isBareName = this.token.type === 'name' && next.type === 'operator' && [',', ')'].includes(next.text);
      const isRegexPlace = { split: 2, sub: 0, gsub: 0, match: 1 }[name] === count;
      if (
        isBareName &&
        ((name === 'split' && count === 1) || (name === 'length' && this.mayBeArray(this.token.text)))
      ) {
        this.emit('push-array', this.arrayName(this.token.text));
        this.at++;
      } else if (isRegexPlace && this.token.type === 'regex') {
        this.emit('push-regex', this.token.text);
        this.at++;
      } else this.expression();
      if ((name === 'sub' || name === 'gsub') && count === 2) {
        target = this.takeLValue(start);
        this.load(target, true);
      }
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.isInPrint = outer;
    if (name === 'sub' || name === 'gsub') this.substitution(name, target);
    else this.emit('builtin', name, count);
  }

  private mayBeArray(name: string): boolean {
    return this.arrays.has(name) || this.locals.includes(name);
  }

  /** The stack has: pattern, replacement, the target's address if it has one, its value. */
  private substitution(name: string, given: LValue | undefined): void {
    let target = given;
    if (target === undefined) {
      this.emit('push-number', 0);
      target = { kind: 'field', name: '' };
      this.load(target, true);
    }
    this.emit('substitute', name, target.kind === 'name' ? 0 : 1);
    this.assign(target);
    this.emit('pop');
    this.emit('take-count');
  }
}
