import type { TableDef } from '../../sql/table.js';
import { SqlSyntaxFailure, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { createCatalog, dropCatalog, type Cluster } from './catalog.js';
import { CREATE, CREATE_MORE } from './ddl/index.js';
import { explainError } from './explain.js';
import { PgFailure, unsupported } from '../failure.js';
import { formatQuery, formatRows, returnedTypes, typesOf, type Result } from './query.js';
import { expandSeries } from './series.js';
import { fold, rewrite, splitList, topLevel } from './rewrite.js';
import type { Work } from './work.js';

const QUERIES = ['select', 'values', 'with', 'table', '('];
/** Statements that other files or nothing run: PostgreSQL has them, this server has not. */
const UNKNOWN = [
  ...['explain', 'do', 'copy', 'call', 'merge', 'declare', 'cluster', 'import', 'refresh', 'security'],
  ...['listen', 'unlisten', 'notify'],
];
const ACCEPTED: Readonly<Record<string, string>> = {
  ...{ analyze: 'ANALYZE', vacuum: 'VACUUM', checkpoint: 'CHECKPOINT', reindex: 'REINDEX' },
};
/** Dumps and migrations have them: they go on, and are told that nothing is kept. */
const IGNORED: Readonly<Record<string, string>> = { comment: 'COMMENT', lock: 'LOCK TABLE' };
const EXTENSIONS = ['uuid-ossp', 'pgcrypto', 'plpgsql', 'pg_stat_statements', 'citext', 'pg_trgm'];

/** Runs a statement on a database. Throws PgFailure. */
export function runStatement(
  written: readonly Token[],
  parameters: readonly (string | null)[],
  work: Work,
  cluster: Cluster,
): Result {
  const tokens = expandSeries(written);
  const first = tokens[0]!.key;
  const asked = namesCatalog(tokens);
  if (asked) createCatalog(work, cluster);
  let sql = '';
  try {
    if (QUERIES.includes(first)) return runQuery(tokens, parameters, work, (own) => (sql = own));
    if (first === 'insert' || first === 'update' || first === 'delete')
      return runChange(first, tokens, parameters, work, (own) => (sql = own));
    return { tag: runCommand(tokens, work) };
  } catch (error) {
    if (error instanceof SqlSyntaxFailure) throw failSyntax(error);
    const { sqlite, tables } = work;
    throw explainError(error, { tokens, tables, sqlite, noted: [...sqlite.noted], sql });
  } finally {
    if (asked) dropCatalog(work);
  }
}

const namesCatalog = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ type, key }) =>
      type === 'word' && (key.startsWith('pg_') || key === 'information_schema' || key === 'tt_footers'),
  );

export function failSyntax({ message, from, near }: SqlSyntaxFailure): PgFailure {
  if (message !== 'syntax error')
    return new PgFailure('42601', `${message} at or near "${near}"`, { position: from + 1 });
  if (from < 0) return new PgFailure('42601', 'syntax error at end of input');
  return new PgFailure('42601', `syntax error at or near "${near}"`, { position: from + 1 });
}

function runQuery(
  tokens: readonly Token[],
  parameters: readonly (string | null)[],
  work: Work,
  note: (sql: string) => void,
): Result {
  if (tokens[0]!.key === 'table') throw unsupported('TABLE');
  if (topLevel(tokens, 'into') > 0) throw unsupported('SELECT INTO');
  const known = work.known(parameters);
  const inner = topLevel(tokens, 'select');
  const query =
    inner < 0 ? { sql: rewrite(tokens, known), items: [], format: () => '' } : formatQuery(tokens, 'select', known);
  note(query.sql);
  const changes = tokens.some(({ key }, i) => (key === 'nextval' || key === 'setval') && tokens[i + 1]?.key === '(');
  const types = changes ? query.items.map(({ type }) => type ?? '') : typesOf(work.sqlite, query, known);
  const { columns, rows } = changes ? work.sqlite.change(query.sql) : work.sqlite.run(query.sql);
  if (changes) work.isChanged = true;
  const names = inner < 0 ? columns.map((_name, i) => `column${i + 1}`) : columns;
  return { ...formatRows(names, rows, types), tag: `SELECT ${rows.length}` };
}

