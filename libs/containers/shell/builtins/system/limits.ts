import type { Builtin } from '../../interpreter/builtin.js';
import { ShellFailure } from '../../interpreter/failure.js';
import type { Shell } from '../../interpreter/shell.js';
import type { Bytes } from '../../kernel.js';
import { builtinFailure, parseOptions } from '../arguments.js';

const CLASSES = ['u', 'g', 'o'];

const umask: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'pS' : 'S');
  const mask = shell.sys.umask();
  const word = operands[0];
  if (word === undefined) {
    const octal = mask.toString(8).padStart(4, '0');
    const symbolic = CLASSES.map((name, i) => `${name}=${lettersOf(~mask >> (6 - i * 3))}`).join(',');
    const text = options['S'] === undefined ? octal : symbolic;
    shell.write(1, `${options['p'] === undefined ? '' : options['S'] === undefined ? 'umask ' : 'umask -S '}${text}\n`);
    return 0;
  }
  const changed = /^[0-7]+$/.test(word) ? parseInt(word, 8) & 0o777 : symbolicMask(word, mask);
  if (changed === undefined) {
    if (shell.isBash) {
      shell.complain(
        /^\d/.test(word)
          ? `umask: ${word}: octal number out of range`
          : `umask: \`${word[0]}': invalid symbolic mode operator`,
      );
      return 1;
    }
    throw builtinFailure(
      shell,
      'umask',
      `${/^\d/.test(word) ? 'Illegal number' : shell.isDash ? 'Illegal mode' : 'illegal mode'}: ${word}`,
      2,
    );
  }
  shell.sys.umask(changed);
  return 0;
};

const lettersOf = (bits: number): Bytes => `${bits & 4 ? 'r' : ''}${bits & 2 ? 'w' : ''}${bits & 1 ? 'x' : ''}`;

function symbolicMask(text: Bytes, mask: number): number | undefined {
  let allowed = ~mask & 0o777;
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause);
    if (!match) return undefined;
    const [, who, operator, letters] = match as unknown as [string, string, string, string];
    const bits = (letters.includes('r') ? 4 : 0) | (letters.includes('w') ? 2 : 0) | (letters.includes('x') ? 1 : 0);
    const all = who === '' || who.includes('a');
    CLASSES.forEach((name, i) => {
      if (!all && !who.includes(name)) return;
      const shift = 6 - i * 3;
      if (operator === '+') allowed |= bits << shift;
      else if (operator === '-') allowed &= ~(bits << shift);
      else allowed = (allowed & ~(7 << shift)) | (bits << shift);
    });
  }
  return ~allowed & 0o777;
}

/** Letter, bash's name, unit, value in a container of containerd; undefined is unlimited. */
const LIMITS: readonly (readonly [string, string, string, number | undefined])[] = [
  ['R', 'real-time non-blocking time', '(microseconds, -R)', undefined],
  ['c', 'core file size', '(blocks, -c)', undefined],
  ['d', 'data seg size', '(kbytes, -d)', undefined],
  ['e', 'scheduling priority', '(-e)', 0],
  ['f', 'file size', '(blocks, -f)', undefined],
  ['i', 'pending signals', '(-i)', 31_339],
  ['l', 'max locked memory', '(kbytes, -l)', 8_192],
  ['m', 'max memory size', '(kbytes, -m)', undefined],
  ['n', 'open files', '(-n)', 1_048_576],
  ['p', 'pipe size', '(512 bytes, -p)', 8],
  ['q', 'POSIX message queues', '(bytes, -q)', 819_200],
  ['r', 'real-time priority', '(-r)', 0],
  ['s', 'stack size', '(kbytes, -s)', 8_192],
  ['t', 'cpu time', '(seconds, -t)', undefined],
  ['u', 'max user processes', '(-u)', undefined],
  ['v', 'virtual memory', '(kbytes, -v)', undefined],
  ['x', 'file locks', '(-x)', undefined],
];

/** Both values of a limit: undefined is unlimited. */
interface Limit {
  readonly soft: number | undefined;
  readonly hard: number | undefined;
}

/** The value as the shell has set it, which its subshells inherit; else that of the container. */
function limitOf(shell: Shell, letter: string): Limit {
  const set = shell.state.limits?.[letter];
  if (set) return { soft: set.soft ?? undefined, hard: set.hard ?? undefined };
  const value = LIMITS.find(([known]) => known === letter)![3];
  return { soft: value, hard: value };
}

const isAbove = (value: number | undefined, limit: number | undefined): boolean =>
  limit !== undefined && (value === undefined || value > limit);

