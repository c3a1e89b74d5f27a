import { replaceTable, storeTable } from '../../../sql/definitions.js';
import { readColumn, readConstraint, type ColumnDef, type TableDef } from '../../../sql/table.js';
import { quoteName, quoteText } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure, unsupported } from '../../failure.js';
import { readType } from '../types.js';
import type { Work } from '../work.js';
import { GRAMMAR, KEEPING, show } from './grammar.js';
import { checkConstraint } from './tables.js';

export function alterTable(words: Words, work: Work): string {
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
