import {
  readColumn,
  readConstraint,
  readTable,
  type ColumnDef,
  type ConstraintDef,
  type Grammar,
  type IndexDef,
  type TableDef,
} from '../sql/table.js';
import { quoteName, quoteText, type Token } from '../sql/tokens.js';
import type { Words } from '../sql/words.js';
import { createTable, dropTable, replaceTable, storeTable, type Keeping } from '../sql/definitions.js';
import { PgFailure, unsupported } from './failure.js';
import { formatQuery, typesOf } from './query.js';
import { NOTHING_KNOWN, rewrite } from './rewrite.js';
import { readType, showType, splitType } from './types.js';
import type { Work } from './work.js';

/** Tokens as PostgreSQL prints an expression: no more than people compare. */
function show(tokens: readonly Token[]): string {
  let text = '';
  for (const [i, token] of tokens.entries()) {
    const own =
      token.type === 'text'
        ? quoteText(token.text)
        : token.type === 'name'
          ? `"${token.text}"`
          : token.key || token.text;
    const before = tokens[i - 1]?.key;
    const isTight = i === 0 || ['(', ')', ',', '.', '::'].includes(own) || ['(', '.', '::'].includes(before ?? '');
    const opens = own === '(' && before !== undefined && !/^[a-z_]/.test(before);
    text += isTight && !opens ? own : ` ${own}`;
  }
  return text;
}

export const GRAMMAR: Grammar = {
  dialect: 'postgres',
  readType,
  rewrite: (tokens) => rewrite(tokens, NOTHING_KNOWN),
  show,
};

const KEEPING: Keeping = {
  sqlType: ({ type }) => (type.endsWith('[]') ? quoteName(type) : type),
  check: ({ type }) => (type === 'text' ? undefined : type),
};

type Run = (words: Words, work: Work) => string;

const exists = (name: string): PgFailure => new PgFailure('42P07', `relation "${name}" already exists`);

