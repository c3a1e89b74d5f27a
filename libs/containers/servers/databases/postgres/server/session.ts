import { SqlSyntaxFailure, tokenize, splitStatements, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import type { Sqlite } from '../../sqlite/sqlite.js';
import type { Cluster } from '../sql/catalog.js';
import { PgFailure } from '../failure.js';
import type { Result } from '../sql/query.js';
import { fold } from '../sql/rewrite.js';
import { failSyntax, runStatement } from '../sql/statement.js';
import { Work } from '../sql/work.js';

/** A client's session, as data. */
export type Session = {
  user: string;
  database: string;
  application: string;
  /** SET of this session. */
  settings: Record<string, string>;
  /** A transaction block: its statements in SQLite's words, since when, and whether one has failed. */
  block: { statements: string[]; at: number; seed: number; hasFailed: boolean } | null;
};

/** What a session needs of its server. */
export interface Host {
  readonly now: number;
  cluster(): Cluster;
  /** The session's database, in its transaction. */
  open(begun: readonly string[] | null): { readonly sqlite: Sqlite; readonly isNew: boolean };
  /** Writes a database's new content. */
  save(content: string): void;
  /** Roles and databases: undefined for statements that are not of these. */
  manage(words: Words): string | undefined;
  defaultOf(name: string): string | undefined;
}

const MAX_BLOCK = 2_000;

export type Outcome = Result & { readonly notices: readonly Work['notices'][number][] };

/** The statements of one message: one transaction, unless they begin or end a block. */
export class Message {
  private work: Work | undefined;
  /** Thousands of SQLite's operations. */
  get spent(): number {
    return this.work?.sqlite.work ?? 0;
  }

  constructor(
    private readonly session: Session,
    private readonly host: Host,
  ) {}

  /** Throws PgFailure. */
  static read(sql: string): Token[][] {
    try {
      return splitStatements(tokenize(sql, 'postgres'));
    } catch (error) {
      if (error instanceof SqlSyntaxFailure) throw failSyntax(error);
      throw error;
    }
  }

  run(tokens: readonly Token[], parameters: readonly (string | null)[] = []): Outcome {
    const { session } = this;
    const words = new Words(tokens, fold);
    try {
      const ended = this.control(words);
      if (ended !== undefined) return { tag: ended.tag, notices: ended.notices ?? [] };
      if (session.block?.hasFailed)
        throw new PgFailure('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
      const own = this.runOwn(tokens, words);
      if (own !== undefined) return { ...own, notices: [] };
      const work = this.begin();
      const from = work.notices.length;
      const result = runStatement(tokens, parameters, work, this.host.cluster());
      return { ...result, notices: work.notices.slice(from) };
    } catch (error) {
      this.fail();
      if (error instanceof SqlSyntaxFailure) throw failSyntax(error);
      throw error;
    }
  }

  private fail(): void {
    this.work?.sqlite.rollback();
    this.work = undefined;
    if (this.session.block !== null) this.session.block.hasFailed = true;
  }

  private begin(): Work {
    if (this.work !== undefined) return this.work;
    const { block, user } = this.session;
    const { sqlite, isNew } = this.host.open(block?.statements ?? null);
    if (block === null) sqlite.begin();
    const { roles } = this.host.cluster();
    const isSuperuser = roles.find(({ name }) => name === user)?.isSuperuser ?? false;
    this.work = new Work(sqlite, user, isSuperuser, new Set(roles.map(({ name }) => name)), isNew);
    return this.work;
  }

  /** BEGIN, COMMIT, ROLLBACK. */
  private control(words: Words): { tag: string; notices?: Work['notices'] } | undefined {
    const { session, host } = this;
    const ends = words.takeAny(['commit', 'end', 'rollback', 'abort']);
    if (ends !== undefined) {
      words.takeAny(['work', 'transaction']);
      if (words.take('to')) return this.rollbackTo(words);
      if (!words.isAtEnd) words.fail();
      return this.endBlock(ends === 'commit' || ends === 'end');
    }
    if (!words.take('begin') && !words.take('start', 'transaction')) return undefined;
    words.rest();
    if (session.block !== null)
      return {
        tag: 'BEGIN',
        notices: [{ severity: 'WARNING', code: '25001', message: 'there is already a transaction in progress' }],
      };
    this.finish();
    session.block = { statements: [], at: host.now, seed: Math.floor(host.now) % 2 ** 31, hasFailed: false };
    return { tag: 'BEGIN' };
  }

  private rollbackTo(words: Words): { tag: string } {
    const { block } = this.session;
    words.take('savepoint');
    const name = words.name();
    if (block === null) throw new PgFailure('25P01', 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks');
    const mark = `SAVEPOINT ${name}`;
    const at = block.statements.lastIndexOf(mark);
    if (at < 0) throw new PgFailure('3B001', `savepoint "${name}" does not exist`);
    this.keep();
    this.work?.sqlite.rollback();
    this.work = undefined;
    block.statements.splice(at + 1);
    block.hasFailed = false;
    return { tag: 'ROLLBACK' };
  }

  private endBlock(isCommit: boolean): { tag: string; notices?: Work['notices'] } {
    const { session } = this;
    const { block } = session;
    if (block === null)
      return {
        tag: isCommit ? 'COMMIT' : 'ROLLBACK',
        notices: [{ severity: 'WARNING', code: '25P01', message: 'there is no transaction in progress' }],
      };
    const keeps = isCommit && !block.hasFailed;
    if (keeps) {
      const work = this.begin();
      session.block = null;
      this.commit(work);
    } else {
      this.work?.sqlite.rollback();
      session.block = null;
    }
    this.work = undefined;
    return { tag: keeps ? 'COMMIT' : 'ROLLBACK' };
  }

  /** SET, SHOW, DISCARD, and what is of the whole server. */
  private runOwn(tokens: readonly Token[], words: Words): Result | undefined {
    const { session, host } = this;
    words.at = 0;
    if (words.take('set')) return this.set(words);
    if (words.take('reset') || words.take('discard')) {
      const isAll = words.sees('all');
      if (isAll) session.settings = {};
      else delete session.settings[words.name()];
      return { tag: tokens[0]!.key === 'discard' ? 'DISCARD ALL' : 'RESET' };
    }
    if (words.take('show')) {
      const name = words.sees('transaction', 'isolation', 'level') ? 'transaction_isolation' : words.path().join('.');
      const value = session.settings[name] ?? host.defaultOf(name);
      if (value === undefined) throw new PgFailure('42704', `unrecognized configuration parameter "${name}"`);
      return { columns: [{ name, type: 'text' }], rows: [[value]], tag: 'SHOW' };
    }
    const tag = host.manage(words);
    return tag === undefined ? undefined : { tag };
  }

  private set(words: Words): Result {
    words.takeAny(['session', 'local']);
    if (words.take('time', 'zone')) {
      this.session.settings['TimeZone'] = words.next?.text ?? '';
      return { tag: 'SET' };
    }
    if (words.takeAny(['transaction', 'role', 'constraints']) !== undefined || words.take('characteristics'))
      return { tag: 'SET' };
    const name = words.path().join('.');
    if (!words.take('=')) words.expect('to');
    const value = words
      .rest()
      .map(({ text }) => text)
      .join('');
    if (this.host.defaultOf(name) === undefined && !name.includes('.'))
      throw new PgFailure('42704', `unrecognized configuration parameter "${name}"`);
    if (Object.keys(this.session.settings).length < 200) this.session.settings[name] = value;
    return { tag: 'SET' };
  }

  /** The statements so far of a block are the session's. */
  private keep(): void {
    const { block } = this.session;
    const begun = this.work?.sqlite.begun;
    if (block === null || begun === undefined || begun === null) return;
    if (begun.length > MAX_BLOCK) {
      block.hasFailed = true;
      throw new PgFailure('53400', 'too many statements in one transaction');
    }
    block.statements = [...begun];
  }

  private commit(work: Work): void {
    if (work.isChanged) this.host.save(work.sqlite.commit());
    else work.sqlite.rollback();
  }

  /** Ends the message: what no block holds is written. */
  finish(): void {
    const { work } = this;
    if (work === undefined) return;
    if (this.session.block === null) {
      this.commit(work);
      this.work = undefined;
    } else this.keep();
  }

  /** Ends it after an error of another kind. */
  abandon(): void {
    this.fail();
  }
}
