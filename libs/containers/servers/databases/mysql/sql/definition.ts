import { createTable, dropTable, replaceTable, storeTable, type Keeping } from '../../sql/definitions.js';
import { formatIndex, readColumn, readConstraint, readTable, type Grammar, type TableDef } from '../../sql/table.js';
import { quoteName, quoteText } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import type { Sqlite } from '../../sqlite/sqlite.js';
import { MyFailure, syntaxFailure, unknownTable, unsupported } from '../failure.js';
import type { Result } from './contract.js';
import { rewrite } from './rewrite.js';
import { baseOf, readType, sqlTypeOf } from './types.js';

const DONE: Result = { changes: 0, lastInsertId: 0 };
const KEEPING: Keeping = {
  sqlType: sqlTypeOf,
  check: ({ type, name }) =>
    ['text', 'longtext', 'mediumtext', 'tinytext', 'json', 'blob'].includes(baseOf(type))
      ? undefined
      : `${type}\t${name}`,
};

const grammarOf = (database: string): Grammar => ({
  dialect: 'mysql',
  readType,
  rewrite: (tokens) => rewrite(tokens, database),
  show: (tokens) =>
    tokens
      .map((token) => (token.type === 'text' ? `'${token.text}'` : token.text))
      .join(' ')
      .replace(/ ?([(),.]) ?/g, '$1'),
});

/** A statement that defines something in one database. */
export class Definition {
  constructor(
    private readonly text: string,
    private readonly words: Words,
    private readonly database: string,
    /** Opens the database. */
    private readonly open: () => Sqlite,
    /** What is defined in it since it is open. */
    private readonly tables: () => ReadonlyMap<string, TableDef>,
    private readonly ignoresReferences = false,
  ) {}

  private targetOf(path: readonly string[]): TableDef {
    const found = this.tables().get(path.at(-1)!);
    if (found) return found;
    throw unknownTable(this.database, path.at(-1)!);
  }

  /** CREATE, DROP and ALTER of tables and indexes. */
  run(): Result {
    const { words, database } = this;
    const grammar = grammarOf(database);
    if (words.take('create')) {
      words.take('temporary');
      if (words.take('table')) return this.createTable(words, database, grammar);
      if (words.sees('index') || words.sees('unique')) return this.createIndex(words, database, grammar);
      if (words.take('view') || words.take('or', 'replace', 'view')) {
        const name = words.path().at(-1)!;
        words.expect('as');
        this.open().change(`CREATE VIEW ${quoteName(name)} AS ${rewrite(words.rest(), database)}`);
        return DONE;
      }
      throw unsupported(`CREATE ${words.next?.text.toUpperCase() ?? ''}`);
    }
    if (words.take('drop', 'table')) return this.dropTables(words, database);
    if (words.take('drop', 'view')) {
      this.open().change(
        `DROP VIEW ${words.take('if', 'exists') ? 'IF EXISTS ' : ''}${quoteName(words.path().at(-1)!)}`,
      );
      return DONE;
    }
    if (words.take('truncate')) {
      words.take('table');
      const sqlite = this.open();
      const table = this.targetOf(words.path());
      sqlite.change(`DELETE FROM ${quoteName(table.name)}`);
      if (table.columns.some(({ sequence }) => sequence !== undefined))
        sqlite.change(`DELETE FROM sqlite_sequence WHERE name = ${quoteText(table.name)}`);
      return DONE;
    }
    if (words.take('alter', 'table')) return this.alterTable(words, database, grammar);
    if (words.take('drop', 'index')) {
      const name = words.name();
      words.expect('on');
      const sqlite = this.open();
      const table = this.targetOf(words.path());
      sqlite.change(`DROP INDEX ${quoteName(`${table.name}.${name}`)}`);
      storeTable(sqlite, { ...table, indexes: table.indexes.filter((one) => one.name !== name) });
      return DONE;
    }
    throw syntaxFailure(this.text);
  }

