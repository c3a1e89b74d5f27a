import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { noChildren, reapChildren, startChildren, withChildren } from '../../../children.js';
import { defineServer, type Running } from '../../../serve.js';
import { receive } from './client.js';
import { readControl, readShared, socketPath, writeControl, writeData } from './files.js';
import { formatLine } from '../lines.js';
import { versionLine, versionOf } from '../server-version.js';
import { DEFAULTS } from './settings.js';
import type { Client, Own } from './own.js';

type Server = Running<Own>;

const READY_MS = 550;
const STOP_MS = 90;
const START_PID = 60;

const log = ({ sys, err }: Server, level: string, text: string, pid = sys.pid): void =>
  err(formatLine(sys.now, pid, level, text));

function start(argv: readonly string[], sys: Syscalls): Own {
  const own: Own = {
    ...{ argv: [...argv], data: sys.env['PGDATA'] ?? '', port: 5_432, addresses: '*', settings: {}, problem: '' },
    ...{ startedAt: sys.now, isReady: false, endsAt: null, nextPid: START_PID },
    children: noChildren(),
  };
  const invalid = readOptions(argv, own);
  for (const line of readSmallFile(sys, `${own.data}/postgresql.conf`).split('\n')) {
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*'?([^'#]*)/.exec(line) ?? [];
    if (name !== undefined) own.settings[name] ??= value!.trim();
  }
  own.addresses = own.settings['listen_addresses'] ?? '*';
  own.port = Number(own.settings['port'] ?? 5_432);
  own.problem = invalid ?? findProblem(own, sys) ?? '';
  return own;
}

/** What is wrong with the command line. */
function readOptions(argv: readonly string[], own: Own): string | undefined {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at]!;
    const next = (): string => argv[++at] ?? '';
    const set = (pair: string): void => {
      const cut = pair.indexOf('=');
      own.settings[pair.slice(0, cut < 0 ? undefined : cut).replaceAll('-', '_')] =
        cut < 0 ? 'on' : pair.slice(cut + 1);
    };
    if (word === '-D') own.data = next();
    else if (word === '-p') own.settings['port'] = next();
    else if (word === '-h') own.settings['listen_addresses'] = next();
    else if (word === '-N') own.settings['max_connections'] = next();
    else if (word === '-B') own.settings['shared_buffers'] = next();
    else if (word === '-c') set(next());
    else if (word.startsWith('-c')) set(word.slice(2));
    else if (word.startsWith('--') && word.includes('=')) set(word.slice(2));
    else return `postgres: invalid argument: "${word}"\nTry "postgres --help" for more information.\n`;
  }
  return undefined;
}

function findProblem({ data, settings }: Own, sys: Syscalls): string | undefined {
  const at = (level: string, text: string): string => formatLine(sys.now, sys.pid, level, text);
  if (sys.user === 0)
    return '"root" execution of the PostgreSQL server is not permitted.\nThe server must be started under an unprivileged user ID to prevent\npossible system security compromise.  See the documentation for\nmore information on how to properly start the server.\n';
  if (data === '')
    return 'postgres does not know where to find the server configuration file.\nYou must specify the --config-file or -D invocation option or set the PGDATA environment variable.\n';
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(DEFAULTS, name) && !name.includes('.'));
  if (unknown !== undefined) return at('FATAL', `unrecognized configuration parameter "${unknown}"`);
  if (!sys.access(`${data}/postgresql.conf`, 'r'))
    return `postgres: could not access the server configuration file "${data}/postgresql.conf": No such file or directory\n`;
  const version = readSmallFile(sys, `${data}/PG_VERSION`).trim();
  const [major = ''] = versionOf(sys).split('.');
  if (version !== major)
    return `${at('FATAL', 'database files are incompatible with server')}${at('DETAIL', `The data directory was initialized by PostgreSQL version ${version}, which is not compatible with this version ${versionOf(sys)}.`)}`;
  if (readShared(sys, data) === undefined) return at('FATAL', `could not read file "global/1262": read 0 of 8192`);
  const file = settings['config_file'];
  if (file !== undefined && !sys.access(file, 'r'))
    return `postgres: could not access the server configuration file "${file}": No such file or directory\n`;
  return undefined;
}

function begin(server: Server): void {
  const { own, sys } = server;
  if (own.argv[1] === '-V' || own.argv[1] === '--version') {
    server.out(`postgres (PostgreSQL) ${versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]}\n`);
    return server.exit(0);
  }
  if (own.problem !== '') {
    server.err(own.problem);
    return server.exit(1);
  }
  server.tickAt(own.startedAt + READY_MS);
}

/** Ends the server, and returns false, when it cannot write its lock file. */
function lock(server: Server, file: string, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, 'FATAL', `could not create lock file "${file}": ${error.message}`);
    server.exit(1);
    return false;
  }
}

