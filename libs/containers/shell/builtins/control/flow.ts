import type { Builtin } from '../../interpreter/builtin.js';
import { type Bytes, errorCodeOf, SystemError } from '../../kernel.js';
import { ShellFailure } from '../../interpreter/failure.js';
import { fail, replaceShell } from '../../interpreter/nodes/execute.js';
import { findCommand, isFile, searchPath } from '../../interpreter/lookup.js';
import type { Shell } from '../../interpreter/shell.js';
import type { Unwind } from '../../state/state.js';
import { builtinFailure, countOf, parseOptions } from '../arguments.js';

const MAX_SCRIPT = 4 * 1024 * 1024;

const leaveLoop =
  (kind: 'break' | 'continue'): Builtin =>
  (shell, argv) => {
    const count = argv[1] === undefined ? 1 : countOf(argv[1]);
    if (count === undefined || count < 1) {
      if (!shell.isBash) throw new ShellFailure(`${kind}: Illegal number: ${argv[1]}`, 2, 'shell');
      const isNumber = count !== undefined;
      throw new ShellFailure(
        `${kind}: ${argv[1]}: ${isNumber ? 'loop count out of range' : 'numeric argument required'}`,
        isNumber ? 1 : 128,
        isNumber ? 'command' : 'shell',
      );
    }
    const loops = loopsAround(shell);
    if (loops === 0) {
      if (shell.isBash) shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
      return 0;
    }
    const unwind: Unwind = { kind, count: Math.min(count, loops) };
    shell.state.status = 0;
    shell.unwind(unwind);
  };

function loopsAround(shell: Shell): number {
  let loops = 0;
  for (const frame of shell.state.frames) {
    if (frame.type === 'call') loops = 0;
    if (['while', 'for', 'arithmetic-for', 'select'].includes(frame.type)) loops++;
  }
  return loops;
}

const leaveFunction: Builtin = (shell, argv) => {
  const status = statusArgument(shell, argv, 'return');
  const isInside = shell.state.frames.some(
    (frame) => frame.type === 'call' || (frame.type === 'script' && frame.kind === 'source'),
  );
  if (isInside) {
    shell.unwind({ kind: 'return', status });
    return;
  }
  if (shell.isBash) {
    shell.complain("return: can only `return' from a function or sourced script");
    return 2;
  }
  shell.exit(status);
};

function statusArgument(shell: Shell, argv: readonly Bytes[], name: Bytes): number {
  if (argv[1] === undefined) {
    const trap = shell.state.frames.find((frame) => frame.type === 'trap');
    return trap?.type === 'trap' && name === 'exit' && trap.signal === 'EXIT' ? trap.status : shell.state.status;
  }
  const status = countOf(argv[1]);
  if (status === undefined || (status < 0 && !shell.isBash)) {
    if (shell.isBash) {
      shell.complain(`${name}: ${argv[1]}: numeric argument required`);
      return 2;
    }
    const failure = builtinFailure(shell, name, `Illegal number: ${argv[1]}`, 2);
    throw new ShellFailure(failure.message, 2, 'shell');
  }
  return status & 255;
}

const leaveShell: Builtin = (shell, argv) => {
  const { state } = shell;
  const status = statusArgument(shell, argv, 'exit');
  if (shell.isBash && argv.length > 2 && countOf(argv[1]!) !== undefined) {
    shell.complain('exit: too many arguments');
    return 1;
  }
  const stopped = state.jobs.some((job) => job.state === 'stopped');
  if (state.isInteractive && stopped && !state.options['warned']) {
    state.options['warned'] = true;
    shell.write(2, shell.isBash ? 'There are stopped jobs.\n' : 'You have stopped jobs.\n');
    return 1;
  }
  if (state.isInteractive && shell.isBash) shell.write(2, state.isLogin ? 'logout\n' : 'exit\n');
  shell.exit(status);
};

const evaluate: Builtin = (shell, argv) => {
  const words = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
  const text = words.join(' ');
  if (text.trim() === '') return 0;
  const { line } = shell.state;
  const source = shell.addSource({ text, line: shell.isBash ? line : 1, name: '', kind: 'eval' });
  shell.push({ type: 'script', source, at: 0, kind: 'eval', positional: null });
};

