import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { exit, waitToRead, YIELD, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { addOutput, flushOutput, type Output } from '../../tools/framework/output.js';
import { lookUp } from '../lookup.js';
import { formatForTerminal, formatRaw } from './cli-format.js';
import { LATEST } from './lines.js';
import { formatCommand, parseReply, splitWords, type Reply } from './resp.js';

/** What happens with the next reply. */
type Pending = 'auth' | 'select' | 'show' | 'stream';
type State = {
  host: Bytes;
  port: number;
  secret: Bytes;
  database: number;
  format: 'auto' | 'raw' | 'terminal';
  /** An error of the server ends it with 1. */
  isStrict: boolean;
  /** The last word is standard input. */
  readsWord: boolean;
  words: Bytes[];
  /** It has no command of its own: lines of standard input are commands. */
  readsLines: boolean;
  descriptor: number | null;
  isConnected: boolean;
  isBegun: boolean;
  input: Bytes;
  isInputEnded: boolean;
  hasPrompt: boolean;
  unsent: Bytes;
  received: Bytes;
  pending: Pending[];
  output: Output;
  code: number | null;
};

const CHUNK = 65_536;
const MAX_INPUT = 1 << 20;
const MAX_REPLY = 16 << 20;

function start(argv: readonly Bytes[], sys: Syscalls): State {
  const state: State = {
    ...{ host: '127.0.0.1', port: 6379, secret: sys.env['REDISCLI_AUTH'] ?? '', database: 0, format: 'auto' as const },
    ...{ isStrict: false, readsWord: false, words: [], readsLines: false, descriptor: null, isConnected: false },
    ...{ isBegun: false, input: '', isInputEnded: false, hasPrompt: false, unsent: '', received: '', pending: [] },
    ...{ output: [], code: null },
  };
  readOptions(state, argv, sys.env['REDIS_VERSION'] ?? LATEST);
  state.readsLines = state.words.length === 0;
  return state;
}

function readOptions(state: State, argv: readonly Bytes[], version: string): void {
  let isQuiet = false;
  let hasSecret = false;
  let at = 1;
  for (; argv[at]?.startsWith('-'); at++) {
    const word = argv[at]!;
    const value = argv[at + 1];
    if (word === '--raw') state.format = 'raw';
    else if (word === '--no-raw') state.format = 'terminal';
    else if (word === '--no-auth-warning') isQuiet = true;
    else if (word === '-e') state.isStrict = true;
    else if (word === '-x') state.readsWord = true;
    else if (word === '-v' || word === '--version') return end(state, 1, `redis-cli ${version}\n`, 0);
    else if (value !== undefined && ['-h', '-p', '-a', '--pass', '-n'].includes(word)) {
      at++;
      if (word === '-h') state.host = value;
      else if (word === '-p') {
        state.port = Number(value);
        if (!/^\d{1,5}$/.test(value) || state.port > 65_535) return end(state, 2, 'Invalid server port.\n', 1);
      } else if (word === '-n') state.database = Math.trunc(Number(value)) || 0;
      else [state.secret, hasSecret] = [value, true];
    } else return end(state, 2, `Unrecognized option or bad number of args for: '${word}'\n`, 1);
  }
  state.words = argv.slice(at);
  if (hasSecret && !isQuiet)
    addOutput(
      state.output,
      2,
      "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n",
    );
}

function end(state: State, descriptor: 1 | 2, message: Bytes, code: number): void {
  addOutput(state.output, descriptor, message);
  state.code ??= code;
}

/** The client of redis: one command, or those of its input. */
const cli: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    try {
      const wait = proceed(state, sys);
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const message = state.isConnected ? 'Error: Server closed the connection\n' : refusal(state, error.message);
      end(state, 2, message, 1);
      return YIELD;
    }
  },
};
export const redisCli = cli as unknown as Program;

const refusal = ({ host, port }: State, reason: string): Bytes =>
  `Could not connect to Redis at ${host}:${port}: ${reason}\n`;

function proceed(state: State, sys: Syscalls): Wait {
  if (!state.isConnected) {
    const wait = connect(state, sys);
    if (wait !== undefined) return wait;
  }
  if (!state.isBegun) {
    if (state.readsWord && !readInput(state, sys)) return waitToRead(0);
    beginCommands(state);
  }
  const descriptor = state.descriptor!;
  takeReplies(state, sys);
  if (state.pending.length === 0 && state.code === null) {
    if (!state.readsLines) {
      state.code = 0;
      return YIELD;
    }
    const wait = nextLine(state, sys);
    if (wait !== undefined) return wait;
  }
  if (state.unsent !== '') state.unsent = state.unsent.slice(sys.write(descriptor, state.unsent));
  return { type: 'wait', readable: [descriptor], ...(state.unsent !== '' && { writable: [descriptor] }) };
}

