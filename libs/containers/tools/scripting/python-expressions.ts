import type { Bytes } from '../../../engine/kernel/bytes.js';
import { resolve, type Names } from './python-imports.js';
import {
  bytearray,
  isHeld,
  isTrue,
  join,
  lengthOf,
  listOf,
  PythonError,
  repeat,
  show,
  typeName,
  UnknownExpression,
  type Held,
  type Value,
  type Variables,
} from './python-values.js';
import { readLiteral } from './statements.js';

interface Scope {
  readonly variables: Variables;
  readonly env: Readonly<Record<string, Bytes>>;
  readonly names: Names;
  /** Virtual ms, of time.time(). */
  readonly now: number;
  readonly hostname: string;
  readonly pid: number;
}

const TOKEN =
  /\s*(?:([fFbB]?"(?:[^"\\]|\\.)*"|[fFbB]?'(?:[^'\\]|\\.)*')|(\d[\d_]*(?:\.\d+)?(?:e\d+)?)|([A-Za-z_][\w.]*)|(\*\*|==|!=|<=|>=|\/\/|[-+*/%()<>[\],]))/y;
const MAX_TOKENS = 500;
const MAX_DEPTH = 50;

/** Literals, variables, environment, int() and str(), arithmetic, comparisons, not/and/or. */
export function evaluate(text: Bytes, scope: Scope): Value {
  const reader = new Reader(tokenize(text), scope);
  const value = reader.or(0);
  if (!reader.isAtEnd) throw new UnknownExpression(text);
  return value;
}

function tokenize(text: Bytes): string[] {
  const tokens: string[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  for (let at = 0; at < trimmed.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(trimmed);
    if (!found || tokens.length >= MAX_TOKENS) throw new UnknownExpression(text);
    tokens.push(found[0].trim());
  }
  return tokens;
}

const COMPARISONS: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a! < b!,
  '>': (a, b) => a! > b!,
  '<=': (a, b) => a! <= b!,
  '>=': (a, b) => a! >= b!,
};
const CONSTANTS: Readonly<Record<string, Value>> = { True: true, False: false, None: null };

const isSequence = (value: Value): value is string | Held => typeof value === 'string' || isHeld(value);