function runChange(
  kind: 'insert' | 'update' | 'delete',
  tokens: readonly Token[],
  parameters: readonly (string | null)[],
  work: Work,
  note: (sql: string) => void,
): Result {
  const known = work.known(parameters);
  const words = new Words(tokens, fold);
  words.at = 1;
  if (kind !== 'update') words.expect(kind === 'insert' ? 'into' : 'from');
  words.take('only');
  const token = words.next;
  const path = words.path();
  const isView = !work.tables.has(work.nameOf(path)) && work.relationExists(work.nameOf(path));
  const table = isView ? undefined : work.tableOf(path, token);
  if (kind === 'delete' && topLevel(tokens, 'using') > 0) throw unsupported('DELETE ... USING');
  const whole = kind === 'insert' && table !== undefined ? completeInsert(tokens, words, table, known) : tokens;
  const returning = topLevel(whole, 'returning');
  const query = returning < 0 ? undefined : formatQuery(whole, 'returning', known);
  const sql = query?.sql ?? rewrite(whole, known);
  note(sql);
  const { columns, rows, changes } = work.sqlite.change(sql);
  work.isChanged = true;
  const tag = kind === 'insert' ? `INSERT 0 ${changes}` : `${kind.toUpperCase()} ${changes}`;
  return query === undefined ? { tag } : { ...formatRows(columns, rows, returnedTypes(table, query.items)), tag };
}

const word = (key: string): Token => ({ type: 'word', text: key, key, from: -1, to: -1 });
const sign = (key: string): Token => ({ type: 'sign', text: key, key, from: -1, to: -1 });
const name = (text: string): Token => ({ type: 'name', text, key: '', from: -1, to: -1 });

/** Names the columns of rows that have fewer values, and says what DEFAULT is. */
function completeInsert(
  tokens: readonly Token[],
  words: Words,
  table: TableDef,
  known: { readonly parameters: readonly (string | null)[] },
): readonly Token[] {
  void known;
  if (words.take('as')) words.name();
  const head = tokens.slice(0, words.at);
  const listed = words.sees('(') && words.tokens[words.at + 1]?.key !== 'select' ? words.names() : undefined;
  for (const column of listed ?? [])
    if (!table.columns.some((one) => one.name === column))
      throw new PgFailure('42703', `column "${column}" of relation "${table.name}" does not exist`).at(
        (tokens.find(({ key, text }) => key === column || text === column)?.from ?? -1) + 1,
      );
  if (words.take('overriding')) words.until(['values', 'select']);
  if (!words.take('values')) return tokens;
  const rows: Token[][][] = [];
  do rows.push(splitList(words.group()));
  while (words.take(','));
  const rest = words.rest();
  const width = rows[0]!.length;
  const columns = listed ?? table.columns.slice(0, width).map((one) => one.name);
  if (rows.some((row) => row.length !== width))
    throw new PgFailure('42601', 'VALUES lists must all be the same length');
  if (width > columns.length) throw new PgFailure('42601', 'INSERT has more expressions than target columns');
  if (width < columns.length) throw new PgFailure('42601', 'INSERT has more target columns than expressions');
  const always = columns.find((one, i) => {
    const column = table.columns.find((known_) => known_.name === one);
    return column?.identity === 'always' && rows.some((row) => row[i]![0]?.key !== 'default');
  });
  if (always !== undefined && !tokens.some(({ key }) => key === 'overriding'))
    throw new PgFailure('428C9', `cannot insert a non-DEFAULT value into column "${always}"`, {
      detail: `Column "${always}" is an identity column defined as GENERATED ALWAYS.`,
      hint: 'Use OVERRIDING SYSTEM VALUE to override.',
    });
  const isDefault = (value: readonly Token[]): boolean => value.length === 1 && value[0]!.key === 'default';
  const left = columns.map((_one, i) => rows.every((row) => isDefault(row[i]!)));
  const kept = <T>(all: readonly T[]): T[] => all.filter((_one, i) => !left[i]);
  const joined = (parts: readonly (readonly Token[])[]): Token[] =>
    parts.flatMap((part, i) => (i === 0 ? [...part] : [sign(','), ...part]));
  if (kept(columns).length === 0 && rows.length === 1) return [...head, word('default'), word('values'), ...rest];
  const list = joined(kept(columns).map((one) => [name(one)]));
  const values = joined(
    rows.map((row) => [
      sign('('),
      ...joined(
        kept(row).map((value) => {
          if (isDefault(value)) throw unsupported('DEFAULT in some rows of VALUES');
          return value;
        }),
      ),
      sign(')'),
    ]),
  );
  return [...head, sign('('), ...list, sign(')'), word('values'), ...values, ...rest];
}

