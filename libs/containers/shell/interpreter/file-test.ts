import { type Bytes, errorCodeOf, type FileStat } from '../kernel.js';
import { ShellFailure } from './failure.js';
import type { Shell } from './shell.js';

const UNARY = new Set('abcdefghknoprstuvwxzGLNORS');
const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

export const isUnaryOperator = (text: Bytes): boolean => text.length === 2 && text[0] === '-' && UNARY.has(text[1]!);
export const isBinaryOperator = (text: Bytes): boolean => BINARY.has(text);

function statOf(shell: Shell, path: Bytes, link = false): FileStat | undefined {
  try {
    if (/^\/dev\/(?:stdin|stdout|stderr)$/.test(path)) {
      return shell.sys.fstat(['stdin', 'stdout', 'stderr'].indexOf(path.slice(5)));
    }
    return link ? shell.sys.lstat(path) : shell.sys.stat(path);
  } catch (error) {
    errorCodeOf(error);
    return undefined;
  }
}

/** `-f file` and its like. `name`: of the builtin, for its messages. */
export function testUnary(shell: Shell, operator: Bytes, operand: Bytes, name: Bytes): boolean {
  const { sys } = shell;
  const stat = (): FileStat | undefined => statOf(shell, operand);
  switch (operator[1]) {
    case 'n':
      return operand !== '';
    case 'z':
      return operand === '';
    case 'a':
    case 'e':
      return stat() !== undefined;
    case 'f':
      return stat()?.type === 'file';
    case 'd':
      return stat()?.type === 'directory';
    case 'b':
      return stat()?.type === 'block';
    case 'c':
      return stat()?.type === 'char';
    case 'p':
      return stat()?.type === 'fifo';
    case 'S':
      return stat()?.type === 'socket';
    case 'h':
    case 'L':
      return statOf(shell, operand, true)?.type === 'link';
    case 's':
      return (stat()?.size ?? 0) > 0;
    case 'r':
    case 'w':
    case 'x':
      return stat() !== undefined && sys.access(operand, operator[1]);
    case 'u':
      return ((stat()?.mode ?? 0) & 0o4000) !== 0;
    case 'g':
      return ((stat()?.mode ?? 0) & 0o2000) !== 0;
    case 'k':
      return ((stat()?.mode ?? 0) & 0o1000) !== 0;
    case 'O':
      return stat()?.user === sys.user;
    case 'G':
      return stat()?.group === sys.group;
    case 'N': {
      const found = stat();
      return found !== undefined && found.modified > found.accessed;
    }
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
      throw new ShellFailure(`${name}: ${operator}: unary operator expected`, 2, 'command');
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
    case '-ot': {
      const [a, b] = [statOf(shell, left)?.modified, statOf(shell, right)?.modified];
      if (a === undefined || b === undefined) return operator === '-nt' ? a !== undefined : b !== undefined;
      return operator === '-nt' ? a > b : a < b;
    }
    case '-ef': {
      const [a, b] = [statOf(shell, left), statOf(shell, right)];
      return a !== undefined && b !== undefined && a.inode === b.inode && a.fileSystem === b.fileSystem;
    }
    default:
      return compare(operator, integer(shell, left, name), integer(shell, right, name));
  }
}

function compare(operator: Bytes, left: bigint, right: bigint): boolean {
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

function integer(shell: Shell, text: Bytes, name: Bytes): bigint {
  if (name === '[[') return shell.evaluate(text);
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed);
  if (shell.isBash) throw new ShellFailure(`${name}: ${text}: integer expression expected`, 2, 'command');
  throw new ShellFailure(shell.isDash ? `${name}: Illegal number: ${text}` : `${text}: bad number`, 2, 'command');
}
