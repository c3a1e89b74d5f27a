import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo } from '../../../engine/kernel/process/syscalls.js';
import { findUser, readNames } from '../accounts.js';
import { defineTool, type ToolContext } from '../framework/tool.js';
import { listInBusybox } from './busybox-ps.js';
import { findColumn, formatTable, type PsColumn } from './ps-columns.js';
import { ownProcess } from './table.js';

const FORMATS: Readonly<Record<string, string>> = {
  default: 'pid,tname,time,ucmd',
  bsd: 'pid,tname,stat,bsdtime,args',
  u: 'user,pid,pcpu,pmem,vsz,rss,tname,stat,START,bsdtime,args',
  f: 'UID,pid,ppid,c,stime,tname,time,cmd',
  F: 'UID,pid,ppid,c,vsz,rss,stime,tname,time,cmd',
  l: 'f,s,uid,pid,ppid,c,opri,ni,addrsz,wchan,tname,time,ucmd',
  lf: 'f,s,UID,pid,ppid,c,opri,ni,addrsz,wchan,stime,tname,time,cmd',
  j: 'pid,pgid,sid,tname,time,ucmd',
  bsdJ: 'ppid,pid,pgid,sid,tname,stat,uid,bsdtime,args',
};

const USAGE = `
Usage:
 ps [options]

 Try 'ps --help <simple|list|output|threads|misc|all>'
  or 'ps --help <s|l|o|t|m|a>'
 for additional help text.

For more details see ps(1).
`;

/** What a command line of procps' ps asks for. */
interface Request {
  columns: PsColumn[];
  format: string;
  isAll: boolean;
  withTerminals: boolean;
  withoutTerminals: boolean;
  isOwnOnly: boolean;
  readonly selections: ((process: ProcessInfo) => boolean)[];
  hasHeader: boolean;
  isWide: boolean;
  sort: string[];
}

class PsFailure extends Error {}

export const ps = defineTool((tool) => {
  if (tool.flavour === 'busybox') return listInBusybox(tool);
  try {
    const request = readRequest(tool);
    const { sys } = tool;
    const columns = request.columns.length > 0 ? request.columns : readColumns(FORMATS[request.format]!);
    const processes = sortProcesses(tool, select(tool, request), request.sort);
    const maxWidth = sys.isTerminal(1) && !request.isWide ? sys.terminalSize(1).columns : Infinity;
    tool.out(formatTable(processes, columns, sys, request.hasHeader, maxWidth));
    return processes.length > 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof PsFailure)) throw error;
    tool.err(`error: ${error.message}\n${USAGE}`);
    return 1;
  }
});

function readRequest(tool: ToolContext): Request {
  const request: Request = {
    ...{ columns: [], format: 'default', isAll: false, withTerminals: false, withoutTerminals: false },
    ...{ isOwnOnly: true, selections: [], hasHeader: true, isWide: false, sort: [] },
  };
  const rest = [...tool.args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('--')) readLong(tool, request, word, rest);
    else if (word.startsWith('-')) readUnix(tool, request, word.slice(1), rest);
    else readBsd(tool, request, word, rest);
  }
  return request;
}

function readUnix(tool: ToolContext, request: Request, letters: Bytes, rest: Bytes[]): void {
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]!;
    const value = (): Bytes => {
      const attached = letters.slice(i + 1);
      i = letters.length;
      const given = attached !== '' ? attached : rest.shift();
      if (given === undefined)
        throw new PsFailure(ARGUMENT_FAULTS[letter] ?? `option '${letter}' requires an argument`);
      return given;
    };
    if (letter === 'e' || letter === 'A') request.isAll = true;
    else if (letter === 'a' || letter === 'd') request.isAll = true;
    else if (letter === 'f') request.format = request.format === 'l' ? 'lf' : 'f';
    else if (letter === 'F') request.format = 'F';
    else if (letter === 'l') request.format = request.format === 'f' ? 'lf' : 'l';
    else if (letter === 'j') request.format = letter;
    else if (letter === 'w') request.isWide = true;
    else if (letter === 'o' || letter === 'O') request.columns.push(...readColumns(value()));
    else if ('pCuUgGstq'.includes(letter)) request.selections.push(readSelection(tool, letter, value()));
    else if (letter === 'L' || letter === 'T' || letter === 'H' || letter === 'y' || letter === 'c' || letter === 'm')
      continue;
    else if (letter === 'x' || letter === 'u') readBsd(tool, request, letter, rest);
    else throw new PsFailure('unsupported SysV option');
  }
}

const ARGUMENT_FAULTS: Readonly<Record<string, string>> = {
  p: 'list of process IDs must follow -p',
  C: 'list of command names must follow -C',
  o: 'format specification must follow -o',
  u: 'list of users must follow -u',
  t: 'list of terminals (pty, tty...) must follow -t',
};

