import { textOf, type Bytes } from '../../../../../../engine/kernel/bytes.js';
import { addOutput } from '../../../../../tools/framework/output.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import type { Column } from '../../sql/query.js';
import { Reader, readFields } from '../../server/wire.js';
import { takeMessage } from '../connection.js';
import { formatTable, type Table } from '../format.js';
import type { Asked } from '../meta.js';
import { typeByOid } from '../oids.js';
import { writeCopied } from './copy.js';
import { err, out, SCRIPT_ERROR, type Pending, type State } from './state.js';

/** One message of the server. False: there is none. */
export function takeReply(state: State, sys: Syscalls): boolean {
  if (state.pending.length === 0) return false;
  const message = takeMessage(state.link);
  if (message === undefined) return false;
  const { type, body } = message;
  const [pending] = state.pending;
  if (type === 'T') state.table = { columns: readColumns(body), rows: [] };
  else if (type === 'D') state.table?.rows.push(readRow(body));
  else if (type === 'C') complete(state, pending!, new Reader(body).text());
  else if (type === 'E' || type === 'N') showError(state, pending!, readFields(body), type === 'E');
  else if (type === 'G') state.copies = { file: pending!.file ?? null };
  else if (type === 'd') takeData(state, pending!, body);
  else if (type === 'Z') {
    state.status = body;
    const done = state.pending.shift();
    if (done?.file !== undefined && /\bto\s+stdout\b/i.test(done.sql)) writeCopied(state, done.file, sys);
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

/** The fields of a DataRow. */
export function readRow(body: Bytes): (string | null)[] {
  const reader = new Reader(body);
  return Array.from({ length: reader.int16() }, () => {
    const length = reader.int32();
    return length < 0 ? null : textOf(reader.take(length));
  });
}

/** A line of COPY TO STDOUT. */
function takeData(state: State, { file }: Pending, body: Bytes): void {
  if (file === undefined) addOutput(state.output, 1, body);
  else state.copied += body;
}

function complete(state: State, { asked, file, sql }: Pending, tag: string): void {
  const { table, style } = state;
  state.table = null;
  // What has gone to standard output is all that is said.
  if (tag.startsWith('COPY') && file === undefined && /\bto\s+stdout\b/i.test(sql)) return;
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
