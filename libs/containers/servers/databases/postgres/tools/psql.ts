import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import { exit, waitToRead, YIELD, type Program, type Wait } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput, flushOutput, type Output } from '../../../../tools/output.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { SqlSyntaxFailure, tokenize } from '../../sql/tokens.js';
import type { Column } from '../sql/query.js';

import { versionLine } from '../server-version.js';
import { cstring, frame, Reader, readFields } from '../server/wire.js';
import { closeLink, makeLink, proceed, takeMessage, waitOf, type Link, type Target } from './connection.js';
import { formatTable, type Style, type Table } from './format.js';
import { askMeta, type Asked } from './meta.js';
import { typeByOid } from './oids.js';
import { applyConnection, completeTarget, defaultTarget, readDatabaseName, readOptions } from './options.js';

/** A query that has been sent. */
type Pending = { sql: string; asked: Asked | null };
type State = {
  link: Link;
  style: Style;
  /** Of -c and -f, in their order. */
  jobs: { kind: 'command' | 'file'; text: string }[];
  hasJobs: boolean;
  /** Lines that are read and not run: of a file, or of standard input. */
  input: Bytes;
  lineNumber: number;
  fileName: string;
  isInputEnded: boolean;
  readsInput: boolean;
  /** A statement that has no semicolon yet. */
  buffer: string;
  hasPrompt: boolean;
  isInteractive: boolean;
  isQuiet: boolean;
  stopsOnError: boolean;
  isTiming: boolean;
  variables: Record<string, string>;
  pending: Pending[];
  table: { columns: { name: string; type: string }[]; rows: (string | null)[][] } | null;
  description: { title: string; table: State['table']; footers: string[] } | null;
  status: string;
  hasFailed: boolean;
  asksPassword: boolean;
  output: Output;
  code: number | null;
};

const CHUNK = 65_536;
const MAX_INPUT = 4 << 20;
/** Exit codes of psql: a broken connection, and an error in a script that stops on one. */
const BAD_CONNECTION = 2;
const SCRIPT_ERROR = 3;

const FLAGS = {
  ...{
    t: 'tuples',
    A: 'unaligned',
    q: 'quiet',
    x: 'expanded',
    l: 'list',
    w: 'never',
    W: 'ask',
    X: 'norc',
    a: 'echo',
    e: 'echo',
  },
  ...{
    b: 'echo',
    n: 'norc',
    1: 'single',
    'tuples-only': 'tuples',
    'no-align': 'unaligned',
    quiet: 'quiet',
    csv: 'csv',
  },
  ...{ expanded: 'expanded', list: 'list', 'no-password': 'never', password: 'ask', 'no-psqlrc': 'norc', V: 'version' },
  ...{ version: 'version', 'single-transaction': 'single' },
};
const VALUES = {
  ...{ c: 'command', f: 'file', v: 'variable', F: 'separator', P: 'pset', command: 'command', file: 'file' },
  ...{ variable: 'variable', set: 'variable', 'field-separator': 'separator', pset: 'pset', o: 'output' },
};

function start(argv: readonly Bytes[], sys: Syscalls): State {
  const target = defaultTarget(sys, 'psql');
  const options = readOptions(argv.slice(1).map(textOf), { values: VALUES, flags: FLAGS });
  const state: State = {
    ...{
      link: makeLink(target),
      jobs: [],
      hasJobs: false,
      input: '',
      lineNumber: 0,
      fileName: '',
      isInputEnded: false,
    },
    ...{ readsInput: false, buffer: '', hasPrompt: false, isInteractive: false, isQuiet: false, stopsOnError: false },
    ...{ isTiming: false, variables: {}, pending: [], table: null, description: null, status: 'I', hasFailed: false },
    ...{ asksPassword: false, output: [], code: null },
    style: { isAligned: true, isExpanded: false, isTuplesOnly: false, isCsv: false, separator: '|', null: '' },
  };
  if (options.wrong !== undefined) {
    err(state, `psql: ${options.wrong}\npsql: hint: Try "psql --help" for more information.\n`);
    state.code = 1;
    return state;
  }
  applyConnection(options, target);
  applyOptions(state, options.given, sys);
  const [database, user] = options.words;
  if (database !== undefined) readDatabaseName(database, target);
  if (user !== undefined) target.user = user;
  completeTarget(target, sys);
  state.hasJobs = state.jobs.length > 0;
  state.isInteractive = !state.hasJobs && sys.isTerminal(0);
  return state;
}

