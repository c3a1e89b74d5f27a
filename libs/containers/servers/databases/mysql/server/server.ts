import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { defineServer, type Connection } from '../../../serve.js';
import { readSegments, writeSegments } from '../../sqlite/segments.js';
import { Sqlite } from '../../sqlite/sqlite.js';
import type { Host } from '../sql/contract.js';
import { MyFailure, unsupported } from '../failure.js';
import { FUNCTIONS } from '../sql/functions.js';
import { formatLine, socketOf, versionOf } from '../lines.js';
import { Statement } from '../sql/session.js';
import { DUMP, finishConnecting } from './link.js';
import { greet, login } from './login.js';
import { follow, hear, requireWritable, tell } from './replicas.js';
import { readSettings } from './settings.js';
import { readSource, replicate } from './source.js';
import { databasesOf, isMaria, readUsers, SYSTEM, writeUsers, type Client, type Own, type Server } from './state.js';
import { manage } from './users.js';
import {
  columnBody,
  eofBody,
  errorBody,
  lengthOf,
  okBody,
  packet,
  readPacket,
  rowBody,
  STATUS_AUTOCOMMIT,
  STATUS_IN_TRANSACTION,
} from './wire.js';

const READY_MS = 700;
const STOP_MS = 300;
const MAX_TURN = 50;
const MAX_UNSENT = 4 << 20;
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
