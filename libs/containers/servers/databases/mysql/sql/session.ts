import type { TableDef } from '../../sql/table.js';
import { createOwnTables, readTables } from '../../sql/definitions.js';
import { SqlSyntaxFailure, tokenize, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { SqliteError, type Sqlite, type SqlValue } from '../../sqlite/sqlite.js';
import { Definition } from './definition.js';
import type { Host, Result, Session } from './contract.js';
import { MyFailure, noDatabase, syntaxFailure, unknownDatabase, unknownTable, unsupported } from '../failure.js';
import { explainError } from './refusal.js';
import { rewrite } from './rewrite.js';
import { show, type Shown } from './show.js';
import { outputValue } from './types.js';

const DONE: Result = { changes: 0, lastInsertId: 0 };
const QUERIES = ['select', 'with', 'values', '('];
const CHANGES = ['insert', 'update', 'delete', 'replace'];
const MAX_BLOCK = 2_000;

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
      const { text, tokens, tables, sqlite } = this;
      const refused = { text, tokens, tables, database: this.databaseOf(), noted: sqlite?.noted ?? [] };
      const explained = explainError(error, refused);
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
    const database = this.databaseOf();
    if (session.block !== null) this.endBlock(true);
    return new Definition(
      this.text,
      words,
      database,
      () => this.open(database),
      () => this.tables,
      session.ignoresReferences === true,
    ).run();
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
    const { block, ignoresReferences } = this.session;
    // What is loaded is used by all sessions, one after another.
    if (block === null) {
      sqlite.run(`PRAGMA foreign_keys = ${ignoresReferences ? 'OFF' : 'ON'}`);
      sqlite.begin();
    }
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
    const checks = keys.findLastIndex((key, i) => key === 'foreign_key_checks' && keys[i - 1] !== '@');
    const value = this.tokens[checks + 2]?.text.toLowerCase() ?? '1';
    if (checks > 0) session.ignoresReferences = value === '0' || value === 'off';
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