class Reader {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly scope: Scope,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  private take(...words: string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token === undefined || !words.includes(token)) return undefined;
    this.at++;
    return token;
  }

  private expect(word: string): void {
    if (this.take(word) === undefined) throw new UnknownExpression(this.tokens.join(' '));
  }

  or(depth: number): Value {
    if (depth > MAX_DEPTH) throw new UnknownExpression('too deep');
    let value = this.and(depth);
    while (this.take('or')) {
      const other = this.and(depth);
      value = isTrue(value) ? value : other;
    }
    return value;
  }

  private and(depth: number): Value {
    let value = this.comparison(depth);
    while (this.take('and')) {
      const other = this.comparison(depth);
      value = isTrue(value) ? other : value;
    }
    return value;
  }

  private comparison(depth: number): Value {
    let isNegated = false;
    while (this.take('not')) isNegated = !isNegated;
    let value = this.sum(depth);
    const sign = this.take(...Object.keys(COMPARISONS));
    if (sign !== undefined) value = COMPARISONS[sign]!(value, this.sum(depth));
    return isNegated ? !isTrue(value) : value;
  }

  private sum(depth: number): Value {
    let value = this.product(depth);
    for (let sign = this.take('+', '-'); sign !== undefined; sign = this.take('+', '-')) {
      const other = this.product(depth);
      if (sign === '+' && isSequence(value) && isSequence(other)) value = join(value, other);
      else value = sign === '+' ? number(value, '+') + number(other, '+') : number(value, '-') - number(other, '-');
    }
    return value;
  }

  private product(depth: number): Value {
    const signs = ['*', '/', '//', '%'];
    let value = this.power(depth);
    for (let sign = this.take(...signs); sign !== undefined; sign = this.take(...signs)) {
      const other = this.power(depth);
      if (sign === '*' && (isSequence(value) || isSequence(other))) {
        value = isSequence(value)
          ? repeat(value, number(other, '*'))
          : repeat(other as string | Held, number(value, '*'));
        continue;
      }
      const [a, b] = [number(value, sign), number(other, sign)];
      if (sign !== '*' && b === 0) throw new PythonError('ZeroDivisionError: division by zero');
      if (sign === '*') value = a * b;
      else if (sign === '/') value = a / b;
      else value = sign === '//' ? Math.floor(a / b) : a - b * Math.floor(a / b);
    }
    return value;
  }

  private power(depth: number): Value {
    const base = this.atom(depth);
    return this.take('**') ? number(base, '**') ** number(this.power(depth), '**') : base;
  }

  private atom(depth: number): Value {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new UnknownExpression(this.tokens.join(' '));
    if (token === '-') return -number(this.atom(depth), '-');
    if (token === '(') {
      const value = this.or(depth + 1);
      this.expect(')');
      return value;
    }
    if (token === '[') return listOf(this.listUntil(']', depth));
    if (/^\d/.test(token)) return Number(token.replaceAll('_', ''));
    if (/^[fF]["']/.test(token)) return this.format(readLiteral(token.slice(1), true) ?? '', depth);
    if (/^["']/.test(token)) return readLiteral(token, true) ?? '';
    if (/^[bB]["']/.test(token)) return bytearray((readLiteral(token.slice(1), true) ?? '').length);
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token]!;
    if (Object.hasOwn(this.scope.variables, token)) return this.scope.variables[token]!;
    const named = resolve(token, this.scope.names);
    if (this.take('(')) return this.call(named, depth);
    if (named === 'os.environ' && this.take('[')) {
      const name = show(this.or(depth + 1));
      this.expect(']');
      const value = this.scope.env[name];
      if (value === undefined) throw new PythonError(`KeyError: '${name}'`);
      return value;
    }
    if (/^\w+$/.test(token)) throw new PythonError(`NameError: name '${token}' is not defined`);
    throw new UnknownExpression(token);
  }

  private format(text: string, depth: number): string {
    if (depth > 2) throw new UnknownExpression(text);
    return text.replace(/\{([^{}]*)\}/g, (_, inner: string) => show(evaluate(inner, this.scope)));
  }

  private listUntil(end: string, depth: number): Value[] {
    const values: Value[] = [];
    while (!this.take(end)) {
      if (values.length > 0) this.expect(',');
      if (values.length > 0 && this.take(end)) break;
      values.push(this.or(depth + 1));
    }
    return values;
  }

  private call(name: string, depth: number): Value {
    const values = this.listUntil(')', depth);
    const [first = null, second = null] = values;
    switch (name) {
      case 'os.getenv':
      case 'os.environ.get':
        return this.scope.env[show(first)] ?? second;
      case 'int':
        return readInt(first);
      case 'float':
        return Number(first);
      case 'str':
        return show(first);
      case 'len':
        return lengthOf(first);
      case 'bytearray':
      case 'bytes':
        return bytearray(number(first, 'bytes'));
      case 'time.time':
        return this.scope.now / 1_000;
      case 'socket.gethostname':
      case 'platform.node':
        return this.scope.hostname;
      case 'os.getpid':
        return this.scope.pid;
      default:
        throw new UnknownExpression(`${name}()`);
    }
  }
}

function number(value: Value, sign: string): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  throw new PythonError(`TypeError: unsupported operand type(s) for ${sign}: '${typeName(value)}' and 'int'`);
}

function readInt(value: Value): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Math.trunc(Number(value));
  if (value === null)
    throw new PythonError(
      "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    );
  if (isHeld(value)) throw new UnknownExpression('int()');
  if (!/^\s*[-+]?\d+\s*$/.test(value))
    throw new PythonError(`ValueError: invalid literal for int() with base 10: '${value}'`);
  return Number(value);
}