function applyOptions(state: State, given: readonly (readonly [string, string])[], sys: Syscalls): void {
  const { style, jobs, variables } = state;
  for (const [name, value] of given) {
    if (name === 'command' || name === 'file') jobs.push({ kind: name, text: value });
    else if (name === 'list') jobs.push({ kind: 'command', text: '\\l' });
    else if (name === 'tuples') style.isTuplesOnly = true;
    else if (name === 'unaligned') style.isAligned = false;
    else if (name === 'expanded') style.isExpanded = true;
    else if (name === 'csv') style.isCsv = true;
    else if (name === 'separator') style.separator = value;
    else if (name === 'quiet') state.isQuiet = true;
    else if (name === 'variable') {
      const at = value.indexOf('=');
      variables[at < 0 ? value : value.slice(0, at)] = at < 0 ? '' : value.slice(at + 1);
    } else if (name === 'version') {
      out(state, `psql (PostgreSQL) ${versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]}\n`);
      state.code = 0;
    }
  }
  state.stopsOnError = ['1', 'on', 'true'].includes(variables['ON_ERROR_STOP'] ?? '');
}

const out = (state: State, text: string): void => addOutput(state.output, 1, bytesOf(text));
const err = (state: State, text: string): void => addOutput(state.output, 2, bytesOf(text));

const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    try {
      const wait = run(state, sys);
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      err(state, `psql: error: ${error.message}\n`);
      state.code = BAD_CONNECTION;
      return YIELD;
    }
  },
};
export const psql = program as unknown as Program;

function run(state: State, sys: Syscalls): Wait {
  if (state.asksPassword) return askPassword(state, sys);
  const { link } = state;
  const wasReady = link.phase === 'ready';
  proceed(link, sys);
  if (link.phase === 'closed') return endConnection(state, sys, wasReady);
  if (link.phase !== 'ready') return { type: 'wait', ...waitOf(link) };
  if (!wasReady && state.isInteractive && !state.isQuiet && state.pending.length === 0 && state.lineNumber === 0)
    out(state, `psql (${versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]})\nType "help" for help.\n\n`);
  while (state.code === null && takeReply(state));
  if (state.link.problem !== '') return endConnection(state, sys, true);
  if (state.pending.length === 0 && state.code === null) {
    const wait = nextWork(state, sys);
    if (wait !== undefined) return wait;
  }
  if (link.unsent !== '') proceed(link, sys);
  return link.received === '' || state.output.length > 0 ? { type: 'wait', ...waitOf(link) } : YIELD;
}

function endConnection(state: State, sys: Syscalls, wasReady: boolean): Wait {
  const { link } = state;
  if (link.needsPassword && sys.isTerminal(0) && link.target.password === null) {
    out(state, `Password for user ${link.target.user}: `);
    sys.setTerminalMode(0, 'no-echo');
    state.asksPassword = true;
    return YIELD;
  }
  err(state, wasReady ? `${link.problem}\nconnection to server was lost\n` : `psql: error: ${link.problem}\n`);
  state.code = BAD_CONNECTION;
  return YIELD;
}

function askPassword(state: State, sys: Syscalls): Wait {
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return waitToRead(0);
  sys.setTerminalMode(0, 'cooked');
  out(state, '\n');
  state.asksPassword = false;
  closeLink(state.link, sys);
  state.link = makeLink({ ...state.link.target, password: textOf(bytes.replace(/\r?\n$/, '')) });
  return YIELD;
}