const ulimit: Builtin = (shell, argv) => {
  const letters = LIMITS.map(([letter]) => letter).join('');
  const { options, operands } = parseOptions(shell, argv, `aHS${letters}`);
  const show = (letter: string): Bytes => {
    const { soft, hard } = limitOf(shell, letter);
    return String((options['H'] === undefined ? soft : hard) ?? 'unlimited');
  };
  if (options['a'] !== undefined) {
    for (const [letter, name, unit] of LIMITS) {
      if (shell.isBash) shell.write(1, `${name.padEnd(27)} ${unit.padStart(20)} ${show(letter)}\n`);
      else shell.write(1, `${`${name} ${unit}`.padEnd(32)} ${show(letter)}\n`);
    }
    return 0;
  }
  const letter = Object.keys(options).find((option) => option !== 'H' && option !== 'S') ?? 'f';
  const [operand] = operands;
  if (operand !== undefined) return setLimit(shell, letter, operand, options);
  shell.write(1, `${show(letter)}\n`);
  return 0;
};

/** Sets a limit. No container has CAP_SYS_RESOURCE, which raising a hard limit needs. Throws ShellFailure. */
function setLimit(shell: Shell, letter: string, text: Bytes, options: Readonly<Record<string, unknown>>): number {
  const { soft, hard } = limitOf(shell, letter);
  const isNumber = /^\d+$/.test(text);
  if (!isNumber && !['unlimited', 'hard', 'soft'].includes(text)) {
    if (!shell.isBash) throw builtinFailure(shell, 'ulimit', 'bad number', 2);
    shell.complain(`ulimit: ${text}: invalid number`);
    return 1;
  }
  const named = text === 'hard' ? hard : text === 'soft' ? soft : undefined;
  const value = isNumber ? Number(text) : named;
  const setsBoth = options['H'] === undefined && options['S'] === undefined;
  const next: Limit = {
    soft: setsBoth || options['S'] !== undefined ? value : soft,
    hard: setsBoth || options['H'] !== undefined ? value : hard,
  };
  if (letter === 'p') return refuseLimit(shell, letter, 'Invalid argument');
  if (isAbove(next.hard, hard)) return refuseLimit(shell, letter, 'Operation not permitted');
  if (isAbove(next.soft, next.hard)) return refuseLimit(shell, letter, 'Invalid argument');
  shell.state.limits = {
    ...shell.state.limits,
    [letter]: { soft: next.soft ?? null, hard: next.hard ?? null },
  };
  if (letter === 'n' || letter === 'u') applyLimits(shell);
  return 0;
}

/** What the kernel holds this shell and its children to. */
function applyLimits(shell: Shell): void {
  const { limits = {} } = shell.state;
  const [files, processes] = [limits['n']?.soft, limits['u']?.soft];
  shell.sys.setLimits({
    ...(typeof files === 'number' ? { files } : {}),
    ...(typeof processes === 'number' ? { processes } : {}),
  });
}

function refuseLimit(shell: Shell, letter: string, why: Bytes): number {
  if (shell.isDash) throw builtinFailure(shell, 'ulimit', `error setting limit (${why})`, 2);
  if (shell.isBash)
    shell.complain(`ulimit: ${LIMITS.find(([known]) => known === letter)![1]}: cannot modify limit: ${why}`);
  else shell.write(2, `${shell.state.name}: error setting limit: ${why}\n`);
  return 1;
}

const times: Builtin = (shell) => {
  const zero = shell.isDash ? '0m0.000000s' : '0m0.000s';
  shell.write(1, `${zero} ${zero}\n${zero} ${zero}\n`);
  return 0;
};

const evaluate: Builtin = (shell, argv) => {
  if (argv.length < 2) {
    if (shell.isBash) {
      shell.complain('let: expression expected');
      return 1;
    }
    throw new ShellFailure('let: expected expression', 2, 'command');
  }
  let value = 0n;
  for (const word of argv.slice(1)) value = evaluateWord(shell, word);
  return Number(value === 0n);
};

function evaluateWord(shell: Shell, word: Bytes): bigint {
  try {
    return shell.evaluate(word);
  } catch (error) {
    if (!(error instanceof ShellFailure) || !shell.isBash) throw error;
    throw new ShellFailure(`let: ${error.message}`, 1, 'command');
  }
}

export const limits: Readonly<Record<string, Builtin>> = { umask, ulimit, times };
export const arithmeticBuiltins: Readonly<Record<string, Builtin>> = { let: evaluate };
