import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { findUser, readNames } from '../../tools/accounts.js';
import {
  type ChildLook,
  type Children,
  endChildren,
  noChildren,
  reapChildren,
  startChildren,
  withChildren,
} from '../children.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../dial.js';
import { httpDate, speakHttp, type AnswerParts, type HttpReply, type HttpRequest } from '../http.js';
import { lookUp } from '../lookup.js';
import { ownAddress } from '../own-address.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import { formatAccess, logsOf } from './access-log.js';
import { planAnswer, type Problem } from './answer.js';
import { ConfigurationFailure, findAll, findLast, readConfiguration, type Configuration } from './configuration.js';
import { control, type Command, readCommand } from './control.js';
import { formatLine, LATEST, nameless, READY_MS, resumeLines } from './lines.js';
import { errorPage } from './pages.js';
import { findSite } from './site.js';
import { writeWholeFile } from '../../tools/whole-file.js';

type Own = Command & {
  configuration: Plain;
  startedAt: number;
  isReady: boolean;
  endsAt: number | null;
  ports: number[];
  children: Children;
  served: number;
};
type Server = Running<Own>;

const STOP_MS = 50;
const PROXY_TIMEOUT_MS = 60_000;
const LOG_LIMIT = 1 << 16;

const versionOf = (sys: Syscalls): string => sys.env['HTTPD_VERSION'] ?? LATEST;
const configurationOf = ({ own }: Server): Configuration => own.configuration as unknown as Configuration;
const startOf = (sys: Syscalls): number => sys.processes().find(({ pid }) => pid === sys.pid)?.startedAt ?? sys.now;

const http = speakHttp<Own>({
  headers: ({ sys }) => ({ date: httpDate(sys.now), server: `Apache/${versionOf(sys)} (Unix)` }),
  answer,
  resume: (task, _request, server, connection) => goOn(server, connection, task as Dial),
  refuse: () => errorPage(400),
  log: writeAccess,
});

/**
 * Apache: one process that does its children's work, and idle children. Left out: what modules.ts says is not
 * simulated, .htaccess.
 */
const httpd = defineServer<Own>({
  signals: ['TERM', 'INT', 'HUP', 'USR1', 'WINCH'],
  start: (argv, sys) => ({
    ...readCommand(argv),
    ...{ configuration: null, startedAt: startOf(sys), isReady: false, endsAt: null, ports: [], served: 0 },
    children: noChildren(),
  }),
  begin(server) {
    if (load(server, true)) control(server, configurationOf(server), READY_MS);
  },
  tick(server) {
    if (server.own.endsAt !== null && server.sys.now >= server.own.endsAt) return end(server);
    if (!server.own.isReady) listen(server);
  },
  signal(server, signal) {
    if (signal === 'HUP' || signal === 'USR1') return restart(server, signal);
    const words =
      signal === 'WINCH'
        ? 'AH00492: caught SIGWINCH, shutting down gracefully'
        : 'AH00491: caught SIGTERM, shutting down';
    if (server.own.endsAt !== null) return;
    writeError(server, 'mpm_event:notice', words);
    server.own.endsAt = server.sys.now + STOP_MS;
    server.tickAt(server.own.endsAt);
  },
  child: renewChildren,
  hasChild: ({ children }) => children.pids.length > 0,
  receive: http.receive,
  resume: http.resume,
});

/** StartServers of mpm_event. */
const CHILDREN = 3;
/** They run as the user that the configuration names. */
function childrenOf(server: Server, count: number): ChildLook[] {
  const name = findLast(configurationOf(server).directives, 'user')?.args[0] ?? '';
  const user = findUser(readNames(server.sys), name);
  return Array.from({ length: count }, () => (user === undefined ? {} : { user }));
}

/** Children that have ended are started again. */
function renewChildren(server: Server): void {
  const { sys, own } = server;
  const ended = reapChildren(sys).map(({ pid }) => pid);
  const left = own.children.pids.filter((pid) => !ended.includes(pid));
  const missing = own.children.pids.length - left.length;
  if (missing === 0 || own.endsAt !== null) return;
  own.children.pids = left;
  startChildren(sys, own.children, childrenOf(server, missing));
}

