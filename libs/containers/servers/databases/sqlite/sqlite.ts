import { SeededRandom } from '../../../../engine/machinery/random.js';
import { SqliteModule, type SqlDatabase, type SqlValue } from './module.js';

export type { SqlValue } from './module.js';

/** What functions know of the statement that calls them. */
export interface SqlCall {
  /** Virtual ms. */
  readonly now: number;
  readonly user: string;
  readonly database: string;
  /** What the transaction's random numbers begin with. */
  readonly seed: number;
  /** Facts of the session by name. */
  readonly settings: Readonly<Record<string, string>>;
}
/** A call's own: `query` runs a statement within the one that calls. */
export interface SqlScope extends SqlCall {
  random(): number;
  /** Keeps values for what is said about an error. */
  note(values: readonly SqlValue[]): void;
  query(sql: string): SqlRows;
}
/** A function that statements may call. -1 arguments: any number. What it throws ends the statement. */
export interface SqlFunction {
  readonly arity: number;
  run(args: readonly SqlValue[], scope: SqlScope): SqlValue | boolean;
}
export type SqlFunctions = Readonly<Record<string, SqlFunction>>;

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** Rows that an INSERT, UPDATE or DELETE has changed. */
  readonly changes: number;
}

/** In SQLite's own words. */
export class SqliteError extends Error {}

/** A database's file is at most so many pages of so many bytes. */
export const PAGE_BYTES = 1_024;
const MAX_PAGES = 4_096;
const MAX_ROWS = 20_000;
/** Thousands of operations that one statement may take: some tens of milliseconds. */
const MAX_WORK = 1_000;
/** Open databases that are kept: others are loaded again from their bytes. */
const MAX_OPEN = 6;

/** A database whose content is a string of bytes: loaded by content, so that nothing of a cluster depends on it. */
interface Loaded {
  content: string;
  readonly functionsOf: SqlFunctions;
  /** Statements of the transaction that it is in. */
  begun: string[] | null;
  database: SqlDatabase;
}

/**
 * One process' SQLite: a cache of what is in the files of clusters, found by the whole content. What it forgets is
 * loaded again.
 */
class Engine {
  private module: SqliteModule | undefined;
  private readonly loaded: Loaded[] = [];
  /** What a function has thrown in the statement that runs. */
  private thrown: unknown;
  /** Of the statement that runs. */
  private scope: SqlScope | undefined;
  /** What the last statement's functions have noted. */
  noted: readonly SqlValue[] = [];

  take(content: string, functions: SqlFunctions, begun: readonly string[] | null): Loaded {
    const same = (a: Loaded): boolean => a.content === content && a.functionsOf === functions;
    const fits = (a: Loaded): boolean => (a.begun === null ? begun === null : begun !== null && isSame(a.begun, begun));
    let at = this.loaded.findIndex((one) => same(one) && fits(one));
    if (at < 0) at = this.loaded.findIndex((one) => same(one));
    const found = at < 0 ? this.open(content, functions) : this.loaded.splice(at, 1)[0]!;
    this.loaded.unshift(found);
    while (this.loaded.length > MAX_OPEN) this.close(this.loaded.pop()!);
    return found;
  }

  forget(one: Loaded): void {
    const at = this.loaded.indexOf(one);
    if (at >= 0) this.loaded.splice(at, 1);
    this.close(one);
  }

  get sqlite(): SqliteModule {
    return (this.module ??= SqliteModule.load());
  }

  private close({ database }: Loaded): void {
    try {
      database.close();
    } catch {
      // Out of memory, or worse: the next one gets an instance of its own.
      this.loaded.length = 0;
      this.module = undefined;
    }
  }

  private open(content: string, functions: SqlFunctions): Loaded {
    const database = this.sqlite.open(content === '' ? undefined : toArray(content));
    const loaded: Loaded = { content, functionsOf: functions, begun: null, database };
    this.prepare(loaded);
    if (content === '') this.run(loaded, `PRAGMA page_size = ${PAGE_BYTES}`);
    return loaded;
  }

  prepare(loaded: Loaded): void {
    for (const [name, { arity, run }] of Object.entries(loaded.functionsOf)) {
      const wrapped = (...args: readonly SqlValue[]): SqlValue | boolean => {
        try {
          return run(args, this.scope!);
        } catch (error) {
          this.thrown ??= error;
          throw error instanceof Error ? error.message : String(error);
        }
      };
      Object.defineProperty(wrapped, 'length', { value: arity });
      loaded.database.create_function(name, wrapped as (...args: never[]) => unknown);
    }
    this.run(loaded, 'PRAGMA journal_mode = MEMORY');
    this.run(loaded, `PRAGMA max_page_count = ${MAX_PAGES}`);
    this.run(loaded, 'PRAGMA foreign_keys = ON');
    this.run(loaded, 'PRAGMA case_sensitive_like = ON');
    this.run(loaded, 'PRAGMA recursive_triggers = OFF');
  }