/** One message of the server. False: there is none. */
function takeReply(state: State): boolean {
  if (state.pending.length === 0) return false;
  const message = takeMessage(state.link);
  if (message === undefined) return false;
  const { type, body } = message;
  const [pending] = state.pending;
  if (type === 'T') state.table = { columns: readColumns(body), rows: [] };
  else if (type === 'D') state.table?.rows.push(readRow(body));
  else if (type === 'C') complete(state, pending!, new Reader(body).text());
  else if (type === 'E' || type === 'N') showError(state, pending!, readFields(body), type === 'E');
  else if (type === 'Z') {
    state.status = body;
    state.pending.shift();
    if (state.description !== null && state.pending.length === 0) endDescription(state);
  }
  return true;
}

function readColumns(body: Bytes): { name: string; type: string }[] {
  const reader = new Reader(body);
  return Array.from({ length: reader.int16() }, () => {
    const name = reader.text();
    reader.take(6);
    const type = typeByOid(reader.int32());
    reader.take(8);
    return { name, type };
  });
}

function readRow(body: Bytes): (string | null)[] {
  const reader = new Reader(body);
  return Array.from({ length: reader.int16() }, () => {
    const length = reader.int32();
    return length < 0 ? null : textOf(reader.take(length));
  });
}

function complete(state: State, { asked }: Pending, tag: string): void {
  const { table, style } = state;
  state.table = null;
  if (asked !== null) return showAsked(state, asked, table);
  if (table !== null) {
    out(state, formatTable(table, style));
    if (tag.startsWith('SELECT') || tag === 'SHOW') return;
  }
  if (!state.isQuiet) out(state, `${tag}\n`);
}

/** The answer to a query of a \command. */
function showAsked(state: State, asked: Asked, table: State['table']): void {
  const rows = table?.rows ?? [];
  if (asked.show === 'footer') {
    if (rows.length > 0) state.description?.footers.push(asked.label, ...rows.map(([line]) => `    ${line}`));
    return;
  }
  if (rows.length === 0 && asked.empty !== '') {
    err(state, `${asked.empty}\n`);
    state.hasFailed = state.hasFailed || asked.show === 'columns';
    if (asked.show === 'columns') state.description = null;
    return;
  }
  if (asked.show === 'check') return out(state, `${rows[0]?.[0] ?? ''}\n`);
  if (asked.show === 'columns') state.description = { title: asked.title, table, footers: [] };
  else {
    const shown: Table = { columns: table?.columns ?? [], rows, title: asked.title };
    out(state, formatTable(shown, state.style));
  }
}

function endDescription(state: State): void {
  const { title, table, footers } = state.description!;
  const columns: readonly Column[] = table?.columns ?? [];
  out(state, formatTable({ columns, rows: table?.rows ?? [], title, footers }, state.style));
  state.description = null;
}

function showError(state: State, { sql }: Pending, fields: Record<string, string>, isError: boolean): void {
  state.table = null;
  const { S: severity = 'ERROR', M: message = '', D: detail, H: hint, P: position } = fields;
  const where = state.fileName === '' ? '' : `psql:${state.fileName}:${state.lineNumber}: `;
  let text = `${where}${severity}:  ${message}\n`;
  if (position !== undefined) text += excerpt(sql, Number(position));
  if (detail !== undefined) text += `DETAIL:  ${detail}\n`;
  if (hint !== undefined) text += `HINT:  ${hint}\n`;
  err(state, text);
  if (!isError) return;
  state.hasFailed = true;
  if (state.stopsOnError) state.code = SCRIPT_ERROR;
}

/** `LINE 1: …` and a ^ below the character. */
function excerpt(sql: string, position: number): string {
  const before = Array.from(sql)
    .slice(0, position - 1)
    .join('');
  const number = before.split('\n').length;
  const from = before.lastIndexOf('\n') + 1;
  const end = sql.indexOf('\n', from);
  const line = sql.slice(from, end < 0 ? undefined : end);
  const head = `LINE ${number}: `;
  return `${head}${line}\n${' '.repeat(head.length + before.length - from)}^\n`;
}

