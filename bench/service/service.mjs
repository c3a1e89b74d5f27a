// A service of the bench's own: Postgres, api and worker in a temporary folder, durable as in production.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { run } from '../../scripts/local/build.mjs';
import { migratePlatform } from '../../scripts/local/migrate.mjs';
import { root } from '../../scripts/local/paths.mjs';
import { freePort, startPostgres } from '../../scripts/local/postgres.mjs';
import { Program, untilReady } from '../../scripts/local/processes.mjs';

const READY_TIMEOUT_MS = 120_000;
const MEMORY_TIMEOUT_MS = 20_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The embedded default, which here also keeps the time of every commit. */
async function startTimedPostgres(folder) {
  const first = await startPostgres({ folder });
  const client = new pg.Client({ connectionString: first.url });
  await client.connect();
  await client.query('alter system set track_commit_timestamp = on');
  await client.end();
  await first.stop();
  return startPostgres({ folder });
}

/** What a process keeps after its garbage is collected: `{ used, rss }` in bytes. */
async function memoryOf(pid, folder) {
  const file = path.join(folder, `${pid}.json`);
  fs.rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; !fs.existsSync(file); waited += 50) {
    if (waited > MEMORY_TIMEOUT_MS) throw new Error(`process ${pid} does not tell its memory`);
    await sleep(50);
  }
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

async function startRedis(folder) {
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder], {
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, stop: async () => (child.kill('SIGTERM'), exited) };
}

/** `mode`: 'postgres' (the embedded default) or 'redis'. */
export async function startService(mode) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-bench-'));
  fs.chmodSync(folder, 0o755);
  const closers = [async () => fs.rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closers.reverse()) await step();
  };
  try {
    const postgres = await startTimedPostgres(path.join(folder, 'postgres'));
    closers.push(postgres.stop);
    const redis = mode === 'redis' ? await startRedis(folder) : undefined;
    if (redis) closers.push(redis.stop);
    await migratePlatform(postgres.url);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: postgres.url,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      LOG_LEVEL: 'warn',
      REDIS_URL: redis?.url,
      BENCH_MEMORY: folder,
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(path.join(import.meta.dirname, 'collect.mjs'))}`.trim(),
    };
    if (!redis) delete env.REDIS_URL;
    const prepared = await run(process.execPath, [path.join(root, 'dist/apps/api/prepare.js')], {
      env: { ...process.env, ...env },
    });
    let gaveUp;
    const programs = ['worker', 'api'].map(
      (name) => new Program(name, path.join(root, `dist/apps/${name}/main.js`), env, (error) => (gaveUp = error)),
    );
    for (const program of programs) {
      closers.push(() => program.stop());
      program.start();
    }
    await untilReady(`${url}/readyz`, READY_TIMEOUT_MS, () => gaveUp);
    for (const program of programs) program.trusted = true;
    const [worker, api] = programs;
    const pids = { api: api.pid, worker: worker.pid, postgres: postgres.pid, redis: redis?.pid };
    const memory = async () => ({ api: await memoryOf(pids.api, folder), worker: await memoryOf(pids.worker, folder) });
    return {
      mode,
      url,
      port,
      key: JSON.parse(prepared.trim().split('\n').at(-1)).apiKey,
      databaseUrl: postgres.url,
      pids,
      memory,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
