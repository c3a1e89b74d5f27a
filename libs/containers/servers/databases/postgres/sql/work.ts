import { formatIndex, type TableDef } from '../../sql/table.js';
import { quoteName, quoteText, type Token } from '../../sql/tokens.js';
import type { Sqlite } from '../../sqlite/sqlite.js';
import { createOwnTables, readSchemas, readTables } from '../../sql/definitions.js';
import { PgFailure } from '../failure.js';
import type { Rewriting } from './rewrite.js';

/** A notice that goes to the client beside the result. */
export interface Notice {
  readonly severity: 'NOTICE' | 'WARNING';
  readonly code: string;
  readonly message: string;
}

/** What statements of one message work on: one database, in one transaction. */
export class Work {
  tables: Map<string, TableDef>;
  schemas: string[];
  readonly notices: Notice[] = [];
  /** Something was written. */
  isChanged: boolean;

  constructor(
    readonly sqlite: Sqlite,
    readonly user: string,
    readonly isSuperuser: boolean,
    readonly roles: ReadonlySet<string>,
    isNew: boolean,
  ) {
    this.isChanged = isNew || (sqlite.begun?.length ?? 0) > 0;
    if (isNew && sqlite.begun?.length === 0) createOwnTables(sqlite);
    this.tables = readTables(sqlite);
    this.schemas = readSchemas(sqlite);
  }

  known(parameters: readonly (string | null)[]): Rewriting {
    return { parameters, schemas: this.schemas };
  }

  notice(message: string, code = '00000', severity: Notice['severity'] = 'NOTICE'): void {
    this.notices.push({ severity, code, message });
  }

  /** Definitions are read again after one has changed. */
  refresh(): void {
    this.isChanged = true;
    this.tables = readTables(this.sqlite);
    this.schemas = readSchemas(this.sqlite);
  }

  change(sql: string): void {
    this.sqlite.change(sql);
    this.isChanged = true;
  }

  /** The name that a table has in SQLite. Throws 3F000 for a schema that is not there. */
  nameOf(path: readonly string[], from?: number): string {
    const [schema, name] = path.length > 1 ? path.slice(-2) : [undefined, path[0]!];
    if (schema === undefined || schema === 'public') return name!;
    if (!this.schemas.includes(schema))
      throw new PgFailure('3F000', `schema "${schema}" does not exist`).at(from === undefined ? undefined : from + 1);
    return `${schema}.${name}`;
  }

  /** Throws 42P01. */
  tableOf(path: readonly string[], token?: Token): TableDef {
    const found = this.tables.get(this.nameOf(path));
    if (found !== undefined) return found;
    throw new PgFailure('42P01', `relation "${path.join('.')}" does not exist`).at(token && token.from + 1);
  }

  relationExists(name: string): boolean {
    const { rows } = this.sqlite.run(`SELECT 1 FROM sqlite_master WHERE name = ${quoteText(name)} COLLATE BINARY`);
    return rows.length > 0;
  }

  createIndex(table: TableDef, index: TableDef['indexes'][number]): void {
    this.change(formatIndex(table.name, index));
  }

  dropIndex(name: string): void {
    this.change(`DROP INDEX ${quoteName(name)}`);
  }
}