/** What is to be done when no answer is awaited. */
function nextWork(state: State, sys: Syscalls): Wait | undefined {
  if (state.hasJobs && !state.readsInput) {
    const job = state.hasFailed && state.code === null && state.jobs.length === 0 ? undefined : state.jobs.shift();
    if (job === undefined) {
      state.code = state.hasFailed ? 1 : 0;
      return YIELD;
    }
    if (job.kind === 'file') {
      if (job.text !== '-') return openFile(state, job.text, sys);
      state.readsInput = true;
      return YIELD;
    }
    // Each -c tells its own failure.
    state.hasFailed = false;
    if (job.text.trimStart().startsWith('\\')) runMeta(state, job.text.trim(), sys);
    else send(state, substitute(state, job.text), null);
    return undefined;
  }
  return nextLine(state, sys);
}

function openFile(state: State, path: string, sys: Syscalls): Wait {
  if (!sys.access(bytesOf(path), 'r')) {
    err(
      state,
      `psql: error: ${path}: ${sys.access(bytesOf(path), '') ? 'Permission denied' : 'No such file or directory'}\n`,
    );
    state.code = 1;
    return YIELD;
  }
  state.input = readSmallFile(sys, bytesOf(path));
  state.fileName = path;
  state.isInputEnded = true;
  state.readsInput = true;
  state.lineNumber = 0;
  return YIELD;
}

function nextLine(state: State, sys: Syscalls): Wait | undefined {
  if (state.isInteractive && !state.hasPrompt) {
    const end = state.link.parameters['is_superuser'] === 'on' ? '#' : '>';
    const mark = { I: '', T: '*', E: '!' }[state.status] ?? '';
    out(state, `${state.link.target.database}${state.buffer === '' ? '=' : '-'}${mark}${end} `);
    state.hasPrompt = true;
  }
  let at = state.input.indexOf('\n');
  if (at < 0 && !state.isInputEnded) {
    const bytes = sys.read(0, CHUNK);
    if (bytes === undefined) return { type: 'wait', readable: [0, ...waitOf(state.link).readable] };
    if (bytes === '') state.isInputEnded = true;
    state.input += bytes;
    if (state.input.length > MAX_INPUT) throw new SystemError('ENOMEM');
    at = state.input.indexOf('\n');
    if (at < 0 && !state.isInputEnded) return YIELD;
  }
  if (at < 0 && state.input === '') return endInput(state);
  const line = textOf(at < 0 ? state.input : state.input.slice(0, at)).replace(/\r$/, '');
  state.input = at < 0 ? '' : state.input.slice(at + 1);
  state.lineNumber++;
  state.hasPrompt = false;
  takeLine(state, line, sys);
  return YIELD;
}

function endInput(state: State): Wait {
  if (state.buffer.trim() !== '') {
    const rest = state.buffer;
    state.buffer = '';
    send(state, substitute(state, rest), null);
    return YIELD;
  }
  state.readsInput = false;
  if (state.isInteractive) out(state, '\\q\n');
  // Errors in a script do not make it fail, unless it stops on them.
  state.hasFailed = false;
  if (!state.hasJobs) state.code = 0;
  state.fileName = '';
  return YIELD;
}

function takeLine(state: State, line: string, sys: Syscalls): void {
  const word = line.trim();
  if (state.buffer.trim() === '') {
    if (word === '') return;
    if (word.startsWith('\\')) return runMeta(state, word, sys);
    if (state.isInteractive && (word === 'exit' || word === 'quit')) return void (state.code = 0);
    if (state.isInteractive && word === 'help')
      return out(
        state,
        'You are using psql, the command-line interface to PostgreSQL.\nType:  \\copyright for distribution terms\n       \\h for help with SQL commands\n       \\? for help with psql commands\n       \\g or terminate with semicolon to execute query\n       \\q to quit\n',
      );
  }
  const meta = /\\(g|gx|q|x)\s*$/.exec(line);
  const own = meta ? line.slice(0, meta.index) : line;
  state.buffer += `${state.buffer === '' ? '' : '\n'}${own}`;
  if (meta && meta[1] !== 'q') state.buffer += ';';
  flushBuffer(state);
  if (meta?.[1] === 'q') state.code = 0;
}

