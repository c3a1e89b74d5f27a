import { type Bytes, errorCodeOf, type Signal, SystemError, type Syscalls } from '../../kernel.js';
import type { Frame } from '../../state/frame.js';
import type { Flavour, ShellState } from '../../state/state.js';
import { translateDialect } from '../../syntax/dialect.js';
import { OPTION_LETTERS } from '../file-test.js';
import { importFunctions } from './exported-functions.js';
import { importVariables, shoptDefaults, VERSION } from './initial-variables.js';
import { Shell } from '../shell.js';

const MAX_SCRIPT = 4 * 1024 * 1024;
const LETTERS: Readonly<Record<Flavour, string>> = {
  bash: 'abefhikmnprtuvxBCEHPT',
  dash: 'aefnuvxICbEmVi',
  ash: 'aefnuvxICbEmVi',
};

/** Names of -o that have no letter. */
const OTHER_OPTIONS: Readonly<Record<Flavour, readonly string[]>> = {
  bash: ['pipefail', 'posix', 'vi', 'emacs', 'history', 'ignoreeof', 'nolog'],
  dash: ['vi', 'emacs', 'ignoreeof', 'nolog', 'debug'],
  ash: ['pipefail', 'vi', 'ignoreeof'],
};

interface Invocation {
  command?: Bytes;
  readsInput: boolean;
  isInteractive: boolean;
  isLogin: boolean;
  readsStartup: boolean;
  options: Record<string, boolean>;
  rest: Bytes[];
  /** Why no script runs, on standard error; with status 0 an answer on standard output. */
  problem?: { message: Bytes; status: number };
}

/** The state in which a shell begins. */
export function startShell(flavour: Flavour, argv: readonly Bytes[], sys: Syscalls): ShellState {
  const invocation = readInvocation(flavour, argv, sys);
  const state = makeState(flavour, argv[0] ?? flavour, invocation, sys);
  const shell = new Shell(state, sys);
  importVariables(shell);
  if (shell.isBash) importFunctions(shell);
  if (invocation.problem) {
    const { message, status } = invocation.problem;
    shell.write(status === 0 ? 1 : 2, message);
    state.status = status;
    return state;
  }
  start(shell, invocation);
  if (state.isInteractive) prepareTerminal(shell);
  pushStartupFiles(shell, invocation);
  return state;
}

function readInvocation(flavour: Flavour, argv: readonly Bytes[], sys: Syscalls): Invocation {
  const name = argv[0] ?? flavour;
  const invocation: Invocation = {
    readsInput: false,
    isInteractive: false,
    isLogin: name.startsWith('-'),
    readsStartup: true,
    options: {},
    rest: [],
  };
  let takesCommand = false;
  let i = 1;
  const refuse = (message: Bytes, status = 2): void => {
    invocation.problem ??= { message, status };
  };
  for (; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--' || word === '-') {
      i++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith('--')) {
      if (!readLongOption(flavour, word, invocation)) refuse(unknownOption(flavour, name, word));
      if (word === '--rcfile' || word === '--init-file') i++;
      continue;
    }
    const isOn = word.startsWith('-');
    for (const letter of word.slice(1)) {
      if (letter === 'c' && isOn) takesCommand = true;
      else if (letter === 's' && isOn) invocation.readsInput = true;
      else if (letter === 'l') invocation.isLogin = isOn;
      else if (letter === 'o') {
        const long = argv[++i] ?? '';
        const letterOf = OPTION_LETTERS[long];
        if (letterOf === undefined && !OTHER_OPTIONS[flavour].includes(long)) refuse(unknownName(flavour, name, long));
        else invocation.options[letterOf ?? long] = isOn;
      } else if (letter === 'O' && flavour === 'bash') invocation.options[`shopt ${argv[++i] ?? ''}`] = isOn;
      else if (LETTERS[flavour].includes(letter)) invocation.options[letter] = isOn;
      else refuse(unknownOption(flavour, name, `-${letter}`));
    }
  }
  if (takesCommand) {
    if (i >= argv.length) refuse(missingCommand(flavour, name));
    invocation.command = argv[i++];
  }
  invocation.rest = argv.slice(i);
  const isTyped = invocation.command === undefined && (invocation.readsInput || invocation.rest.length === 0);
  invocation.isInteractive = invocation.options['i'] === true || (isTyped && isTerminal(sys, 0) && isTerminal(sys, 2));
  return invocation;
}

function isTerminal(sys: Syscalls, descriptor: number): boolean {
  return sys.descriptors().includes(descriptor) && sys.isTerminal(descriptor);
}

