import type { Token } from '../../sql/tokens.js';
import type { Words } from '../../sql/words.js';
import type { Sqlite } from '../../sqlite/sqlite.js';

export type Session = {
  user: string;
  host: string;
  database: string;
  lastInsertId: number;
  block: { statements: string[]; at: number; seed: number } | null;
  isAutocommit: boolean;
  /** FOREIGN_KEY_CHECKS=0: dumps make tables in the order of their names. Absent: references are checked. */
  ignoresReferences?: boolean;
};

export interface Column {
  readonly name: string;
  readonly type: string;
}
export interface Result {
  readonly columns?: readonly Column[];
  readonly rows?: readonly (readonly (string | null)[])[];
  readonly changes: number;
  readonly lastInsertId: number;
}

/** What a session needs of its server. */
export interface Host {
  readonly now: number;
  random(): number;
  databases(): readonly string[];
  createDatabase(name: string): void;
  dropDatabase(name: string): void;
  /** Users, rights, and whatever else is of the whole server: undefined for other statements. */
  manage(words: Words, tokens: readonly Token[]): boolean;
  open(database: string, session: Session): { readonly sqlite: Sqlite; readonly isNew: boolean };
  save(database: string, content: string): void;
  variables(): Readonly<Record<string, string>>;
  processes(): readonly (readonly (string | null)[])[];
  grants(): readonly string[];
}
