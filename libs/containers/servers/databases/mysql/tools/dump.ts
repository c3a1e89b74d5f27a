import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Program } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { defineClient, type Calling } from '../../../client.js';
import { versionOf } from '../lines.js';
import { loginOf } from '../server/link.js';
import { packet, readPacket, readSized, readWhole } from '../server/wire.js';
import { databaseText, endText, headText, tableText, type DumpStyle } from './dump-text.js';

type Table = { database: string; name: string; create: string; rows: (string | null)[][]; isNumeric: boolean[] };
type Own = {
  user: string;
  password: string;
  host: string;
  /** Databases that are dumped with the statements that make them, and tables of the one that is named. */
  databases: string[];
  tables: string[];
  style: DumpStyle;
  allDatabases: boolean;
  phase: 'greeting' | 'login' | 'asking';
  /** Queries that are still to be sent, the first perhaps on its way. */
  steps: { kind: 'databases' | 'tables' | 'create' | 'rows'; database: string; table: string }[];
  expected: number;
  seen: number;
  rows: (string | null)[][];
  types: boolean[];
  made: Table[];
};

const NUMERIC = [1, 2, 3, 4, 5, 8, 9, 13, 246];
const SYSTEM: readonly string[] = ['information_schema', 'performance_schema', 'mysql', 'sys'];
const USAGE = `Usage: mysqldump [OPTIONS] database [tables]
OR     mysqldump [OPTIONS] --databases [OPTIONS] DB1 [DB2 DB3...]
OR     mysqldump [OPTIONS] --all-databases [OPTIONS]
For more options, use mysqldump --help
`;
/** Accepted: they change nothing of what is dumped here. */
const QUIET =
  /^(?:single-transaction|quick|opt|lock-tables|skip-lock-tables|no-tablespaces|routines|triggers|events|set-gtid-purged|column-statistics|default-character-set|hex-blob|skip-comments|compress|protocol|force|skip-triggers|add-drop-table|extended-insert|verbose|ssl-mode|flush-logs|source-data|master-data|max-allowed-packet)$/;

function start(argv: readonly Bytes[], sys: Syscalls, print: Pick<Calling<Own>, 'err' | 'out'>) {
  const own: Own = {
    ...{ user: sys.env['USER'] ?? 'root', password: sys.env['MYSQL_PWD'] ?? '', host: 'localhost', databases: [] },
    ...{ tables: [], style: { withData: true, withCreate: true, withDrop: true, withDatabase: false } },
    ...{ allDatabases: false, phase: 'greeting', steps: [], expected: 0, seen: 0, rows: [], types: [], made: [] },
  };
  let port = 3_306;
  const words: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = textOf(argv[at]!);
    const cut = word.indexOf('=');
    const name = word.startsWith('--')
      ? word.slice(2, cut < 0 ? undefined : cut)
      : word.startsWith('-')
        ? word[1]!
        : '';
    const value = (): string =>
      word.startsWith('--') && cut >= 0
        ? word.slice(cut + 1)
        : word.length > 2 && !word.startsWith('--')
          ? word.slice(2)
          : textOf(argv[++at] ?? '');
    if (name === '') words.push(word);
    else if (name === 'u' || name === 'user') own.user = value();
    else if (name === 'p') own.password = word.slice(2);
    else if (name === 'password') own.password = cut < 0 ? '' : word.slice(cut + 1);
    else if (name === 'h' || name === 'host') own.host = value();
    else if (name === 'P' || name === 'port') port = Number(value());
    else if (name === 'B' || name === 'databases') own.style.withDatabase = true;
    else if (name === 'A' || name === 'all-databases') own.allDatabases = own.style.withDatabase = true;
    else if (name === 'd' || name === 'no-data') own.style.withData = false;
    else if (name === 't' || name === 'no-create-info') own.style.withCreate = false;
    else if (name === 'skip-add-drop-table') own.style.withDrop = false;
    else if (!QUIET.test(name) && !'CfqvRE'.includes(name)) {
      print.err(bytesOf(`mysqldump: [ERROR] unknown option '${word}'.\n`));
      return 2;
    }
  }
  if (own.style.withDatabase) own.databases = words;
  else [own.databases, own.tables] = [words.slice(0, 1), words.slice(1)];
  if (words.length === 0 && !own.allDatabases) {
    print.err(USAGE);
    return 1;
  }
  return { own, host: own.host === 'localhost' ? '127.0.0.1' : bytesOf(own.host), port };
}

function fail(client: Calling<Own>, text: string, code = 2): void {
  client.err(bytesOf(`mysqldump: ${text}\n`));
  client.exit(code);
}

