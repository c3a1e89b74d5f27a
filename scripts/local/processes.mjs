// The service's own processes: started, watched, started again when they die, stopped together.
import net from 'node:net';
import { spawn } from 'node:child_process';
import { Plain, root } from './paths.mjs';

const STOP_TIMEOUT_MS = 15_000;
/** Doubled with each death within the window. */
const RESTART_MS = 500;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const LOG_LINES = 8;
// A run of the engine makes many objects that live as long as the run: with V8's own 16 MiB they are copied several
// times.
// A collection of the whole heap takes a second from a process that holds a thousand clusters: it may wait until the
// heap is five times as large as what was left by the last one, and none is begun only because a time has passed.
const NODE_FLAGS = [
  '--enable-source-maps',
  '--max-semi-space-size=64',
  '--heap-growing-percent=400',
  '--no-memory-reducer',
];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Throws Plain unless `value` is a URL of one of these protocols. */
export function checkUrl(name, value, protocols) {
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
    throw new Plain(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
}

/**
 * Resolves when the port can be listened on; throws Plain with one sentence otherwise. After a crash, the old api may
 * hold it for `patienceMs` more.
 */
export async function checkPort(port, host, patienceMs = 0) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100))
    if (
      await tryPort(port, host).then(
        () => true,
        () => false,
      )
    )
      return;
  await tryPort(port, host);
}

function tryPort(port, host) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', ({ code }) =>
      reject(
        new Plain(
          code === 'EADDRINUSE'
            ? `Port ${port} is taken by another process: choose one with PORT=${port + 1} npm start.`
            : `Port ${port} cannot be used (${code}): choose another with PORT.`,
        ),
      ),
    );
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** Throws Plain unless a Redis answers at the URL. */
export async function checkRedis(url) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 3_000,
  });
  let why = '';
  redis.on('error', (error) => (why = error.message || error.code));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new Plain(
      `Redis at ${new URL(url).host} does not answer (${why || error.message}): start it, or leave REDIS_URL unset.`,
    );
  } finally {
    redis.disconnect();
  }
}

/**
 * A program of dist/ that is started again when it dies, once it is `trusted` and until `stop`. It is in a process
 * group of its own, so that Ctrl-C reaches only us; and it stops by itself when we are gone, because its standard input
 * closes.
 */
export class Program {
  #child;
  #stopping = false;
  #deaths = [];
  #lines = [];
  /** Set when it has run well once: a program that dies before that would only die again. */
  trusted = false;

  constructor(name, file, env, onGiveUp) {
    Object.assign(this, { name, file, env, onGiveUp });
  }

  start() {
    const child = spawn(process.execPath, [...NODE_FLAGS, this.file], {
      cwd: root,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...this.env, STOP_WITH_PARENT: '1' },
    });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => this.#log(String(chunk)));
    child.on('exit', (code, signal) => void this.#died(code, signal));
  }

  get pid() {
    return this.#child?.pid;
  }

  /** The last lines it printed, for a sentence about why it does not run. */
  get lastLines() {
    return this.#lines.slice(-LOG_LINES).join('\n');
  }

  async stop() {
    this.#stopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(late);
  }

  #log(text) {
    for (const line of text.split('\n').filter(Boolean)) {
      this.#lines = [...this.#lines.slice(-LOG_LINES), line];
      if (!/"level":(10|20|30),/.test(line)) console.error(`[${this.name}] ${readable(line)}`);
    }
  }

  async #died(code, signal) {
    if (this.#stopping) return;
    if (!this.trusted)
      return this.onGiveUp(new Plain(`The ${this.name} does not start (${signal ?? `exit code ${code}`}).`));
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < RESTART_WINDOW_MS), now];
    if (this.#deaths.length > MAX_RESTARTS)
      return this.onGiveUp(
        new Plain(
          `The ${this.name} ended ${MAX_RESTARTS + 1} times within a minute (${signal ?? `exit code ${code}`}).`,
        ),
      );
    console.error(`[${this.name}] ended (${signal ?? `exit code ${code}`}); starting it again`);
    await sleep(RESTART_MS * 2 ** (this.#deaths.length - 1));
    if (!this.#stopping) this.start();
  }
}

/** A line of the JSON log as a sentence. */
function readable(line) {
  try {
    const { msg, err, cluster } = JSON.parse(line);
    return [msg, cluster && `cluster ${cluster}`, err?.message].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}

/** Polls the URL until it answers 200. */
export async function untilReady(url, timeoutMs, gaveUp) {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (gaveUp()) throw gaveUp();
    const ok = await fetch(url).then(
      (r) => r.ok,
      () => false,
    );
    if (ok) return;
    await sleep(50);
  }
  throw new Plain(`The API does not answer at ${url}.`);
}
