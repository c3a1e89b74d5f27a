import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { defineServer, type Connection, type Running } from '../../../serve.js';
import { readSegments, writeSegments } from '../../sqlite/segments.js';
import { Sqlite } from '../../sqlite/sqlite.js';
import type { Host, Session } from '../sql/contract.js';
import { MyFailure, unsupported } from '../failure.js';
import { FUNCTIONS } from '../sql/functions.js';
import { formatLine, socketOf, versionOf } from '../lines.js';
import { Statement } from '../sql/session.js';
import { applyChange, describeChange, DUMP, finishConnecting, openLink, takeFromSource } from './link.js';
import { readSettings } from './settings.js';
import { readSource, replicate } from './source.js';
import { manage, type User } from './users.js';
import {
  columnBody,
  eofBody,
  errorBody,
  isProven,
  lengthOf,
  okBody,
  packet,
  readPacket,
  readSized,
  readWhole,
  rowBody,
  STATUS_AUTOCOMMIT,
  STATUS_IN_TRANSACTION,
  whole,
} from './wire.js';

type Own = {
  data: string;
  port: number;
  /** No TCP: while an entrypoint prepares it. */
  isLocal: boolean;
  problem: string;
  startedAt: number;
  isReady: boolean;
  endsAt: number | null;
  nextId: number;
  /** Of option files; absent: none. */
  settings?: Record<string, string>;
};
type Client = {
  phase: 'login' | 'switch' | 'ready' | 'dump' | 'link';
  id: number;
  nonce: string;
  plugin: string;
  session: Session;
};
type Server = Running<Own>;

const READY_MS = 700;
const STOP_MS = 300;
const MAX_TURN = 50;
const MAX_UNSENT = 4 << 20;
const SYSTEM = ['information_schema', 'mysql', 'performance_schema', 'sys'];
const CAPABILITIES = 0x00_8a_f7_8f;
const CONNECT_WITH_DB = 8;
const PLUGIN_AUTH = 0x80000;
const LENENC_AUTH = 0x200000;

const log = ({ sys, err }: Server, level: string, code: string, text: string): void =>
  err(formatLine(sys, level, code, text));

function start(argv: readonly string[], sys: Syscalls): Own {
  const own: Own = {
    data: '/var/lib/mysql',
    port: 3_306,
    isLocal: false,
    problem: '',
    startedAt: sys.now,
    isReady: false,
    endsAt: null,
    nextId: 8,
  };
  for (const word of argv.slice(1)) {
    const [name, value = ''] = word.split('=');
    if (name === '--datadir') own.data = value;
    else if (name === '--port' || name === '-P') own.port = Number(value);
    else if (name === '--skip-networking') own.isLocal = true;
    else if (!/^--[a-z]/.test(word))
      own.problem = `[MY-010147] [Server] Too many arguments (first extra is '${word}').`;
  }
  const settings = readSettings(sys);
  if (Object.keys(settings).length > 0) own.settings = settings;
  return own;
}

export const usersPath = (data: string): string => `${data}/mysql/user.json`;

export function readUsers(sys: Syscalls, data: string): User[] | undefined {
  try {
    const users: unknown = JSON.parse(readSmallFile(sys, usersPath(data)));
    return Array.isArray(users) ? (users as User[]) : undefined;
  } catch {
    return undefined;
  }
}

export function writeUsers(sys: Syscalls, data: string, users: readonly User[]): void {
  const descriptor = sys.open(usersPath(data), { write: true, create: true, truncate: true }, 0o640);
  sys.write(descriptor, JSON.stringify(users));
  sys.close(descriptor);
}

function begin(server: Server): void {
  const { own, sys } = server;
  if (own.problem === '' && readUsers(sys, own.data) === undefined)
    own.problem = '[MY-011011] [Server] Failed to find valid data directory.';
  if (own.problem !== '') {
    server.err(`${formatLine(sys, 'ERROR', '', own.problem).trimEnd()}\n`);
    log(server, 'ERROR', 'MY-010119', 'Aborting');
    return server.exit(1);
  }
  log(server, 'System', 'MY-010116', `/usr/sbin/mysqld (mysqld ${versionOf(sys)}) starting as process ${sys.pid}`);
  log(server, 'System', 'MY-013576', 'InnoDB initialization has started.');
  server.tickAt(own.startedAt + READY_MS);
}

