import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import { exit, YIELD, type Program, type Wait } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput, flushOutput, type Output } from '../../../../tools/framework/output.js';
import { lookUp } from '../../../lookup.js';
import { SqlSyntaxFailure, tokenize } from '../../sql/tokens.js';
import { socketOf, versionOf } from '../lines.js';
import { formatBatch, formatTable, formatVertical } from './format.js';
import { packet, readPacket, readSized, readWhole, scramble, whole } from '../server/wire.js';

type State = {
  name: string;
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** -e, or what mysqladmin asks. */
  commands: string[];
  readsInput: boolean;
  isTable: boolean;
  hasNoNames: boolean;
  isForced: boolean;
  isVertical: boolean;
  descriptor: number | null;
  phase: 'new' | 'connecting' | 'greeting' | 'ready';
  unsent: Bytes;
  received: Bytes;
  pending: {
    sql: string;
    columns: { name: string; isNumeric: boolean }[];
    expected: number;
    rows: (string | null)[][];
    isVertical: boolean;
  } | null;
  input: string;
  isInputEnded: boolean;
  hasPrompt: boolean;
  isInteractiveInput: boolean;
  line: number;
  output: Output;
  code: number | null;
};

const CHUNK = 65_536;
const MAX = 16 << 20;
/** Long passwords, protocol 4.1, transactions, secure connection, several results, plug-ins. */
const FLAGS = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x20000 | 0x80000;
const ASKS_PASSWORD = '\0ask';

function start(given: readonly Bytes[], sys: Syscalls): State {
  // Flags that stand together, as in -Ne, stand for themselves.
  const argv = given.flatMap((word, i) =>
    i > 0 && /^-[NtBsfEAw]{1,8}[a-zA-Z]/.test(word) ? splitFlags(word) : [word],
  );
  const name = (argv[0] ?? 'mysql').split('/').at(-1)!;
  const state: State = {
    ...{ name, host: 'localhost', port: 3_306, user: sys.env['USER'] ?? 'root', password: sys.env['MYSQL_PWD'] ?? '' },
    ...{ database: '', commands: [], readsInput: true, isTable: sys.isTerminal(1), hasNoNames: false, isForced: false },
    ...{ isVertical: false, descriptor: null, phase: 'new', unsent: '', received: '', pending: null, input: '' },
    ...{ isInputEnded: false, hasPrompt: false, isInteractiveInput: false, line: 0, output: [], code: null },
  };
  const words: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = textOf(argv[at]!);
    const cut = word.indexOf('=');
    const long = word.startsWith('--') ? word.slice(2, cut < 0 ? undefined : cut) : '';
    const value = (): string =>
      long !== '' && cut >= 0
        ? word.slice(cut + 1)
        : long === '' && word.length > 2
          ? word.slice(2)
          : textOf(argv[++at] ?? '');
    const short = long === '' && word.startsWith('-') ? word[1]! : '';
    if (short === 'u' || long === 'user') state.user = value();
    else if (short === 'p' || long === 'password')
      state.password = long !== '' ? (cut < 0 ? ASKS_PASSWORD : word.slice(cut + 1)) : word.slice(2) || ASKS_PASSWORD;
    else if (short === 'h' || long === 'host') state.host = value();
    else if (short === 'P' || long === 'port') state.port = Number(value());
    else if (short === 'e' || long === 'execute') state.commands.push(value());
    else if (short === 'D' || long === 'database') state.database = value();
    else if (short === 't' || long === 'table') state.isTable = true;
    else if (short === 'B' || short === 's' || long === 'batch' || long === 'silent') state.isTable = false;
    else if (short === 'N' || long === 'skip-column-names') state.hasNoNames = true;
    else if (short === 'f' || long === 'force') state.isForced = true;
    else if (short === 'E' || long === 'vertical') state.isVertical = true;
    else if (
      short === 'S' ||
      ['socket', 'protocol', 'default-character-set', 'connect-timeout', 'ssl-mode'].includes(long)
    )
      value();
    else if (short === 'V' || long === 'version')
      return end(state, 1, `${name}  Ver ${versionOf(sys)} for Linux on x86_64 (MySQL Community Server - GPL)\n`, 0);
    else if (
      short === 'A' ||
      short === 'w' ||
      ['no-auto-rehash', 'skip-ssl', 'get-server-public-key', 'no-beep', 'wait', 'raw', 'comments'].includes(long)
    )
      continue;
    else if (word.startsWith('-')) return end(state, 2, `${name}: [ERROR] unknown option '${word}'.\n`, 2);
    else words.push(word);
  }
  if (name.endsWith('admin')) {
    const asked = words[0] ?? '';
    if (!['ping', 'status', 'version', 'shutdown', 'processlist', 'create', 'drop', 'variables'].includes(asked))
      return end(state, 2, `${name}: Unknown command: '${asked}'\n`, 1);
    state.commands = [`admin ${words.join(' ')}`];
  } else if (words[0] !== undefined) state.database = words[0];
  state.readsInput = state.commands.length === 0;
  if (state.commands.length > 0) state.commands = [state.commands.join(';')];
  if (
    state.password !== '' &&
    state.password !== ASKS_PASSWORD &&
    argv.some((word) => /^(?:-p.|--password=)/.test(word)) &&
    sys.env['MARIADB_VERSION'] === undefined
  )
    addOutput(state.output, 2, `${name}: [Warning] Using a password on the command line interface can be insecure.\n`);
  return state;
}