function readBsd(tool: ToolContext, request: Request, letters: Bytes, rest: Bytes[]): void {
  if (/^\d[\d,]*$/.test(letters)) {
    request.selections.push(readSelection(tool, 'p', letters));
    return;
  }
  if (request.format === 'default') request.format = 'bsd';
  for (const letter of letters) {
    if (letter === 'a') [request.withTerminals, request.isOwnOnly] = [true, false];
    else if (letter === 'x') [request.withoutTerminals, request.withTerminals] = [true, true];
    else if (letter === 'u') request.format = 'u';
    else if (letter === 'j') request.format = 'bsdJ';
    else if (letter === 'l') request.format = 'l';
    else if (letter === 'w') request.isWide = true;
    else if (letter === 'h') request.hasHeader = false;
    else if (letter === 'o') {
      const value = rest.shift();
      if (value === undefined) throw new PsFailure('format specification must follow o');
      request.columns.push(...readColumns(value));
    } else if (letter === 'p') request.selections.push(readSelection(tool, 'p', rest.shift() ?? ''));
    else if (!'fcemrTvXSn'.includes(letter)) throw new PsFailure('unsupported option (BSD syntax)');
    else if (letter === 'r') request.isAll = true;
  }
  if (request.withTerminals && request.withoutTerminals && !request.isOwnOnly) request.isAll = true;
}

function readLong(tool: ToolContext, request: Request, word: Bytes, rest: Bytes[]): void {
  const [name = '', given] = word.slice(2).split(/=(.*)/s);
  const value = (): Bytes => given ?? rest.shift() ?? '';
  if (name === 'no-headers' || name === 'no-heading' || name === 'noheaders') request.hasHeader = false;
  else if (name === 'sort') request.sort = value().split(',');
  else if (name === 'pid') request.selections.push(readSelection(tool, 'p', value()));
  else if (name === 'ppid') request.selections.push(readSelection(tool, 'ppid', value()));
  else if (name === 'user' || name === 'User') request.selections.push(readSelection(tool, 'u', value()));
  else if (name === 'format') request.columns.push(...readColumns(value()));
  else if (name === 'width' || name === 'cols' || name === 'columns') value();
  else if (name === 'version') {
    tool.out('ps from procps-ng 4.0.2\n');
    request.selections.push(() => false);
    request.hasHeader = false;
  } else if (name !== 'headers' && name !== 'forest') throw new PsFailure('unknown gnu long option');
}

function readColumns(list: Bytes): PsColumn[] {
  const columns: PsColumn[] = [];
  const words = list.split(/[ ,]+/).filter(Boolean);
  for (const word of words) {
    const [name = '', header] = word.split(/=(.*)/s);
    const column = findColumn(name);
    if (column === undefined) throw new PsFailure(`unknown user-defined format specifier "${name}"`);
    columns.push(header === undefined ? column : { ...column, header });
  }
  return columns;
}

function readSelection(tool: ToolContext, letter: string, list: Bytes): (process: ProcessInfo) => boolean {
  const words = list.split(/[ ,]+/).filter(Boolean);
  if (letter === 'C') return ({ name }) => words.some((word) => word.slice(0, 15) === name);
  if (letter === 't') return ({ terminal }) => words.some((word) => word === terminal || `pts/${word}` === terminal);
  if (letter === 'u' || letter === 'U') {
    const names = readNames(tool.sys);
    const users = words.map((word) => findUser(names, word));
    if (users.includes(undefined)) throw new PsFailure('user name does not exist');
    return ({ user }) => users.includes(user);
  }
  if (words.length === 0 || words.some((word) => !/^\d+$/.test(word))) {
    throw new PsFailure(words.length === 0 ? 'improper list' : 'process ID list syntax error');
  }
  const numbers = words.map(Number);
  if (letter === 'g' || letter === 's') return ({ session }) => numbers.includes(session);
  if (letter === 'G') return ({ groupId }) => numbers.includes(groupId);
  if (letter === 'ppid') return ({ parent }) => numbers.includes(parent);
  return ({ pid }) => numbers.includes(pid);
}

/** Without a selection: the caller's own processes on its terminal. */
function select(tool: ToolContext, request: Request): readonly ProcessInfo[] {
  const all = tool.sys.processes();
  if (request.isAll) return all;
  if (request.selections.length > 0) return all.filter((one) => request.selections.some((matches) => matches(one)));
  const own = ownProcess(tool.sys);
  return all.filter((one) => {
    if (request.isOwnOnly && one.user !== tool.sys.user) return false;
    if (request.withoutTerminals) return true;
    return request.withTerminals ? one.terminal !== '' : one.terminal === (own?.terminal ?? '');
  });
}

function sortProcesses(tool: ToolContext, processes: readonly ProcessInfo[], keys: readonly string[]): ProcessInfo[] {
  const context = { sys: tool.sys, names: readNames(tool.sys) };
  const sorted = [...processes];
  for (const key of [...keys].reverse()) {
    const column = findColumn(key.replace(/^[-+]/, ''));
    if (column === undefined) throw new PsFailure('unknown sort specifier');
    const direction = key.startsWith('-') ? -1 : 1;
    const compare = (a: ProcessInfo, b: ProcessInfo): number => {
      if (column.weigh !== undefined) return column.weigh(a, context) - column.weigh(b, context);
      return column.show(a, context) < column.show(b, context) ? -1 : 1;
    };
    sorted.sort((a, b) => direction * compare(a, b));
  }
  return sorted;
}
