import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { EXEC, exit, type Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { findCommand } from '../../tools/framework/command.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import { redisCli } from './cli.js';
import { loadAppended, writeAppended } from './append-only.js';
import { newClient } from './client.js';
import { readConfiguration } from './configuration.js';
import { measure } from './database.js';
import { execute } from './execute.js';
import { formatLine, LATEST, READY_MS, startLines } from './lines.js';
import { log } from './log.js';
import type { Client, Own } from './own.js';
import { inProtocol } from './resp3.js';
import { finishConnecting, follow, loseMaster, takeFromMaster } from './replication/follow.js';
import { newReplication } from './replication/link.js';
import { linkOf, masterOf } from './replication/state.js';
import { CommandFailure, failure, NIL_ARRAY, parseCommand } from './resp.js';
import { loadSnapshot, saveSnapshot } from './snapshot.js';

type Server = Running<Own>;
/** What a connection waits for: its turn, or a list's end. */
type Task = { words: Bytes[] | null; until: number | null };

const STOP_MS = 120;
/** Commands of one connection in one turn, and bytes of replies that wait for their reader. */
const MAX_TURN = 200;
const MAX_UNSENT = 1 << 20;
const CHUNK = 65_536;

const versionOf = (sys: Syscalls): string => sys.env['REDIS_VERSION'] ?? LATEST;

const startOf = (sys: Syscalls): number => sys.processes().find(({ pid }) => pid === sys.pid)?.startedAt ?? sys.now;

function readFile(sys: Syscalls, path: Bytes): Bytes | { readonly failure: string } {
  if (sys.access(path, 'r')) return readSmallFile(sys, path);
  return { failure: sys.access(path, '') ? 'Permission denied' : 'No such file or directory' };
}

function start(argv: readonly Bytes[], sys: Syscalls): Own {
  const file = argv[1] !== undefined && !argv[1].startsWith('-') ? argv[1] : undefined;
  const found = file === undefined ? undefined : readFile(sys, file);
  const text = typeof found === 'string' ? found : undefined;
  const args = argv.slice(file === undefined ? 1 : 2);
  const { settings, renamed, problem } = readConfiguration(text, args, versionOf(sys), (path) => readFile(sys, path));
  const fault =
    typeof found === 'object'
      ? `${formatLine('C', sys.now, '#', `Fatal error, can't open config file '${file}': ${found.failure}`)}\n`
      : problem;
  // Without `dir` it is the working directory.
  if (settings['dir'] === '') settings['dir'] = sys.cwd();
  return {
    ...{ argv: [...argv], problem: fault, configuration: settings, renamed, hasFile: argv.length > 1, isReady: false },
    databases: Array.from({ length: Number(settings['databases']) }, () => ({})),
    ...{ startedAt: startOf(sys), endsAt: null, dirty: 0, savedAt: sys.now },
    ...{ bytes: 0, isFull: false, commands: 0, connections: 0 },
    ...{ replication: newReplication(), unwritten: '', appended: 0, rewrites: false },
  };
}

function begin(server: Server): void {
  const { own, sys } = server;
  const [option] = own.argv.slice(1);
  if (option === '-v' || option === '--version') {
    server.out(`Redis server v=${versionOf(sys)} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0\n`);
    return server.exit(0);
  }
  if (own.problem !== '') {
    server.err(own.problem);
    return server.exit(1);
  }
  const loaded = loadSnapshot(sys, own);
  if (loaded === 'bad') {
    log(server, '#', 'Fatal error loading the DB, check server logs. Exiting.');
    return server.exit(1);
  }
  loaded?.slice(0, own.databases.length).forEach((database, i) => (own.databases[i] = database));
  server.tickAt(own.startedAt + READY_MS);
}

function listen(server: Server): void {
  const { own, sys } = server;
  const port = own.configuration['port']!;
  own.isReady = true;
  try {
    server.listen(Number(port));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, '#', `Warning: Could not create server TCP listening socket *:${port}: bind: ${error.message}`);
    log(server, '#', `Failed listening on port ${port} (tcp), aborting.`);
    return server.exit(1);
  }
  sys.setTitle(`redis-server *:${port}`);
  const lines = startLines(own.startedAt, versionOf(sys), port, own.hasFile, masterOf(own) ? 'S' : 'M');
  server.out(`${lines.slice(0, -1).join('\n')}\n`);
  if (!loadAppended(server)) return server.exit(1);
  own.bytes = measure(own.databases);
  server.out(`${lines.at(-1)}\n`);
  follow(server);
  plan(server);
}

