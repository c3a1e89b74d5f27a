import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { lineTime, startLines } from './lines.js';
import { type Server, fail } from './own.js';
import { portsOf } from '../route.js';
import { slashed, versionOf } from '../version.js';
import { WORKER, countWorkers, startWorkers } from './workers.js';
import { writeWholeFile } from '../../../tools/whole-file.js';

/** Writes the lines that are due; listens with the last of them. */
export function goOnStarting(server: Server): void {
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
export function makeTemporaryFolders(server: Server): boolean {
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
    writeWholeFile(sys, '/run/nginx.pid', `${sys.pid}\n`);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Why it could not; undefined: it listens. */
export function listenAll(server: Server, how: Binding = 'listen'): string | undefined {
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
