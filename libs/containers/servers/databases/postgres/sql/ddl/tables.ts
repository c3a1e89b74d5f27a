import { createTable, dropTable, replaceTable } from '../../../sql/definitions.js';
import { readTable, type ColumnDef, type ConstraintDef, type TableDef } from '../../../sql/table.js';
import { quoteName, quoteText, type Token } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure, unsupported } from '../../failure.js';
import { formatQuery, typesOf } from '../query.js';
import type { Work } from '../work.js';
import { exists, GRAMMAR, KEEPING } from './grammar.js';

export function createTableOf(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const path = words.path();
  const name = work.nameOf(path);
  if (work.relationExists(name)) {
    if (!isMild) throw exists(path.at(-1)!);
    work.notice(`relation "${path.at(-1)}" already exists, skipping`, '42P07');
    return 'CREATE TABLE';
  }
  if (words.take('as')) return createTableAs(words.rest(), name, work);
  const table = readTable(words, name, work.user, GRAMMAR);
  if (words.take('partition')) throw unsupported('PARTITION BY');
  if (words.take('inherits')) throw unsupported('INHERITS');
  if (words.take('with')) words.group();
  words.take('tablespace') && words.name();
  if (!words.isAtEnd) words.fail();
  checkTable(table, work);
  createTable(work.sqlite, table, KEEPING);
  work.refresh();
  return 'CREATE TABLE';
}

function createTableAs(tokens: readonly Token[], name: string, work: Work): string {
  const known = work.known([]);
  const query = formatQuery(tokens, 'select', known);
  const names = work.sqlite.run(`SELECT * FROM (${query.sql}) LIMIT 0`).columns;
  const types = typesOf(work.sqlite, query, known);
  const columns = names.map((column, i) => ({ name: column, type: types[i] || 'text', notNull: false }));
  createTable(work.sqlite, { name, owner: work.user, columns, constraints: [], indexes: [] }, KEEPING);
  const { changes } = work.sqlite.change(`INSERT INTO ${quoteName(name)} ${query.sql}`);
  work.refresh();
  return `SELECT ${changes}`;
}

function checkTable({ name, columns, constraints }: TableDef, work: Work): void {
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column.name)) throw new PgFailure('42701', `column "${column.name}" specified more than once`);
    seen.add(column.name);
  }
  if (constraints.filter(({ kind }) => kind === 'primary').length > 1)
    throw new PgFailure('42P16', `multiple primary keys for table "${name}" are not allowed`);
  for (const constraint of constraints) checkConstraint(constraint, name, columns, constraints, work);
}

export function checkConstraint(
  { kind, columns, table, references = [] }: ConstraintDef,
  own: string,
  known: readonly ColumnDef[],
  constraints: readonly ConstraintDef[],
  work: Work,
): void {
  const missing = columns.find((column) => !known.some(({ name }) => name === column));
  if (missing !== undefined) {
    const what = kind === 'foreign' ? 'referenced in foreign key constraint' : 'named in key';
    throw new PgFailure('42703', `column "${missing}" ${what} does not exist`);
  }
  if (kind !== 'foreign') return;
  const target = table === own ? { constraints, name: own } : work.tables.get(table!);
  if (target === undefined) throw new PgFailure('42P01', `relation "${table}" does not exist`);
  const isKey = (one: ConstraintDef): boolean =>
    references.length === 0
      ? one.kind === 'primary'
      : (one.kind === 'primary' || one.kind === 'unique') &&
        [...one.columns].sort().join() === [...references].sort().join();
  if (!target.constraints.some(isKey))
    throw new PgFailure(
      '42830',
      references.length === 0
        ? `there is no primary key for referenced table "${table}"`
        : `there is no unique constraint matching given keys for referenced table "${table}"`,
    );
}

export function dropTables(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const tables: TableDef[] = [];
  do {
    const token = words.next;
    const path = words.path();
    const found = work.tables.get(work.nameOf(path));
    if (found) tables.push(found);
    else if (isMild) work.notice(`table "${path.at(-1)}" does not exist, skipping`);
    else throw new PgFailure('42P01', `table "${token === undefined ? '' : path.join('.')}" does not exist`);
  } while (words.take(','));
  const isCascading = words.takeAny(['cascade', 'restrict']) === 'cascade';
  for (const table of tables) dropOne(table, tables, isCascading, work);
  work.refresh();
  return 'DROP TABLE';
}

export function dropOne(table: TableDef, all: readonly TableDef[], isCascading: boolean, work: Work): void {
  for (const other of work.tables.values()) {
    if (all.includes(other)) continue;
    const keys = other.constraints.filter((one) => one.kind === 'foreign' && one.table === table.name);
    if (keys.length === 0) continue;
    const [key] = keys;
    if (!isCascading)
      throw new PgFailure('2BP01', `cannot drop table ${table.name} because other objects depend on it`, {
        detail: `constraint ${key!.name} on table ${other.name} depends on table ${table.name}`,
        hint: 'Use DROP ... CASCADE to drop the dependent objects too.',
      });
    work.notice(`drop cascades to constraint ${key!.name} on table ${other.name}`);
    const constraints = other.constraints.filter((one) => !keys.includes(one));
    replaceTable(work.sqlite, other, { ...other, constraints }, KEEPING, ({ name }) => name);
  }
  dropTable(work.sqlite, table);
}

export function truncate(words: Words, work: Work): string {
  words.take('table');
  do {
    const token = words.next;
    const table = work.tableOf(words.path(), token);
    work.change(`DELETE FROM ${quoteName(table.name)}`);
    if (words.take('restart', 'identity'))
      for (const { sequence } of table.columns)
        if (sequence !== undefined)
          work.change(`UPDATE tt_sequence SET value = 1, called = 0 WHERE name = ${quoteText(sequence)}`);
  } while (words.take(','));
  words.takeAny(['cascade', 'restrict']);
  words.take('continue', 'identity');
  return 'TRUNCATE TABLE';
}