const source: Builtin = (shell, argv) => {
  const { state } = shell;
  const name = argv[0]!;
  const operands = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
  const path = operands[0];
  if (path === undefined) {
    if (!shell.isBash) return shell.isDash ? 0 : 2;
    shell.complain(`${name}: filename argument required\n${name}: usage: ${name} filename [arguments]`);
    return 2;
  }
  const file = locate(shell, path);
  if (file === undefined) throw sourceFailure(shell, name, path, 'ENOENT', true);
  let text: Bytes;
  try {
    text = readAll(shell, file);
  } catch (error) {
    throw sourceFailure(shell, name, path, errorCodeOf(error), false);
  }
  const positional = operands.length > 1 && !shell.isDash ? state.positional : null;
  if (positional) state.positional = operands.slice(1);
  const id = shell.addSource({ text, line: 1, name: file, kind: 'source' });
  state.status = 0;
  shell.push({ type: 'script', source: id, at: 0, kind: 'source', positional });
};

/** The file of `.`: in PATH when it has no slash; bash also looks here. */
function locate(shell: Shell, path: Bytes): Bytes | undefined {
  if (path.includes('/')) return path;
  const found = searchPath(shell.sys, path, shell.get('PATH') ?? '');
  if (found !== undefined) return found;
  return shell.isBash && isFile(shell.sys, path) ? path : undefined;
}

function readAll(shell: Shell, file: Bytes): Bytes {
  const { sys } = shell;
  if (sys.stat(file).type === 'directory') throw new SystemError('EISDIR');
  const descriptor = sys.open(file, { read: true });
  let text = '';
  for (let part = sys.read(descriptor, MAX_SCRIPT); part; part = sys.read(descriptor, MAX_SCRIPT)) {
    text += part;
    if (text.length > MAX_SCRIPT) break;
  }
  sys.close(descriptor);
  return text;
}

function sourceFailure(
  shell: Shell,
  name: Bytes,
  path: Bytes,
  code: ReturnType<typeof errorCodeOf>,
  isSearched: boolean,
): ShellFailure {
  const words = new SystemError(code).message;
  if (shell.isBash) {
    return new ShellFailure(code === 'EISDIR' ? `.: ${path}: is a directory` : `${path}: ${words}`, 1, 'command');
  }
  if (shell.isDash) {
    const message = isSearched
      ? `${path}: not found`
      : `cannot open ${path}: ${code === 'ENOENT' ? 'No such file' : words}`;
    return new ShellFailure(`.: ${message}`, 2, 'shell');
  }
  const failure = builtinFailure(shell, name, isSearched ? `${path}: not found` : `can't open '${path}': ${words}`, 2);
  return new ShellFailure(failure.message, 2, 'shell');
}

const exec: Builtin = (shell, argv, { frame }) => {
  const { options, operands } = shell.isDash
    ? { options: {} as Record<string, Bytes>, operands: argv[1] === '--' ? argv.slice(2) : argv.slice(1) }
    : parseOptions(shell, argv, 'cla:');
  const name = operands[0];
  if (name === undefined) {
    frame.saved = [];
    frame.variables = {};
    return 0;
  }
  const words = [...operands];
  if (options['a'] !== undefined) words[0] = options['a'];
  if (options['l'] !== undefined) words[0] = `-${words[0]}`;
  const file = findCommand(shell, name);
  const before = shell.state.frames;
  shell.state.status = 126;
  if (file === undefined) fail(shell, name, 'ENOENT', true);
  else {
    const environment = options['c'] === undefined ? undefined : {};
    const wait = replaceShell(shell, file, words, true, environment);
    if (wait) return wait;
    if (shell.state.frames !== before) return;
  }
  if (!shell.state.isInteractive && !shell.shopt('execfail')) shell.exit(shell.state.status);
};

export const flow: Readonly<Record<string, Builtin>> = {
  break: leaveLoop('break'),
  continue: leaveLoop('continue'),
  return: leaveFunction,
  exit: leaveShell,
  eval: evaluate,
  '.': source,
  source,
  exec,
  ':': () => 0,
  true: () => 0,
  false: () => 1,
};