/** False: the configuration is refused, and the process ends. */
function load(server: Server, isFirst: boolean): boolean {
  const { own, sys } = server;
  if (own.problem !== '') {
    server.err(`${own.problem}\n`);
    server.exit(1);
    return false;
  }
  if (own.mode === 'version') return true;
  try {
    own.configuration = readConfiguration(sys, own.file, own.defines) as unknown as Plain;
  } catch (error) {
    if (!(error instanceof ConfigurationFailure)) throw error;
    server.err(`${error.message}\n`);
    server.exit(1);
    return false;
  }
  const { directives } = configurationOf(server);
  if (findLast(directives, 'servername') === undefined && (own.mode === 'serve' || own.mode === 'test')) {
    const line = `${nameless(ownAddress(sys))}\n`;
    server.err(isFirst && own.mode === 'serve' ? line + line : line);
  }
  return true;
}

function listen(server: Server): void {
  const { own, sys } = server;
  const { directives, root } = configurationOf(server);
  const ports = findAll(directives, 'listen').map(({ args }) => Number((args[0] ?? '').split(':').at(-1)));
  if (ports.length === 0) server.err('no listening sockets available, shutting down\nAH00015: Unable to open logs\n');
  if (ports.length === 0) return server.exit(1);
  own.isReady = true;
  for (const port of new Set(ports)) {
    if (own.ports.includes(port)) continue;
    try {
      server.listen(port);
      own.ports.push(port);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const why = `(${error.code === 'EADDRINUSE' ? 98 : 13})${error.message}: AH00072: make_sock: could not bind to address`;
      server.err(`${why} [::]:${port}\n${why} 0.0.0.0:${port}\nno listening sockets available, shutting down\n`);
      server.err('AH00015: Unable to open logs\n');
      return server.exit(1);
    }
  }
  writePid(sys, pidFile(root, directives));
  endChildren(sys, own.children);
  startChildren(sys, own.children, childrenOf(server, CHILDREN));
  for (const line of resumeLines(sys.now, versionOf(sys), commandLine(own), sys.pid)) writeLog(server, line);
}

const commandLine = ({ argv }: Own): Bytes =>
  ['httpd', ...argv.slice(1).map((word) => word.replace(/^-D(?=.)/, '-D '))].join(' ');
const pidFile = (root: Bytes, directives: Configuration['directives']): Bytes => {
  const path = findLast(directives, 'pidfile')?.args[0] ?? 'logs/httpd.pid';
  return path.startsWith('/') ? path : `${root}/${path}`;
};

