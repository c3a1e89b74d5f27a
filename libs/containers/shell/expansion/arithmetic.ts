import type { Bytes } from '../kernel.js';

/** Variables as arithmetic uses them. `index` is the text between the brackets. */
export interface ArithmeticVariables {
  get(name: Bytes, index: Bytes | undefined): Bytes | undefined;
  set(name: Bytes, index: Bytes | undefined, value: Bytes): void;
  /** Without ++, --, ** and the comma: dash. */
  readonly isDash: boolean;
}

export type ArithmeticProblem = 'operand' | 'division' | 'token' | 'assignment' | 'exponent' | 'recursion' | 'base';

/** What is wrong, and the text from the place where it is wrong on. */
export class ArithmeticError extends Error {
  constructor(
    readonly problem: ArithmeticProblem,
    readonly expression: Bytes,
    readonly token: Bytes,
  ) {
    super(problem);
  }
}

const MAX_DEPTH = 64;
const OPERATORS = [
  ...['<<=', '>>=', '**', '++', '--', '<<', '>>', '<=', '>=', '==', '!=', '&&', '||'],
  ...['+=', '-=', '*=', '/=', '%=', '&=', '^=', '|='],
  ...['+', '-', '*', '/', '%', '<', '>', '=', '!', '~', '&', '^', '|', '?', ':', ',', '(', ')'],
];
const NOT_IN_DASH = new Set(['**', '++', '--', ',']);
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=']);
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

type Token =
  | { readonly type: 'number'; readonly value: bigint; readonly at: number }
  | { readonly type: 'name'; readonly name: Bytes; readonly index: Bytes | undefined; readonly at: number }
  | { readonly type: 'operator'; readonly text: string; readonly at: number }
  | { readonly type: 'end'; readonly at: number };

/** A value, and where it came from when it can be assigned to. */
interface Operand {
  value: bigint;
  readonly target?: { readonly name: Bytes; readonly index: Bytes | undefined };
}

/**
 * The value of an arithmetic expression whose $ have been expanded: C's operators on 64 bits, as bash, dash and busybox
 * have them. Throws ArithmeticError.
 */
export function evaluateArithmetic(expression: Bytes, variables: ArithmeticVariables, depth = 0): bigint {
  return new Evaluation(expression, variables, depth).run();
}

class Evaluation {
  private token: Token = { type: 'end', at: 0 };
  private at = 0;
  private lastAt = 0;
  private nesting = 0;
  /** Counts the branches around that are not taken. */
  private skipped = 0;

  constructor(
    private readonly text: Bytes,
    private readonly variables: ArithmeticVariables,
    private readonly depth: number,
  ) {
    if (depth > MAX_DEPTH) throw new ArithmeticError('recursion', text, text);
  }

  run(): bigint {
    this.next();
    if (this.isAtEnd()) return 0n;
    const value = this.comma();
    if (!this.isAtEnd()) throw this.fail(this.isAssignment() ? 'assignment' : 'token');
    return value;
  }

  private isAtEnd(): boolean {
    return this.token.type === 'end';
  }

  private isAssignment(): boolean {
    return this.token.type === 'operator' && ASSIGNMENTS.has(this.token.text);
  }

  private fail(problem: ArithmeticProblem): ArithmeticError {
    const from = this.token.type === 'end' ? this.lastAt : this.token.at;
    return new ArithmeticError(problem, this.text, this.text.slice(from));
  }

  private next(): void {
    this.lastAt = this.token.at;
    const text = this.text;
    while (' \t\n\r'.includes(text[this.at] ?? 'x')) this.at++;
    const at = this.at;
    const first = text[at];
    if (first === undefined) {
      this.token = { type: 'end', at };
    } else if (first >= '0' && first <= '9') {
      this.token = { type: 'number', value: this.readNumber(), at };
    } else if (/[A-Za-z_]/.test(first)) {
      this.token = this.readName(at);
    } else {
      const operator = OPERATORS.find(
        (candidate) => text.startsWith(candidate, at) && !(this.variables.isDash && NOT_IN_DASH.has(candidate)),
      );
      if (operator === undefined) {
        this.token = { type: 'operator', text: first, at };
        throw this.fail(this.variables.isDash ? 'token' : 'operand');
      }
      this.at += operator.length;
      this.token = { type: 'operator', text: operator, at };
    }
  }

