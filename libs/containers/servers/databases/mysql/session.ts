import { formatIndex, readColumn, readConstraint, readTable, type Grammar, type TableDef } from '../sql/table.js';
import {
  createOwnTables,
  createTable,
  dropTable,
  readTables,
  replaceTable,
  storeTable,
  type Keeping,
} from '../sql/definitions.js';
import { quoteName, quoteText, SqlSyntaxFailure, tokenize, type Token } from '../sql/tokens.js';
import { Words } from '../sql/words.js';
import { SqliteError, type Sqlite, type SqlValue } from '../sqlite/sqlite.js';
import type { Host, Result, Session } from './contract.js';
import { MyFailure, noDatabase, syntaxFailure, unknownDatabase, unknownTable, unsupported } from './failure.js';
import { rewrite } from './rewrite.js';
import { show, type Shown } from './show.js';
import { baseOf, outputValue, readType, sqlTypeOf } from './types.js';

const DONE: Result = { changes: 0, lastInsertId: 0 };
const KEEPING: Keeping = {
  sqlType: sqlTypeOf,
  check: ({ type, name }) =>
    ['text', 'longtext', 'mediumtext', 'tinytext', 'json', 'blob'].includes(baseOf(type))
      ? undefined
      : `${type}\t${name}`,
};
const QUERIES = ['select', 'with', 'values', '('];
const CHANGES = ['insert', 'update', 'delete', 'replace'];
const MAX_BLOCK = 2_000;

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

/** One statement of a session. */
export class Statement {
  private sqlite: Sqlite | undefined;
  private tables = new Map<string, TableDef>();
  private readonly tokens: Token[];
  private readonly words: Words;
  private sql = '';

  constructor(
    private readonly text: string,
    private readonly session: Session,
    private readonly host: Host,
  ) {
    try {
      this.tokens = tokenize(text, 'mysql').filter(({ key }) => key !== ';');
    } catch (error) {
      throw error instanceof SqlSyntaxFailure ? syntaxFailure(error.near) : error;
    }
    this.words = new Words(this.tokens, (word) => word);
  }

  get spent(): number {
    return this.sqlite?.work ?? 0;
  }

  /** Throws MyFailure. */
  run(): Result {
    const { session } = this;
    if (this.tokens.length === 0) throw new MyFailure(1065, '42000', 'Query was empty');
    try {
      const result = this.dispatch();
      this.finish();
      return result;
    } catch (error) {
      const explained = this.explain(error);
      this.sqlite?.rollback();
      throw explained;
    } finally {
      this.sqlite = undefined;
      void session;
    }
  }

  private dispatch(): Result {
    const { words, session, host } = this;
    const first = this.tokens[0]!.key;
    if (words.take('use')) {
      const name = words.name();
      this.requireDatabase(name);
      session.database = name;
      return DONE;
    }
    if (words.take('begin') || words.take('start', 'transaction')) {
      session.block ??= { statements: [], at: host.now, seed: Math.floor(host.random() * 2 ** 31) };
      return DONE;
    }
    if (words.take('commit') || words.take('rollback')) return this.endBlock(first === 'commit');
    if (
      first === 'show' ||
      first === 'describe' ||
      first === 'desc' ||
      (first === 'explain' && this.tokens.length === 2)
    )
      return this.showIt();
    if (first === 'set' || first === 'unlock' || first === 'lock' || first === 'analyze' || first === 'optimize')
      return this.set();
    if (['create', 'drop', 'alter'].includes(first)) {
      const found = this.manageDatabase();
      if (found) return found;
    }
    words.at = 0;
    if (host.manage(words, this.tokens)) return DONE;
    words.at = 0;
    if (QUERIES.includes(first)) return this.query();
    if (CHANGES.includes(first)) return this.change();
    return this.define();
  }

  private requireDatabase(name: string): void {
    if (!this.host.databases().includes(name)) throw unknownDatabase(name);
  }