function ask(client: Calling<Own>): void {
  const { own, sys } = client;
  const [step] = own.steps;
  if (step === undefined) return finish(client, sys);
  const table = `\`${step.database}\`.\`${step.table}\``;
  const sql = {
    databases: 'SHOW DATABASES',
    tables: `SHOW TABLES FROM \`${step.database}\``,
    create: `SHOW CREATE TABLE ${table}`,
    rows: `SELECT * FROM ${table}`,
  }[step.kind];
  Object.assign(own, { expected: 0, seen: 0, rows: [], types: [] });
  client.send(packet(`\x03${bytesOf(sql)}`, 0));
}

/** A result is whole: it is kept, and says what is asked next. */
function takeResult(client: Calling<Own>): void {
  const { own } = client;
  const { kind, database, table } = own.steps.shift()!;
  const names = own.rows.map(([name]) => name ?? '');
  if (kind === 'databases') {
    own.databases = names.filter((name) => !SYSTEM.includes(name));
    own.steps.push(...own.databases.map((name) => ({ kind: 'tables' as const, database: name, table: '' })));
  } else if (kind === 'tables') {
    const missing = own.tables.find((name) => !names.includes(name));
    if (missing !== undefined) return fail(client, `Couldn't find table: "${missing}"`, 6);
    for (const name of own.tables.length > 0 ? own.tables : names)
      own.steps.push({ kind: 'create', database, table: name }, { kind: 'rows', database, table: name });
  } else if (kind === 'create')
    own.made.push({ database, name: table, create: own.rows[0]?.[1] ?? '', rows: [], isNumeric: [] });
  else Object.assign(own.made.at(-1)!, { rows: own.rows, isNumeric: own.types });
  ask(client);
}

function take(client: Calling<Own>, body: Bytes): void {
  const { own } = client;
  const first = body.charCodeAt(0);
  if (first === 0xff) {
    const text = `${readWhole(body, 1, 2)}: ${textOf(body.slice(9))}`;
    if (own.phase === 'login') return fail(client, `Got error: ${text} when trying to connect`);
    const { kind, table } = own.steps[0]!;
    return fail(
      client,
      `Got error: ${text} when ${kind === 'tables' ? 'selecting the database' : `dumping table \`${table}\``}`,
    );
  }
  if (own.phase === 'login') {
    own.phase = 'asking';
    own.steps = own.allDatabases
      ? [{ kind: 'databases', database: '', table: '' }]
      : own.databases.map((database) => ({ kind: 'tables', database, table: '' }));
    return ask(client);
  }
  if (own.expected === 0) own.expected = first;
  else if (first === 0xfe && body.length < 9) {
    own.seen++;
    if (own.seen === 2) takeResult(client);
  } else if (own.seen === 0) own.types.push(NUMERIC.includes(typeOf(body)));
  else own.rows.push(rowOf(body, own.expected));
}

/** The type of a column's definition. */
function typeOf(body: Bytes): number {
  let at = 0;
  for (let i = 0; i < 6; i++) [, at] = readSized(body, at);
  return body.charCodeAt(at + 7);
}

function rowOf(body: Bytes, count: number): (string | null)[] {
  const row: (string | null)[] = [];
  for (let at = 0; row.length < count;) {
    const [value, next] = readSized(body, at);
    row.push(value === null ? null : textOf(value));
    at = next;
  }
  return row;
}

function finish(client: Calling<Own>, sys: Syscalls): void {
  const { own } = client;
  const named = own.style.withDatabase ? '' : (own.databases[0] ?? '');
  const parts = own.databases.flatMap((database) => [
    ...(own.style.withDatabase ? [databaseText(database)] : []),
    ...own.made.filter((one) => one.database === database).map((one) => tableText(one, own.style)),
  ]);
  client.out(bytesOf(headText(own.host, named, versionOf(sys)) + parts.join('') + endText(sys.now)));
  client.exit(0);
}

/** mysqldump. Left out: views, routines, and what the server's own tables have. */
export const mysqldump: Program = defineClient<Own>({
  start,
  turn(client) {
    const { own } = client;
    for (let found = readPacket(client.received); found !== undefined; found = readPacket(client.received)) {
      if (found === 'bad') return fail(client, 'Got error: 2013: Lost connection to MySQL server during query');
      client.received = client.received.slice(found.length);
      if (own.phase === 'greeting' && found.body.charCodeAt(0) === 10) {
        client.send(packet(loginOf(found.body, own), found.sequence + 1));
        own.phase = 'login';
      } else take(client, found.body);
    }
  },
  refused(client, why, host, port) {
    const { own } = client;
    const text =
      own.host === 'localhost'
        ? `2002: Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)`
        : why === 'UNKNOWN_HOST'
          ? `2005: Unknown MySQL server host '${host}' (-2)`
          : `2003: Can't connect to MySQL server on '${host}:${port}' (111)`;
    client.err(bytesOf(`mysqldump: Got error: ${text} when trying to connect\n`));
    client.exit(2);
  },
});