/** Undefined: it is connected. */
function connect(state: State, sys: Syscalls): Wait | undefined {
  if (state.descriptor === null) {
    const [address] = lookUp(sys, state.host).addresses;
    if (address === undefined) {
      end(state, 2, refusal(state, 'Name or service not known'), 1);
      return YIELD;
    }
    state.descriptor = sys.connect(address, state.port);
    return { type: 'wait', writable: [state.descriptor] };
  }
  let code;
  try {
    code = sys.connectError(state.descriptor);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') return { type: 'wait', writable: [state.descriptor] };
    throw error;
  }
  if (code !== undefined) throw new SystemError(code);
  state.isConnected = true;
  return undefined;
}

function beginCommands(state: State): void {
  state.isBegun = true;
  if (state.secret !== '') send(state, ['AUTH', state.secret], 'auth');
  if (state.database !== 0) send(state, ['SELECT', String(state.database)], 'select');
  if (state.readsLines) return;
  const words = state.readsWord ? [...state.words, state.input] : state.words;
  sendCommand(state, words);
}

function send(state: State, words: readonly Bytes[], pending: Pending): void {
  state.unsent += formatCommand(words);
  state.pending.push(pending);
}

const sendCommand = (state: State, words: readonly Bytes[]): void =>
  send(state, words, words[0]?.toLowerCase() === 'subscribe' ? 'stream' : 'show');

/** True: all of standard input is there. */
function readInput(state: State, sys: Syscalls): boolean {
  for (;;) {
    const bytes = sys.read(0, CHUNK);
    if (bytes === undefined) return false;
    if (bytes === '' || state.input.length > MAX_INPUT) return (state.isInputEnded = true);
    state.input += bytes;
  }
}

/** Sends the next line's command; otherwise says what it waits for. */
function nextLine(state: State, sys: Syscalls): Wait | undefined {
  const isTerminal = sys.isTerminal(0);
  if (isTerminal && !state.hasPrompt) {
    const database = state.database === 0 ? '' : `[${state.database}]`;
    addOutput(state.output, 1, `${state.host}:${state.port}${database}> `);
    state.hasPrompt = true;
  }
  if (!state.isInputEnded && !state.input.includes('\n')) {
    const bytes = sys.read(0, CHUNK);
    if (bytes === undefined) return waitToRead(0);
    if (bytes === '') state.isInputEnded = true;
    state.input += bytes;
  }
  const at = state.input.indexOf('\n');
  if (at < 0 && (!state.isInputEnded || state.input === '')) {
    if (state.isInputEnded) state.code = 0;
    else if (state.input.length > MAX_INPUT) end(state, 2, 'Error: line is too long\n', 1);
    return YIELD;
  }
  const line = at < 0 ? state.input : state.input.slice(0, at);
  state.input = at < 0 ? '' : state.input.slice(at + 1);
  state.hasPrompt = false;
  const words = splitWords(line);
  if (words === undefined) addOutput(state.output, 1, 'Invalid argument(s)\n');
  else if (['exit', 'quit'].includes(words[0]?.toLowerCase() ?? '')) state.code = 0;
  else if (words.length > 0) {
    const [name = '', index = ''] = words;
    if (name.toLowerCase() === 'select' && /^\d{1,3}$/.test(index)) state.database = Number(index);
    sendCommand(state, words);
    return undefined;
  }
  return YIELD;
}

function takeReplies(state: State, sys: Syscalls): void {
  for (;;) {
    const bytes = state.pending.length > 0 ? sys.read(state.descriptor!, CHUNK) : undefined;
    if (bytes === '') return end(state, 2, 'Error: Server closed the connection\n', 1);
    if (bytes === undefined) break;
    sys.charge(1 + (bytes.length >> 5));
    state.received += bytes;
    if (state.received.length > MAX_REPLY) return end(state, 2, 'Error: reply is too long\n', 1);
  }
  let at = 0;
  while (state.pending.length > 0 && state.code === null) {
    const parsed = parseReply(state.received, at);
    if (parsed === undefined) break;
    at = parsed.next;
    takeReply(state, sys, parsed.reply);
  }
  state.received = state.received.slice(at);
}

function takeReply(state: State, sys: Syscalls, reply: Reply): void {
  const pending = state.pending[0]!;
  // A subscription's messages come until it is interrupted.
  if (pending !== 'stream' || reply.type === 'error') state.pending.shift();
  if (pending === 'auth' || pending === 'select') {
    if (reply.type !== 'error') return;
    const what = pending === 'auth' ? 'AUTH' : `SELECT ${state.database}`;
    return addOutput(state.output, 2, `${what} failed: ${reply.text}\n`);
  }
  const isTerminal = state.format === 'terminal' || (state.format === 'auto' && sys.isTerminal(1));
  addOutput(state.output, 1, isTerminal ? formatForTerminal(reply) : formatRaw(reply));
  if (reply.type === 'error' && state.isStrict && !state.readsLines) state.code = 1;
}
