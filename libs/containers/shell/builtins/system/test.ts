import type { Builtin } from '../../interpreter/builtin.js';
import type { Bytes } from '../../kernel.js';
import { ShellFailure } from '../../interpreter/failure.js';
import { isBinaryOperator, isUnaryOperator, testBinary, testUnary } from '../../interpreter/file-test.js';
import type { Shell } from '../../interpreter/shell.js';

/** test and [ by POSIX' rules on the number of words; beyond four a grammar with -a and -o. */
const test: Builtin = (shell, argv) => {
  const name = argv[0]!;
  let words = argv.slice(1);
  if (name === '[' || name === '[[') {
    const end = name === '[' ? ']' : ']]';
    if (words.at(-1) !== end) {
      if (shell.isBash) shell.complain(`[: missing \`]'`);
      else if (shell.isDash) shell.complain('[: missing ]');
      else shell.write(2, `sh: missing ${end}\n`);
      return 2;
    }
    words = words.slice(0, -1);
  }
  try {
    return Number(!new Test(shell, name, words).run());
  } catch (error) {
    if (!(error instanceof ShellFailure) || !shell.isAsh) throw error;
    shell.write(2, `sh: ${error.message}\n`);
    return error.status;
  }
};

class Test {
  private at = 0;

  constructor(
    private readonly shell: Shell,
    private readonly name: Bytes,
    private readonly words: readonly Bytes[],
  ) {}

  run(): boolean {
    const { words } = this;
    const [first, second, third] = words;
    switch (words.length) {
      case 0:
        return false;
      case 1:
        return first !== '';
      case 2:
        if (first === '!') return second === '';
        if (isUnaryOperator(first!)) return testUnary(this.shell, first!, second!, this.name);
        throw this.failure(
          this.shell.isBash
            ? `${first}: unary operator expected`
            : this.shell.isDash
              ? `${first}: unexpected operator`
              : `${second}: unknown operand`,
        );
      case 3:
        if (isBinaryOperator(second!)) return testBinary(this.shell, second!, first!, third!, this.name);
        if (second === '-a') return first !== '' && third !== '';
        if (second === '-o') return first !== '' || third !== '';
        if (first === '!') return !new Test(this.shell, this.name, words.slice(1)).run();
        if (first === '(' && third === ')') return second !== '';
        throw this.unknownBinary(first!, second!);
      case 4:
        if (first === '!') return !new Test(this.shell, this.name, words.slice(1)).run();
        if (first === '(' && words[3] === ')') return new Test(this.shell, this.name, words.slice(1, 3)).run();
    }
    const value = this.or();
    if (this.at < words.length) throw this.tooMany();
    return value;
  }

  private failure(message: Bytes): ShellFailure {
    return new ShellFailure(this.shell.isAsh ? message : `${this.name}: ${message}`, 2, 'command');
  }

  private unknownBinary(first: Bytes, second: Bytes): ShellFailure {
    if (this.shell.isBash) return this.failure(`${second}: binary operator expected`);
    return this.failure(this.shell.isDash ? `${first}: unexpected operator` : `${second}: unknown operand`);
  }

  private tooMany(): ShellFailure {
    const word = this.words[this.at]!;
    if (this.shell.isBash) return this.failure('too many arguments');
    return this.failure(this.shell.isDash ? `${word}: unexpected operator` : `${word}: unknown operand`);
  }

  private or(): boolean {
    let value = this.and();
    while (this.words[this.at] === '-o') {
      this.at++;
      const right = this.and();
      value = value || right;
    }
    return value;
  }

  private and(): boolean {
    let value = this.not();
    while (this.words[this.at] === '-a') {
      this.at++;
      const right = this.not();
      value = value && right;
    }
    return value;
  }

  private not(): boolean {
    if (this.words[this.at] === '!') {
      this.at++;
      return !this.not();
    }
    return this.primary();
  }

  private primary(): boolean {
    const [first, second, third] = this.words.slice(this.at, this.at + 3);
    if (first === undefined) throw this.failure(this.shell.isBash ? 'argument expected' : 'argument expected');
    if (first === '(') {
      this.at++;
      const value = this.or();
      if (this.words[this.at] !== ')')
        throw this.failure(this.shell.isBash ? "`)' expected" : 'closing paren expected');
      this.at++;
      return value;
    }
    if (second !== undefined && third !== undefined && isBinaryOperator(second)) {
      this.at += 3;
      return testBinary(this.shell, second, first, third, this.name);
    }
    if (isUnaryOperator(first) && second !== undefined) {
      this.at += 2;
      return testUnary(this.shell, first, second, this.name);
    }
    this.at++;
    return first !== '';
  }
}

export const conditions: Readonly<Record<string, Builtin>> = { test, '[': test };
export const ashConditions: Readonly<Record<string, Builtin>> = { '[[': test };