  private endBlock(keeps: boolean): Result {
    const { session } = this;
    if (session.block === null) return DONE;
    if (keeps && session.block.statements.length > 0) {
      const sqlite = this.open(session.database);
      session.block = null;
      this.host.save(session.database, sqlite.commit());
      this.sqlite = undefined;
    }
    session.block = null;
    return DONE;
  }

  /** The database of this statement's first name: `shop.orders`, or the session's. */
  private open(database: string): Sqlite {
    if (this.sqlite) return this.sqlite;
    if (database === '') throw noDatabase();
    this.requireDatabase(database);
    const { sqlite, isNew } = this.host.open(database, this.session);
    if (this.session.block === null) sqlite.begin();
    this.sqlite = sqlite;
    if (isNew && sqlite.begun?.length === 0) createOwnTables(sqlite);
    this.tables = readTables(sqlite);
    return sqlite;
  }

  /** Of the names `a.b` of this statement the first a that is a database. */
  private databaseOf(): string {
    const known = this.host.databases();
    const at = this.tokens.findIndex(({ text }, i) => this.tokens[i + 1]?.key === '.' && known.includes(text));
    return at < 0 ? this.session.database : this.tokens[at]!.text;
  }

  private finish(): void {
    const { sqlite, session } = this;
    if (!sqlite) return;
    if (session.block === null) {
      if ((sqlite.begun?.length ?? 0) > 0) this.host.save(this.databaseOf(), sqlite.commit());
      else sqlite.rollback();
      return;
    }
    if ((sqlite.begun?.length ?? 0) > MAX_BLOCK) throw unsupported('transactions of so many statements');
    session.block.statements = [...(sqlite.begun ?? [])];
  }

  private set(): Result {
    const { words, session } = this;
    const keys = this.tokens.map(({ key }) => key);
    const at = keys.indexOf('autocommit');
    if (words.take('set') && at > 0) {
      session.isAutocommit = ['1', 'on'].includes(this.tokens[at + 2]?.text.toLowerCase() ?? '1');
      if (session.isAutocommit) this.endBlock(true);
    }
    return DONE;
  }

  private showIt(): Result {
    const shown: Shown = show(this.words, this.session, this.host, (database) => {
      this.open(database || this.session.database);
      return { tables: this.tables, sqlite: this.sqlite! };
    });
    return { ...DONE, columns: shown.columns.map((name) => ({ name, type: 'varchar(255)' })), rows: shown.rows };
  }

  private manageDatabase(): Result | undefined {
    const { words, host, session } = this;
    words.at = 1;
    if (words.takeAny(['database', 'schema']) === undefined) return undefined;
    const isCreate = this.tokens[0]!.key === 'create';
    const isMild = words.take('if', 'not', 'exists') || words.take('if', 'exists');
    const name = words.name();
    const isThere = host.databases().includes(name);
    if (this.tokens[0]!.key === 'alter') return { ...DONE, changes: 1 };
    if (isCreate) {
      if (isThere && !isMild) throw new MyFailure(1007, 'HY000', `Can't create database '${name}'; database exists`);
      if (!isThere) host.createDatabase(name);
      return { ...DONE, changes: 1 };
    }
    if (!isThere && !isMild)
      throw new MyFailure(1008, 'HY000', `Can't drop database '${name}'; database doesn't exist`);
    if (isThere) host.dropDatabase(name);
    if (session.database === name) session.database = '';
    return DONE;
  }

  private query(): Result {
    const database = this.databaseOf();
    const sql = rewrite(this.tokens, database);
    this.sql = sql;
    const needsTable = this.tokens.some(({ key }) => key === 'from') && !this.tokens.some(({ key }) => key === 'dual');
    if (needsTable || database !== '') return this.readRows(this.open(database), sql);
    // Without a database only what needs none can be asked.
    const sqlite = this.host.open('', this.session).sqlite;
    return this.readRows(sqlite, sql);
  }