function createTableOf(words: Words, work: Work): string {
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

function checkConstraint(
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

function dropTables(words: Words, work: Work): string {
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

function dropOne(table: TableDef, all: readonly TableDef[], isCascading: boolean, work: Work): void {
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

function createIndexOf(words: Words, work: Work): string {
  const isUnique = words.take('unique');
  words.expect('index');
  words.take('concurrently');
  const isMild = words.take('if', 'not', 'exists');
  const given = words.sees('on') ? undefined : words.name();
  words.expect('on');
  words.take('only');
  const token = words.next;
  const table = work.tableOf(words.path(), token);
  if (words.take('using')) words.name();
  const tokens = words.group();
  const columns = splitColumns(tokens);
  for (const column of columns)
    if (/^[a-z_]\w*$/.test(column) && !table.columns.some(({ name }) => name === column))
      throw new PgFailure('42703', `column "${column}" does not exist`);
  const name = given ?? `${table.name}_${columns.map((one) => one.split(/\W/, 1)[0]!).join('_')}_idx`;
  if (work.relationExists(name)) {
    if (!isMild) throw exists(name);
    work.notice(`relation "${name}" already exists, skipping`, '42P07');
    return 'CREATE INDEX';
  }
  if (words.take('include')) words.group();
  const where = words.take('where') ? GRAMMAR.rewrite(words.rest()) : undefined;
  if (!words.isAtEnd) words.fail();
  const index: IndexDef = {
    name,
    columns,
    isUnique,
    sql: GRAMMAR.rewrite(tokens),
    ...(where !== undefined && { where }),
  };
  work.createIndex(table, index);
  storeTable(work.sqlite, { ...table, indexes: [...table.indexes, index] });
  work.refresh();
  return 'CREATE INDEX';
}

function splitColumns(tokens: readonly Token[]): string[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.key === '(') depth++;
    if (token.key === ')') depth--;
    if (token.key === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.map(show);
}

function dropIndexes(words: Words, work: Work): string {
  words.take('concurrently');
  const isMild = words.take('if', 'exists');
  do {
    const name = words.path().at(-1)!;
    const table = [...work.tables.values()].find(({ indexes }) => indexes.some((one) => one.name === name));
    if (table === undefined) {
      if (!isMild) throw new PgFailure('42704', `index "${name}" does not exist`);
      work.notice(`index "${name}" does not exist, skipping`);
      continue;
    }
    work.dropIndex(name);
    storeTable(work.sqlite, { ...table, indexes: table.indexes.filter((one) => one.name !== name) });
    work.refresh();
  } while (words.take(','));
  return 'DROP INDEX';
}

function createView(words: Words, work: Work): string {
  const replaces = words.take('or', 'replace');
  words.expect('view');
  const name = work.nameOf(words.path());
  const names = words.sees('(') ? words.names() : [];
  words.expect('as');
  const { sql } = formatQuery(words.rest(), 'select', work.known([]));
  if (work.relationExists(name)) {
    if (!replaces) throw exists(name);
    work.change(`DROP VIEW ${quoteName(name)}`);
  }
  // A view of something that is not there is refused now, not when it is read.
  work.sqlite.run(`SELECT * FROM (${sql}) LIMIT 0`);
  const list = names.length > 0 ? ` (${names.map(quoteName).join(', ')})` : '';
  work.change(`CREATE VIEW ${quoteName(name)}${list} AS ${sql}`);
  return 'CREATE VIEW';
}

function dropViews(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  do {
    const path = words.path();
    const name = work.nameOf(path);
    if (work.relationExists(name) && !work.tables.has(name)) work.change(`DROP VIEW ${quoteName(name)}`);
    else if (!isMild) throw new PgFailure('42P01', `view "${path.at(-1)}" does not exist`);
    else work.notice(`view "${path.at(-1)}" does not exist, skipping`);
  } while (words.take(','));
  words.takeAny(['cascade', 'restrict']);
  return 'DROP VIEW';
}

function truncate(words: Words, work: Work): string {
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

function createSequence(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const name = work.nameOf(words.path());
  let [start, step] = [1, 1];
  for (;;) {
    if (words.take('start')) [, start] = [words.take('with'), Number(words.tokens[words.at++]?.text)];
    else if (words.take('increment')) [, step] = [words.take('by'), Number(words.tokens[words.at++]?.text)];
    else break;
  }
  if (!words.isAtEnd || !Number.isInteger(start) || !Number.isInteger(step)) words.fail();
  const { rows } = work.sqlite.run(`SELECT 1 FROM tt_sequence WHERE name = ${quoteText(name)}`);
  if (rows.length > 0 || work.relationExists(name)) {
    if (!isMild) throw exists(name);
    work.notice(`relation "${name}" already exists, skipping`, '42P07');
  } else
    work.change(
      `INSERT INTO tt_sequence VALUES (${quoteText(name)}, ${start}, ${step}, 0, ${quoteText(work.user)}, NULL)`,
    );
  return 'CREATE SEQUENCE';
}

function dropSequence(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const name = work.nameOf(words.path());
  const { rows } = work.sqlite.run(`SELECT 1 FROM tt_sequence WHERE name = ${quoteText(name)}`);
  if (rows.length > 0) work.change(`DELETE FROM tt_sequence WHERE name = ${quoteText(name)}`);
  else if (!isMild) throw new PgFailure('42P01', `sequence "${name}" does not exist`);
  else work.notice(`sequence "${name}" does not exist, skipping`);
  return 'DROP SEQUENCE';
}

function createSchema(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const name = words.take('authorization') ? words.name() : words.name();
  if (words.take('authorization')) words.name();
  if (work.schemas.includes(name) || name === 'public') {
    if (!isMild) throw new PgFailure('42P06', `schema "${name}" already exists`);
    work.notice(`schema "${name}" already exists, skipping`, '42P06');
  } else {
    work.change(`INSERT INTO tt_schema VALUES (${quoteText(name)}, ${quoteText(work.user)})`);
    work.refresh();
  }
  return 'CREATE SCHEMA';
}

function dropSchema(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const name = words.name();
  const isCascading = words.take('cascade');
  if (!work.schemas.includes(name)) {
    if (!isMild) throw new PgFailure('3F000', `schema "${name}" does not exist`);
    work.notice(`schema "${name}" does not exist, skipping`);
    return 'DROP SCHEMA';
  }
  const inside = [...work.tables.values()].filter((table) => table.name.startsWith(`${name}.`));
  if (inside.length > 0 && !isCascading)
    throw new PgFailure('2BP01', `cannot drop schema ${name} because other objects depend on it`, {
      detail: inside.map((table) => `table ${table.name} depends on schema ${name}`).join('\n'),
      hint: 'Use DROP ... CASCADE to drop the dependent objects too.',
    });
  for (const table of inside) dropOne(table, inside, true, work);
  work.change(`DELETE FROM tt_schema WHERE name = ${quoteText(name)}`);
  work.refresh();
  return 'DROP SCHEMA';
}

function alterTable(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  words.take('only');
  const token = words.next;
  const path = words.path();
  if (isMild && !work.tables.has(work.nameOf(path))) {
    work.notice(`relation "${path.at(-1)}" does not exist, skipping`);
    return 'ALTER TABLE';
  }
  let table = work.tableOf(path, token);
  do {
    table = alterOnce(words, table, work);
    work.refresh();
  } while (words.take(','));
  if (!words.isAtEnd) words.fail();
  return 'ALTER TABLE';
}

function columnOf(table: TableDef, name: string): ColumnDef {
  const found = table.columns.find((column) => column.name === name);
  if (found) return found;
  throw new PgFailure('42703', `column "${name}" of relation "${table.name}" does not exist`);
}

function alterOnce(words: Words, table: TableDef, work: Work): TableDef {
  const replace = (after: TableDef, from: (column: ColumnDef) => string | undefined = ({ name }) => name): TableDef => {
    replaceTable(work.sqlite, table, after, KEEPING, from);
    return after;
  };
  if (words.take('rename')) return rename(words, table, replace);
  if (words.take('owner', 'to')) {
    const owner = words.name();
    if (!work.roles.has(owner)) throw new PgFailure('42704', `role "${owner}" does not exist`);
    const after = { ...table, owner };
    storeTable(work.sqlite, after);
    return after;
  }
  if (words.take('add')) return add(words, table, work, replace);
  if (words.take('drop')) return drop(words, table, work, replace);
  if (words.take('alter')) {
    words.take('column');
    const column = columnOf(table, words.name());
    const changed = alterColumn(words, column);
    const columns = table.columns.map((one) => (one === column ? changed : one));
    const after = { ...table, columns };
    replaceTable(
      work.sqlite,
      table,
      after,
      KEEPING,
      ({ name }) => name,
      (one, source) =>
        one === changed && changed.type !== column.type ? `tt_cast(${source}, ${quoteText(changed.type)})` : source,
    );
    return after;
  }
  throw unsupported(`ALTER TABLE ${words.next?.text ?? ''}`.trim());
}

type Replace = (after: TableDef, from?: (column: ColumnDef) => string | undefined) => TableDef;

function rename(words: Words, table: TableDef, replace: Replace): TableDef {
  if (words.take('to')) return replace({ ...table, name: words.name() });
  if (words.take('constraint')) throw unsupported('RENAME CONSTRAINT');
  words.take('column');
  const column = columnOf(table, words.name());
  words.expect('to');
  const name = words.name();
  const other = (names: readonly string[]): string[] => names.map((one) => (one === column.name ? name : one));
  const columns = table.columns.map((one) => (one === column ? { ...one, name } : one));
  const constraints = table.constraints.map((one) => ({ ...one, columns: other(one.columns) }));
  const indexes = table.indexes.map((one) => ({
    ...one,
    columns: other(one.columns),
    sql: other(one.columns).map(quoteName).join(', '),
  }));
  return replace({ ...table, columns, constraints, indexes }, (one) => (one.name === name ? column.name : one.name));
}

function add(words: Words, table: TableDef, work: Work, replace: Replace): TableDef {
  const parts = { columns: [...table.columns], constraints: [...table.constraints], indexes: [...table.indexes] };
  if (readConstraint(words, table.name, parts, GRAMMAR)) {
    checkConstraint(parts.constraints.at(-1)!, table.name, parts.columns, parts.constraints, work);
    return replace({ ...table, ...parts });
  }
  words.take('column');
  if (words.take('if', 'not', 'exists') && table.columns.some(({ name }) => name === words.next?.key)) {
    work.notice(`column "${words.next!.key}" of relation "${table.name}" already exists, skipping`, '42701');
    words.until([',']);
    return table;
  }
  readColumn(words, table.name, parts, GRAMMAR);
  const column = parts.columns.at(-1)!;
  if (table.columns.some(({ name }) => name === column.name))
    throw new PgFailure('42701', `column "${column.name}" of relation "${table.name}" already exists`);
  return replace({ ...table, ...parts }, ({ name }) => (name === column.name ? undefined : name));
}

function drop(words: Words, table: TableDef, work: Work, replace: Replace): TableDef {
  if (words.take('constraint')) {
    const isMild = words.take('if', 'exists');
    const name = words.name();
    words.takeAny(['cascade', 'restrict']);
    const constraints = table.constraints.filter((one) => one.name !== name);
    if (constraints.length < table.constraints.length) return replace({ ...table, constraints });
    const message = `constraint "${name}" of relation "${table.name}" does not exist`;
    if (!isMild) throw new PgFailure('42704', message);
    work.notice(`${message}, skipping`);
    return table;
  }
  words.take('column');
  const isMild = words.take('if', 'exists');
  const name = words.name();
  words.takeAny(['cascade', 'restrict']);
  if (isMild && !table.columns.some((one) => one.name === name)) {
    work.notice(`column "${name}" of relation "${table.name}" does not exist, skipping`);
    return table;
  }
  const column = columnOf(table, name);
  const without = <T extends { readonly columns: readonly string[] }>(all: readonly T[]): T[] =>
    all.filter(({ columns }) => !columns.includes(name));
  return replace({
    ...table,
    columns: table.columns.filter((one) => one !== column),
    constraints: without(table.constraints),
    indexes: without(table.indexes),
  });
}

function alterColumn(words: Words, column: ColumnDef): ColumnDef {
  if (words.take('set', 'not', 'null')) return { ...column, notNull: true };
  if (words.take('drop', 'not', 'null')) return { ...column, notNull: false };
  if (words.take('drop', 'default')) {
    const { default: _text, defaultSql: _sql, ...rest } = column;
    return rest;
  }
  if (words.take('set', 'default')) {
    const tokens = words.until([',']);
    return { ...column, default: show(tokens), defaultSql: GRAMMAR.rewrite(tokens) };
  }
  if (words.take('type') || words.take('set', 'data', 'type')) {
    const { type } = readType(words);
    if (words.take('using')) words.until([',']);
    return { ...column, type };
  }
  return words.fail();
}

/** A default as \d shows it. */
export function showDefault({ default: text, sequence, identity, type }: ColumnDef): string {
  if (identity !== undefined) return `generated ${identity} as identity`;
  if (sequence !== undefined) return `nextval('${sequence}'::regclass)`;
  if (text === undefined) return '';
  return /^'(?:[^']|'')*'$/.test(text) ? `${text}::${showType(splitType(type).base)}` : text;
}

export const CREATE: readonly (readonly [start: readonly string[], run: Run])[] = [
  [['create', 'table'], createTableOf],
  [['create', 'unlogged', 'table'], createTableOf],
  [['drop', 'table'], dropTables],
  [['drop', 'index'], dropIndexes],
  [['drop', 'view'], dropViews],
  [['drop', 'sequence'], dropSequence],
  [['drop', 'schema'], dropSchema],
  [['create', 'sequence'], createSequence],
  [['create', 'schema'], createSchema],
  [['truncate'], truncate],
  [['alter', 'table'], alterTable],
];
/** These read from behind CREATE. */
export const CREATE_MORE: readonly (readonly [seen: readonly string[], run: Run])[] = [
  [['index'], createIndexOf],
  [['unique', 'index'], createIndexOf],
  [['view'], createView],
  [['or', 'replace', 'view'], createView],
];
