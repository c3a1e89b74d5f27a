import type { TableDef } from '../../sql/table.js';
import { tokenize, type Token } from '../../sql/tokens.js';
import { quoteName } from '../../sql/tokens.js';
import { SqliteError, type Sqlite, type SqlValue } from '../../sqlite/sqlite.js';
import { PgFailure } from '../failure.js';
import { outputValue } from './types.js';

/** What a statement was when SQLite refused it. */
export interface Refused {
  readonly tokens: readonly Token[];
  readonly tables: ReadonlyMap<string, TableDef>;
  readonly sqlite: Sqlite;
  /** The row that was written last: its table's name, then its values. */
  readonly noted: readonly SqlValue[];
  /** The statement in SQLite's words. */
  readonly sql: string;
}

/** SQLite's refusal in PostgreSQL's words. */
export function explainError(error: unknown, refused: Refused): PgFailure {
  if (error instanceof PgFailure) return error;
  if (!(error instanceof SqliteError)) throw error;
  const { message } = error;
  for (const [start, explain] of EXPLANATIONS) {
    const at = message.indexOf(start);
    if (at >= 0) return explain(message.slice(at + start.length), refused);
  }
  return new PgFailure('0A000', `this statement is not supported: ${message}`);
}

type Explain = (rest: string, refused: Refused) => PgFailure;

const EXPLANATIONS: readonly (readonly [start: string, explain: Explain])[] = [
  ['no such table: ', (name, { tokens }) => missingTable(name.replace(/^main\./, ''), tokens)],
  ['no such column: ', (name, { tokens }) => missingColumn(name, tokens)],
  ['no such function: ', (name, { tokens }) => missingFunction(name, tokens)],
  ['wrong number of arguments to function ', (name, { tokens }) => missingFunction(name.replace('()', ''), tokens)],
  [
    'ambiguous column name: ',
    (name, { tokens }) =>
      new PgFailure('42702', `column reference "${name}" is ambiguous`).at(positionOf(name, tokens)),
  ],
  ['UNIQUE constraint failed: ', notUnique],
  ['NOT NULL constraint failed: ', isNull],
  ['CHECK constraint failed: ', failsCheck],
  ['FOREIGN KEY constraint failed', (_rest, refused) => breaksReference(refused)],
  [
    'has no column named ',
    (name, { tokens, noted, sql }) =>
      new PgFailure(
        '42703',
        `column "${name}" of relation "${targetOf(tokens) || String(noted[0] ?? sql)}" does not exist`,
      ).at(positionOf(name, tokens)),
  ],
  [
    'values for ',
    (rest) =>
      new PgFailure('42601', rest.startsWith('0') ? 'syntax error' : 'INSERT has more expressions than target columns'),
  ],
  ['misuse of aggregate', () => new PgFailure('42803', 'aggregate functions are not allowed in WHERE')],
  ['near "', (rest, { tokens }) => syntaxError(rest.slice(0, rest.lastIndexOf('"')), tokens)],
  ['incomplete input', () => new PgFailure('42601', 'syntax error at end of input')],
  ['interrupted', () => new PgFailure('57014', 'canceling statement due to statement timeout')],
  [
    'database or disk is full',
    () => new PgFailure('53100', 'could not extend file: No space left on device', { hint: 'Check free disk space.' }),
  ],
  [
    'string or blob too big',
    () => new PgFailure('54000', 'out of memory', { detail: 'Cannot enlarge string buffer.' }),
  ],
  ['cannot modify ', (name) => new PgFailure('55000', `cannot change view "${name.split(' ', 1)[0]}"`)],
  ['integer overflow', () => new PgFailure('22003', 'bigint out of range')],
  ['malformed JSON', () => new PgFailure('22P02', 'invalid input syntax for type json')],
];

function positionOf(name: string, tokens: readonly Token[]): number | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const found = tokens.findIndex(({ text, key }) => text === last || key === last);
  if (found < 0) return undefined;
  return (name.includes('.') && tokens[found - 1]?.key === '.' ? tokens[found - 2]! : tokens[found]!).from + 1;
}

const missingTable = (name: string, tokens: readonly Token[]): PgFailure =>
  new PgFailure('42P01', `relation "${name}" does not exist`).at(positionOf(name, tokens));

function missingColumn(name: string, tokens: readonly Token[]): PgFailure {
  const position = positionOf(name, tokens);
  const table = name.includes('.') ? name.slice(0, name.indexOf('.')) : undefined;
  const from = tokens.findIndex(({ key }) => key === 'from' || key === 'update');
  const isKnown =
    table === undefined ||
    tokens.some(({ text, key }, i) => i > from && (text === table || key === table) && tokens[i + 1]?.key !== '.');
  if (!isKnown) return new PgFailure('42P01', `missing FROM-clause entry for table "${table}"`).at(position);
  const shown = table === undefined ? `"${name}"` : name;
  return new PgFailure('42703', `column ${shown} does not exist`).at(position);
}

function missingFunction(name: string, tokens: readonly Token[]): PgFailure {
  const at = tokens.findIndex(({ key }, i) => key === name.toLowerCase() && tokens[i + 1]?.key === '(');
  const args: string[] = [];
  for (let i = at + 2, depth = 1; at >= 0 && i < tokens.length && depth > 0; i++) {
    const { type, key } = tokens[i]!;
    if (key === '(') depth++;
    if (key === ')') depth--;
    if (depth === 1 && type === 'number') args.push('integer');
    if (depth === 1 && (type === 'text' || type === 'word')) args.push('unknown');
  }
  return new PgFailure('42883', `function ${name.toLowerCase()}(${args.join(', ')}) does not exist`, {
    hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
    ...(at >= 0 && { position: tokens[at]!.from + 1 }),
  });
}