function writePid(sys: Syscalls, path: Bytes): void {
  try {
    writeWholeFile(sys, path, `${sys.pid}\n`);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

function end(server: Server): void {
  const { root, directives } = configurationOf(server);
  try {
    server.sys.unlink(pidFile(root, directives));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  server.exit(0);
}

function restart(server: Server, signal: 'HUP' | 'USR1'): void {
  const isGraceful = signal === 'USR1';
  const words = isGraceful
    ? 'AH00493: SIGUSR1 received.  Doing graceful restart'
    : 'AH00494: SIGHUP received.  Attempting to restart';
  writeError(server, 'mpm_event:notice', words);
  if (load(server, false)) listen(server);
}

function answer(request: HttpRequest, server: Server, connection: Connection): HttpReply {
  const configuration = configurationOf(server);
  server.own.served++;
  const plan = planAnswer({ sys: server.sys, configuration, request, port: connection.port });
  if ('answer' in plan) {
    if (plan.problem) writeProblem(server, connection, plan.problem);
    return plan.answer;
  }
  return proxy(server, connection, request, plan.proxy, plan.uri);
}

function proxy(server: Server, connection: Connection, request: HttpRequest, target: Bytes, uri: Bytes): HttpReply {
  const [, host = '', port = '80'] = /^http:\/\/([^/:]+)(?::(\d+))?/.exec(target) ?? [];
  const [address] = host === '' ? [] : lookUp(server.sys, host).addresses;
  if (address === undefined) {
    const text = `DNS lookup failure for: ${host} returned by ${request.route}`;
    writeProblem(server, connection, { source: 'proxy:error', text: `AH00898: ${text}` });
    return errorPage(502, `DNS lookup failure for: ${host}`);
  }
  const { directives } = configurationOf(server);
  const keepsHost = /^on$/i.test(findLast(directives, 'proxypreservehost')?.args[0] ?? '');
  const own = {
    'x-forwarded-for': connection.address,
    connection: 'close',
    ...(keepsHost ? {} : { host: `${host}:${port}` }),
  };
  const headers = Object.entries({ ...request.headers, ...own });
  const head = headers.map(([key, value]) => `${key}: ${bytesOf(value)}\r\n`).join('');
  const bytes = `${request.method} ${uri} HTTP/1.1\r\n${head}\r\n${request.body}`;
  return goOn(server, connection, dial(server.sys, address, Number(port), 'tcp', bytes, PROXY_TIMEOUT_MS));
}

function goOn(server: Server, connection: Connection, dialed: Dial): HttpReply {
  const outcome = continueDial(server.sys, dialed, isWholeAnswer);
  if ('wait' in outcome) return { task: dialed, wait: outcome.wait };
  if ('error' in outcome) {
    const why = `(111)Connection refused: AH00957: http: attempt to connect to ${dialed.address}:${dialed.port} (${dialed.address}:${dialed.port}) failed`;
    writeProblem(server, connection, { source: 'proxy:error', text: why });
    return errorPage(503);
  }
  const received = readAnswer(outcome.received);
  if (received === undefined) return errorPage(502, 'Error reading from remote server');
  const headers: Record<string, string> = {};
  for (const line of received.head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !['connection', 'content-length', 'transfer-encoding'].includes(name))
      headers[name] = line.slice(colon + 1).trim();
  }
  return { status: received.status, headers, body: received.body };
}

function writeProblem(server: Server, { address, remotePort }: Connection, { source, text }: Problem): void {
  writeError(server, source, `[client ${address}:${remotePort}] ${text}`);
}

const writeError = (server: Server, source: string, text: Bytes): void =>
  writeLog(server, formatLine(server.sys.now, source, text, server.sys.pid));

/** A line of the error log: /proc/self/fd/2, or a file. */
function writeLog(server: Server, line: Bytes): void {
  const { directives, root } = configurationOf(server);
  writeTo(server, findLast(directives, 'errorlog')?.args[0] ?? 'logs/error_log', root, `${line}\n`);
}

function writeTo(server: Server, file: Bytes, root: Bytes, line: Bytes): void {
  if (/^(?:\/proc\/self\/fd\/1|\/dev\/stdout)$/.test(file)) return server.out(line);
  if (/^(?:\/proc\/self\/fd\/2|\/dev\/stderr)$/.test(file)) return server.err(line);
  const path = file.startsWith('/') ? file : `${root}/${file}`;
  try {
    const descriptor = server.sys.open(path, { write: true, create: true, append: true }, 0o644);
    server.sys.write(descriptor, line.slice(0, LOG_LIMIT));
    server.sys.close(descriptor);
  } catch (error) {
    // A log that cannot be written is lost, as Apache's is on a full disk.
    if (!(error instanceof SystemError)) throw error;
  }
}

function writeAccess(request: HttpRequest, parts: AnswerParts, server: Server, connection: Connection): void {
  const configuration = configurationOf(server);
  const { sys } = server;
  const { chain } = findSite(configuration, connection.port, request.headers['host'] ?? '');
  const { address, port } = connection;
  const host = bytesOf(request.headers['host'] ?? '-');
  for (const { file, format } of logsOf(chain)) {
    const line = formatAccess(format, { request, answer: parts, address, port, at: sys.now, pid: sys.pid, host });
    writeTo(server, file, configuration.root, `${line}\n`);
  }
}

export const programs: Readonly<Record<string, Program>> = { 'httpd:httpd': withChildren(httpd) };
