import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { copyPreparedPostgres, type PostgresScripts } from './prepared-postgres.js';

export type Backend = 'embedded Postgres' | 'Redis';

/** A process that can be killed and comes back by itself. */
export interface Killable {
  readonly pid: number;
}

/** The service as `npm start` runs it, on a free port, with its data in a temporary folder. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  /** Reads and limits tenants. */
  readonly operatorKey: string;
  readonly programs: { readonly worker: Killable; readonly api: Killable };
  readonly postgres: Killable;
  readonly databaseUrl: string;
  readonly redis: Redis | undefined;
  /** Parsed JSON (a watch: its text, once it has ended); throws unless the status is 2xx. */
  call<T>(method: string, url: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

interface Scripts extends PostgresScripts {
  build(): Promise<boolean>;
  freePort(): Promise<number>;
  startService(
    options: object,
  ): Promise<Pick<Service, 'url' | 'apiKey' | 'operatorKey' | 'programs' | 'postgres' | 'databaseUrl'>>;
}

/** One after the other: jest's loader does not take modules that share imports at once. */
async function scripts(): Promise<Scripts> {
  const parts: object[] = [];
  for (const name of ['build.mjs', 'processes.mjs', 'postgres.mjs', 'migrate.mjs', 'service.mjs'])
    parts.push((await import(path.resolve('scripts/local', name))) as object);
  return Object.assign({}, ...parts) as Scripts;
}

/** Why tests on this backend cannot run here; undefined when they can. */
export function missing(backend: Backend): string | undefined {
  return backend === 'Redis' && spawnSync('redis-server', ['--version']).status !== 0
    ? 'redis-server is not installed'
    : undefined;
}

/** Builds when something has changed, then starts everything. */
export async function startService(backend: Backend, logLevel = 'warn'): Promise<Service> {
  const tools = await scripts();
  const { build, freePort, startService: start } = tools;
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    await build();
    const folder = mkdtempSync(path.join(tmpdir(), 'terrarium-test-'));
    chmodSync(folder, 0o755);
    closers.push(async () => rmSync(folder, { recursive: true, force: true }));
    await copyPreparedPostgres(path.join(folder, 'postgres'), tools);
    const redisUrl = backend === 'Redis' ? await startRedis(folder, await freePort(), closers) : undefined;
    const redis = redisUrl ? await connectRedis(redisUrl, closers) : undefined;
    const port = await freePort();
    let gaveUp: Error | undefined;
    const service = await start({
      folder: path.join(folder, 'postgres'),
      port,
      host: '127.0.0.1',
      publicUrl: `http://127.0.0.1:${port}`,
      redisUrl,
      logLevel,
      closers,
      onGiveUp: (error: Error) => (gaveUp = error),
      stopped: () => gaveUp,
    });
    return { ...service, redis, close, call: (method, url, body) => call(service, method, url, body) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRedis(folder: string, port: number, closers: (() => Promise<unknown>)[]): Promise<string> {
  // It ends when our end of its standard input closes, however this process ends.
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      'exec 3<&0; "$@" 3<&- & redis=$!; read -r _ <&3; kill $redis; wait $redis',
      'sh',
      'redis-server',
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  const exited = new Promise((resolve) => child.on('exit', resolve));
  closers.push(async () => {
    child.stdin.end();
    await exited;
  });
  return `redis://127.0.0.1:${port}`;
}

async function connectRedis(url: string, closers: (() => Promise<unknown>)[]): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  closers.push(async () => redis.disconnect());
  await redis.ping();
  return redis;
}

async function call<T>(
  { url: base, apiKey }: Pick<Service, 'url' | 'apiKey'>,
  method: string,
  url: string,
  body?: unknown,
): Promise<T> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await fetch(base + url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 300)}`);
  return (text && !url.includes('watch=true') ? JSON.parse(text) : text) as T;
}

/** Ends a process at once, as a crash does, and waits until another has taken its place. */
export async function killAndReturn(process_: Killable, timeoutMs = 15_000): Promise<void> {
  const { pid } = process_;
  process.kill(pid, 'SIGKILL');
  await until(() => process_.pid !== pid, timeoutMs, `process ${pid} to come back`);
}

/** Polls until the condition holds; an error counts as not yet. */
export async function until(condition: () => unknown, timeoutMs: number, what: string): Promise<void> {
  let last: unknown;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      if (await condition()) return;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`waited ${timeoutMs / 1000} s for ${what}${last ? `: ${String(last)}` : ''}`);
}
