// One whole service on this machine: PostgreSQL, tables, first key, worker and api. `npm start`, the edge tests and the
// benchmarks run this.
import path from 'node:path';
import { run } from './build.mjs';
import { isBehind, migratePlatform } from './migrate.mjs';
import { Plain, root } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { freePort, Program, untilReady } from './processes.mjs';

const READY_TIMEOUT_MS = 60_000;
const MAX_DATABASE_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

/** The embedded server, kept running: when it dies it comes back on the same port. `pid` is that of the present one. */
export async function keepPostgres({ onGiveUp, ...options }) {
  const fixed = { ...options, port: options.port ?? (await freePort()) };
  let server = await startPostgres(fixed);
  let ending = false;
  let deaths = [];
  const watch = async () => {
    await server.exited;
    if (ending) return;
    deaths = [...deaths.filter((at) => Date.now() - at < RESTART_WINDOW_MS), Date.now()];
    if (deaths.length > MAX_DATABASE_RESTARTS) throw new Plain('PostgreSQL ends again and again.');
    console.error('[postgres] ended; starting it again');
    server = await startPostgres(fixed);
    if (ending) return server.stop();
    void watch().catch(onGiveUp);
  };
  void watch().catch(onGiveUp);
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    stop: async () => {
      ending = true;
      await server.stop();
    },
  };
}

/**
 * Starts everything in `folder`; `closers` gets what ends it, to be called in reverse order, also when this rejects.
 * `databaseUrl` and `redisUrl` name servers that run already. `stopped()` tells why waiting has no point any more.
 * Gives `{ url, apiKey, operatorKey, databaseUrl, postgres, programs: { worker, api } }`; rejects with Plain when
 * something does not start.
 */
export async function startService({
  folder,
  port,
  host,
  publicUrl,
  databaseUrl,
  redisUrl,
  apiKey = '',
  operatorKey = '',
  logLevel,
  step = (_what, work) => work(),
  onGiveUp,
  stopped = () => undefined,
  closers,
}) {
  let postgres;
  if (!databaseUrl) {
    postgres = await step('starting PostgreSQL', () => keepPostgres({ folder, onGiveUp }));
    closers.push(() => postgres.stop());
    databaseUrl = postgres.url;
  }
  if (await isBehind(databaseUrl)) await step('migrating the database', () => migratePlatform(databaseUrl));
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: host,
    PUBLIC_URL: publicUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...(logLevel ? { LOG_LEVEL: logLevel } : {}),
    // Somebody reads this in a terminal: requests that succeed are no news there.
    LOG_REQUESTS: process.env.LOG_REQUESTS || 'errors',
  };
  const prepared = await run(process.execPath, [path.join(root, 'dist/apps/api/prepare.js')], {
    env: { ...process.env, ...env, API_KEY: apiKey, KNOWN_OPERATOR_KEY: operatorKey },
  });

  const keys = JSON.parse(prepared.trim().split('\n').at(-1));

  const observabilityPort = Number(process.env.OBSERVABILITY_PORT);
  // Both programs are on one machine: the worker has the next port.
  const workerEnv = observabilityPort ? { ...env, OBSERVABILITY_PORT: String(observabilityPort + 1) } : env;
  const program = (name, environment) =>
    new Program(name, path.join(root, `dist/apps/${name}/main.js`), environment, onGiveUp);
  const [worker, api] = [program('worker', workerEnv), program('api', env)];
  for (const program of [worker, api]) {
    closers.push(() => program.stop());
    program.start();
  }
  await step('starting api and worker', () => untilReady(`http://127.0.0.1:${port}/readyz`, READY_TIMEOUT_MS, stopped));
  for (const program of [worker, api]) program.trusted = true;
  return {
    url: publicUrl,
    apiKey: keys.apiKey,
    operatorKey: keys.operatorKey ?? process.env.OPERATOR_KEY,
    databaseUrl,
    postgres,
    programs: { worker, api },
  };
}
