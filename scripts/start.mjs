#!/usr/bin/env node
// `npm start`: everything on this machine, from a fresh clone to a key and the next commands.
import fs from 'node:fs';
import { build, step } from './local/build.mjs';
import { install } from './local/install.mjs';
import { isAlive } from './local/lock.mjs';
import { home, inHome, Plain } from './local/paths.mjs';

/** How long what a crash has left behind may hold the port. */
const LEFTOVER_MS = 5_000;
const PARENT_CHECK_MS = 500;

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

/** Two starts in one clone would share a data folder. Tells whether the last one has crashed. */
function takeLock() {
  fs.mkdirSync(home, { recursive: true });
  const pid = fs.existsSync(lock) ? Number(fs.readFileSync(lock, 'utf8')) : 0;
  if (pid && pid !== process.pid && isStart(pid))
    throw new Plain(
      `Terrarium already runs in this folder (process ${pid}): stop it first, or use it (${readJson(file).url ?? 'see .terrarium/dev.json'}).`,
    );
  fs.writeFileSync(lock, String(process.pid));
  closers.push(async () => fs.rmSync(lock, { force: true }));
  return pid > 0;
}

function isStart(pid) {
  try {
    process.kill(pid, 0);
    return !fs.existsSync('/proc/self') || fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.mjs');
  } catch {
    return false;
  }
}

/** Our parents up to npm; none when it cannot be told. */
function npmAbove() {
  const pids = [];
  for (let pid = process.ppid; pid > 1 && pids.length < 4;) {
    pids.push(pid);
    try {
      const [, name, rest] = /\((.*)\) . (\d+)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
      if (name.startsWith('npm')) return pids;
      pid = Number(rest);
    } catch {
      break;
    }
  }
  return [];
}

async function main() {
  const port = Number(process.env.PORT || 8080);
  const host = process.env.HOST || '0.0.0.0';
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Plain(`PORT must be a number from 1 to 65535, not ${JSON.stringify(process.env.PORT)}.`);
  const url = (process.env.PUBLIC_URL || `http://localhost:${port}`).replace(/\/+$/, '');
  console.log('Terrarium');
  const crashed = takeLock();
  await install();
  const { checkPort, checkRedis, checkUrl } = await import('./local/processes.mjs');
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (databaseUrl) checkUrl('DATABASE_URL', databaseUrl, ['postgresql:', 'postgres:']);
  if (redisUrl) checkUrl('REDIS_URL', redisUrl, ['redis:', 'rediss:']);
  await checkPort(port, host, crashed ? LEFTOVER_MS : 0);
  if (redisUrl) await checkRedis(redisUrl);
  await build();

  const { startService } = await import('./local/service.mjs');
  const service = await startService({
    folder: inHome('postgres'),
    port,
    host,
    publicUrl: url,
    databaseUrl,
    redisUrl,
    apiKey: readJson(file).apiKey,
    operatorKey: readJson(file).operatorKey,
    step,
    closers,
    onGiveUp: giveUp,
    stopped: () => gaveUp ?? (stopping && new Plain('Stopped.')),
  });
  const { apiKey, operatorKey, programs } = service;
  const pids = { postgres: service.postgres?.pid, worker: programs.worker.pid, api: programs.api.pid };
  fs.writeFileSync(
    `${file}.new`,
    `${JSON.stringify({ url, graphqlUrl: `${url}/graphql`, apiKey, operatorKey, databaseUrl: service.databaseUrl, pids }, null, 2)}\n`,
    { mode: 0o600 },
  );
  fs.renameSync(`${file}.new`, file);
  await greet(url, apiKey, await signInLink(port, url, apiKey));
}

/** Opens the console signed in, once: what stands behind the # never leaves the browser. */
async function signInLink(port, url, apiKey) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/session/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return response.ok ? `${url}/#sign-in=${(await response.json()).link}` : `${url}/`;
}

async function greet(url, apiKey, link) {
  const { clients } = await import('./kubectl.mjs');
  const kubectl = clients() ? '.terrarium/bin/kubectl' : 'kubectl';
  console.log(`
Terrarium runs at ${url}   (REST: ${url}/docs, GraphQL: ${url}/graphql)
Look at it in your browser (this link signs in once, within ten minutes):
  ${link}

Your key: ${apiKey}   (also in .terrarium/dev.json, beside the operator's)

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
// npm does not pass every signal on, and may be killed outright: when it or its shell is gone, nobody is left who could
// stop us.
const above = process.env.npm_lifecycle_event ? npmAbove() : [];
if (above.length) setInterval(() => above.every(isAlive) || void stop(1), PARENT_CHECK_MS).unref();
try {
  await main();
} catch (error) {
  if (!stopping) {
    tell(error);
    await stop(1);
  }
}
