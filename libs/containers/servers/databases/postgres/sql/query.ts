import type { TableDef } from '../../sql/table.js';
import { quoteName, type Token } from '../../sql/tokens.js';
import { SqliteError, type Sqlite, type SqlValue } from '../../sqlite/sqlite.js';
import { readForm, readItems, typeOfCall, type Item } from './headings.js';
import { rewrite, type Rewriting } from './rewrite.js';
import { outputValue } from './types.js';

export interface Column {
  readonly name: string;
  readonly type: string;
}
export interface Result {
  /** Absent: the statement has none. */
  readonly columns?: readonly Column[];
  readonly rows?: readonly (readonly (string | null)[])[];
  /** CommandComplete's. */
  readonly tag: string;
}

/** A statement with its results' headings, in SQLite's words. */
export function formatQuery(
  tokens: readonly Token[],
  word: 'select' | 'returning',
  known: Rewriting,
): { readonly sql: string; readonly items: readonly Item[]; readonly format: (parts: readonly string[]) => string } {
  const list = readItems(tokens, word);
  if (list === undefined) {
    const sql = rewrite(tokens, known);
    return { sql, items: [], format: () => sql };
  }
  // The whole is put into words at once, so that a clause knows those before it.
  const after = rewrite(list.after, known);
  const before = rewrite(list.before, known);
  const format = (parts: readonly string[]): string => `${before} ${parts.join(', ')} ${after}`;
  const parts = list.items.map(({ tokens: own, heading }) => {
    const text = rewrite(own, known);
    return heading === undefined ? text : `${text} AS ${quoteName(heading)}`;
  });
  return { sql: format(parts), items: list.items, format };
}

const VIEW = 'tt_types';

/** What SQLite takes the columns of a query for: '' where they are computed. */
function declaredTypes(sqlite: Sqlite, sql: string): string[] | undefined {
  try {
    sqlite.run(`CREATE TEMP VIEW ${VIEW} AS ${sql}`);
  } catch (error) {
    if (error instanceof SqliteError) return undefined;
    throw error;
  }
  try {
    return sqlite.run(`PRAGMA table_info(${VIEW})`).rows.map(([, , type]) => cleanType(String(type ?? '')));
  } catch (error) {
    if (error instanceof SqliteError) return undefined;
    throw error;
  } finally {
    sqlite.run(`DROP VIEW ${VIEW}`);
  }
}

/** SQLite's own words for what it has computed are none of ours. */
const cleanType = (type: string): string =>
  /^[a-z]/.test(type) ? type.replaceAll('`', '') : type.startsWith('`') ? type.slice(1, -1) : '';

/** The types of a query's columns, as far as they are known before it runs; '' where values must tell. */
export function typesOf(sqlite: Sqlite, query: ReturnType<typeof formatQuery>, known: Rewriting): string[] {
  const declared = declaredTypes(sqlite, query.sql) ?? [];
  const { items } = query;
  if (items.length !== declared.length) return declared;
  const needs = items.some(({ like }, i) => declared[i] === '' && like !== undefined);
  const inner = needs ? innerTypes(sqlite, query, known) : undefined;
  return declared.map((type, i) => {
    const { type: own, like, call } = items[i]!;
    if (own !== undefined) return own;
    if (type !== '') return type;
    if (like === undefined) return '';
    const found = inner?.[i] || (readForm(like).type ?? '');
    if (found !== '') return typeOfCall(call, found);
    return call === 'avg' ? 'numeric(0,-1)' : '';
  });
}

/** The types of what calls such as max take. */
function innerTypes(sqlite: Sqlite, query: ReturnType<typeof formatQuery>, known: Rewriting): string[] | undefined {
  const parts = query.items.map(({ tokens, like }) => rewrite(like ?? tokens, known));
  return declaredTypes(sqlite, query.format(parts));
}

/** A column's type by its values. */
function typeByValues(values: readonly SqlValue[]): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'text';
  if (known.every((value) => typeof value === 'number' && Number.isInteger(value)))
    return known.every((value) => Math.abs(value as number) < 2 ** 31) ? 'int4' : 'int8';
  if (known.every((value) => typeof value === 'bigint' || typeof value === 'number'))
    return known.every((value) => typeof value === 'bigint') ? 'int8' : 'numeric';
  return known.every((value) => value instanceof Uint8Array) ? 'bytea' : 'text';
}

/** Rows as a client reads them. */
export function formatRows(
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  types: readonly string[],
): Required<Pick<Result, 'columns' | 'rows'>> {
  const known = columns.map((name, i) => ({ name, type: types[i] || typeByValues(rows.map((row) => row[i]!)) }));
  return {
    columns: known,
    rows: rows.map((row) => row.map((value, i) => outputValue(known[i]!.type, value))),
  };
}

/** The types of what RETURNING lists. */
export function returnedTypes(table: TableDef | undefined, items: readonly Item[]): string[] {
  return items.flatMap(({ tokens, type }) => {
    const [only] = tokens;
    if (only?.key === '*') return table?.columns.map((column) => column.type) ?? [''];
    const name = tokens.at(-1)!.key || tokens.at(-1)!.text;
    return [type ?? table?.columns.find((column) => column.name === name)?.type ?? ''];
  });
}