function listen(server: Server): void {
  const { own, sys } = server;
  log(server, 'LOG', `starting ${versionLine(sys)}`);
  const isLocal = own.addresses === '';
  try {
    server.listen(own.port, isLocal || own.addresses === 'localhost' ? { address: '127.0.0.1' } : {});
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, 'LOG', `could not bind IPv4 address "0.0.0.0": ${error.message}`);
    log(
      server,
      'HINT',
      `Is another postmaster already running on port ${own.port}? If not, wait a few seconds and retry.`,
    );
    log(server, 'WARNING', `could not create listen socket for "${own.addresses}"`);
    log(server, 'FATAL', 'could not create any TCP/IP sockets');
    return server.exit(1);
  }
  if (!isLocal) {
    log(server, 'LOG', `listening on IPv4 address "0.0.0.0", port ${own.port}`);
    log(server, 'LOG', `listening on IPv6 address "::", port ${own.port}`);
  }
  const socket = socketPath(sys, own.port);
  if (!lock(server, `${socket}.lock`, () => writeData(sys, socket, '', 0o777))) return;
  log(server, 'LOG', `listening on Unix socket "${socket}"`);
  recover(server);
  own.isReady = true;
  const file = `${own.data}/postmaster.pid`;
  const isLocked = lock(server, file, () => {
    writeControl(sys, own.data, 'in production');
    writeData(sys, file, `${sys.pid}\n${own.data}\n${Math.floor(sys.now / 1_000)}\n${own.port}\n`);
  });
  if (!isLocked) return;
  startBackground(server);
  log(server, 'LOG', 'database system is ready to accept connections');
}

/** What it says of how the data were left. */
function recover(server: Server): void {
  const { own, sys } = server;
  const [state, at] = readControl(sys, own.data);
  const when = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const pid = own.nextPid++;
  if (state === 'shut down') return log(server, 'LOG', `database system was shut down at ${when}`, pid);
  log(server, 'LOG', `database system was interrupted; last known up at ${when}`, pid);
  log(server, 'LOG', 'database system was not properly shut down; automatic recovery in progress', pid);
  log(server, 'LOG', 'redo starts at 0/1950A28', pid);
  log(server, 'LOG', 'invalid record length at 0/1950B10: expected at least 24, got 0', pid);
  log(server, 'LOG', 'redo done at 0/1950AD8 system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 0.00 s', pid);
}

function shutDown(server: Server, signal: string): void {
  const { own, sys, connections } = server;
  if (own.endsAt !== null) return;
  const kind = { TERM: 'smart', INT: 'fast', QUIT: 'immediate' }[signal] ?? 'fast';
  log(server, 'LOG', `received ${kind} shutdown request`);
  if (kind === 'immediate') return server.exit(0);
  if (kind === 'fast') {
    log(server, 'LOG', 'aborting any active transactions');
    for (const connection of connections) connection.closes = true;
  } else if (connections.length > 0) {
    // Smart: it waits for its clients.
    own.endsAt = Infinity;
    return;
  }
  own.endsAt = sys.now + STOP_MS;
  server.tickAt(own.endsAt);
}

function end(server: Server): void {
  const { own, sys } = server;
  const pid = own.nextPid++;
  log(server, 'LOG', 'shutting down', pid);
  log(server, 'LOG', 'checkpoint starting: shutdown immediate', pid);
  for (const path of [`${own.data}/postmaster.pid`, socketPath(sys, own.port)]) removeFile(sys, path);
  try {
    writeControl(sys, own.data, 'shut down');
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, 'PANIC', `could not write to file "global/pg_control": ${error.message}`, pid);
  }
  log(server, 'LOG', 'database system is shut down');
  server.exit(0);
}

function removeFile(sys: Syscalls, path: string): void {
  try {
    sys.unlink(path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** The processes beside those of clients; a server of 18 has workers for I/O before them. */
const BACKGROUND = [
  'checkpointer',
  'background writer',
  'walwriter',
  'autovacuum launcher',
  'logical replication launcher',
];
const IO_WORKERS = ['io worker 0', 'io worker 1', 'io worker 2'];

function startBackground({ sys, own }: Server): void {
  const names = Number.parseInt(versionOf(sys), 10) >= 18 ? [...IO_WORKERS, ...BACKGROUND] : BACKGROUND;
  const looks = names.map((name) => ({ title: `postgres: ${name} ` }));
  own.nextPid = Math.max(own.nextPid, ...startChildren(sys, own.children, looks).map((pid) => pid + 1));
}

const server = defineServer<Own>({
  signals: ['TERM', 'INT', 'QUIT'],
  start,
  begin,
  tick(server) {
    const { own, sys } = server;
    if (own.endsAt !== null && sys.now >= own.endsAt) return end(server);
    if (!own.isReady && own.problem === '') listen(server);
  },
  signal: shutDown,
  connect({ own }, connection) {
    connection.own = {
      ...{ phase: 'startup', pid: own.nextPid++, bare: '', serverFirst: '', prepared: {}, portals: {} },
      ...{ isSkipping: false, state: 'idle', query: '', copy: null },
      session: { user: '', database: '', application: '', settings: {}, block: null },
    } satisfies Client;
  },
  child: ({ sys }) => reapChildren(sys),
  hasChild: ({ children }) => children.pids.length > 0,
  receive: (server, connection) => receive(server, connection, log),
  disconnect(server) {
    const { own, sys, connections } = server;
    if (own.endsAt !== Infinity || connections.length > 1) return;
    own.endsAt = sys.now + STOP_MS;
    server.tickAt(own.endsAt);
  },
});

export const postgres = withChildren(server);