function readLongOption(flavour: Flavour, word: Bytes, invocation: Invocation): boolean {
  if (word === '--login') invocation.isLogin = true;
  else if (flavour !== 'bash') return false;
  else if (word === '--norc' || word === '--noprofile') invocation.readsStartup = false;
  else if (word === '--posix' || word === '--noediting' || word === '--rcfile' || word === '--init-file')
    invocation.options['posix'] ??= word === '--posix';
  else if (word === '--verbose') invocation.options['v'] = true;
  else if (word === '--version') invocation.problem ??= { message: VERSION_LINES, status: 0 };
  else return false;
  return true;
}

function unknownName(flavour: Flavour, name: Bytes, long: Bytes): Bytes {
  if (flavour === 'bash') return `${name}: line 0: ${name}: ${long}: invalid option name\n`;
  return unknownOption(flavour, name, `-o ${long}`);
}

function unknownOption(flavour: Flavour, name: Bytes, word: Bytes): Bytes {
  if (flavour === 'dash') return `${name}: 0: Illegal option ${word}\n`;
  if (flavour === 'ash') return `${name}: illegal option ${word}\n`;
  return `${name}: ${word}: invalid option\n${USAGE.replaceAll('NAME', name)}`;
}

const USAGE = `Usage:\tNAME [GNU long option] [option] ...
\tNAME [GNU long option] [option] script-file ...
GNU long options:
\t--debug
\t--debugger
\t--dump-po-strings
\t--dump-strings
\t--help
\t--init-file
\t--login
\t--noediting
\t--noprofile
\t--norc
\t--posix
\t--pretty-print
\t--rcfile
\t--restricted
\t--verbose
\t--version
Shell options:
\t-ilrsD or -c command or -O shopt_option\t\t(invocation only)
\t-abefhkmnptuvxBCEHPT or -o option
`;

const VERSION_LINES = `GNU bash, version ${VERSION} (x86_64-pc-linux-gnu)
Copyright (C) 2022 Free Software Foundation, Inc.
License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>

This is free software; you are free to change and redistribute it.
There is NO WARRANTY, to the extent permitted by law.
`;

function missingCommand(flavour: Flavour, name: Bytes): Bytes {
  if (flavour === 'bash') return `${name}: -c: option requires an argument\n`;
  return flavour === 'dash' ? `${name}: 0: -c requires an argument\n` : `${name}: -c requires an argument\n`;
}

function makeState(flavour: Flavour, name: Bytes, invocation: Invocation, sys: Syscalls): ShellState {
  const shopts: Record<string, boolean> = flavour === 'bash' ? shoptDefaults(invocation.isInteractive) : {};
  const options: Record<string, boolean> = flavour === 'bash' ? { h: true, B: true } : {};
  for (const [key, value] of Object.entries(invocation.options)) {
    if (key.startsWith('shopt ')) shopts[key.slice(6)] = value;
    else options[key] = value;
  }
  return {
    flavour,
    name,
    mode: 'stdin',
    isInteractive: invocation.isInteractive,
    isLogin: invocation.isLogin,
    shellPid: sys.pid,
    level: 0,
    options: {
      ...options,
      ...(invocation.isInteractive ? { i: true, ...(flavour === 'bash' ? { H: true } : {}) } : {}),
    },
    shopts,
    variables: {},
    bytes: 0,
    functions: {},
    aliases: {},
    hashes: {},
    traps: {},
    pending: [],
    frames: [],
    sources: {},
    nextSource: 1,
    line: flavour === 'ash' ? 0 : 1,
    status: 0,
    substitutionStatus: -1,
    pipeStatus: [],
    positional: [],
    lastArgument: name,
    lastBackground: 0,
    jobs: [],
    openSubstitutions: [],
    directories: [],
    unwind: null,
    output: [],
    ignoresErrors: false,
    startedAt: sys.now,
    optionAt: 0,
    history: [],
    typed: '',
    exitTrapRan: false,
    fatalSignal: '',
  };
}

/** Pushes the frame that runs the command, the script or the input. */
function start(shell: Shell, invocation: Invocation): void {
  const { state } = shell;
  const { command, rest } = invocation;
  if (command !== undefined) {
    state.mode = 'command';
    state.name = rest[0] ?? state.name;
    state.positional = rest.slice(1);
    pushMain(shell, command, 'command');
  } else if (rest.length > 0 && !invocation.readsInput) {
    state.mode = 'script';
    openScript(shell, rest);
  } else {
    state.positional = rest;
    state.frames.push({ type: 'input', text: '', isEnded: false, line: 1, prompt: 'first', memo: [] });
  }
}

