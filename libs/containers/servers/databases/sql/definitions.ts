import { formatIndex, formatTable, type ColumnDef, type TableDef } from './table.js';
import { quoteName, quoteText } from './tokens.js';
import type { Sqlite } from '../sqlite/sqlite.js';

/** How a dialect's types are kept. */
export interface Keeping {
  /** What SQLite is told of a column's type. */
  sqlType(column: ColumnDef): string;
  /** What is told to tt_kept and tt_in of a column; undefined: it takes any value. */
  check(column: ColumnDef): string | undefined;
}

/** The server's own tables in a database: definitions in the dialect's terms, and sequences. */
const OWN = [
  'CREATE TABLE tt_table (name text PRIMARY KEY, def text NOT NULL)',
  'CREATE TABLE tt_sequence (name text PRIMARY KEY, value int8, step int8, called int4, owner text, owned text)',
  'CREATE TABLE tt_schema (name text PRIMARY KEY, owner text)',
];

export const createOwnTables = (sqlite: Sqlite): void => OWN.forEach((sql) => void sqlite.change(sql));

export function readTables(sqlite: Sqlite): Map<string, TableDef> {
  const { rows } = sqlite.run('SELECT name, def FROM tt_table ORDER BY name');
  return new Map(rows.map(([name, def]) => [String(name), JSON.parse(String(def)) as TableDef]));
}

export const readSchemas = (sqlite: Sqlite): string[] =>
  sqlite.run('SELECT name FROM tt_schema ORDER BY name').rows.map(([name]) => String(name));

/** Runs statements; all of them belong to the transaction. */
const change = (sqlite: Sqlite, sqls: readonly string[]): void => sqls.forEach((sql) => void sqlite.change(sql));

/** Checks and rounds the values of new rows, and notes the row for what is said about errors. */
function triggersOf({ name, columns }: TableDef, { check }: Keeping): string[] {
  const typed = columns.filter((column) => column.generated === undefined && check(column) !== undefined);
  const noted = columns.map((column) => `NEW.${quoteName(column.name)}`).join(', ');
  const note = (event: string): string =>
    `CREATE TRIGGER ${quoteName(`${name} note ${event}`)} BEFORE ${event} ON ${quoteName(name)} BEGIN SELECT tt_note(${quoteText(name)}, ${noted}); END`;
  if (typed.length === 0) return [note('INSERT'), note('UPDATE')];
  const kept = typed.map((column) => `${quoteText(check(column)!)}, NEW.${quoteName(column.name)}`).join(', ');
  const sets = typed.map((column) => {
    const one = quoteName(column.name);
    return `${one} = tt_in(${quoteText(check(column)!)}, ${one})`;
  });
  const keep = (event: string): string =>
    `CREATE TRIGGER ${quoteName(`${name} keep ${event}`)} AFTER ${event} ON ${quoteName(name)} WHEN NOT tt_kept(${kept}) BEGIN UPDATE ${quoteName(name)} SET ${sets.join(', ')} WHERE rowid = NEW.rowid; END`;
  return [note('INSERT'), note('UPDATE'), keep('INSERT'), keep('UPDATE')];
}

const store = (table: TableDef): string =>
  `INSERT OR REPLACE INTO tt_table VALUES (${quoteText(table.name)}, ${quoteText(JSON.stringify(table))})`;

export function createTable(sqlite: Sqlite, table: TableDef, keeping: Keeping): void {
  change(sqlite, [formatTable(table, (one) => keeping.sqlType(one)), ...triggersOf(table, keeping), store(table)]);
  for (const column of table.columns) if (column.sequence !== undefined) createSequence(sqlite, table, column);
}

function createSequence(sqlite: Sqlite, table: TableDef, { sequence, name }: ColumnDef): void {
  const owned = `${table.name}.${name}`;
  sqlite.change(
    `INSERT OR IGNORE INTO tt_sequence VALUES (${quoteText(sequence!)}, 1, 1, 0, ${quoteText(table.owner)}, ${quoteText(owned)})`,
  );
}

export function dropTable(sqlite: Sqlite, { name }: TableDef): void {
  const owned = `${name}.`;
  change(sqlite, [
    `DROP TABLE ${quoteName(name)}`,
    `DELETE FROM tt_table WHERE name = ${quoteText(name)}`,
    `DELETE FROM tt_sequence WHERE substr(owned, 1, ${owned.length}) = ${quoteText(owned)}`,
  ]);
}

/** Makes a table anew by another definition, with its rows. `from`: the old name of each column that is kept. */
export function replaceTable(
  sqlite: Sqlite,
  before: TableDef,
  after: TableDef,
  keeping: Keeping,
  from: (column: ColumnDef) => string | undefined,
  valueOf: (column: ColumnDef, source: string) => string = (_column, source) => source,
): void {
  const kept = after.columns.filter((column) => column.generated === undefined && from(column) !== undefined);
  const temporary = `tt new ${after.name}`;
  const targets = kept.map(({ name }) => quoteName(name)).join(', ');
  const sources = kept.map((column) => valueOf(column, quoteName(from(column)!))).join(', ');
  change(sqlite, [
    // References from other tables stay with the name.
    'PRAGMA legacy_alter_table = ON',
    formatTable(after, (one) => keeping.sqlType(one), temporary),
    `INSERT INTO ${quoteName(temporary)} (${targets}) SELECT ${sources} FROM ${quoteName(before.name)} ORDER BY rowid`,
    `ALTER TABLE ${quoteName(before.name)} RENAME TO ${quoteName(`tt old ${before.name}`)}`,
    `ALTER TABLE ${quoteName(temporary)} RENAME TO ${quoteName(after.name)}`,
    `DROP TABLE ${quoteName(`tt old ${before.name}`)}`,
    'PRAGMA legacy_alter_table = OFF',
    ...triggersOf(after, keeping),
    ...after.indexes.map((index) => formatIndex(after.name, index)),
    ...(before.name === after.name ? [] : [`DELETE FROM tt_table WHERE name = ${quoteText(before.name)}`]),
    store(after),
  ]);
  for (const column of after.columns) if (column.sequence !== undefined) createSequence(sqlite, after, column);
}

/** After an index has come or gone. */
export const storeTable = (sqlite: Sqlite, table: TableDef): void => void sqlite.change(store(table));