function runCommand(tokens: readonly Token[], work: Work): string {
  const words = new Words(tokens, fold);
  const first = tokens[0]!.key;
  for (const [start, run] of CREATE) if (words.take(...start)) return run(words, work);
  if (words.take('create'))
    for (const [seen, run] of CREATE_MORE) if (words.sees(...seen)) return run(seenView(words, seen), work);
  words.at = 0;
  if (words.take('create', 'extension')) return createExtension(words, work);
  if (words.take('drop', 'extension')) return 'DROP EXTENSION';
  if (words.sees('grant') || words.sees('revoke')) return grant(words, work);
  if (Object.hasOwn(ACCEPTED, first)) return ACCEPTED[first]!;
  if (Object.hasOwn(IGNORED, first)) {
    work.notice(`${IGNORED[first]} is not simulated and has no effect`);
    return IGNORED[first]!;
  }
  if (words.take('savepoint')) {
    work.change(`SAVEPOINT ${words.name()}`);
    return 'SAVEPOINT';
  }
  if (words.take('release')) {
    words.take('savepoint');
    work.change(`RELEASE ${words.name()}`);
    return 'RELEASE';
  }
  const shown = tokens
    .slice(0, 2)
    .map(({ text }) => text.toUpperCase())
    .join(' ');
  if (UNKNOWN.includes(first) || ['create', 'alter', 'drop'].includes(first)) throw unsupported(shown);
  throw new PgFailure('42601', `syntax error at or near "${tokens[0]!.text}"`, { position: tokens[0]!.from + 1 });
}

function seenView(words: Words, seen: readonly string[]): Words {
  if (seen[0] === 'view') words.at = 1;
  return words;
}

function createExtension(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const given = words.name();
  if (!EXTENSIONS.includes(given))
    throw new PgFailure('0A000', `extension "${given}" is not available`, {
      detail: `Could not open extension control file "/usr/share/postgresql/extension/${given}.control": No such file or directory.`,
      hint: 'The extension must first be installed on the system where PostgreSQL is running.',
    });
  if (isMild && given === 'plpgsql') work.notice(`extension "${given}" already exists, skipping`, '42710');
  return 'CREATE EXTENSION';
}

/** Roles are checked; what they may do is not kept: every role may read and write. */
function grant(words: Words, work: Work): string {
  const kind = words.takeAny(['grant', 'revoke'])!.toUpperCase();
  const tokens = words.rest();
  const to = topLevel(tokens, kind === 'GRANT' ? 'to' : 'from');
  const isOfRole = topLevel(tokens, 'on') < 0;
  for (const { key, text, type } of tokens.slice(to + 1)) {
    const role = type === 'name' ? text : key;
    if (['with', 'cascade', 'restrict', 'granted'].includes(key)) break;
    if ((type === 'word' || type === 'name') && !['public', 'group'].includes(role) && !work.roles.has(role))
      throw new PgFailure('42704', `role "${role}" does not exist`);
  }
  return isOfRole ? `${kind} ROLE` : kind;
}