  private readName(at: number): Token {
    const name = /^\w+/.exec(this.text.slice(at, at + 256))![0];
    this.at += name.length;
    let index: Bytes | undefined;
    if (this.text[this.at] === '[') {
      let open = 0;
      const from = this.at + 1;
      for (; this.at < this.text.length; this.at++) {
        if (this.text[this.at] === '[') open++;
        if (this.text[this.at] === ']' && --open === 0) break;
      }
      index = this.text.slice(from, this.at++);
    }
    return { type: 'name', name, index, at };
  }

  private readNumber(): bigint {
    const start = this.at;
    const word = /^[\w#@]+/.exec(this.text.slice(start, start + 256))![0];
    this.at += word.length;
    const value = parseInteger(word);
    if (value !== undefined) return BigInt.asIntN(64, value);
    this.token = { type: 'number', value: 0n, at: start };
    throw this.fail('base');
  }

  private accept(...operators: string[]): string | undefined {
    if (this.token.type !== 'operator' || !operators.includes(this.token.text)) return undefined;
    const { text } = this.token;
    this.next();
    return text;
  }

  private comma(): bigint {
    if (++this.nesting > MAX_DEPTH) throw this.fail('recursion');
    let value = this.assignment().value;
    while (this.accept(',')) value = this.assignment().value;
    this.nesting--;
    return value;
  }

  private assignment(): Operand {
    const left = this.ternary();
    if (this.token.type !== 'operator' || !ASSIGNMENTS.has(this.token.text)) return left;
    if (!left.target) throw this.fail('assignment');
    const operator = this.token.text;
    this.next();
    const right = this.assignment().value;
    const value = operator === '=' ? right : this.calculate(operator.slice(0, -1), left.value, right);
    this.store(left.target, value);
    return { value };
  }

  private store(target: NonNullable<Operand['target']>, value: bigint): void {
    if (this.skipped === 0) this.variables.set(target.name, target.index, String(value));
  }

  private ternary(): Operand {
    const test = this.binary(0);
    if (!this.accept('?')) return test;
    const chosen = this.skipUnless(test.value !== 0n, () => this.comma());
    if (!this.accept(':')) throw this.fail('token');
    const other = this.skipUnless(test.value === 0n, () => this.assignment().value);
    return { value: test.value !== 0n ? chosen : other };
  }

  private skipUnless(condition: boolean, evaluate: () => bigint): bigint {
    if (!condition) this.skipped++;
    const value = evaluate();
    if (!condition) this.skipped--;
    return value;
  }

  private binary(level: number): Operand {
    const operators = LEVELS[level];
    if (!operators) return this.power();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = this.accept(...operators);
      if (operator === undefined) return left;
      if (operator === '&&' || operator === '||') {
        const isDecided = (left.value !== 0n) === (operator === '||');
        const right = this.skipUnless(!isDecided, () => this.binary(level + 1).value);
        left = { value: isDecided ? BigInt(operator === '||') : BigInt(right !== 0n) };
      } else {
        const right = this.binary(level + 1).value;
        left = { value: this.calculate(operator, left.value, right) };
      }
    }
  }

  private power(): Operand {
    const base = this.unary();
    if (!this.accept('**')) return base;
    const exponent = this.power().value;
    if (exponent < 0n) throw this.fail('exponent');
    return { value: powerOf(base.value, exponent) };
  }

  private unary(): Operand {
    if (++this.nesting > MAX_DEPTH) throw this.fail('recursion');
    const operand = this.unaryOperand();
    this.nesting--;
    return operand;
  }