  private createTable(words: Words, database: string, grammar: Grammar): Result {
    const isMild = words.take('if', 'not', 'exists');
    const name = words.path().at(-1)!;
    const sqlite = this.open();
    if (this.tables().has(name)) {
      if (isMild) return DONE;
      throw new MyFailure(1050, '42S01', `Table '${name}' already exists`);
    }
    if (!words.sees('(')) throw unsupported('CREATE TABLE ... SELECT');
    const read = readTable(words, name, '', grammar);
    // What follows says how it is stored: all engines are one here.
    const options = words.rest();
    const start = options.findIndex(({ key }) => key === 'auto_increment');
    const indexes = read.indexes.map((one) => ({ ...one, name: one.name }));
    const table = { ...read, indexes };
    const counted = table.columns.filter(({ sequence }) => sequence !== undefined);
    const isKey = (column: string): boolean =>
      table.constraints.some(({ columns }) => columns[0] === column) ||
      indexes.some(({ columns }) => columns[0] === column);
    if (counted.length > 1 || counted.some((column) => !isKey(column.name)))
      throw new MyFailure(
        1075,
        '42000',
        'Incorrect table definition; there can be only one auto column and it must be defined as a key',
      );
    for (const one of table.constraints)
      if (one.kind === 'foreign' && !this.ignoresReferences && one.table !== name && !this.tables().has(one.table!))
        throw new MyFailure(1824, 'HY000', `Failed to open the referenced table '${one.table}'`);
    createTable(sqlite, table, KEEPING);
    for (const index of indexes) sqlite.change(formatIndex(name, { ...index, name: `${name}.${index.name}` }));
    if (start >= 0 && counted.length > 0)
      sqlite.change(
        `INSERT INTO sqlite_sequence VALUES (${quoteText(name)}, ${Number(options[start + 2]?.text ?? 1) - 1})`,
      );
    return DONE;
  }

  private createIndex(words: Words, database: string, grammar: Grammar): Result {
    const isUnique = words.take('unique');
    words.expect('index');
    const name = words.name();
    words.expect('on');
    const sqlite = this.open();
    const table = this.targetOf(words.path());
    const columns = new Words(words.tokens.slice(words.at), (word) => word).names();
    const index = { name, columns, isUnique, sql: columns.map(quoteName).join(', ') };
    sqlite.change(formatIndex(table.name, { ...index, name: `${table.name}.${name}` }));
    storeTable(sqlite, { ...table, indexes: [...table.indexes, index] });
    void grammar;
    return DONE;
  }

  private dropTables(words: Words, database: string): Result {
    const isMild = words.take('if', 'exists');
    const sqlite = this.open();
    do {
      const name = words.path().at(-1)!;
      const table = this.tables().get(name);
      if (table) dropTable(sqlite, table);
      else if (!isMild) throw new MyFailure(1051, '42S02', `Unknown table '${database}.${name}'`);
    } while (words.take(','));
    return DONE;
  }

  private alterTable(words: Words, database: string, grammar: Grammar): Result {
    const sqlite = this.open();
    let table = this.targetOf(words.path());
    // Of MyISAM; InnoDB says in a note that it has no such option.
    if (words.take('disable', 'keys') || words.take('enable', 'keys')) return DONE;
    do {
      const before = table;
      const parts = { columns: [...table.columns], constraints: [...table.constraints], indexes: [...table.indexes] };
      const from = new Map<string, string | undefined>();
      if (words.take('add')) {
        if (!readConstraint(words, table.name, parts, grammar)) {
          words.take('column');
          readColumn(words, table.name, parts, grammar);
          const added = parts.columns.at(-1)!;
          if (table.columns.some(({ name }) => name === added.name))
            throw new MyFailure(1060, '42S21', `Duplicate column name '${added.name}'`);
          from.set(added.name, undefined);
          if (words.take('after')) words.name();
          words.take('first');
        }
      } else if (words.take('drop')) {
        words.take('column');
        const name = words.name();
        if (!table.columns.some((one) => one.name === name))
          throw new MyFailure(1091, '42000', `Can't DROP '${name}'; check that column/key exists`);
        parts.columns = parts.columns.filter((one) => one.name !== name);
        parts.constraints = parts.constraints.filter(({ columns }) => !columns.includes(name));
        parts.indexes = parts.indexes.filter(({ columns }) => !columns.includes(name));
      } else if (words.sees('modify') || words.sees('change')) {
        const isChange = words.take('change') || !words.take('modify');
        words.take('column');
        const old = isChange ? words.name() : (words.next?.text ?? '');
        const at = parts.columns.findIndex(({ name }) => name === old);
        if (at < 0) throw new MyFailure(1054, '42S22', `Unknown column '${old}' in '${table.name}'`);
        readColumn(words, table.name, parts, grammar);
        const changed = parts.columns.pop()!;
        parts.columns[at] = changed;
        from.set(changed.name, old);
      } else if (words.take('rename', 'to') || words.take('rename')) {
        table = { ...table, name: words.name() };
      } else throw unsupported(`ALTER TABLE ${words.next?.text ?? ''}`);
      const after = { ...table, ...parts };
      const indexes = after.indexes;
      replaceTable(sqlite, before, { ...after, indexes: [] }, KEEPING, ({ name }) =>
        from.has(name) ? from.get(name) : name,
      );
      for (const index of indexes)
        sqlite.change(formatIndex(after.name, { ...index, name: `${after.name}.${index.name}` }));
      storeTable(sqlite, after);
      table = after;
    } while (words.take(','));
    return DONE;
  }
}