/** SQLite tells the token in its own words: the first that looks like it. */
export function syntaxError(near: string, tokens: readonly Token[]): PgFailure {
  const [token] = tokenize(near, 'postgres');
  const found = tokens.find(({ text, key }) => text === near || key === near.toLowerCase() || text === token?.text);
  return new PgFailure('42601', `syntax error at or near "${found?.text ?? near}"`).at(found && found.from + 1);
}

const targetOf = (tokens: readonly Token[]): string => {
  const at = tokens.findIndex(({ key }) => key === 'into' || key === 'update');
  const found = tokens[at + 1];
  return found === undefined || at < 0 ? '' : found.key || found.text;
};

const columnsOf = (list: string): string[] => list.split(', ').map((one) => one.slice(one.lastIndexOf('.') + 1));
const tableOf = (list: string): string => list.slice(0, list.indexOf('.'));

function valueOf(table: TableDef | undefined, column: string, noted: readonly SqlValue[]): string {
  const at = table?.columns.findIndex(({ name }) => name === column) ?? -1;
  if (at < 0 || noted[0] !== table?.name) return '';
  return outputValue(table!.columns[at]!.type, noted[at + 1] ?? null) ?? 'null';
}

function notUnique(list: string, { tables, noted }: Refused): PgFailure {
  const table = tables.get(tableOf(list));
  const columns = columnsOf(list);
  const fits = (one: readonly string[]): boolean => one.join() === columns.join();
  const name =
    table?.constraints.find((one) => (one.kind === 'unique' || one.kind === 'primary') && fits(one.columns))?.name ??
    table?.indexes.find((one) => one.isUnique && fits(one.columns))?.name ??
    `${tableOf(list)}_key`;
  const values = columns.map((column) => valueOf(table, column, noted)).join(', ');
  return new PgFailure('23505', `duplicate key value violates unique constraint "${name}"`, {
    ...{ detail: `Key (${columns.join(', ')})=(${values}) already exists.`, table: tableOf(list), constraint: name },
  });
}

const failingRow = (table: TableDef | undefined, noted: readonly SqlValue[]): string =>
  `Failing row contains (${(table?.columns ?? []).map(({ name }) => valueOf(table, name, noted)).join(', ')}).`;

function isNull(path: string, { tables, noted }: Refused): PgFailure {
  const table = tables.get(tableOf(path));
  const [column = ''] = columnsOf(path);
  const message = `null value in column "${column}" of relation "${tableOf(path)}" violates not-null constraint`;
  return new PgFailure('23502', message, { detail: failingRow(table, noted), table: tableOf(path) });
}

function failsCheck(name: string, { tables, noted }: Refused): PgFailure {
  const table = tables.get(String(noted[0] ?? ''));
  const message = `new row for relation "${table?.name ?? ''}" violates check constraint "${name}"`;
  return new PgFailure('23514', message, { detail: failingRow(table, noted), constraint: name });
}

/** Runs the statement again with its references unchecked, and looks which one is broken then. */
function breaksReference({ sqlite, sql, tables }: Refused): PgFailure {
  const fallback = new PgFailure('23503', 'insert or update on table violates foreign key constraint');
  try {
    sqlite.run('SAVEPOINT tt_look');
    sqlite.run('PRAGMA defer_foreign_keys = ON');
    sqlite.run(sql);
    const [found] = sqlite.run('PRAGMA foreign_key_check').rows;
    if (found === undefined) return fallback;
    const [child, rowid, parent] = found.map(String) as [string, string, string];
    const table = tables.get(child);
    const key = table?.constraints.filter(({ kind }) => kind === 'foreign').find((one) => one.table === parent);
    if (table === undefined || key === undefined) return fallback;
    const list = key.columns.map(quoteName).join(', ');
    const row = sqlite.run(`SELECT ${list} FROM ${quoteName(child)} WHERE rowid = ${rowid}`).rows[0] ?? [];
    const isChild = /^(?:insert|update)/i.test(sql) && sql.toLowerCase().includes(child.toLowerCase());
    const references = key.references?.length ? key.references : key.columns;
    const values = row.map((value) => String(value)).join(', ');
    if (isChild)
      return new PgFailure(
        '23503',
        `insert or update on table "${child}" violates foreign key constraint "${key.name}"`,
        {
          ...{
            detail: `Key (${key.columns.join(', ')})=(${values}) is not present in table "${parent}".`,
            constraint: key.name,
          },
        },
      );
    return new PgFailure(
      ...([
        '23503',
        `update or delete on table "${parent}" violates foreign key constraint "${key.name}" on table "${child}"`,
      ] as const),
      { detail: `Key (${references.join(', ')})=(${values}) is still referenced from table "${child}".` },
    );
  } catch (error) {
    if (error instanceof SqliteError) return fallback;
    throw error;
  } finally {
    sqlite.run('ROLLBACK TO tt_look');
    sqlite.run('RELEASE tt_look');
    sqlite.run('PRAGMA defer_foreign_keys = OFF');
  }
}
