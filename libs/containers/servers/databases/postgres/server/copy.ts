import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { quoteText, type Token } from '../../sql/tokens.js';
import { PgFailure } from '../failure.js';
import { formatRow, readCopyOptions, readRows, type CopyOptions } from '../copy-format.js';
import { frame, int16 } from './wire.js';
import { writeWholeFile } from '../../../../tools/whole-file.js';

/** COPY, as it was written. */
export interface CopyStatement {
  /** A table with its columns, or a query in parentheses. */
  readonly target: string;
  readonly direction: 'from' | 'to';
  /** Undefined: the client's. */
  readonly file: string | undefined;
  readonly options: CopyOptions;
}

/** A COPY FROM STDIN that waits for its client's data. */
export type CopyIn = { target: string; options: CopyOptions; data: Bytes };

const MAX_DATA = 4 << 20;
const ROWS_AT_ONCE = 100;

export function readCopy(sql: string, tokens: readonly Token[]): CopyStatement {
  let depth = 0;
  const at = tokens.findIndex(({ key }) => {
    if (key === '(') depth++;
    if (key === ')') depth--;
    return depth === 0 && (key === 'from' || key === 'to');
  });
  const [verb, place] = [tokens[at], tokens[at + 1]];
  const fail = (token: Token | undefined): PgFailure =>
    token === undefined
      ? new PgFailure('42601', 'syntax error at end of input')
      : new PgFailure('42601', `syntax error at or near "${token.text}"`, { position: token.from + 1 });
  if (verb === undefined) throw fail(tokens[1]);
  const isFile = place?.type === 'text';
  if (!isFile && !['stdin', 'stdout'].includes(place?.key ?? '')) throw fail(place);
  if (isFile && !place.text.startsWith('/')) throw new PgFailure('42602', 'relative path not allowed for COPY to file');
  return {
    target: sql.slice(tokens[0]!.to, verb.from).trim(),
    direction: verb.key as 'from' | 'to',
    file: isFile ? place.text : undefined,
    options: readCopyOptions(sql.slice(place!.to)),
  };
}

/** `table (columns)`. */
export function splitTarget(target: string): { readonly table: string; readonly columns: string | undefined } {
  const at = target.indexOf('(');
  if (at < 0) return { table: target, columns: undefined };
  return { table: target.slice(0, at).trim(), columns: target.slice(at + 1, target.lastIndexOf(')')) };
}

/** The query whose rows go out. */
export function queryOf({ target }: CopyStatement): string {
  if (target.startsWith('(')) return target.slice(1, target.lastIndexOf(')'));
  const { table, columns = '*' } = splitTarget(target);
  return `SELECT ${columns} FROM ${table}`;
}

/** The INSERT statements of what has come in. Throws PgFailure. */
export function insertsOf(target: string, options: CopyOptions, data: Bytes): { sql: string[]; count: number } {
  const rows = readRows(textOf(data), options);
  const width = rows[0]?.length ?? 0;
  const { columns: listed } = splitTarget(target);
  const wanted = listed === undefined ? width : listed.split(',').length;
  for (const row of rows) {
    if (row.length < wanted)
      throw new PgFailure('22P04', `missing data for column "${listed?.split(',')[row.length]?.trim() ?? ''}"`);
    if (row.length > wanted) throw new PgFailure('22P04', 'extra data after last expected column');
  }
  const sql: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const values = rows.slice(at, at + ROWS_AT_ONCE).map((row) => `(${row.map(literal).join(', ')})`);
    sql.push(`INSERT INTO ${target} VALUES ${values.join(', ')}`);
  }
  return { sql, count: rows.length };
}

const literal = (value: string | null): string => (value === null ? 'NULL' : quoteText(value));

/** Takes what a client sends. Throws PgFailure for more than a server takes here. */
export function addData(copy: CopyIn, body: Bytes): void {
  if (copy.data.length + body.length > MAX_DATA)
    throw new PgFailure('53400', `COPY of more than ${MAX_DATA} bytes is not simulated`);
  copy.data += body;
}

export const copyInResponse = (): Bytes => frame('G', `\0${int16(0)}`);

export function formatCopy(
  columns: readonly string[],
  rows: readonly (string | null)[][],
  options: CopyOptions,
): Bytes[] {
  const all = options.hasHeader ? [[...columns], ...rows] : rows;
  return all.map((row) => bytesOf(`${formatRow(row, options)}\n`));
}

export const copyOut = (width: number, lines: readonly Bytes[]): Bytes =>
  frame('H', `\0${int16(width)}${int16(0).repeat(width)}`) +
  lines.map((line) => frame('d', line)).join('') +
  frame('c', '');

const HINT = "You may want a client-side facility such as psql's \\copy.";

export function readServerFile(sys: Syscalls, path: string): Bytes {
  try {
    const descriptor = sys.open(bytesOf(path), { read: true });
    let data = '';
    for (let part = sys.read(descriptor); part && data.length <= MAX_DATA; part = sys.read(descriptor)) data += part;
    sys.close(descriptor);
    return data;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new PgFailure('58P01', `could not open file "${path}" for reading: ${error.message}`, {
      hint: `COPY FROM instructs the PostgreSQL server process to read a file. ${HINT}`,
    });
  }
}

export function writeServerFile(sys: Syscalls, path: string, data: Bytes): void {
  try {
    writeWholeFile(sys, bytesOf(path), data);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new PgFailure('42501', `could not open file "${path}" for writing: ${error.message}`, {
      hint: `COPY TO instructs the PostgreSQL server process to write a file. ${HINT}`,
    });
  }
}
