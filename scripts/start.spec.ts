import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../libs/testkit/service.js';

const START_MS = 60_000;
const STOP_MS = 20_000;
const TEST_MS = 150_000;
const linux = process.platform === 'linux';

interface Dev {
  readonly url: string;
  readonly graphqlUrl: string;
  readonly apiKey: string;
  readonly operatorKey: string;
}
interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  output(): string;
}

let port = 0;
let home = '';
const homes: string[] = [];

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as net.AddressInfo;
      server.close(() => resolve(free));
    });
  });

function newHome(): string {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-start-'));
  fs.chmodSync(home, 0o755);
  homes.push(home);
  return home;
}

/** `npm start`'s program with data of its own. */
function start(env: Record<string, string> = {}): Started {
  const clean = { ...process.env };
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL', 'HOST', 'NODE_ENV']) delete clean[name];
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...clean, TERRARIUM_HOME: home, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, exited: new Promise((resolve) => child.on('close', resolve)), output: () => output };
}

/** Everything that runs with this home, by its command line or its environment. */
function processes(): number[] {
  const mentions = (pid: string, file: string): boolean => {
    try {
      return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(home);
    } catch {
      return false;
    }
  };
  return fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && (mentions(pid, 'cmdline') || mentions(pid, 'environ')))
    .map(Number);
}

/** Waits until they have ended; an error names those that have not. */
const noneLeft = (): Promise<void> =>
  until(
    () => {
      const left = processes().map(
        (pid) =>
          `${pid} ${fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2]} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`,
      );
      if (left.length > 0) throw new Error(left.join('; '));
      return true;
    },
    STOP_MS,
    'every process to end',
  );

async function running(started: Started): Promise<Dev> {
  await until(
    () => started.output().includes('Terrarium runs at') || started.child.exitCode !== null,
    START_MS,
    'the service',
  );
  expect(started.output()).toContain('Terrarium runs at');
  return JSON.parse(fs.readFileSync(path.join(home, 'dev.json'), 'utf8')) as Dev;
}

/** What it says before it ends with code 1, after the name and the steps. */
async function refusal(env: Record<string, string> = {}): Promise<string> {
  const started = start(env);
  expect(await started.exited).toBe(1);
  await noneLeft();
  return started
    .output()
    .split('\n')
    .filter((line) => line !== '' && line !== 'Terrarium' && !line.startsWith('  '))
    .join('\n');
}

async function stop(started: Started, signal: NodeJS.Signals): Promise<void> {
  started.child.kill(signal);
  expect(await started.exited).toBe(0);
  await noneLeft();
}

const call = (dev: Dev, method: string, url: string, body?: object): Promise<{ id: string; items: { id: string }[] }> =>
  fetch(dev.url + url, {
    method,
    headers: { authorization: `Bearer ${dev.apiKey}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  }).then((r) => r.json() as Promise<{ id: string; items: { id: string }[] }>);

(linux ? describe : describe.skip)(`npm start${linux ? '' : ' (its processes are found in /proc)'}`, () => {
  beforeAll(async () => {
    port = await freePort();
    newHome();
  });
  afterEach(async () => {
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
    await noneLeft();
    for (const folder of homes.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
    newHome();
  }, STOP_MS);

  test(
    'comes up, keeps its data over Ctrl-C and over a crash, and leaves no process',
    async () => {
      const first = start();
      const dev = await running(first);
      expect(dev).toMatchObject({
        url: `http://localhost:${port}`,
        graphqlUrl: `http://localhost:${port}/graphql`,
        apiKey: expect.stringMatching(/^tk_/),
        operatorKey: expect.stringMatching(/^op_/),
      });
      const { id } = await call(dev, 'POST', '/v1/clusters', { name: 'kept' });

      const beside = start();
      expect(await beside.exited).toBe(1);
      expect(beside.output()).toContain('Terrarium already runs in this folder');
      expect(beside.output()).toContain(dev.url);
      await stop(first, 'SIGINT');

      const second = start();
      expect(await running(second)).toMatchObject({ apiKey: dev.apiKey, operatorKey: dev.operatorKey });
      expect((await call(dev, 'GET', '/v1/clusters')).items.map((c) => c.id)).toEqual([id]);
      for (const pid of processes()) process.kill(pid, 'SIGKILL');
      await noneLeft();

      const third = start();
      expect(await running(third)).toMatchObject({ apiKey: dev.apiKey });
      expect((await call(dev, 'GET', '/v1/clusters')).items.map((c) => c.id)).toEqual([id]);
      // Killed alone: what it has started must not outlive it, and the next start takes over at once.
      third.child.kill('SIGKILL');
      await third.exited;
      const fourth = start();
      expect((await call(await running(fourth), 'GET', '/v1/clusters')).items.map((c) => c.id)).toEqual([id]);
      await stop(fourth, 'SIGTERM');
    },
    TEST_MS,
  );

  test(
    'says that the port is taken',
    async () => {
      const taken = net.createServer();
      await new Promise<void>((resolve) => taken.listen(port, '0.0.0.0', resolve));
      const said = await refusal();
      await new Promise((resolve) => taken.close(resolve));
      expect(said).toBe(`Port ${port} is taken by another process: choose one with PORT=${port + 1} npm start.`);
    },
    TEST_MS,
  );

  test.each([
    [
      'a Redis that is not there',
      { REDIS_URL: 'redis://127.0.0.1:1' },
      /^Redis at 127\.0\.0\.1:1 does not answer \(.*\): start it, or leave REDIS_URL unset\.$/,
    ],
    [
      'what is no Redis URL',
      { REDIS_URL: 'localhost:6379' },
      /^REDIS_URL must be a URL that begins with redis:\/\/ or rediss:\/\/\.$/,
    ],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
      /^The database at 127\.0\.0\.1:1 cannot be used: .*\.$/,
    ],
    [
      'what is no database URL',
      { DATABASE_URL: 'my database' },
      /^DATABASE_URL must be a URL that begins with postgresql:\/\/ or postgres:\/\/\.$/,
    ],
    ['what is no port', { PORT: 'http' }, /^PORT must be a number from 1 to 65535, not "http"\.$/],
  ])(
    'says one sentence about %s',
    async (_what, env, sentence) => {
      expect(await refusal(env)).toMatch(sentence);
    },
    TEST_MS,
  );

  test(
    'says one sentence about data that PostgreSQL cannot use',
    async () => {
      fs.mkdirSync(path.join(home, 'postgres/data'), { recursive: true });
      fs.writeFileSync(path.join(home, 'postgres/data/PG_VERSION'), '9.6\n');
      expect(await refusal()).toMatch(/^PostgreSQL did not start: .*\(data in .*\)$/);
    },
    TEST_MS,
  );
});
