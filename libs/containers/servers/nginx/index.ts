import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { type Children, noChildren, withChildren } from '../children.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../dial.js';
import { httpDate, sizeOfBody, speakHttp, type AnswerParts, type HttpReply, type HttpRequest } from '../http.js';
import { lookUp } from '../lookup.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import { accessLine } from './access-line.js';
import { errorPage, plainPage, planAnswer } from './answer.js';
import { ConfigurationFailure, find, findAll, readConfiguration, type Directive } from './configuration.js';
import { entrypoint } from './entrypoint.js';
import { lineTime, startLines } from './lines.js';
import { portsOf } from './route.js';
import { readHellos } from './tls.js';
import { slashed, startOf, versionOf } from './version.js';
import { countWorkers, nameMaster, reapWorkers, replaceWorkers, startWorkers, WORKER } from './workers.js';

type Mode = 'serve' | 'version' | 'test' | 'signal';
type Own = {
  argv: Bytes[];
  file: Bytes;
  mode: Mode;
  signal: Bytes;
  configuration: Directive[];
  /** What is shown at ports of TLS. */
  hellos: Record<string, Plain>;
  written: number;
  startedAt: number;
  hasEntrypoint: boolean;
  ports: number[];
  isReady: boolean;
  /** Tries to get its ports that have failed. */
  tries: number;
  endsAt: number | null;
  workers: Children;
  /** Workers that are told to end, after a reload. */
  oldWorkers: number[];
  /** The user's problem with the command line. */
  problem: Bytes;
};
type Server = Running<Own>;
type Task = { dial: Dial; target: Bytes };

const DEFAULT_FILE = '/etc/nginx/nginx.conf';
const STOP_MS = 50;
const PROXY_TIMEOUT_MS = 60_000;
const SIGNALS = { stop: 'TERM', quit: 'QUIT', reload: 'HUP', reopen: 'USR1' } as const;

const http = speakHttp<Own>({
  headers: ({ sys }) => ({ server: `nginx/${versionOf(sys)}`, date: httpDate(sys.now) }),
  answer,
  resume: (task, request, server) => goOn(server, request, task as Task),
  refuse: ({ sys }) => errorPage({ version: versionOf(sys) }, 400),
  tls: ({ own }, port) => own.hellos[port] as ServerHello | undefined,
  refusePlain: ({ sys }) => plainPage({ version: versionOf(sys) }),
  log: writeAccess,
});

/**
 * The web server: a master that does its workers' work, and idle workers. Left out: modules but those of HTTP, caches,
 * `if`.
 */
const nginx = defineServer<Own>({
  signals: ['TERM', 'INT', 'QUIT', 'HUP', 'USR1', 'USR2', 'WINCH'],
  start: (argv, sys) => ({
    ...readCommand(argv),
    // The entrypoint has taken its time before it became this program.
    hasEntrypoint: startOf(sys) < sys.now,
    ...{
      configuration: [],
      hellos: {},
      written: 0,
      startedAt: startOf(sys),
      ports: [],
      isReady: false,
      tries: 0,
      endsAt: null,
      workers: noChildren(),
      oldWorkers: [],
    },
  }),
  begin(server) {
    const { own } = server;
    if (own.problem !== '') return fail(server, `nginx: ${own.problem}`);
    if (own.mode === 'version') {
      server.err(`nginx version: nginx/${versionOf(server.sys)}\n`);
      return server.exit(0);
    }
    if (own.mode === 'signal') return signalMaster(server);
    if (!load(server)) return;
    if (own.mode === 'test') {
      server.err(`nginx: the configuration file ${own.file} syntax is ok\n`);
      server.err(`nginx: configuration file ${own.file} test is successful\n`);
      return server.exit(0);
    }
    if (!makeTemporaryFolders(server)) return;
    nameMaster(server.sys);
    goOnStarting(server);
  },
  tick(server) {
    if (server.own.endsAt !== null && server.sys.now >= server.own.endsAt) server.exit(0);
    else if (!server.own.isReady) goOnStarting(server);
  },
  signal(server, signal) {
    if (signal === 'HUP') return reload(server);
    if (signal === 'USR1') return reopen(server);
    // No other binary takes over, and what is no daemon keeps its workers.
    if (signal === 'USR2' || signal === 'WINCH') return;
    server.own.endsAt ??= server.sys.now + STOP_MS;
    server.tickAt(server.own.endsAt);
  },
  child: reapWorkers,
  hasChild: ({ workers, oldWorkers }) => workers.pids.length + oldWorkers.length > 0,
  receive: http.receive,
  resume: http.resume,
});

