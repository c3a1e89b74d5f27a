import { ShellFailure } from '../interpreter/failure.js';
import type { Shell } from '../interpreter/shell.js';
import type { ArithmeticError, ArithmeticProblem } from './arithmetic.js';

const BASH: Readonly<Record<ArithmeticProblem, string>> = {
  operand: 'syntax error: operand expected',
  division: 'division by 0',
  token: 'syntax error in expression',
  assignment: 'attempted assignment to non-variable',
  exponent: 'exponent less than 0',
  recursion: 'expression recursion level exceeded',
  base: 'value too great for base',
};

const DASH: Readonly<Record<ArithmeticProblem, string>> = {
  operand: 'expecting primary',
  division: 'division by zero',
  token: 'expecting EOF',
  assignment: 'expecting EOF',
  exponent: 'expecting primary',
  recursion: 'recursion',
  base: 'expecting EOF',
};

const ASH: Readonly<Record<ArithmeticProblem, string>> = {
  operand: 'arithmetic syntax error',
  division: 'divide by zero',
  token: 'arithmetic syntax error',
  assignment: 'arithmetic syntax error',
  exponent: 'exponent less than 0',
  recursion: 'expression recursion loop detected',
  base: 'arithmetic syntax error',
};

/** The failure of a shell with an expression that does not evaluate. */
export function arithmeticFailure(shell: Shell, error: ArithmeticError): ShellFailure {
  const { problem, expression, token } = error;
  if (shell.isDash) return new ShellFailure(`arithmetic expression: ${DASH[problem]}: "${expression}"`, 2, 'shell');
  if (shell.isAsh) return new ShellFailure(ASH[problem], 2, 'shell');
  const message = `${expression.trimStart()}: ${BASH[problem]} (error token is "${token}")`;
  return new ShellFailure(message, 1, 'line');
}