  run({ database }: Loaded, sql: string, call?: SqlCall, salt = 0): SqlRows {
    this.thrown = undefined;
    this.sqlite.reset(MAX_WORK);
    if (call !== undefined) {
      const chance = new SeededRandom(call.seed, salt);
      this.noted = [];
      this.scope = {
        ...call,
        random: () => chance.next(),
        note: (values) => (this.noted = values),
        query: (inner) => this.step(database, inner),
      };
    }
    try {
      return this.step(database, sql);
    } catch (error) {
      if (this.thrown !== undefined) throw this.thrown;
      if (error instanceof SqliteError) throw error;
      throw new SqliteError(error instanceof Error ? error.message : String(error));
    } finally {
      this.scope = undefined;
    }
  }

  private step(database: SqlDatabase, sql: string): SqlRows {
    const statement = database.prepare(sql);
    try {
      const columns = statement.getColumnNames();
      const rows: SqlValue[][] = [];
      while (statement.step()) {
        if (rows.length >= MAX_ROWS) throw new SqliteError('interrupted');
        if (columns.length > 0) rows.push(statement.get(null, { useBigInt: true }).map(narrow));
      }
      return { columns, rows, changes: database.getRowsModified() };
    } finally {
      statement.free();
    }
  }

  get work(): number {
    return this.module?.work ?? 0;
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/** Integers that a number holds are numbers. */
const narrow = (value: SqlValue): SqlValue =>
  typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    ? Number(value)
    : value;

function toArray(content: string): Uint8Array {
  const array = new Uint8Array(content.length);
  for (let i = 0; i < content.length; i++) array[i] = content.charCodeAt(i);
  return array;
}

function fromArray(array: Uint8Array): string {
  const CHUNK = 8_192;
  let bytes = '';
  for (let at = 0; at < array.length; at += CHUNK) bytes += String.fromCharCode(...array.subarray(at, at + CHUNK));
  return bytes;
}

// A cache by content: whatever a cluster's files have is in the files.
const engine = new Engine();

/** A database for one piece of work: statements run on it one after the other. */
export class Sqlite {
  private readonly loaded: Loaded;
  /** Thousands of SQLite's operations so far. */
  work = 0;

  /** `begun`: the statements of a transaction that has begun and is not written yet. */
  constructor(
    content: string,
    functions: SqlFunctions,
    private readonly call: SqlCall,
    begun: readonly string[] | null = null,
  ) {
    this.loaded = engine.take(content, functions, begun);
    if (this.loaded.begun !== null && (begun === null || !isSame(this.loaded.begun, begun))) {
      this.run('ROLLBACK');
      this.loaded.begun = null;
    }
    if (begun === null || this.loaded.begun !== null) return;
    this.begin();
    for (const sql of begun) this.change(sql);
  }

  /** Throws SqliteError, or what a function has thrown. */
  run(sql: string): SqlRows {
    try {
      return engine.run(this.loaded, sql, this.call, this.loaded.begun?.length);
    } finally {
      this.work += engine.work;
    }
  }

  /** What the functions of the last statement have noted. */
  get noted(): readonly SqlValue[] {
    return engine.noted;
  }

  begin(): void {
    this.run('BEGIN');
    this.loaded.begun = [];
  }

  /** A statement of the transaction. */
  change(sql: string): SqlRows {
    const rows = this.run(sql);
    this.loaded.begun?.push(sql);
    return rows;
  }

  /** The statements of the transaction so far. */
  get begun(): readonly string[] | null {
    return this.loaded.begun;
  }

  rollback(): void {
    if (this.loaded.begun !== null) this.run('ROLLBACK');
    this.loaded.begun = null;
  }

  /** Ends the transaction and gives the new content. */
  commit(): string {
    this.run('COMMIT');
    this.loaded.begun = null;
    const { database } = this.loaded;
    this.loaded.content = fromArray(database.export());
    engine.sqlite.bound(database);
    engine.prepare(this.loaded);
    return this.loaded.content;
  }

  /** After an error that leaves it unsure what the handle is like. */
  drop(): void {
    engine.forget(this.loaded);
  }
}