function readCommand(argv: readonly Bytes[]): Pick<Own, 'argv' | 'file' | 'mode' | 'signal' | 'problem'> {
  const found = { argv: [...argv], file: DEFAULT_FILE, mode: 'serve' as Mode, signal: '', problem: '' };
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i]!;
    const value = (): Bytes => (word.length > 2 ? word.slice(2) : (argv[++i] ?? ''));
    if (word === '-v' || word === '-V') found.mode = 'version';
    else if (word === '-t' || word === '-T') found.mode = 'test';
    else if (word === '-q') continue;
    else if (word.startsWith('-c')) found.file = value();
    else if (word.startsWith('-g') || word.startsWith('-p') || word.startsWith('-e')) value();
    else if (word.startsWith('-s')) {
      found.mode = 'signal';
      found.signal = value();
      if (!Object.hasOwn(SIGNALS, found.signal)) found.problem = `invalid option: "-s ${found.signal}"`;
    } else found.problem = `invalid option: "${word.replace(/^-/, '')}"`;
  }
  return found;
}

function fail(server: Server, message: Bytes): void {
  server.err(`${message}\n`);
  server.exit(1);
}

/** False: the configuration is refused, in nginx' words. */
function load(server: Server): boolean {
  const { sys, own } = server;
  try {
    own.configuration = readConfiguration(sys, own.file);
    checkUpstreams(server);
    own.hellos = readHellos(sys, own.configuration) as unknown as Record<string, Plain>;
    return true;
  } catch (error) {
    if (!(error instanceof ConfigurationFailure)) throw error;
    if (own.isReady) {
      server.err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${error.message}\n`);
      return false;
    }
    if (own.mode === 'serve') server.err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${error.message}\n`);
    server.err(`nginx: [emerg] ${error.message}\n`);
    if (own.mode === 'test') server.err(`nginx: configuration file ${own.file} test failed\n`);
    server.exit(1);
    return false;
  }
}

/** Names of upstream servers are resolved when the configuration is read. */
function checkUpstreams({ sys, own }: Server): void {
  const upstreams = findAll(find(own.configuration, 'http')?.block ?? [], 'upstream');
  const names = new Set(upstreams.map(({ args }) => args[0]));
  const check = (host: Bytes, { file, line }: Directive): void => {
    if (lookUp(sys, host).addresses.length > 0) return;
    throw new ConfigurationFailure(`host not found in upstream "${host}" in ${file}:${line}`);
  };
  for (const { block } of upstreams) {
    for (const server of findAll(block, 'server')) check((server.args[0] ?? '').replace(/:\d+$/, ''), server);
  }
  const visit = (block: readonly Directive[]): void => {
    for (const directive of block) {
      const host =
        directive.name === 'proxy_pass' ? /^https?:\/\/([^/:$]+)/.exec(directive.args[0] ?? '')?.[1] : undefined;
      if (host !== undefined && !directive.args[0]!.includes('$') && !names.has(host)) check(host, directive);
      if (directive.block !== null) visit(directive.block);
    }
  };
  visit(own.configuration);
}

/** Writes the lines that are due; listens with the last of them. */
function goOnStarting(server: Server): void {
  const { sys, own } = server;
  const workers = countWorkers(own.configuration);
  const all = startLines(own.startedAt, versionOf(sys), own.hasEntrypoint, sys.pid, workers);
  const count = all.entrypoint.length;
  own.written = Math.max(own.written, count);
  if (own.written === count && !bindAll(server, 'try')) return;
  const lines = [...all.entrypoint, ...all.master];
  for (; own.written < lines.length; own.written++) {
    const at = own.startedAt + lineTime(own.written, lines.length);
    if (sys.now < at) return server.tickAt(at);
    const worker = own.written - (lines.length - workers);
    if (worker === 0) startWorkers(server);
    const line = lines[own.written]!;
    server.err(
      `${worker < 0 ? line : `${line.slice(0, line.lastIndexOf(' ') + 1)}${own.workers.pids[worker] ?? ''}`}\n`,
    );
  }
  const readyAt = own.startedAt + lineTime(lines.length, lines.length);
  if (sys.now < readyAt) return server.tickAt(readyAt);
  if (!bindAll(server, 'listen')) return;
  own.isReady = true;
  writePid(sys);
}

