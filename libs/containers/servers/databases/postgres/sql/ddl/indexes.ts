import { storeTable } from '../../../sql/definitions.js';
import type { IndexDef } from '../../../sql/table.js';
import type { Token } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure } from '../../failure.js';
import type { Work } from '../work.js';
import { exists, GRAMMAR, show } from './grammar.js';

export function createIndexOf(words: Words, work: Work): string {
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

export function dropIndexes(words: Words, work: Work): string {
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