/** Sends the statements that are whole. */
function flushBuffer(state: State): void {
  let tokens;
  try {
    tokens = tokenize(state.buffer, 'postgres');
  } catch (error) {
    // A string or a comment goes on in the next line.
    if (error instanceof SqlSyntaxFailure) return;
    throw error;
  }
  let from = 0;
  let depth = 0;
  for (const { key, to } of tokens) {
    if (key === '(') depth++;
    if (key === ')') depth--;
    if (key !== ';' || depth > 0) continue;
    const sql = state.buffer.slice(from, to).trim();
    from = to;
    if (sql !== ';') send(state, substitute(state, sql), null);
  }
  const rest = state.buffer.slice(from);
  state.buffer = tokens.some(({ from: at }) => at >= from) ? rest.trimStart() : '';
}

/** `:name`, `:'name'` and `:"name"`. */
function substitute({ variables }: State, sql: string): string {
  if (Object.keys(variables).length === 0) return sql;
  return sql.replace(/(?<![:\w]):(?:'(\w+)'|"(\w+)"|(\w+))/g, (whole, text?: string, name?: string, plain?: string) => {
    const value = variables[text ?? name ?? plain ?? ''];
    if (value === undefined) return whole;
    if (text !== undefined) return `'${value.replaceAll("'", "''")}'`;
    return name !== undefined ? `"${value.replaceAll('"', '""')}"` : value;
  });
}

function send(state: State, sql: string, asked: Asked | null): void {
  state.link.unsent += frame('Q', cstring(sql));
  state.pending.push({ sql, asked });
}

function runMeta(state: State, line: string, sys: Syscalls): void {
  const text = line.endsWith(';') ? line.slice(1, -1) : line.slice(1);
  const cut = text.search(/\s/);
  const [name, rest] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)];
  const { style } = state;
  const argument = rest.trim();
  if (name === 'q') state.code = 0;
  else if (name === 'x') {
    style.isExpanded = argument === '' ? !style.isExpanded : argument === 'on';
    out(state, `Expanded display is ${style.isExpanded ? 'on' : 'off'}.\n`);
  } else if (name === 't') {
    style.isTuplesOnly = !style.isTuplesOnly;
    out(state, `Tuples only is ${style.isTuplesOnly ? 'on' : 'off'}.\n`);
  } else if (name === 'a') {
    style.isAligned = !style.isAligned;
    out(state, `Output format is ${style.isAligned ? 'aligned' : 'unaligned'}.\n`);
  } else if (name === 'echo') out(state, `${argument.replace(/^'(.*)'$/, '$1')}\n`);
  else if (name === 'set' && argument !== '') {
    const [key = '', ...words] = argument.split(/\s+/);
    state.variables[key] = words.join('').replace(/^'(.*)'$/, '$1');
    state.stopsOnError = ['1', 'on', 'true'].includes(state.variables['ON_ERROR_STOP'] ?? '');
  } else if (name === 'pset' && /^(?:pager|border)/.test(argument)) out(state, '');
  else if (name === 'pset' && argument.startsWith('null'))
    style.null = argument
      .slice(4)
      .trim()
      .replace(/^'(.*)'$/, '$1');
  else if (name === 'i' || name === 'ir') openFile(state, argument, sys);
  else if ((name === 'c' || name === 'connect') && argument !== '') reconnect(state, argument, sys);
  else {
    const asked = askMeta(name, argument, infoOf(state.link.target));
    if (asked === undefined) {
      err(state, `invalid command \\${name}\nTry \\? for help.\n`);
      state.hasFailed = true;
    } else for (const one of asked) send(state, one.sql, one);
  }
}

const infoOf = ({ host, port, user, database }: Target): string =>
  host === ''
    ? `You are connected to database "${database}" as user "${user}" via socket in "/var/run/postgresql" at port "${port}".`
    : `You are connected to database "${database}" as user "${user}" on host "${host}" at port "${port}".`;

function reconnect(state: State, argument: string, sys: Syscalls): void {
  const [database = '-', user = '-'] = argument.split(/\s+/);
  const { target } = state.link;
  closeLink(state.link, sys);
  const next = { ...target };
  if (database !== '-') readDatabaseName(database, next);
  if (user !== '-') next.user = user;
  state.link = makeLink(next);
  // The message comes with the first answer of the new session.
  state.lineNumber = Math.max(1, state.lineNumber);
  out(state, `You are now connected to database "${next.database}" as user "${next.user}".\n`);
}
