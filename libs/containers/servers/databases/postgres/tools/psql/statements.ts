import { SqlSyntaxFailure, tokenize } from '../../../sql/tokens.js';
import { cstring, frame } from '../../server/wire.js';
import type { Asked } from '../meta.js';
import type { State } from './state.js';

/** Sends the statements that are whole. */
export function flushBuffer(state: State): void {
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
export function substitute({ variables }: State, sql: string): string {
  if (Object.keys(variables).length === 0) return sql;
  return sql.replace(/(?<![:\w]):(?:'(\w+)'|"(\w+)"|(\w+))/g, (whole, text?: string, name?: string, plain?: string) => {
    const value = variables[text ?? name ?? plain ?? ''];
    if (value === undefined) return whole;
    if (text !== undefined) return `'${value.replaceAll("'", "''")}'`;
    return name !== undefined ? `"${value.replaceAll('"', '""')}"` : value;
  });
}

/** `file`: of \\copy, what is read or written. */
export function send(state: State, sql: string, asked: Asked | null, file?: string): void {
  state.link.unsent += frame('Q', cstring(sql));
  state.pending.push({ sql, asked, ...(file !== undefined && { file }) });
}