  private unaryOperand(): Operand {
    const operator = this.accept('+', '-', '!', '~', '++', '--');
    if (operator === undefined) return this.postfix();
    const operand = this.unary();
    switch (operator) {
      case '-':
        return { value: BigInt.asIntN(64, -operand.value) };
      case '!':
        return { value: BigInt(operand.value === 0n) };
      case '~':
        return { value: ~operand.value };
      case '++':
      case '--': {
        const sign = operator === '++' ? 1n : -1n;
        if (!operand.target) return { value: operator === '++' ? operand.value : operand.value };
        const value = BigInt.asIntN(64, operand.value + sign);
        this.store(operand.target, value);
        return { value };
      }
      default:
        return { value: operand.value };
    }
  }

  private postfix(): Operand {
    const operand = this.primary();
    if (!operand.target) return operand;
    const operator = this.accept('++', '--');
    if (operator === undefined) return operand;
    this.store(operand.target, BigInt.asIntN(64, operand.value + (operator === '++' ? 1n : -1n)));
    return { value: operand.value };
  }

  private primary(): Operand {
    const { token } = this;
    if (token.type === 'number') {
      this.next();
      return { value: token.value };
    }
    if (token.type === 'name') {
      this.next();
      return { value: this.valueOf(token.name, token.index), target: { name: token.name, index: token.index } };
    }
    if (this.accept('(')) {
      const value = this.comma();
      if (!this.accept(')')) throw this.fail('token');
      return { value };
    }
    throw this.fail('operand');
  }

  private valueOf(name: Bytes, index: Bytes | undefined): bigint {
    if (this.skipped > 0) return 0n;
    const text = this.variables.get(name, index) ?? '';
    if (text === '') return 0n;
    return evaluateArithmetic(text, this.variables, this.depth + 1);
  }

  private calculate(operator: string, left: bigint, right: bigint): bigint {
    switch (operator) {
      case '+':
        return BigInt.asIntN(64, left + right);
      case '-':
        return BigInt.asIntN(64, left - right);
      case '*':
        return BigInt.asIntN(64, left * right);
      case '/':
      case '%':
        if (right === 0n) {
          if (this.skipped > 0) return 0n;
          throw new ArithmeticError('division', this.text, this.text.slice(this.lastAt));
        }
        return operator === '/' ? BigInt.asIntN(64, left / right) : left % right;
      case '<<':
        return BigInt.asIntN(64, left << (right & 63n));
      case '>>':
        return left >> (right & 63n);
      case '&':
        return left & right;
      case '|':
        return left | right;
      case '^':
        return left ^ right;
      case '==':
        return BigInt(left === right);
      case '!=':
        return BigInt(left !== right);
      case '<':
        return BigInt(left < right);
      case '<=':
        return BigInt(left <= right);
      case '>':
        return BigInt(left > right);
      default:
        return BigInt(left >= right);
    }
  }
}

function powerOf(base: bigint, exponent: bigint): bigint {
  let value = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) value = BigInt.asIntN(64, value * factor);
    factor = BigInt.asIntN(64, factor * factor);
  }
  return value;
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_';

/** A number as C and bash write it: 12, 0x1f, 017, 2#101. Undefined when it is none. */
export function parseInteger(word: Bytes): bigint | undefined {
  const hash = word.indexOf('#');
  if (hash > 0) return inBase(word.slice(hash + 1), Number(word.slice(0, hash)));
  if (/^0[xX]/.test(word)) return inBase(word.slice(2).toLowerCase(), 16);
  if (/^0\d/.test(word)) return inBase(word.slice(1), 8);
  return /^\d+$/.test(word) ? BigInt(word) : undefined;
}

function inBase(digits: Bytes, base: number): bigint | undefined {
  if (!(base >= 2 && base <= 64) || digits === '') return undefined;
  let value = 0n;
  for (const character of digits) {
    const digit = DIGITS.indexOf(base <= 36 ? character.toLowerCase() : character);
    if (digit < 0 || digit >= base) return undefined;
    value = BigInt.asIntN(64, value * BigInt(base) + BigInt(digit));
  }
  return value;
}
