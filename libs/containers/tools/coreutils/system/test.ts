import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { compareOperands, COMPARISONS } from '../../comparison.js';
import { examineFile } from '../../file-test.js';
import { quoteName } from '../../framework/options.js';
import { defineTool, ToolFailure } from '../../framework/tool.js';

/** test(1). Throws ToolFailure with code 2 on what it cannot read. */
export const test = defineTool((tool) => (evaluateTest(tool.args, tool.sys, tool.flavour === 'gnu') ? 0 : 1));

/** `[`: its last word is `]`. */
export const bracket = defineTool((tool) => {
  if (tool.args.at(-1) !== ']') throw new ToolFailure(tool.flavour === 'gnu' ? "missing ']'" : 'missing ]', 2);
  return evaluateTest(tool.args.slice(0, -1), tool.sys, tool.flavour === 'gnu') ? 0 : 1;
});

const UNARY = [...'bcdefghkLnOGprsStuwxzN'].map((letter) => `-${letter}`);

function evaluateTest(args: readonly Bytes[], sys: Syscalls, isGnu = true): boolean {
  const quote = (word: Bytes) => (isGnu ? quoteName(word) : word);
  let at = 0;
  const peek = (offset = 0) => args[at + offset];
  const isBinaryAt = (offset: number) => COMPARISONS.includes(peek(offset) ?? '') && peek(offset + 1) !== undefined;

  function either(): boolean {
    let value = both();
    while (peek() === '-o') {
      at++;
      value = both() || value;
    }
    return value;
  }
  function both(): boolean {
    let value = primary();
    while (peek() === '-a') {
      at++;
      value = primary() && value;
    }
    return value;
  }
  function primary(): boolean {
    const word = peek();
    const before = args[at - 1];
    if (word === undefined) throw new ToolFailure(`missing argument after ${quote(before ?? '')}`, 2);
    if (isBinaryAt(1)) {
      at += 3;
      return compareOperands(sys, [word, args[at - 2]!, args[at - 1]!], (operand) => readInteger(operand, quote));
    }
    if (word === '!' && peek(1) !== undefined) {
      at++;
      return !primary();
    }
    if (word === '(' && peek(1) !== undefined) {
      at++;
      const value = either();
      if (peek() !== ')') throw new ToolFailure(`${quote(')')} expected`, 2);
      at++;
      return value;
    }
    if (UNARY.includes(word) && peek(1) !== undefined) {
      at += 2;
      return examine(word[1]!, args[at - 1]!, sys, quote);
    }
    at++;
    return word !== '';
  }

  if (args.length === 0) return false;
  const value = either();
  if (at >= args.length) return value;
  const extra = args[at]!;
  if (args.length === 2) throw new ToolFailure(`missing argument after ${quote(extra)}`, 2);
  if (args.length === 3 && at === 1) throw new ToolFailure(`${quote(extra)}: binary operator expected`, 2);
  throw new ToolFailure(isGnu ? `extra argument ${quote(extra)}` : `${extra}: unknown operand`, 2);
}

function readInteger(text: Bytes, quote: (word: Bytes) => string): bigint {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ToolFailure(`invalid integer ${quote(text)}`, 2);
  return BigInt(text.trim());
}

function examine(letter: string, word: Bytes, sys: Syscalls, quote: (word: Bytes) => string): boolean {
  if (letter === 'n') return word !== '';
  if (letter === 'z') return word === '';
  if (letter === 't') return sys.isTerminal(Number(readInteger(word, quote)));
  return examineFile(sys, letter, word);
}