function splitFlags(word: Bytes): Bytes[] {
  const flags: Bytes[] = [];
  let at = 1;
  for (; at < word.length - 1 && /[NtBsfEAw]/.test(word[at]!); at++) flags.push(`-${word[at]}`);
  return [...flags, `-${word.slice(at)}`];
}

function end(state: State, descriptor: 1 | 2, text: string, code: number): State {
  addOutput(state.output, descriptor, bytesOf(text));
  state.code ??= code;
  return state;
}

const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    try {
      const wait = state.password === ASKS_PASSWORD ? askPassword(state, sys) : proceed(state, sys);
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (state.phase === 'ready')
        end(state, 2, 'ERROR 2013 (HY000): Lost connection to MySQL server during query\n', 1);
      else refuse(state, sys, ERRNO[error.code] ?? 111);
      return YIELD;
    }
  },
};
export const mysql = program as unknown as Program;

const ERRNO: Readonly<Record<string, number>> = {
  ECONNREFUSED: 111,
  ETIMEDOUT: 110,
  EHOSTUNREACH: 113,
  ENETUNREACH: 101,
};

function askPassword(state: State, sys: Syscalls): Wait {
  if (!state.hasPrompt) {
    state.hasPrompt = true;
    addOutput(state.output, sys.isTerminal(0) ? 1 : 2, 'Enter password: ');
    if (sys.isTerminal(0)) sys.setTerminalMode(0, 'no-echo');
    return YIELD;
  }
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return { type: 'wait', readable: [0] };
  if (sys.isTerminal(0)) sys.setTerminalMode(0, 'cooked');
  addOutput(state.output, 1, '\n');
  state.hasPrompt = false;
  state.password = textOf(bytes.split('\n', 1)[0]!.replace('\r', ''));
  return YIELD;
}

/** In the words of libmysqlclient, and mysqladmin around them. */
function refuse(state: State, sys: Syscalls, errno: number): void {
  const isLocal = state.host === 'localhost';
  const text = isLocal
    ? `Can't connect to local MySQL server through socket '${socketOf(sys)}' (2)`
    : `Can't connect to MySQL server on '${state.host}:${state.port}' (${errno})`;
  fail(state, `ERROR ${isLocal ? 2002 : 2003} (HY000): ${text}`, text);
  if (isLocal && state.name.endsWith('admin'))
    addOutput(state.output, 2, `Check that mysqld is running and that the socket: '${socketOf(sys)}' exists!\n`);
}

function fail(state: State, line: string, text: string): void {
  if (!state.name.endsWith('admin')) return void end(state, 2, `${line}\n`, 1);
  end(state, 2, `${state.name}: connect to server at '${state.host}' failed\nerror: '${text}'\n`, 1);
}

function proceed(state: State, sys: Syscalls): Wait {
  if (state.phase === 'new') {
    if (!open(state, sys)) return YIELD;
  }
  const descriptor = state.descriptor!;
  if (state.phase === 'connecting') {
    try {
      const code = sys.connectError(descriptor);
      if (code !== undefined) throw new SystemError(code);
    } catch (error) {
      if (error instanceof SystemError && error.code === 'EAGAIN') return { type: 'wait', writable: [descriptor] };
      throw error;
    }
    state.phase = 'greeting';
  }
  let isEnded = false;
  for (let bytes = sys.read(descriptor, CHUNK); bytes !== undefined; bytes = sys.read(descriptor, CHUNK)) {
    if (bytes === '') {
      isEnded = true;
      break;
    }
    state.received += bytes;
    if (state.received.length > MAX) throw new SystemError('ENOMEM');
  }
  while (state.code === null) {
    const found = readPacket(state.received);
    if (found === undefined || found === 'bad') break;
    state.received = state.received.slice(found.length);
    if (state.phase === 'greeting') greet(state, found.body, found.sequence, sys);
    else take(state, found.body);
  }
  if (isEnded && state.code === null) {
    end(state, 2, 'ERROR 2013 (HY000): Lost connection to MySQL server during query\n', 1);
    return YIELD;
  }
  if (state.phase === 'ready' && state.pending === null && state.code === null) {
    const wait = next(state, sys);
    if (wait) return wait;
  }
  if (state.unsent !== '') state.unsent = state.unsent.slice(sys.write(descriptor, state.unsent));
  return { type: 'wait', readable: [descriptor], ...(state.unsent !== '' && { writable: [descriptor] }) };
}