function listen(server: Server): void {
  const { own, sys } = server;
  log(server, 'System', 'MY-013577', 'InnoDB initialization has ended.');
  try {
    server.listen(own.port, own.isLocal ? { address: '127.0.0.1' } : {});
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, 'ERROR', 'MY-010262', `Can't start server: Bind on TCP/IP port: ${error.message}`);
    log(server, 'ERROR', 'MY-010257', `Do you already have another mysqld server running on port: ${own.port} ?`);
    log(server, 'ERROR', 'MY-010119', 'Aborting');
    return server.exit(1);
  }
  own.isReady = true;
  follow(server);
  try {
    sys.close(sys.open(socketOf(sys), { write: true, create: true }, 0o777));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, 'Warning', 'MY-010269', `Can't create the socket: ${error.message}`);
  }
  log(server, 'Warning', 'MY-010068', 'CA certificate ca.pem is self signed.');
  const port = own.isLocal ? 0 : own.port;
  log(
    server,
    'System',
    'MY-010931',
    `/usr/sbin/mysqld: ready for connections. Version: '${versionOf(sys)}'  socket: '${socketOf(sys)}'  port: ${port}  MySQL Community Server - GPL.`,
  );
}

function end(server: Server): void {
  const { sys } = server;
  try {
    sys.unlink(socketOf(sys));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  log(
    server,
    'System',
    'MY-010910',
    `/usr/sbin/mysqld: Shutdown complete (mysqld ${versionOf(sys)})  MySQL Community Server - GPL.`,
  );
  server.exit(0);
}

const isMaria = (sys: Syscalls): boolean => sys.env['MARIADB_VERSION'] !== undefined;

function greet(server: Server, connection: Connection): void {
  const { sys, own } = server;
  const nonce = Array.from({ length: 20 }, () => String.fromCharCode(1 + Math.floor(sys.random() * 126))).join('');
  const plugin = isMaria(sys) ? 'mysql_native_password' : 'caching_sha2_password';
  const session: Session = { user: '', host: '', database: '', lastInsertId: 0, block: null, isAutocommit: true };
  const client: Client = { phase: 'login', id: own.nextId++, nonce, plugin, session };
  connection.own = client;
  const body = [
    '\x0a',
    `${versionOf(sys)}\0`,
    whole(client.id, 4),
    `${nonce.slice(0, 8)}\0`,
    whole(CAPABILITIES & 0xffff, 2),
    '\xff',
    whole(STATUS_AUTOCOMMIT, 2),
    whole((CAPABILITIES >>> 16) | (PLUGIN_AUTH >>> 16), 2),
    '\x15',
    '\0'.repeat(10),
    `${nonce.slice(8)}\0`,
    `${plugin}\0`,
  ];
  connection.unsent += packet(body.join(''), 0);
}

function receive(server: Server, connection: Connection): void {
  const client = connection.own as Client;
  if (client.phase === 'link') return hear(server, connection, client);
  for (let turn = 0; turn < MAX_TURN && !connection.closes && connection.unsent.length < MAX_UNSENT; turn++) {
    const found = readPacket(connection.received);
    if (found === undefined) return;
    if (found === 'bad') {
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(found.length);
    server.sys.charge(50 + (found.length >> 3));
    try {
      if (client.phase === 'dump') continue;
      if (client.phase === 'ready') command(server, connection, found.body);
      else login(server, connection, found.body, found.sequence);
    } catch (error) {
      const failure =
        error instanceof SystemError
          ? new MyFailure(1030, 'HY000', `Got error 168 - '${error.message}' from storage engine`)
          : error;
      if (!(failure instanceof MyFailure)) throw failure;
      connection.unsent += packet(errorBody(failure), client.phase === 'ready' ? 1 : found.sequence + 1);
      if (client.phase !== 'ready') connection.closes = true;
    }
  }
}

function login(server: Server, connection: Connection, body: Bytes, sequence: number): void {
  const client = connection.own as Client;
  const { session } = client;
  let proof = body;
  if (client.phase === 'login') {
    const flags = readWhole(body, 0, 4);
    let at = body.indexOf('\0', 32);
    session.user = textOf(body.slice(32, at));
    at++;
    if ((flags & LENENC_AUTH) !== 0) {
      const [value, next] = readSized(body, at);
      [proof, at] = [value ?? '', next];
    } else {
      const length = body.charCodeAt(at) || 0;
      [proof, at] = [body.slice(at + 1, at + 1 + length), at + 1 + length];
    }
    if ((flags & CONNECT_WITH_DB) !== 0) {
      const next = body.indexOf('\0', at);
      session.database = textOf(body.slice(at, next < 0 ? undefined : next));
      at = next < 0 ? body.length : next + 1;
    }
    const given = (flags & PLUGIN_AUTH) !== 0 ? body.slice(at).split('\0', 1)[0]! : 'mysql_native_password';
    session.host = connection.address.startsWith('127.') ? 'localhost' : connection.address;
    if (given !== client.plugin && ['mysql_native_password', 'caching_sha2_password'].includes(given) === false) {
      client.phase = 'switch';
      connection.unsent += packet(`\xfe${client.plugin}\0${client.nonce}\0`, sequence + 1);
      return;
    }
    client.plugin = given;
  }
  const users = readUsers(server.sys, server.own.data) ?? [];
  const user = users.find((one) => one.name === session.user && (one.host === '%' || one.host === session.host));
  if (!user || !isProven(client.plugin, proof, user, client.nonce)) {
    const using = proof === '' ? 'NO' : 'YES';
    throw new MyFailure(
      1045,
      '28000',
      `Access denied for user '${session.user}'@'${session.host}' (using password: ${using})`,
    );
  }
  if (session.database !== '' && !databasesOf(server).includes(session.database))
    throw new MyFailure(1049, '42000', `Unknown database '${session.database}'`);
  client.phase = 'ready';
  // Its password is known: the short way of caching_sha2_password.
  const isQuick = client.plugin === 'caching_sha2_password' && proof !== '';
  if (isQuick) connection.unsent += packet('\x01\x03', sequence + 1);
  connection.unsent += packet(okBody(0, 0, STATUS_AUTOCOMMIT), sequence + (isQuick ? 2 : 1));
}

function databasesOf({ sys, own }: Server): string[] {
  const names = sys.readDirectory(own.data).filter((name) => !name.startsWith('#') && !name.includes('.'));
  const isDirectory = (name: string): boolean => sys.stat(`${own.data}/${name}`).type === 'directory';
  return [...new Set([...SYSTEM, ...names.filter(isDirectory).map((name) => textOf(name))])].sort();
}

function hostOf(server: Server, client: Client): Host {
  const { sys, own } = server;
  const { session } = client;
  const directoryOf = (name: string): string => `${own.data}/${bytesOf(name)}`;
  let before = '';
  return {
    now: sys.now,
    random: () => sys.random(),
    databases: () => databasesOf(server),
    createDatabase(name) {
      if (name.includes('/') || name.startsWith('.'))
        throw new MyFailure(1102, '42000', `Incorrect database name '${name}'`);
      sys.makeDirectory(directoryOf(name), 0o750);
      tell(server);
    },
    dropDatabase(name) {
      if (SYSTEM.includes(name)) throw new MyFailure(3552, 'HY000', `Access to system schema '${name}' is rejected.`);
      for (const file of sys.readDirectory(directoryOf(name))) sys.unlink(`${directoryOf(name)}/${file}`);
      sys.removeDirectory(directoryOf(name));
      tell(server);
    },
    manage: (words, tokens) =>
      manage(words, tokens, readUsers(sys, own.data) ?? [], (users) => {
        writeUsers(sys, own.data, users);
        tell(server);
      }),
    open(database, of) {
      if (SYSTEM.includes(database)) throw unsupported(`tables of ${database}`);
      before = database === '' ? '' : readSegments(sys, directoryOf(database), 'ib');
      const call = {
        now: of.block?.at ?? sys.now,
        ...{ user: `${of.user}@${of.host}`, database, seed: of.block?.seed ?? Math.floor(sys.random() * 2 ** 31) },
        settings: { ...variablesOf(server), connection: String(client.id), last_insert_id: String(of.lastInsertId) },
      };
      return {
        sqlite: new Sqlite(before, FUNCTIONS, call, database === '' ? null : (of.block?.statements ?? null)),
        isNew: before === '',
      };
    },
    save(database, content) {
      writeSegments(sys, directoryOf(database), 'ib', before, content);
      tell(server, database);
    },
    variables: () => variablesOf(server),
    processes: () =>
      server.connections.map((connection) => {
        const { id, session: one, phase } = connection.own as Client;
        const busy = id === client.id;
        return [
          String(id),
          one.user,
          one.host,
          one.database || null,
          phase === 'ready' && busy ? 'Query' : 'Sleep',
          '0',
          busy ? 'init' : '',
          busy ? 'SHOW PROCESSLIST' : null,
        ];
      }),
    grants() {
      const user = (readUsers(sys, own.data) ?? []).find((one) => one.name === session.user);
      return user?.grants ?? [];
    },
  };
}

const variablesOf = ({ sys, own }: Server): Record<string, string> => ({
  ...{
    version: versionOf(sys),
    version_comment: isMaria(sys) ? 'mariadb.org binary distribution' : 'MySQL Community Server - GPL',
  },
  ...{
    hostname: sys.hostname,
    port: String(own.port),
    datadir: `${own.data}/`,
    socket: socketOf(sys),
    autocommit: 'ON',
  },
  ...{
    max_connections: '151',
    character_set_server: 'utf8mb4',
    collation_server: 'utf8mb4_0900_ai_ci',
    sql_mode: 'STRICT_TRANS_TABLES',
  },
  ...{
    max_allowed_packet: '67108864',
    tx_isolation: 'REPEATABLE-READ',
    transaction_isolation: 'REPEATABLE-READ',
    time_zone: 'SYSTEM',
  },
  ...{ server_id: '1', read_only: 'OFF', lower_case_table_names: '0', system_time_zone: 'UTC', wait_timeout: '28800' },
  ...{ auto_increment_increment: '1', innodb_version: versionOf(sys), license: 'GPL', character_set_client: 'utf8mb4' },
  ...own.settings,
});

/** A replica goes on where it was told to: it asks its source for changes. */
function follow(server: Server): void {
  const { own, sys } = server;
  const source = readSource(sys, own.data);
  const known = server.connections.find((one) => (one.own as Client).phase === 'link');
  if (known !== undefined) {
    if (!source?.isRunning) known.closes = true;
    return;
  }
  if (!source?.isRunning || own.isLocal) return;
  const session: Session = {
    ...{ user: 'system user', host: '', database: '', lastInsertId: 0, block: null, isAutocommit: true },
  };
  const client: Client = { phase: 'link', id: own.nextId++, nonce: '', plugin: '', session };
  const link = openLink(sys, source, client);
  if (link === undefined) server.tickAt(sys.now + source.retry * 1_000);
  else server.connections.push(link);
}

/** What the source has sent. */
function hear(server: Server, connection: Connection, client: Client): void {
  const { own, sys } = server;
  const source = readSource(sys, own.data);
  if (source === undefined) return void (connection.closes = true);
  takeFromSource(connection, client, source, (change) => {
    const names = databasesOf(server).filter((name) => !SYSTEM.includes(name));
    const users = applyChange(sys, own.data, change, names);
    writeUsers(sys, own.data, JSON.parse(users) as User[]);
    // Replicas of a replica.
    for (const name of databasesOf(server).filter((one) => !SYSTEM.includes(one))) tell(server, name);
  });
}

/** Tells replicas what has changed; of everything when one begins. */
function tell(server: Server, name?: string, to = server.connections.filter(isReplica)): void {
  if (to.length === 0) return;
  const { sys, own } = server;
  const names = databasesOf(server).filter((one) => !SYSTEM.includes(one));
  const users = JSON.stringify(readUsers(sys, own.data) ?? []);
  const body = describeChange(sys, own.data, names, users, name);
  for (const connection of to) connection.unsent += packet(body, 1);
}

const isReplica = ({ own }: Connection): boolean => (own as Client | null)?.phase === 'dump';

const WRITES = [
  'insert',
  'update',
  'delete',
  'replace',
  'create',
  'drop',
  'alter',
  'truncate',
  'grant',
  'revoke',
  'rename',
];

/** Throws MyFailure: a replica is not written to. */
function requireWritable({ own }: Server, text: string): void {
  if (own.settings?.['read_only'] !== 'ON') return;
  const [first = ''] = text.trim().toLowerCase().split(/\s+/, 1);
  const option = own.settings['super_read_only'] === 'ON' ? '--super-read-only' : '--read-only';
  if (WRITES.includes(first))
    throw new MyFailure(
      1290,
      'HY000',
      `The MySQL server is running with the ${option} option so it cannot execute this statement`,
    );
}

function command(server: Server, connection: Connection, body: Bytes): void {
  const client = connection.own as Client;
  const { session } = client;
  const kind = body.charCodeAt(0);
  const text = textOf(body.slice(1));
  const status = (): number => (session.block === null ? STATUS_AUTOCOMMIT : STATUS_AUTOCOMMIT | STATUS_IN_TRANSACTION);
  const ok = (): void => void (connection.unsent += packet(okBody(0, 0, status()), 1));
  if (kind === 1) connection.closes = true;
  else if (kind === 14 || kind === 0x1f) ok();
  else if (kind === 2) {
    if (!databasesOf(server).includes(text)) throw new MyFailure(1049, '42000', `Unknown database '${text}'`);
    session.database = text;
    ok();
  } else if (kind === 9)
    connection.unsent += packet(
      `Uptime: ${Math.floor((server.sys.now - server.own.startedAt) / 1_000)}  Threads: ${server.connections.length}  Questions: 1`,
      1,
    );
  else if (kind === 8) {
    ok();
    shutDown(server);
  } else if (kind === DUMP.charCodeAt(0)) {
    client.phase = 'dump';
    const names = databasesOf(server).filter((name) => !SYSTEM.includes(name));
    tell(server, undefined, [connection]);
    for (const name of names) tell(server, name, [connection]);
  } else if (kind === 3) query(server, connection, text, status);
  else throw new MyFailure(1295, 'HY000', 'This command is not supported in the prepared statement protocol yet');
}

function query(server: Server, connection: Connection, text: string, status: () => number): void {
  const client = connection.own as Client;
  if (!client.session.isAutocommit) client.session.block ??= { statements: [], at: server.sys.now, seed: 1 };
  requireWritable(server, text);
  const statement = new Statement(text, client.session, hostOf(server, client));
  try {
    const replicated = replicate(server.sys, server.own.data, text);
    if (replicated) follow(server);
    const { columns, rows = [], changes, lastInsertId } = replicated ?? statement.run();
    if (!columns) {
      connection.unsent += packet(okBody(changes, lastInsertId, status()), 1);
      return;
    }
    const bodies = [
      lengthOf(columns.length),
      ...columns.map((column) => columnBody(column, client.session.database)),
      eofBody(status()),
      ...rows.map(rowBody),
      eofBody(status()),
    ];
    connection.unsent += bodies.map((one, i) => packet(one, i + 1)).join('');
  } finally {
    server.sys.charge(statement.spent * 100);
  }
}

function shutDown(server: Server): void {
  const { own, sys } = server;
  if (own.endsAt !== null) return;
  log(
    server,
    'System',
    'MY-013172',
    `Received SHUTDOWN from user <via user signal>. Shutting down mysqld (Version: ${versionOf(sys)}).`,
  );
  own.endsAt = sys.now + STOP_MS;
  server.tickAt(own.endsAt);
}

export const mysqld = defineServer<Own>({
  signals: ['TERM', 'INT', 'QUIT'],
  start,
  begin,
  tick(server) {
    const { own, sys } = server;
    if (own.endsAt !== null && sys.now >= own.endsAt) return end(server);
    if (!own.isReady && own.problem === '') listen(server);
    else if (own.endsAt === null) follow(server);
  },
  signal: shutDown,
  connect: greet,
  receive,
  resume: ({ sys }, connection) => finishConnecting(sys, connection),
  disconnect(server, connection) {
    const { own, sys } = server;
    const source = (connection.own as Client).phase === 'link' ? readSource(sys, own.data) : undefined;
    if (source?.isRunning && own.endsAt === null) server.tickAt(sys.now + source.retry * 1_000);
  },
});
