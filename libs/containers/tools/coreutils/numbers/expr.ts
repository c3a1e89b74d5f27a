import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { compileRegex, RegexFault } from '../../patterns/posix-regex.js';
import { quoteName } from '../../framework/options.js';
import { defineTool, ToolFailure, UsageFailure } from '../../framework/tool.js';

const LEVELS = [['|'], ['&'], ['<', '<=', '=', '==', '!=', '>=', '>'], ['+', '-'], ['*', '/', '%'], [':']];

export const expr = defineTool(
  (tool) => {
    if (tool.args.length === 0) throw new UsageFailure('missing operand');
    const value = new Expression(tool.args[0] === '--' ? tool.args.slice(1) : tool.args).evaluate();
    tool.out(`${value}\n`);
    return value === '' || /^-?0+$/.test(value) ? 1 : 0;
  },
  { usage: 'EXPRESSION', usageCode: 2 },
);

const isInteger = (text: Bytes) => /^-?\d+$/.test(text);
const isNull = (text: Bytes) => text === '' || /^-?0+$/.test(text);

class Expression {
  private at = 0;

  constructor(private readonly words: readonly Bytes[]) {}

  evaluate(): Bytes {
    const value = this.level(0);
    if (this.at < this.words.length)
      throw new ToolFailure(`syntax error: unexpected argument ${quoteName(this.words[this.at]!)}`, 2);
    return value;
  }

  private level(depth: number): Bytes {
    const operators = LEVELS[depth];
    if (operators === undefined) return this.primary();
    let left = this.level(depth + 1);
    for (let word = this.words[this.at]; word !== undefined && operators.includes(word); word = this.words[this.at]) {
      this.at++;
      left = this.apply(word, left, this.level(depth + 1));
    }
    return left;
  }

  private take(): Bytes {
    const word = this.words[this.at++];
    if (word !== undefined) return word;
    throw new ToolFailure(`syntax error: missing argument after ${quoteName(this.words[this.at - 2] ?? '')}`, 2);
  }

  private primary(): Bytes {
    const word = this.take();
    switch (word) {
      case '(': {
        const value = this.level(0);
        if (this.words[this.at] !== ')') {
          const after = quoteName(this.words[this.at - 1] ?? '');
          throw new ToolFailure(`syntax error: expecting ')' after ${after}`, 2);
        }
        this.at++;
        return value;
      }
      case '+':
        return this.take();
      case 'length':
        return String(this.primary().length);
      case 'match':
        return this.apply(':', this.primary(), this.primary());
      case 'index': {
        const [text, characters] = [this.primary(), this.primary()];
        return String([...text].findIndex((c) => characters.includes(c)) + 1);
      }
      case 'substr': {
        const [text, from, length] = [this.primary(), this.primary(), this.primary()];
        if (!isInteger(from) || !isInteger(length) || Number(from) < 1 || Number(length) < 1) return '';
        return text.slice(Number(from) - 1, Number(from) - 1 + Number(length));
      }
      default:
        return word;
    }
  }

  private apply(operator: Bytes, left: Bytes, right: Bytes): Bytes {
    if (operator === '|') return !isNull(left) ? left : isNull(right) ? '0' : right;
    if (operator === '&') return isNull(left) || isNull(right) ? '0' : left;
    if (operator === ':') return matchAtStart(left, right);
    if (LEVELS[2]!.includes(operator)) return compare(operator, left, right) ? '1' : '0';
    if (!isInteger(left) || !isInteger(right)) throw new ToolFailure('non-integer argument', 2);
    const [a, b] = [BigInt(left), BigInt(right)];
    if (left.length + right.length > 10_000) throw new ToolFailure('memory exhausted', 2);
    if ((operator === '/' || operator === '%') && b === 0n) throw new ToolFailure('division by zero', 2);
    return String(
      operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : operator === '/' ? a / b : a % b,
    );
  }
}

function compare(operator: Bytes, left: Bytes, right: Bytes): boolean {
  const areNumbers = isInteger(left) && isInteger(right);
  const [a, b] = areNumbers ? [BigInt(left), BigInt(right)] : [left, right];
  const results: Readonly<Record<string, boolean>> = {
    '<': a < b,
    '<=': a <= b,
    '=': a === b,
    '==': a === b,
    '!=': a !== b,
    '>=': a >= b,
    '>': a > b,
  };
  return results[operator]!;
}

function matchAtStart(text: Bytes, pattern: Bytes): Bytes {
  try {
    const regex = compileRegex(`^${pattern.startsWith('^') ? pattern.slice(1) : pattern}`, 'basic');
    const match = regex.find(text);
    if (regex.groupCount > 0) return match?.groups[1] ?? '';
    return String(match === undefined ? 0 : match.end);
  } catch (error) {
    if (error instanceof RegexFault) throw new ToolFailure(error.message, 2);
    throw error;
  }
}

export const factor = defineTool((tool) => {
  const numbers = tool.args.length > 0 ? tool.args : tool.stdin().split(/\s+/).filter(Boolean);
  let code = 0;
  for (const text of numbers) {
    if (!/^\d+$/.test(text) || Number(text) > 1e12) {
      tool.warn(`${quoteName(text)} is not a valid positive integer`);
      code = 1;
    } else
      tool.out(`${[`${Number(text)}:`, ...factorsOf(Number(text), (steps) => tool.sys.charge(steps))].join(' ')}\n`);
  }
  return code;
});

function factorsOf(number: number, charge: (steps: number) => void): number[] {
  const factors: number[] = [];
  let rest = number;
  let divisor = 2;
  for (; divisor * divisor <= rest; divisor++) {
    while (rest % divisor === 0) {
      factors.push(divisor);
      rest /= divisor;
    }
  }
  charge(divisor);
  return rest > 1 ? [...factors, rest] : factors;
}
