import { RE2JS } from 're2js';
import type { ArithmeticCommand, TestCommand, TestExpression, Word } from 'unbash';
import { Expansion } from '../../expansion/expansion.js';
import { quoteWhereNeeded } from '../../expansion/quote.js';
import type { Bytes } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import { finishCommand } from '../errors.js';
import { ShellFailure } from '../failure.js';
import { isBinaryOperator, testBinary, testUnary } from '../file-test.js';
import { matches } from './loops.js';
import type { Shell } from '../shell.js';
import { trace } from '../trace.js';
import { assignArray } from './assign.js';

/** [[ ... ]]. Words that were expanded are in the frame, in the order in which they were needed. */
export function stepTest(shell: Shell, frame: FrameOf<'test'>): void {
  const node = shell.nodeOf(frame) as TestCommand;
  shell.enter(frame.source, node.pos);
  const evaluation = new Evaluation(shell, frame);
  const isTrue = evaluation.evaluate(node.expression);
  shell.pop();
  finishCommand(shell, isTrue ? 0 : 1);
}

class Evaluation {
  private at = 0;

  constructor(
    private readonly shell: Shell,
    private readonly frame: FrameOf<'test'>,
  ) {}

  evaluate(expression: TestExpression): boolean {
    switch (expression.type) {
      case 'TestLogical': {
        const isAnd = expression.operator === '&&';
        for (const operand of expression.operands) if (this.evaluate(operand) !== isAnd) return !isAnd;
        return isAnd;
      }
      case 'TestNot':
        return this.evaluate(expression.operand) !== (expression.negations.length % 2 === 1);
      case 'TestGroup':
        return this.evaluate(expression.expression);
      case 'TestUnary': {
        const operand = this.expand(expression.operand, 'text');
        trace(this.shell, `[[ ${expression.operator} ${quoteWhereNeeded(operand)} ]]`);
        return testUnary(this.shell, expression.operator, operand, '[[');
      }
      case 'TestBinary':
        return this.binary(expression);
    }
  }

  private binary(expression: Extract<TestExpression, { type: 'TestBinary' }>): boolean {
    const { operator } = expression;
    const left = this.expand(expression.left, 'text');
    const isPattern = operator === '=' || operator === '==' || operator === '!=';
    const right = this.expand(expression.right, isPattern ? 'pattern' : operator === '=~' ? 'expression' : 'text');
    trace(this.shell, `[[ ${quoteWhereNeeded(left)} ${operator} ${right === '' ? "''" : right} ]]`);
    if (isPattern) return matches(this.shell, left, right) === (operator !== '!=');
    if (operator === '=~') return matchExpression(this.shell, left, right);
    if (!isBinaryOperator(operator)) throw new ShellFailure(`${operator}: conditional operator expected`, 2, 'command');
    return testBinary(this.shell, operator, left, right, '[[');
  }

  private expand(word: Word, kind: 'text' | 'pattern' | 'expression'): Bytes {
    const known = this.frame.texts[this.at++];
    if (known !== undefined) return known;
    const expansion = new Expansion(this.shell, this.frame.memo, word.text);
    const text = expansion[kind](word);
    this.frame.memo = [];
    this.frame.texts.push(text);
    return text;
  }
}

/** `=~`: an extended regular expression. Sets BASH_REMATCH. */
function matchExpression(shell: Shell, text: Bytes, pattern: Bytes): boolean {
  shell.sys.charge(text.length + pattern.length);
  let groups: Bytes[] | undefined;
  try {
    const matcher = RE2JS.compile(toRe2(pattern)).matcher(text);
    if (matcher.find()) {
      groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? '');
    }
  } catch {
    throw new ShellFailure(`${pattern}: invalid regular expression`, 2, 'command');
  }
  const elements = (groups ?? []).map((value) => ({ key: null, value, isAppended: false }));
  assignArray(shell, { name: 'BASH_REMATCH', isAppended: false, index: null, value: '', elements });
  return groups !== undefined;
}

/** Backslashes before letters and digits mean nothing in POSIX; quoted characters come with one. */
const toRe2 = (pattern: Bytes): Bytes =>
  pattern.replace(/\\([^])/g, (escape, character: string) =>
    /[A-Za-z0-9]/.test(character) ? (/[wWsSbB<>]/.test(character) ? escape : character) : escape,
  );

/** (( ... )) */
export function stepArithmetic(shell: Shell, frame: FrameOf<'arithmetic'>): void {
  const node = shell.nodeOf(frame) as ArithmeticCommand;
  shell.enter(frame.source, node.pos);
  let value: Bytes;
  try {
    value = new Expansion(shell, frame.memo, node.body).arithmetic(node.body);
  } catch (error) {
    if (!(error instanceof ShellFailure)) throw error;
    throw new ShellFailure(`((: ${error.message}`, 1, 'command');
  }
  trace(shell, `(( ${node.body.trim()} ))`);
  shell.pop();
  finishCommand(shell, Number(value === '0'));
}