function open(state: State, sys: Syscalls): boolean {
  let address: string | undefined = '127.0.0.1';
  if (state.host === 'localhost') {
    if (!sys.access(socketOf(sys), '')) {
      refuse(state, sys, 2);
      return false;
    }
  } else [address] = lookUp(sys, state.host).addresses;
  if (address === undefined) {
    const text = `Unknown MySQL server host '${state.host}' (-2)`;
    fail(state, `ERROR 2005 (HY000): ${text}`, text);
    return false;
  }
  state.descriptor = sys.connect(address, state.port);
  state.phase = 'connecting';
  return true;
}

/** The server's greeting, then its answer to the proof. */
function greet(state: State, body: Bytes, sequence: number, sys: Syscalls): void {
  const first = body.charCodeAt(0);
  if (first === 10) {
    const at = body.indexOf('\0', 1) + 5;
    const nonce = body.slice(at, at + 8) + body.slice(at + 27, at + 39);
    const plugin = body.slice(at + 40).split('\0', 1)[0]!;
    const proof = scramble(plugin, state.password, nonce);
    const flags = FLAGS | (state.database === '' ? 0 : 8);
    const name = state.database === '' ? '' : `${bytesOf(state.database)}\0`;
    const login = `${whole(flags, 4)}${whole(MAX, 4)}\xff${'\0'.repeat(23)}${bytesOf(state.user)}\0${String.fromCharCode(proof.length)}${proof}${name}${plugin}\0`;
    state.unsent += packet(login, sequence + 1);
    return;
  }
  if (first === 0xff) return void showError(state, body, true);
  if (first !== 0) return;
  state.phase = 'ready';
  if (state.readsInput && sys.isTerminal(0)) {
    const own = versionOf(sys);
    addOutput(
      state.output,
      1,
      `Welcome to the MySQL monitor.  Commands end with ; or \\g.\nYour MySQL connection id is 8\nServer version: ${own} MySQL Community Server - GPL\n\nType 'help;' or '\\h' for help. Type '\\c' to clear the current input statement.\n\n`,
    );
  }
}

function showError(state: State, body: Bytes, ends: boolean): void {
  const number = readWhole(body, 1, 2);
  const text = textOf(body.slice(9));
  const line = `ERROR ${number} (${body.slice(4, 9)})${state.readsInput && !ends && state.line > 0 ? ` at line ${state.line}` : ends || state.readsInput ? '' : ' at line 1'}: ${text}`;
  // A server that refuses a user answers: that is what a ping asks.
  if (ends) return fail(state, line, text);
  addOutput(state.output, 2, bytesOf(`${line}\n`));
  state.pending = null;
  if (!state.isForced && !state.hasPrompt && !(state.readsInput && state.isInteractiveInput)) state.code = 1;
}

function take(state: State, body: Bytes): void {
  const { pending } = state;
  if (pending === null) return;
  const first = body.charCodeAt(0);
  if (first === 0xff) return showError(state, body, false);
  if (pending.sql.startsWith('admin')) {
    state.pending = null;
    if (pending.sql.startsWith('admin status')) addOutput(state.output, 1, `${body}\n`);
    return;
  }
  if (pending.expected === 0) {
    if (first === 0) state.pending = null;
    else [pending.expected] = [readWhole(body, 0, 1)];
    if (first === 0 && state.isInteractiveInput) {
      const changes = body.charCodeAt(1);
      addOutput(state.output, 1, `Query OK, ${changes} row${changes === 1 ? '' : 's'} affected (0.00 sec)\n\n`);
    }
  } else if (first === 0xfe && body.length < 9) {
    if (pending.columns.length < pending.expected) return;
    if (!pending.isVertical || pending.rows !== null) {
      // The first end is that of the columns.
      if (pending.expected > 0 && !pending.sql.endsWith('\0')) pending.sql += '\0';
      else finishRows(state);
    }
  } else if (pending.columns.length < pending.expected) {
    let at = 0;
    let name: Bytes | null = '';
    for (let i = 0; i < 5; i++) [name, at] = readSized(body, at);
    const [, after] = readSized(body, at);
    const type = body.charCodeAt(after + 7);
    pending.columns.push({ name: textOf(name ?? ''), isNumeric: [1, 2, 3, 4, 5, 8, 9, 13, 246].includes(type) });
  } else {
    const row: (string | null)[] = [];
    for (let at = 0; row.length < pending.columns.length;) {
      const [value, next] = readSized(body, at);
      row.push(value === null ? null : textOf(value));
      at = next;
    }
    pending.rows.push(row);
  }
}

