import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { defineServer, type Connection, type Running } from '../../../serve.js';
import type { Document } from '../data/value.js';
import { MongoFailure } from '../failure.js';
import { formatReply, takeCommand } from '../wire/message.js';
import { admin } from './admin.js';
import { crud } from './crud.js';
import { LATEST, logLine, READY_MS, startLines } from './lines.js';
import type { Client, Commands, Own } from './own.js';
import { loadDatabases } from './store.js';
import { OPEN, users } from './users.js';

type Server = Running<Own>;

const COMMANDS: Commands = { ...crud, ...admin, ...users };
const MAX_TURN = 100;
const WITH_VALUE = [
  '--dbpath',
  '--port',
  '--bind_ip',
  '--logpath',
  '--replSet',
  '--config',
  '-f',
  '--wiredTigerCacheSizeGB',
];

function start(argv: readonly Bytes[], sys: Syscalls): Own {
  const value = (name: string, otherwise: string): string => {
    const joined = argv.find((word) => word.startsWith(`${name}=`));
    return (
      joined?.slice(name.length + 1) ?? (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined) ?? otherwise
    );
  };
  return {
    ...{ argv: [...argv], port: Number(value('--port', '27017')), directory: value('--dbpath', '/data/db') },
    ...{ hasAuthentication: argv.includes('--auth'), version: sys.env['MONGO_VERSION'] ?? LATEST, databases: {} },
    ...{ startedAt: sys.now, isReady: false, connections: 0, cursors: [], nextCursor: 1 },
  };
}

/** An option that is not simulated; undefined: none. */
function findProblem(argv: readonly Bytes[]): string | undefined {
  for (let at = 1; at < argv.length; at++) {
    const [name = ''] = argv[at]!.split('=', 1);
    if (['--replSet', '--config', '-f', '--shardsvr', '--configsvr', '--tlsMode', '--keyFile', '--fork'].includes(name))
      return `mongod: ${name} is not simulated`;
    if (WITH_VALUE.includes(name)) at += argv[at]!.includes('=') ? 0 : 1;
    else if (
      ![
        '--auth',
        '--noauth',
        '--bind_ip_all',
        '--quiet',
        '--ipv6',
        '--nojournal',
        '--journal',
        '--directoryperdb',
      ].includes(name)
    )
      return `Error parsing command line: unrecognised option '${argv[at]}'\ntry 'mongod --help' for more information`;
  }
  return undefined;
}

function begin(server: Server): void {
  const { own, sys } = server;
  if (own.argv[1] === '--version') {
    server.out(`db version v${own.version}\n`);
    return server.exit(0);
  }
  const problem = findProblem(own.argv);
  if (problem !== undefined) {
    server.err(`${problem}\n`);
    return server.exit(problem.startsWith('Error') ? 2 : 1);
  }
  server.out(startLines(own.startedAt, sys.pid, own.port, own.directory, sys.hostname));
  if (!sys.access(own.directory, 'w')) {
    const error = sys.access(own.directory, '') ? 'Permission denied' : `Data directory ${own.directory} not found.`;
    server.out(
      logLine(sys.now, 'E', 'CONTROL', 20_557, 'initandlisten', 'DBException in initAndListen, terminating', { error }),
    );
    return server.exit(100);
  }
  const loaded = loadDatabases(sys, own.directory);
  if (loaded === null) {
    server.out(
      logLine(sys.now, 'E', 'STORAGE', 22_435, 'initandlisten', 'WiredTiger error', { error: 'file is damaged' }),
    );
    return server.exit(14);
  }
  own.databases = loaded;
  server.tickAt(own.startedAt + READY_MS);
}

function listen(server: Server): void {
  const { own, sys } = server;
  own.isReady = true;
  try {
    server.listen(own.port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.out(
      logLine(sys.now, 'E', 'CONTROL', 20_568, 'initandlisten', 'Error setting up listener', { error: error.message }),
    );
    return server.exit(48);
  }
  server.out(
    logLine(sys.now, 'I', 'NETWORK', 23_016, 'listener', 'Waiting for connections', { port: own.port, ssl: 'off' }),
  );
}

function receive(server: Server, connection: Connection): void {
  for (let turn = 0; turn < MAX_TURN; turn++) {
    const command = takeCommand(connection.received);
    if (command === undefined) return;
    if (command === 'bad') {
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(command.length);
    server.sys.charge(100 + (command.length >> 3));
    const answer = execute(server, connection.own as Client, command.document);
    if (!command.isSilent) connection.unsent += formatReply(command, answer);
  }
}

/** Runs a command; errors are answers. */
function execute({ own, sys }: Server, client: Client, document: Document): Document {
  const [command = ''] = Object.keys(document).filter((key) => key !== '$db');
  try {
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (own.hasAuthentication && client.user === null && !OPEN.includes(command))
      throw new MongoFailure(13, `Command ${command} requires authentication`);
    if (run === undefined) throw new MongoFailure(59, `no such command: '${command}'`);
    return run({ own, sys, client, command, document, database: String(document['$db'] ?? 'test') });
  } catch (error) {
    if (error instanceof SystemError) return { ok: 0, errmsg: error.message, code: 14_031, codeName: 'OutOfDiskSpace' };
    if (!(error instanceof MongoFailure)) throw error;
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName };
  }
}

/**
 * `mongod`. Left out: replica sets, transactions, change streams, roles (a user may do everything), and what a
 * command or an operator that is not known answers for itself.
 */
export const mongod = defineServer<Own>({
  signals: ['TERM', 'INT'],
  start,
  begin,
  tick(server) {
    if (!server.own.isReady) listen(server);
  },
  signal(server) {
    server.out(
      logLine(server.sys.now, 'I', 'CONTROL', 23_377, 'SignalHandler', 'Received signal', {
        signal: 15,
        error: 'Terminated',
      }),
    );
    server.exit(0);
  },
  connect(server, connection) {
    server.own.connections++;
    connection.own = { user: null, begun: null } satisfies Client;
  },
  receive,
});
