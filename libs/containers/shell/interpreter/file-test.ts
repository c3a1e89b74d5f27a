import { compareOperands, COMPARISONS } from '../../tools/comparison.js';
import { examineFile } from '../../tools/file-test.js';
import type { Bytes } from '../kernel.js';
import { ShellFailure } from './failure.js';
import type { Shell } from './shell.js';

const UNARY = new Set('abcdefghknoprstuvwxzGLNORS');
const BINARY = new Set(COMPARISONS);

export const isUnaryOperator = (text: Bytes): boolean => text.length === 2 && text[0] === '-' && UNARY.has(text[1]!);
export const isBinaryOperator = (text: Bytes): boolean => BINARY.has(text);

/** `-f file` and its like. `name`: of the builtin, for its messages. */
export function testUnary(shell: Shell, operator: Bytes, operand: Bytes, name: Bytes): boolean {
  const { sys } = shell;
  switch (operator[1]) {
    case 'n':
      return operand !== '';
    case 'z':
      return operand === '';
    case 't':
      return sys.descriptors().includes(Number(integer(shell, operand, name))) && sys.isTerminal(Number(operand));
    case 'o':
      return shell.option(operand) || shell.option(OPTION_LETTERS[operand] ?? '');
    case 'v': {
      const element = /^(\w+)\[(.*)\]$/s.exec(operand);
      return element
        ? shell.get(element[1]!, element[2]) !== undefined
        : shell.get(operand) !== undefined || shell.variable(operand)?.elements?.['0'] !== undefined;
    }
    case 'R':
      return shell.variable(operand)?.flags.includes('n') === true;
    default:
      return examineFile(sys, operator[1]!, operand);
  }
}

/** Long names of options by letter. */
export const OPTION_LETTERS: Readonly<Record<string, string>> = {
  allexport: 'a',
  braceexpand: 'B',
  errexit: 'e',
  errtrace: 'E',
  functrace: 'T',
  hashall: 'h',
  histexpand: 'H',
  keyword: 'k',
  monitor: 'm',
  noclobber: 'C',
  noexec: 'n',
  noglob: 'f',
  notify: 'b',
  nounset: 'u',
  onecmd: 't',
  physical: 'P',
  privileged: 'p',
  verbose: 'v',
  xtrace: 'x',
};

export function testBinary(shell: Shell, operator: Bytes, left: Bytes, right: Bytes, name: Bytes): boolean {
  return compareOperands(shell.sys, [left, operator, right], (operand) => integer(shell, operand, name));
}

/** A failure within [[ ]] says so and fails only the command. */
function inTest(evaluate: () => bigint): bigint {
  try {
    return evaluate();
  } catch (error) {
    throw error instanceof ShellFailure ? new ShellFailure(`[[: ${error.message}`, 1, 'command') : error;
  }
}

function integer(shell: Shell, text: Bytes, name: Bytes): bigint {
  if (name === '[[') return inTest(() => shell.evaluate(text));
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed);
  if (shell.isBash) throw new ShellFailure(`${name}: ${text}: integer expression expected`, 2, 'command');
  throw new ShellFailure(shell.isDash ? `${name}: Illegal number: ${text}` : `${text}: bad number`, 2, 'command');
}