/** Save points: after so many seconds when there were so many changes. */
function nextSave({ configuration, dirty, savedAt }: Own): number | undefined {
  const numbers = (configuration['save'] ?? '').split(' ').filter(Boolean).map(Number);
  const times = numbers.flatMap((seconds, i) =>
    i % 2 === 0 && dirty >= Math.max(1, numbers[i + 1] ?? 1) ? [savedAt + seconds * 1_000] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

function saveOrLog(server: Server): boolean {
  try {
    saveSnapshot(server.sys, server.own);
    log(server, '*', 'DB saved on disk');
    return true;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, '#', `Failed opening the temp RDB file for saving: ${error.message}`);
    server.own.savedAt = server.sys.now;
    return false;
  }
}

function shutDown(server: Server): void {
  const { own, sys } = server;
  log(server, '*', 'User requested shutdown...');
  if (own.configuration['save'] !== '') {
    log(server, '*', 'Saving the final RDB snapshot before exiting.');
    if (!saveOrLog(server)) {
      log(server, '#', "Error trying to save the DB, can't exit.");
      return;
    }
  }
  own.endsAt = sys.now + STOP_MS;
  server.tickAt(own.endsAt);
}

/** Waits for clients, and for the next thing to do: those that wait for lists have their turn at once. */
function plan(server: Server): void {
  const { own, sys } = server;
  if (own.endsAt !== null) return;
  const times = [
    nextSave(own),
    masterOf(own) && !linkOf(server.connections) ? (own.replication.retryAt ?? sys.now) : undefined,
  ];
  const known = times.filter((time) => time !== undefined);
  if (known.length > 0) server.tickAt(Math.max(Math.min(...known), sys.now));
}

const isBlocked = ({ task }: Connection): boolean => task !== null && (task as Task).words !== null;

/** Runs what has arrived, as long as the reader keeps up. */
function receive(server: Server, connection: Connection): void {
  connection.task = null;
  const { dirty, replication } = server.own;
  const before = dirty + replication.acks;
  takeAll(server, connection);
  writeAppended(server);
  if (server.own.dirty + replication.acks === before) return;
  plan(server);
  if (server.connections.some(isBlocked)) server.tickAt(server.sys.now);
}

function takeAll(server: Server, connection: Connection): void {
  const { master } = connection.own as Client;
  if (master !== null) return takeFromMaster(server, connection, master);
  for (let count = 0; !connection.closes; count++) {
    if (count >= MAX_TURN || connection.unsent.length > MAX_UNSENT) {
      connection.task = { words: null, until: null } satisfies Task;
      connection.wait = { writable: [connection.descriptor] };
      break;
    }
    if (!takeCommand(server, connection)) break;
  }
}

function takeCommand(server: Server, connection: Connection): boolean {
  try {
    const parsed = parseCommand(connection.received);
    if (parsed === undefined) return false;
    connection.received = connection.received.slice(parsed.length);
    server.sys.charge(20 + (parsed.length >> 3));
    if (parsed.words.length > 0) return answer(server, connection, [...parsed.words]);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    connection.unsent += failure(error.message);
    connection.closes = true;
  }
  return true;
}

/** False: the connection waits for a list. */
function answer(server: Server, connection: Connection, words: Bytes[]): boolean {
  const reply = execute(server, connection, words);
  if (typeof reply === 'string') {
    server.sys.charge(reply.length >> 3);
    connection.unsent += inProtocol(connection, words, reply);
    return true;
  }
  connection.task = { words: reply.again ? [...reply.again] : words, until: reply.blockUntil } satisfies Task;
  connection.wait = {
    readable: [connection.descriptor],
    ...(reply.blockUntil !== null && { until: reply.blockUntil }),
  };
  return false;
}

function resume(server: Server, connection: Connection): void {
  const { master } = connection.own as Client;
  if (master?.stage === 'connecting') return finishConnecting(server, connection, master);
  const { words, until } = connection.task as Task;
  if (words === null) return receive(server, connection);
  if (connection.received.length < CHUNK) {
    const bytes = server.sys.read(connection.descriptor, CHUNK);
    if (bytes === '') {
      connection.isEnded = true;
      connection.task = null;
      return;
    }
    connection.received += bytes ?? '';
  } else connection.closes = true;
  const reply = execute(server, connection, words);
  if (typeof reply !== 'string' && (until === null || server.sys.now < until)) return;
  const given = typeof reply === 'string' ? reply : (reply.late ?? NIL_ARRAY);
  connection.unsent += inProtocol(connection, words, given);
  receive(server, connection);
}

const server = defineServer<Own>({
  signals: ['TERM', 'INT'],
  start,
  begin,
  tick(running) {
    const { own, sys } = running;
    if (own.endsAt !== null && sys.now >= own.endsAt) {
      log(running, '#', 'Redis is now ready to exit, bye bye...');
      return running.exit(0);
    }
    if (!own.isReady) return listen(running);
    const saveAt = nextSave(own);
    if (saveAt !== undefined && saveAt <= sys.now) saveOrLog(running);
    follow(running);
    plan(running);
  },
  signal: shutDown,
  connect(running, connection) {
    running.own.connections++;
    connection.own = newClient();
  },
  receive,
  resume,
  disconnect(running, connection) {
    const { master, replica } = connection.own as Client;
    if (master !== null) loseMaster(running, master);
    if (replica?.isOnline) log(running, '*', `Connection with replica ${connection.address}:${replica.port} lost.`);
  },
});

const REDIS_USER = 999;
const MAX_OWNED = 1_000;

/** The server's directory becomes its user's, as far as it can, and the process, too. */
function becomeRedis(sys: Syscalls): void {
  const waiting = [sys.cwd()];
  for (let i = 0; i < waiting.length && i < MAX_OWNED; i++) {
    const path = waiting[i]!;
    const { type, user } = sys.lstat(path);
    if (user !== REDIS_USER) sys.chown(path, REDIS_USER, REDIS_USER, true);
    if (type === 'directory') waiting.push(...sys.readDirectory(path).map((name) => `${path}/${name}`));
  }
  sys.setUser(REDIS_USER, REDIS_USER, [REDIS_USER]);
}

/** docker-entrypoint.sh: options alone, or a file of settings, are the server's, which runs as its own user. */
const entrypoint: Program<null> = {
  start: () => null,
  step(_state, sys) {
    const given = sys.argv.slice(1);
    const isServer = given[0] === undefined || given[0].startsWith('-') || given[0].endsWith('.conf');
    const words = isServer ? ['redis-server', ...given] : given;
    try {
      if (words[0] === 'redis-server' && sys.user === 0) becomeRedis(sys);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
    try {
      sys.exec(findCommand(sys, words[0]!), words);
      return EXEC;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(2, `/usr/local/bin/docker-entrypoint.sh: 42: exec: ${words[0]}: not found\n`);
      return exit(127);
    }
  },
};

export const programs: Readonly<Record<string, Program>> = {
  'redis:redis-server': server,
  'redis:entrypoint': entrypoint as unknown as Program,
  'redis:redis-cli': redisCli,
};