const BIND_TRIES = 5;
const BIND_MS = 500;

/** Sockets are open before anything else is said, and listen once all is. */
type Binding = 'try' | 'listen';

/** False: it tries again, or gives up. Models ngx_open_listening_sockets. */
function bindAll(server: Server, how: Binding): boolean {
  const { sys, own } = server;
  if (own.tries === BIND_TRIES) {
    logEmergency(server, 'still could not bind()');
    server.exit(1);
    return false;
  }
  const failed = listenAll(server, how);
  if (failed === undefined) return true;
  if (failed !== 'EADDRINUSE') {
    server.exit(1);
    return false;
  }
  own.tries++;
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: try again to bind() after ${BIND_MS}ms\n`);
  server.tickAt(sys.now + BIND_MS);
  return false;
}

/** To the log, and as long as it starts to the terminal as well. */
function logEmergency({ sys, err }: Server, message: string): void {
  err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${message}\n`);
  err(`nginx: [emerg] ${message}\n`);
}

const CACHE = '/var/cache/nginx';
const ERRORS: Readonly<Record<string, number>> = { EPERM: 1, EACCES: 13, ENOTDIR: 20, ENOSPC: 28, EROFS: 30 };
const TEMPORARY = ['client_temp', 'proxy_temp', 'fastcgi_temp', 'uwsgi_temp', 'scgi_temp'];

/** False: they cannot be made. The first of them says why. Models ngx_create_paths. */
function makeTemporaryFolders(server: Server): boolean {
  const { sys } = server;
  for (const name of TEMPORARY) {
    const path = `${CACHE}/${name}`;
    let call = `mkdir() "${path}"`;
    try {
      if (!sys.access(path, 'r')) sys.makeDirectory(path, 0o700);
      // Its workers are another user, whom root hands the folders over to.
      call = `chown("${path}", ${WORKER})`;
      if (sys.user === 0) sys.chown(path, WORKER, 0);
    } catch (error) {
      // Images of other makers have the folders elsewhere.
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'ENOENT' || error.code === 'EEXIST') continue;
      const message = `${call} failed (${ERRORS[error.code] ?? 0}: ${error.message})`;
      server.err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${message}\n`);
      fail(server, `nginx: [emerg] ${message}`);
      return false;
    }
  }
  return true;
}

function writePid(sys: Syscalls): void {
  try {
    const descriptor = sys.open('/run/nginx.pid', { write: true, create: true, truncate: true }, 0o644);
    sys.write(descriptor, `${sys.pid}\n`);
    sys.close(descriptor);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Why it could not; undefined: it listens. */
function listenAll(server: Server, how: Binding = 'listen'): string | undefined {
  const { sys, own } = server;
  let failed: string | undefined;
  for (const port of portsOf(own.configuration).keys()) {
    if (own.ports.includes(port)) continue;
    try {
      if (how === 'try') sys.close(sys.listen(port));
      else {
        server.listen(port);
        own.ports.push(port);
      }
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      failed = error.code;
      const number = error.code === 'EADDRINUSE' ? 98 : 13;
      logEmergency(server, `bind() to 0.0.0.0:${port} failed (${number}: ${error.message})`);
      if (error.code !== 'EADDRINUSE') return failed;
    }
  }
  return failed;
}

function reload(server: Server): void {
  const { sys } = server;
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: signal 1 (SIGHUP) received from 0, reconfiguring\n`);
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: reconfiguring\n`);
  if (!load(server)) return;
  listenAll(server);
  replaceWorkers(server);
}

function reopen({ sys, err }: Server): void {
  const head = `${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}:`;
  err(`${head} signal 10 (SIGUSR1) received from 0, reopening logs\n${head} reopening logs\n`);
}

/** nginx -s. */
function signalMaster(server: Server): void {
  const { sys, own } = server;
  const pid = Number(readSmallFile(sys, '/run/nginx.pid').trim());
  if (!load(server)) return;
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: signal process started\n`);
  if (!(pid > 0)) return fail(server, 'nginx: [error] invalid PID number "" in "/run/nginx.pid"');
  try {
    sys.kill(pid, SIGNALS[own.signal as keyof typeof SIGNALS]);
    server.exit(0);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fail(
      server,
      `nginx: [alert] kill(${pid}, ${own.signal}) failed (${error.code === 'ESRCH' ? 3 : 1}: ${error.message})`,
    );
  }
}

