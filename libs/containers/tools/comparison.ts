import type { Bytes } from '../../engine/kernel/bytes.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import { compareFiles } from './file-test.js';

/** The operators between two operands of test(1) and of the shells' `test` and `[[`. */
export const COMPARISONS: readonly Bytes[] = [
  ...['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef'],
];

/** `left operator right`. `readInteger`: an operand of a numeric operator; it throws on what is none. */
export function compareOperands(
  sys: Syscalls,
  [left, operator, right]: readonly [left: Bytes, operator: Bytes, right: Bytes],
  readInteger: (operand: Bytes) => bigint,
): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '-nt':
    case '-ot':
    case '-ef':
      return compareFiles(sys, operator, left, right);
    default:
      return compareNumbers(operator, readInteger(left), readInteger(right));
  }
}

function compareNumbers(operator: Bytes, left: bigint, right: bigint): boolean {
  switch (operator) {
    case '-eq':
      return left === right;
    case '-ne':
      return left !== right;
    case '-lt':
      return left < right;
    case '-le':
      return left <= right;
    case '-gt':
      return left > right;
    default:
      return left >= right;
  }
}