function finishRows(state: State): void {
  const { columns, rows, isVertical } = state.pending!;
  state.pending = null;
  const isInteractive = state.isInteractiveInput;
  if (rows.length === 0) {
    if (isInteractive) addOutput(state.output, 1, 'Empty set (0.00 sec)\n\n');
    return;
  }
  let text;
  if (isVertical) text = formatVertical(columns, rows);
  else
    text = state.isTable ? formatTable(columns, rows, state.hasNoNames) : formatBatch(columns, rows, state.hasNoNames);
  if (isInteractive) text += `${rows.length} row${rows.length === 1 ? '' : 's'} in set (0.00 sec)\n\n`;
  addOutput(state.output, 1, bytesOf(text));
}

/** Sends the next statement; otherwise says what it waits for. */
function next(state: State, sys: Syscalls): Wait | undefined {
  if (!state.readsInput && state.input === '') {
    const text = state.commands.shift();
    if (text === undefined) {
      state.code = 0;
      return YIELD;
    }
    if (text.startsWith('admin ')) {
      return askAdmin(state, text.split(' ').slice(1));
    }
    state.input = text;
    state.isInputEnded = true;
  }
  if (sendStatement(state)) return undefined;
  if (state.isInputEnded) {
    state.input = '';
    if (state.readsInput) state.code = 0;
    return YIELD;
  }
  state.isInteractiveInput = sys.isTerminal(0);
  if (state.isInteractiveInput && !state.hasPrompt) {
    const prompt = sys.env['MARIADB_VERSION'] === undefined ? 'mysql' : `MariaDB [${state.database || '(none)'}]`;
    addOutput(state.output, 1, state.input.trim() === '' ? `${prompt}> ` : `${'->'.padStart(prompt.length + 1)} `);
    state.hasPrompt = true;
    return YIELD;
  }
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return { type: 'wait', readable: [0, state.descriptor!] };
  if (bytes === '') state.isInputEnded = true;
  state.input += textOf(bytes);
  state.hasPrompt = false;
  if (['exit', 'quit', '\\q'].includes(state.input.trim().replace(/;$/, ''))) {
    addOutput(state.output, 1, 'Bye\n');
    state.code = 0;
  }
  return YIELD;
}

function askAdmin(state: State, [asked = '', name = '']: readonly string[]): Wait | undefined {
  const ask = (body: string): undefined => {
    state.unsent += packet(body, 0);
    state.pending = { sql: `admin ${asked}`, columns: [], expected: 0, rows: [], isVertical: false };
    return undefined;
  };
  if (asked === 'ping') addOutput(state.output, 1, 'mysqld is alive\n');
  if (asked === 'ping') return ask('\x0e');
  if (asked === 'shutdown') return ask('\x08');
  if (asked === 'status' || asked === 'version') return ask('\x09');
  const sql =
    {
      create: `CREATE DATABASE \`${name}\``,
      drop: `DROP DATABASE \`${name}\``,
      processlist: 'SHOW PROCESSLIST',
      variables: 'SHOW VARIABLES',
    }[asked] ?? '';
  state.isTable = true;
  sendQuery(state, sql);
  return undefined;
}

/** The first statement of the input, when it is whole. */
function sendStatement(state: State): boolean {
  const { input } = state;
  let tokens;
  try {
    tokens = tokenize(input, 'mysql');
  } catch (error) {
    if (!(error instanceof SqlSyntaxFailure)) throw error;
    if (!state.isInputEnded) return false;
    sendQuery(state, input);
    state.input = '';
    return true;
  }
  const end_ = tokens.findIndex(
    ({ key, type }, i) => key === ';' || (type === 'sign' && key === '\\' && /^[gG]$/.test(tokens[i + 1]?.text ?? '')),
  );
  if (end_ < 0 && (!state.isInputEnded || tokens.length === 0)) return false;
  const mark = end_ < 0 ? undefined : tokens[end_]!;
  const isVertical = mark?.key === '\\' && tokens[end_ + 1]!.text === 'G';
  const sql = input.slice(0, mark?.from ?? input.length).trim();
  state.line = input.slice(0, tokens[0]?.from ?? 0).split('\n').length;
  state.input = mark === undefined ? '' : input.slice(mark.key === '\\' ? tokens[end_ + 1]!.to : mark.to);
  if (sql !== '') sendQuery(state, sql, isVertical);
  return sql !== '' || state.input.trim() !== '';
}

function sendQuery(state: State, sql: string, isVertical = state.isVertical): void {
  if (/^use\s/i.test(sql)) state.database = sql.slice(4).trim().replaceAll('`', '');
  state.unsent += packet(`\x03${bytesOf(sql)}`, 0);
  state.pending = { sql, columns: [], expected: 0, rows: [], isVertical };
}
