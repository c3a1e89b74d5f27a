import type { TableDef } from '../../sql/table.js';
import type { Words } from '../../sql/words.js';
import { quoteName } from '../../sql/tokens.js';
import type { Sqlite } from '../../sqlite/sqlite.js';
import { unknownTable } from '../failure.js';
import type { Host, Session } from './contract.js';

export interface Shown {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}
type Open = (database: string) => { readonly tables: ReadonlyMap<string, TableDef>; readonly sqlite: Sqlite };

/** SHOW and DESCRIBE. Throws MyFailure. */
export function show(words: Words, session: Session, host: Host, open: Open): Shown {
  if (words.takeAny(['describe', 'desc', 'explain']) !== undefined) {
    const path = words.path();
    return describe(path, session, open);
  }
  words.expect('show');
  words.takeAny(['full', 'global', 'session', 'extended']);
  const { isLike } = readLike(words);
  if (words.take('databases') || words.take('schemas'))
    return {
      columns: ['Database'],
      rows: host
        .databases()
        .filter(isLike)
        .map((name) => [name]),
    };
  if (words.take('tables')) {
    const database = words.takeAny(['from', 'in']) === undefined ? session.database : words.name();
    const { sqlite } = open(database);
    const { rows } = sqlite.run(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'tt\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' ORDER BY name",
    );
    return {
      columns: [`Tables_in_${database}`],
      rows: rows.map(([name]) => [String(name)]).filter(([name]) => isLike(name!)),
    };
  }
  if (words.take('columns') || words.take('fields')) {
    words.takeAny(['from', 'in']);
    return describe(words.path(), session, open);
  }
  if (words.take('create', 'table')) return showCreate(words.path(), session, open);
  if (words.take('create', 'database')) return createDatabase(words.name());
  if (words.takeAny(['variables', 'status']) !== undefined) {
    const rows = Object.entries(host.variables())
      .filter(([name]) => isLike(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return { columns: ['Variable_name', 'Value'], rows };
  }
  if (words.take('processlist'))
    return { columns: ['Id', 'User', 'Host', 'db', 'Command', 'Time', 'State', 'Info'], rows: host.processes() };
  if (words.take('grants'))
    return { columns: [`Grants for ${session.user}@${session.host}`], rows: host.grants().map((one) => [one]) };
  if (words.take('warnings') || words.take('errors')) return { columns: ['Level', 'Code', 'Message'], rows: [] };
  if (words.take('engines'))
    return {
      columns: ['Engine', 'Support', 'Comment', 'Transactions', 'XA', 'Savepoints'],
      rows: [['InnoDB', 'DEFAULT', 'Supports transactions, row-level locking, and foreign keys', 'YES', 'YES', 'YES']],
    };
  if (words.takeAny(['index', 'indexes', 'keys']) !== undefined) {
    words.takeAny(['from', 'in']);
    const table = tableOf(words.path(), session, open);
    const keys = [
      ...table.constraints
        .filter(({ kind }) => kind !== 'foreign' && kind !== 'check')
        .map(({ name, kind, columns }) => ({ name: kind === 'primary' ? 'PRIMARY' : name, columns, isUnique: true })),
      ...table.indexes,
    ];
    return {
      columns: ['Table', 'Non_unique', 'Key_name', 'Seq_in_index', 'Column_name', 'Index_type'],
      rows: keys.flatMap(({ name, columns, isUnique }) =>
        columns.map((column, i) => [table.name, isUnique ? '0' : '1', name, String(i + 1), column, 'BTREE']),
      ),
    };
  }
  return words.fail();
}

const createDatabase = (name: string): Shown => ({
  columns: ['Database', 'Create Database'],
  rows: [
    [
      name,
      `CREATE DATABASE \`${name}\` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */`,
    ],
  ],
});

/** LIKE at the end of a statement, taken off before the rest is read. */
function readLike(words: Words): { readonly isLike: (name: string) => boolean } {
  const at = words.tokens.findIndex(({ key }) => key === 'like');
  const pattern = at < 0 ? undefined : words.tokens[at + 1]?.text.toLowerCase();
  return { isLike: (name) => pattern === undefined || matches(pattern, name.toLowerCase()) };
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('%');
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(parts[0]!) || !name.endsWith(parts.at(-1)!)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

function tableOf(path: readonly string[], session: Session, open: Open): TableDef {
  const database = path.length > 1 ? path[0]! : session.database;
  const found = open(database).tables.get(path.at(-1)!);
  if (found) return found;
  throw unknownTable(database, path.at(-1)!);
}

const keyOf = ({ constraints, indexes }: TableDef, column: string): string => {
  if (constraints.some(({ kind, columns }) => kind === 'primary' && columns.includes(column))) return 'PRI';
  if (constraints.some(({ kind, columns }) => kind === 'unique' && columns.length === 1 && columns[0] === column))
    return 'UNI';
  const isIndexed = constraints.some(
    ({ kind, columns }) => (kind === 'foreign' || kind === 'unique') && columns[0] === column,
  );
  return isIndexed || indexes.some(({ columns }) => columns[0] === column) ? 'MUL' : '';
};

const plainDefault = (text: string | undefined): string | null =>
  text === undefined || text.toUpperCase() === 'NULL' ? null : text.replace(/^'(.*)'$/, '$1');

function describe(path: readonly string[], session: Session, open: Open): Shown {
  const table = tableOf(path, session, open);
  const rows = table.columns.map((column) => {
    const isComputed = /^(?:now|current_timestamp)/i.test(column.default ?? '');
    const extra =
      column.sequence !== undefined
        ? 'auto_increment'
        : isComputed
          ? `DEFAULT_GENERATED${column.touches ? ' on update CURRENT_TIMESTAMP' : ''}`
          : '';
    const value = isComputed ? 'CURRENT_TIMESTAMP' : plainDefault(column.default);
    return [column.name, column.type, column.notNull ? 'NO' : 'YES', keyOf(table, column.name), value, extra];
  });
  return { columns: ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra'], rows };
}

function showCreate(path: readonly string[], session: Session, open: Open): Shown {
  const table = tableOf(path, session, open);
  const list = (names: readonly string[] = []): string => names.map(quoteName).join(',');
  const lines = table.columns.map((column) => {
    const extra =
      column.sequence !== undefined
        ? ' AUTO_INCREMENT'
        : column.default !== undefined
          ? ` DEFAULT ${column.default}`
          : column.notNull
            ? ''
            : ' DEFAULT NULL';
    return `  ${quoteName(column.name)} ${column.type}${column.notNull ? ' NOT NULL' : ''}${extra}`;
  });
  for (const one of table.constraints) {
    if (one.kind === 'primary') lines.push(`  PRIMARY KEY (${list(one.columns)})`);
    else if (one.kind === 'unique') lines.push(`  UNIQUE KEY ${quoteName(one.name)} (${list(one.columns)})`);
    else if (one.kind === 'foreign')
      lines.push(
        `  CONSTRAINT ${quoteName(one.name)} FOREIGN KEY (${list(one.columns)}) REFERENCES ${quoteName(one.table!)} (${list(one.references)})${one.actions ? ` ${one.actions}` : ''}`,
      );
    else lines.push(`  CONSTRAINT ${quoteName(one.name)} CHECK (${one.text})`);
  }
  for (const { name, columns, isUnique } of table.indexes)
    lines.push(`  ${isUnique ? 'UNIQUE ' : ''}KEY ${quoteName(name)} (${list(columns)})`);
  const text = `CREATE TABLE ${quoteName(table.name)} (\n${lines.join(',\n')}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci`;
  return { columns: ['Table', 'Create Table'], rows: [[table.name, text]] };
}
