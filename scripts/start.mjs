#!/usr/bin/env node
// `npm start`: everything on this machine, from a fresh clone to a key and the next commands.
import fs from 'node:fs';
import path from 'node:path';
import { build, install, run, step } from './local/build.mjs';
import { home, inHome, Plain, root } from './local/paths.mjs';

const READY_TIMEOUT_MS = 60_000;
const MAX_DATABASE_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

const file = inHome('dev.json');
const lock = inHome('start.pid');
const closers = [];
let stopping = false;
let gaveUp;

function tell(error) {
  console.error(error instanceof Plain ? `\n${error.message}` : error);
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const close of closers.reverse()) await close().catch(tell);
  process.exit(code);
}

function giveUp(error) {
  gaveUp = error;
  tell(error);
  void stop(1);
}

const readJson = (name) => (fs.existsSync(name) ? JSON.parse(fs.readFileSync(name, 'utf8')) : {});

/** Two starts in one clone would share a data folder. */
function takeLock() {
  fs.mkdirSync(home, { recursive: true });
  const pid = fs.existsSync(lock) ? Number(fs.readFileSync(lock, 'utf8')) : 0;
  if (pid && pid !== process.pid && isStart(pid)) throw new Plain(`Terrarium already runs in this folder (process ${pid}): stop it first, or use it (${readJson(file).url ?? 'see .terrarium/dev.json'}).`);
  fs.writeFileSync(lock, String(process.pid));
  closers.push(async () => fs.rmSync(lock, { force: true }));
}

function isStart(pid) {
  try {
    process.kill(pid, 0);
    return !fs.existsSync('/proc/self') || fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.mjs');
  } catch {
    return false;
  }
}

/** The embedded server, kept running: when it dies it comes back on the same port. */
async function embeddedPostgres() {
  const { freePort, startPostgres } = await import('./local/postgres.mjs');
  const options = { folder: inHome('postgres'), port: await freePort() };
  let server = await step('starting PostgreSQL', () => startPostgres(options));
  let ending = false;
  const deaths = [];
  const watch = async () => {
    await server.exited;
    if (ending) return;
    deaths.push(Date.now());
    if (deaths.filter((at) => Date.now() - at < RESTART_WINDOW_MS).length > MAX_DATABASE_RESTARTS) return giveUp(new Plain('PostgreSQL ends again and again.'));
    console.error('[postgres] ended; starting it again');
    server = await startPostgres(options);
    void watch().catch(giveUp);
  };
  void watch().catch(giveUp);
  closers.push(async () => {
    ending = true;
    await server.stop();
  });
  return server.url;
}

async function main() {
  const port = Number(process.env.PORT || 8080);
  const host = process.env.HOST || '0.0.0.0';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Plain(`PORT must be a number from 1 to 65535, not ${JSON.stringify(process.env.PORT)}.`);
  const url = (process.env.PUBLIC_URL || `http://localhost:${port}`).replace(/\/+$/, '');
  console.log('Terrarium');
  takeLock();
  await install();
  const { checkPort, checkRedis, Program, untilReady } = await import('./local/processes.mjs');
  await checkPort(port, host);
  if (process.env.REDIS_URL) await checkRedis(process.env.REDIS_URL);
  await build();

  const databaseUrl = process.env.DATABASE_URL || (await embeddedPostgres());
  const { isBehind, migratePlatform } = await import('./local/migrate.mjs');
  if (await isBehind(databaseUrl)) await step('migrating the database', () => migratePlatform(databaseUrl));
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), HOST: host, PUBLIC_URL: url };
  const before = readJson(file);
  const prepared = await run(process.execPath, [path.join(root, 'dist/apps/api/prepare.js')], { env: { ...process.env, ...env, API_KEY: before.apiKey ?? '' } });
  const { apiKey } = JSON.parse(prepared.trim().split('\n').at(-1));

  const started = ['worker', 'api'].map((name) => new Program(name, path.join(root, `dist/apps/${name}/main.js`), env, giveUp));
  for (const program of started) {
    closers.push(() => program.stop());
    program.start();
  }
  await step('starting api and worker', () => untilReady(`http://127.0.0.1:${port}/readyz`, READY_TIMEOUT_MS, () => gaveUp ?? (stopping && new Plain('Stopped.'))));
  for (const program of started) program.trusted = true;
  const pids = Object.fromEntries(started.map((p) => [p.name, p.pid]));
  fs.writeFileSync(file, `${JSON.stringify({ url, graphqlUrl: `${url}/graphql`, apiKey, databaseUrl, pids }, null, 2)}\n`, { mode: 0o600 });
  await greet(url, apiKey);
}

async function greet(url, apiKey) {
  const { clients } = await import('./kubectl.mjs');
  const kubectl = clients() ? '.terrarium/bin/kubectl' : 'kubectl';
  console.log(`
Terrarium runs at ${url}   (REST: ${url}/docs, GraphQL: ${url}/graphql)
Your key: ${apiKey}   (also in .terrarium/dev.json)

Make a cluster and use it, in another terminal in this folder:

  export KEY=${apiKey}
  export ID=$(curl -s ${url}/v1/clusters -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"name":"demo"}' | sed -E 's/.*"id":"([^"]+)".*/\\1/')
  curl -s ${url}/v1/clusters/$ID/kubeconfig -H "Authorization: Bearer $KEY" > demo.kubeconfig
  export KUBECONFIG=$PWD/demo.kubeconfig PATH=$PWD/.terrarium/bin:$PATH

  kubectl get nodes
  kubectl create deployment web --image=nginx --replicas=3
  kubectl rollout status deployment/web
  kubectl get pods -o wide

The real ${kubectl === 'kubectl' ? 'kubectl is not installed here: use your own' : `kubectl 1.36 is ${kubectl}`}. Ctrl-C stops everything; the data stay in .terrarium/.`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
try {
  await main();
} catch (error) {
  if (!stopping) {
    tell(error);
    await stop(1);
  }
}