function answer(request: HttpRequest, server: Server, connection: Connection): HttpReply {
  const { sys, own } = server;
  const plan = planAnswer({ sys, configuration: own.configuration, request, connection, version: versionOf(sys) });
  if ('answer' in plan) {
    if (plan.problem !== undefined) writeError(server, request, connection, plan.problem);
    return plan.answer;
  }
  return proxy(server, request, connection, plan.proxy, plan.uri);
}

function proxy(server: Server, request: HttpRequest, connection: Connection, target: Bytes, uri: Bytes): HttpReply {
  const { sys, own } = server;
  const [, name = '', given] = /^https?:\/\/([^/:]+)(?::(\d+))?/.exec(target) ?? [];
  const upstream = findAll(find(own.configuration, 'http')?.block ?? [], 'upstream').find(
    ({ args }) => args[0] === name,
  );
  const servers = findAll(upstream?.block ?? null, 'server');
  const chosen =
    servers.length === 0 ? `${name}:${given ?? 80}` : servers[Math.floor(sys.random() * servers.length)]!.args[0]!;
  const [host = '', port = '80'] = chosen.split(':');
  const [address] = lookUp(sys, host).addresses;
  if (address === undefined) {
    writeError(server, request, connection, `${host} could not be resolved (3: Host not found)`);
    return errorPage({ version: versionOf(sys) }, 502);
  }
  const headers = Object.entries({ ...request.headers, host: name, connection: 'close' });
  const head = headers.map(([key, value]) => `${key}: ${bytesOf(value)}\r\n`).join('');
  const bytes = `${request.method} ${uri} HTTP/1.0\r\n${head}\r\n${request.body}`;
  const task: Task = { dial: dial(sys, address, Number(port), 'tcp', bytes, PROXY_TIMEOUT_MS), target };
  return goOn(server, request, task);
}

function goOn(server: Server, request: HttpRequest, task: Task): HttpReply {
  const outcome = continueDial(server.sys, task.dial, isWholeAnswer);
  if ('wait' in outcome) return { task: task as Plain, wait: outcome.wait };
  const version = versionOf(server.sys);
  if ('error' in outcome) {
    const isTimeout = outcome.error === 'TIMEOUT' || outcome.error === 'ETIMEDOUT';
    server.err(
      `${errorHead(server)} *1 ${isTimeout ? 'upstream timed out (110: Operation timed out)' : 'connect() failed (111: Connection refused)'} while connecting to upstream, request: "${request.method} ${request.path} HTTP/1.1", upstream: "${task.target}"\n`,
    );
    return errorPage({ version }, isTimeout ? 504 : 502);
  }
  const received = readAnswer(outcome.received);
  if (received === undefined) return errorPage({ version }, 502);
  const headers = readHeaders(received.head);
  return { status: received.status, headers, body: received.body };
}

/** Workers say what goes wrong with a request. */
function errorHead({ sys, own }: Server): string {
  const [pid = sys.pid] = own.workers.pids;
  return `${slashed(sys.now)} [error] ${pid}#${pid}:`;
}

const OWN_HEADERS = ['connection', 'content-length', 'transfer-encoding', 'date', 'server'];

/** The headers of an upstream server's answer that are passed on. */
function readHeaders(head: Bytes): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !OWN_HEADERS.includes(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

function writeError(
  server: Server,
  { method, path, headers }: HttpRequest,
  { address }: Connection,
  problem: Bytes,
): void {
  server.err(
    `${errorHead(server)} *1 ${problem}, client: ${address}, server: localhost, request: "${method} ${path} HTTP/1.1", host: "${bytesOf(headers['host'] ?? '')}"\n`,
  );
}

/** The format `main` of the image's configuration. */
function writeAccess(request: HttpRequest, answer: AnswerParts, server: Server, { address }: Connection): void {
  const level = find(find(server.own.configuration, 'http')?.block ?? null, 'access_log')?.args[0];
  if (level === 'off') return;
  const { method, path, headers } = request;
  const asked = { method, path: textOf(path), headers };
  const line = accessLine({ address, request: asked, answer, size: sizeOfBody(answer), now: server.sys.now });
  server.out(`${bytesOf(line)}\n`);
}

export const programs: Readonly<Record<string, Program>> = {
  'nginx:nginx': withChildren(nginx),
  'nginx:entrypoint': entrypoint as unknown as Program,
};