function pushMain(shell: Shell, text: Bytes, kind: 'command' | 'file'): void {
  const source = shell.addSource({ text, line: 1, name: '', kind });
  shell.state.frames.push({ type: 'script', source, at: 0, kind: 'main', positional: null });
}

function openScript(shell: Shell, rest: readonly Bytes[]): void {
  const { state } = shell;
  const path = rest[0]!;
  const found = readFile(shell, path);
  if (typeof found !== 'string') {
    const words = new SystemError(found.code).message;
    if (shell.isBash) shell.write(2, `${state.name}: ${path}: ${words}\n`);
    else if (shell.isDash)
      shell.write(2, `${state.name}: 0: cannot open ${path}: ${found.code === 'ENOENT' ? 'No such file' : words}\n`);
    else shell.write(2, `${state.name}: can't open '${path}': ${words}\n`);
    state.status = shell.isBash ? (found.code === 'ENOENT' ? 127 : 126) : 2;
    return;
  }
  state.name = path;
  state.positional = rest.slice(1);
  if (shell.isBash && found.slice(0, 80).split('\n')[0]!.includes('\0')) {
    shell.write(2, `${path}: ${path}: cannot execute binary file\n`);
    state.status = 126;
    return;
  }
  pushMain(shell, found, 'file');
}

function readFile(shell: Shell, path: Bytes): Bytes | { code: ReturnType<typeof errorCodeOf> } {
  const { sys } = shell;
  try {
    const descriptor = sys.open(path, { read: true });
    let text = '';
    for (let part = sys.read(descriptor, MAX_SCRIPT); part; part = sys.read(descriptor, MAX_SCRIPT)) {
      text += part;
      if (text.length > MAX_SCRIPT) break;
    }
    sys.close(descriptor);
    return text;
  } catch (error) {
    return { code: errorCodeOf(error) };
  }
}

/** An interactive shell does nothing with these. It catches them, since programs inherit what is ignored. */
const IDLE_WHEN_INTERACTIVE: readonly Signal[] = ['TERM', 'QUIT', 'TSTP', 'TTIN', 'TTOU'];

/** An interactive shell has the terminal and gives it to its jobs. */
function prepareTerminal(shell: Shell): void {
  const { sys, state } = shell;
  sys.handleSignal('INT', 'catch');
  for (const signal of IDLE_WHEN_INTERACTIVE) sys.handleSignal(signal, 'catch');
  if (!sys.isTerminal(0)) return;
  try {
    if (sys.groupOf(sys.pid) !== sys.pid) sys.setGroup(sys.pid, sys.pid);
    sys.setForeground(0, sys.pid);
    state.options['m'] = true;
  } catch (error) {
    errorCodeOf(error);
    if (shell.isBash) shell.write(2, 'bash: no job control in this shell\n');
    else shell.write(2, `${state.name}: ${shell.isDash ? '0: ' : ''}can't access tty; job control turned off\n`);
  }
}

/** Files that are read first: those of a login shell, those of an interactive one. */
function pushStartupFiles(shell: Shell, invocation: Invocation): void {
  if (!invocation.readsStartup || invocation.problem) return;
  const home = shell.get('HOME') ?? '/';
  const files: Bytes[] = [];
  if (invocation.isLogin) {
    files.push('/etc/profile');
    const own = shell.isBash ? ['.bash_profile', '.bash_login', '.profile'] : ['.profile'];
    const first = own.map((name) => `${home}/${name}`).find((path) => typeof readFile(shell, path) === 'string');
    if (first) files.push(first);
  } else if (shell.isBash && invocation.isInteractive) files.push('/etc/bash.bashrc', `${home}/.bashrc`);
  const named = shell.isBash
    ? invocation.isInteractive
      ? undefined
      : shell.get('BASH_ENV')
    : invocation.isInteractive
      ? shell.get('ENV')
      : undefined;
  if (named) files.push(named);
  for (const path of files.reverse()) {
    const text = readFile(shell, path);
    if (typeof text !== 'string') continue;
    const source = shell.addSource({
      text: translateDialect(shell.state.flavour, text),
      line: 1,
      name: path,
      kind: 'source',
    });
    const frame: Frame = { type: 'script', source, at: 0, kind: 'source', positional: null };
    shell.state.frames.push(frame);
  }
}