  private readRows(sqlite: Sqlite, sql: string): Result {
    const { columns, rows } = sqlite.run(sql);
    const types = this.typesOf(sqlite, sql);
    const known = columns.map((name, i) => ({
      name: this.headingOf(name, i),
      type: types[i] || typeByValues(rows.map((row) => row[i]!)),
    }));
    return {
      ...DONE,
      columns: known,
      rows: rows.map((row) => row.map((value, i) => outputValue(known[i]!.type, value))),
    };
  }

  /** MySQL heads a computed column with its text. */
  private headingOf(name: string, index: number): string {
    if (!/[( ]/.test(name)) return name;
    const from = this.tokens.findIndex(({ key }) => key === 'select') + 1;
    let depth = 0;
    let at = from;
    for (let seen = 0; at < this.tokens.length && seen < index; at++) {
      const { key } = this.tokens[at]!;
      if (key === '(') depth++;
      if (key === ')') depth--;
      if (key === ',' && depth === 0) seen++;
    }
    let end = at;
    for (depth = 0; end < this.tokens.length; end++) {
      const { key } = this.tokens[end]!;
      if (key === '(') depth++;
      if (key === ')') depth--;
      if (depth === 0 && (key === ',' || key === 'from' || key === 'limit')) break;
    }
    if (end <= at) return name;
    return this.text.slice(this.tokens[at]!.from, this.tokens[end - 1]!.to);
  }

  private typesOf(sqlite: Sqlite, sql: string): string[] {
    try {
      sqlite.run(`CREATE TEMP VIEW tt_types AS ${sql}`);
    } catch (error) {
      if (error instanceof SqliteError) return [];
      throw error;
    }
    const found = sqlite.run('PRAGMA table_info(tt_types)').rows.map(([, , type]) => String(type ?? ''));
    sqlite.run('DROP VIEW tt_types');
    return found.map((type) => (/^[a-z]/.test(type) || type === 'INTEGER' ? type.toLowerCase() : ''));
  }

  private targetOf(path: readonly string[]): TableDef {
    const name = path.at(-1)!;
    const found = this.tables.get(name);
    if (found) return found;
    throw unknownTable(this.databaseOf(), name);
  }

  private change(): Result {
    const { words, session } = this;
    const database = this.databaseOf();
    const sqlite = this.open(database);
    words.at = 1;
    words.takeAny(['low_priority', 'delayed', 'ignore']);
    if (words.sees('into') || words.sees('from')) words.at++;
    const table = this.targetOf(words.path());
    const tokens =
      words.take('set') && this.tokens[0]!.key !== 'update' ? insertBySet(this.tokens, words) : this.tokens;
    const sql = rewrite(
      tokens.map((token) => ({ ...token })),
      database,
    );
    this.sql = sql;
    const { changes } = sqlite.change(sql);
    const counted = table.columns.find(({ sequence }) => sequence !== undefined);
    if (counted && this.tokens[0]!.key === 'insert' && changes > 0) {
      const [row] = sqlite.run('SELECT last_insert_rowid()').rows;
      session.lastInsertId = Number(row?.[0] ?? 0) - changes + 1;
      return { changes, lastInsertId: session.lastInsertId };
    }
    return { changes, lastInsertId: 0 };
  }

  /** CREATE, DROP and ALTER of tables and indexes. */
  private define(): Result {
    const { words, session } = this;
    const database = this.databaseOf();
    if (session.block !== null) this.endBlock(true);
    const grammar = grammarOf(database);
    if (words.take('create')) {
      words.take('temporary');
      if (words.take('table')) return this.createTable(words, database, grammar);
      if (words.sees('index') || words.sees('unique')) return this.createIndex(words, database, grammar);
      if (words.take('view') || words.take('or', 'replace', 'view')) {
        const name = words.path().at(-1)!;
        words.expect('as');
        this.open(database).change(`CREATE VIEW ${quoteName(name)} AS ${rewrite(words.rest(), database)}`);
        return DONE;
      }
      throw unsupported(`CREATE ${words.next?.text.toUpperCase() ?? ''}`);
    }
    if (words.take('drop', 'table')) return this.dropTables(words, database);
    if (words.take('drop', 'view')) {
      this.open(database).change(
        `DROP VIEW ${words.take('if', 'exists') ? 'IF EXISTS ' : ''}${quoteName(words.path().at(-1)!)}`,
      );
      return DONE;
    }
    if (words.take('truncate')) {
      words.take('table');
      const sqlite = this.open(database);
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
      const sqlite = this.open(database);
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
    const sqlite = this.open(database);
    if (this.tables.has(name)) {
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
      if (one.kind === 'foreign' && one.table !== name && !this.tables.has(one.table!))
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
    const sqlite = this.open(database);
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
    const sqlite = this.open(database);
    do {
      const name = words.path().at(-1)!;
      const table = this.tables.get(name);
      if (table) dropTable(sqlite, table);
      else if (!isMild) throw new MyFailure(1051, '42S02', `Unknown table '${database}.${name}'`);
    } while (words.take(','));
    return DONE;
  }

  private alterTable(words: Words, database: string, grammar: Grammar): Result {
    const sqlite = this.open(database);
    let table = this.targetOf(words.path());
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

  /** SQLite's refusal in MySQL's words. */
  private explain(error: unknown): unknown {
    if (error instanceof SqlSyntaxFailure)
      return syntaxFailure(error.from < 0 ? '' : this.text.slice(error.from), this.lineOf(error.from));
    if (!(error instanceof SqliteError)) return error;
    const { message } = error;
    const database = this.databaseOf();
    const rest = (start: string): string | undefined =>
      message.includes(start) ? message.slice(message.indexOf(start) + start.length) : undefined;
    const table = rest('no such table: ');
    if (table !== undefined) return unknownTable(database, table.replace('main.', ''));
    const column = rest('no such column: ') ?? rest('has no column named ');
    if (column !== undefined) return new MyFailure(1054, '42S22', `Unknown column '${column}' in 'field list'`);
    const call = rest('no such function: ');
    if (call !== undefined) return new MyFailure(1305, '42000', `FUNCTION ${database}.${call} does not exist`);
    const unique = rest('UNIQUE constraint failed: ');
    if (unique !== undefined) return this.duplicate(unique);
    const nulled = rest('NOT NULL constraint failed: ');
    if (nulled !== undefined) return this.missing(nulled.slice(nulled.indexOf('.') + 1));
    if (message.includes('FOREIGN KEY constraint failed')) return this.broken(database);
    const check = rest('CHECK constraint failed: ');
    if (check !== undefined) return new MyFailure(3819, 'HY000', `Check constraint '${check}' is violated.`);
    const near = rest('near "');
    if (near !== undefined) {
      const text = near.slice(0, near.lastIndexOf('"'));
      const found = this.tokens.find((token) => token.text.toLowerCase() === text.toLowerCase());
      return syntaxFailure(found ? this.text.slice(found.from) : text, found && this.lineOf(found.from));
    }
    if (message.includes('incomplete input')) return syntaxFailure('');
    if (message.includes('interrupted'))
      return new MyFailure(3024, 'HY000', 'Query execution was interrupted, maximum statement execution time exceeded');
    if (message.includes('is full'))
      return new MyFailure(1114, 'HY000', `The table '${this.tokens[2]?.text ?? ''}' is full`);
    if (message.includes('too big'))
      return new MyFailure(1301, 'HY000', 'Result was larger than max_allowed_packet (1048576) - truncated');
    if (/columns but|values for/.test(message))
      return new MyFailure(1136, '21S01', "Column count doesn't match value count at row 1");
    if (message.includes('misuse of aggregate')) return new MyFailure(1111, 'HY000', 'Invalid use of group function');
    return unsupported(message);
  }

  private lineOf(from: number): number {
    return this.text.slice(0, Math.max(0, from)).split('\n').length;
  }

  private notedValue(column: string): string {
    const noted: readonly SqlValue[] = this.sqlite?.noted ?? [];
    const table = this.tables.get(String(noted[0] ?? ''));
    const at = table?.columns.findIndex(({ name }) => name === column) ?? -1;
    return at < 0 ? '' : String(noted[at + 1] ?? 'NULL');
  }

  private duplicate(list: string): MyFailure {
    const columns = list.split(', ').map((one) => one.slice(one.indexOf('.') + 1));
    const name = list.slice(0, list.indexOf('.'));
    const table = this.tables.get(name);
    const key = table?.constraints.find((one) => one.columns.join() === columns.join());
    const label = key?.kind === 'primary' || !key ? 'PRIMARY' : key.name;
    const own = key || table?.columns.some((one) => one.name === columns[0] && one.sequence) ? label : columns[0];
    let value = columns.map((column) => this.notedValue(column)).join('-');
    // A counted key is noted before it has its value.
    if (value === '-1' || value === 'NULL') value = this.tokens.find(({ type }) => type === 'number')?.text ?? value;
    return new MyFailure(1062, '23000', `Duplicate entry '${value}' for key '${name}.${own}'`);
  }

  private missing(column: string): MyFailure {
    const isNamed =
      this.tokens.some(({ text }) => text === column) ||
      !this.tokens.some(({ key }, i) => key === '(' && this.tokens[i - 2]?.key === 'into');
    return isNamed
      ? new MyFailure(1048, '23000', `Column '${column}' cannot be null`)
      : new MyFailure(1364, 'HY000', `Field '${column}' doesn't have a default value`);
  }

  private broken(database: string): MyFailure {
    const words = new Words(this.tokens, (word) => word);
    words.at = 1;
    if (words.sees('into') || words.sees('from')) words.at++;
    const target = words.path().at(-1)!;
    const isChild =
      this.tokens[0]!.key === 'insert' ||
      (this.tokens[0]!.key === 'update' && this.tables.get(target)?.constraints.some(({ kind }) => kind === 'foreign'));
    const pairs = [...this.tables.values()].flatMap((table) =>
      table.constraints.filter(({ kind }) => kind === 'foreign').map((key) => ({ table, key })),
    );
    const found = pairs.find(({ table, key }) => (isChild ? table.name === target : key.table === target)) ?? pairs[0];
    if (!found) return new MyFailure(1452, '23000', 'Cannot add or update a child row: a foreign key constraint fails');
    const { table, key } = found;
    const list = (names: readonly string[] = []): string => names.map((one) => `\`${one}\``).join(', ');
    const where = `(\`${database}\`.\`${table.name}\`, CONSTRAINT \`${key.name}\` FOREIGN KEY (${list(key.columns)}) REFERENCES \`${key.table}\` (${list(key.references)})${key.actions ? ` ${key.actions}` : ''})`;
    return isChild
      ? new MyFailure(1452, '23000', `Cannot add or update a child row: a foreign key constraint fails ${where}`)
      : new MyFailure(1451, '23000', `Cannot delete or update a parent row: a foreign key constraint fails ${where}`);
  }
}

/** `INSERT INTO t SET a = 1, b = 2` as columns and values. */
function insertBySet(tokens: readonly Token[], words: Words): Token[] {
  const sign = (key: string): Token => ({ type: 'sign', text: key, key, from: -1, to: -1 });
  const head = tokens.slice(0, words.at - 1);
  const names: Token[] = [];
  const values: Token[] = [];
  do {
    if (names.length > 0) {
      names.push(sign(','));
      values.push(sign(','));
    }
    names.push(words.next ?? words.fail());
    words.at++;
    words.expect('=');
    values.push(...words.until([',', 'on']));
  } while (words.take(','));
  return [
    ...head,
    sign('('),
    ...names,
    sign(')'),
    { ...sign('values'), type: 'word' },
    sign('('),
    ...values,
    sign(')'),
    ...words.rest(),
  ];
}

function typeByValues(values: readonly SqlValue[]): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.some((value) => typeof value !== 'number' && typeof value !== 'bigint'))
    return 'varchar(255)';
  return known.every((value) => Number.isInteger(Number(value))) ? 'bigint' : 'double';
}
