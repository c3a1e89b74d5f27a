import { bytesOf, type Bytes } from '../../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../../engine/kernel/errno.js';
import { YIELD, type Wait } from '../../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { SqlSyntaxFailure, tokenize, type Token } from '../../../sql/tokens.js';
import { frame } from '../../server/wire.js';
import { waitOf } from '../connection.js';
import { send } from './statements.js';
import { CHUNK, err, type State } from './state.js';
import { writeWholeFile } from '../../../../../tools/whole-file.js';

/** `\\copy table from 'file' csv`: COPY with the client's files. */
export function runCopy(state: State, argument: string, sys: Syscalls): void {
  const asked = readRequest(argument);
  if (asked === undefined) {
    err(state, argument === '' ? '\\copy: arguments required\n' : '\\copy: parse error at end of line\n');
    state.hasFailed = true;
    return;
  }
  const { target, verb, place, options } = asked;
  const isFrom = verb === 'from';
  const isStream = ['stdin', 'stdout', 'pstdin', 'pstdout'].includes(place.toLowerCase());
  const path = place.startsWith("'") ? place.slice(1, -1).replaceAll("''", "'") : place;
  const sql = `COPY ${target} ${isFrom ? 'FROM STDIN' : 'TO STDOUT'} ${options}`;
  if (isStream) return send(state, sql, null);
  if (isFrom && !sys.access(bytesOf(path), 'r')) {
    err(state, `${path}: ${sys.access(bytesOf(path), '') ? 'Permission denied' : 'No such file or directory'}\n`);
    state.hasFailed = true;
    return;
  }
  send(state, sql, null, path);
}

interface Request {
  readonly target: string;
  readonly verb: 'from' | 'to';
  /** A file, in quotes or not, or a stream. */
  readonly place: string;
  readonly options: string;
}

/** Undefined: it is not whole. */
function readRequest(argument: string): Request | undefined {
  let depth = 0;
  const verb = tokensOf(argument).find(({ key }) => {
    if (key === '(') depth++;
    if (key === ')') depth--;
    return depth === 0 && (key === 'from' || key === 'to');
  });
  if (verb === undefined) return undefined;
  const rest = argument.slice(verb.to).trim();
  const end = rest.startsWith("'") ? rest.indexOf("'", 1) + 1 : rest.search(/\s|$/);
  if (end <= 0) return undefined;
  const target = argument.slice(0, verb.from).trim();
  return { target, verb: verb.key as 'from' | 'to', place: rest.slice(0, end), options: rest.slice(end) };
}

function tokensOf(text: string): readonly Token[] {
  try {
    return tokenize(text, 'postgres');
  } catch (error) {
    if (error instanceof SqlSyntaxFailure) return [];
    throw error;
  }
}

/** Sends the data that the server waits for: a file, or the lines up to `\\.`. */
export function sendData(state: State, sys: Syscalls): Wait {
  const { file } = state.copies!;
  if (file !== null) {
    const descriptor = sys.open(bytesOf(file), { read: true });
    for (let part = sys.read(descriptor, CHUNK); part; part = sys.read(descriptor, CHUNK)) sendPart(state, part);
    sys.close(descriptor);
    return endData(state);
  }
  const end = findEnd(state.input);
  if (end !== undefined) {
    sendPart(state, state.input.slice(0, end.at));
    state.input = state.input.slice(end.next);
    return endData(state);
  }
  if (state.isInputEnded) {
    sendPart(state, state.input);
    state.input = '';
    return endData(state);
  }
  const whole = state.input.lastIndexOf('\n') + 1;
  sendPart(state, state.input.slice(0, whole));
  state.input = state.input.slice(whole);
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return { type: 'wait', readable: [0, ...waitOf(state.link).readable] };
  if (bytes === '') state.isInputEnded = true;
  state.input += bytes;
  return YIELD;
}

/** Where a line `\\.` stands, and what is behind it. */
function findEnd(text: Bytes): { readonly at: number; readonly next: number } | undefined {
  const at = text.startsWith('\\.\n') ? 0 : text.indexOf('\n\\.\n') + 1;
  return at === 0 && !text.startsWith('\\.\n') ? undefined : { at, next: at + 3 };
}

function sendPart(state: State, part: Bytes): void {
  state.lineNumber += part.split('\n').length - 1;
  for (let at = 0; at < part.length; at += CHUNK) state.link.unsent += frame('d', part.slice(at, at + CHUNK));
}

function endData(state: State): Wait {
  state.link.unsent += frame('c', '');
  state.copies = null;
  return YIELD;
}

/** Writes what \\copy has got. Throws SystemError. */
export function writeCopied(state: State, path: string, sys: Syscalls): void {
  try {
    writeWholeFile(sys, bytesOf(path), state.copied);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(state, `${path}: ${error.message}\n`);
    state.hasFailed = true;
  }
  state.copied = '';
}
