import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { continueDial, dial, isWholeAnswer, type Dial, type DialOutcome } from '../dial.js';
import { errnoText } from '../go.js';
import { httpDate, speakHttp, type AnswerParts, type HttpReply, type HttpRequest } from '../http.js';
import { lookUp } from '../lookup.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import { beginWork, finishWork, type Work } from './work.js';

/** What a sample application keeps while it runs. */
export type AppState = {
  argv: Bytes[];
  startedAt: number;
  isListening: boolean;
  busyUntil: number;
  endsAt: number | null;
  /** The application's own values. */
  data: Record<string, Plain>;
};
export type AppServer = Running<AppState>;

/** A question to another server, and the bytes that it is asked with; of a `greeting` none, the server speaks first. */
export type Ask = {
  host: string;
  port: number;
  bytes: Bytes;
  protocol: 'http' | 'redis' | 'greeting';
  /** How long it waits, and how often it asks until the answer is 200; by default once. */
  timeout?: number;
  tries?: number;
};

/** What came back: its bytes, or why nothing did. */
export type Told = { received: Bytes; error: string };

export interface AppRequest extends HttpRequest {
  readonly connection: Connection;
}

/** An answer, one after a while, or questions to others whose answers `App.told` makes the answer from. */
export type AppReply =
  | AnswerParts
  | { readonly after: Millis; readonly answer: AnswerParts }
  | { readonly ask: readonly Ask[]; readonly note?: Plain };

/** A sample web application. */
export interface App {
  ports(argv: readonly Bytes[], env: Readonly<Record<string, Bytes>>): readonly number[];
  /** The one address at which it listens; undefined: all of them. */
  address?(argv: readonly Bytes[]): string | undefined;
  /** Until it listens; 50 ms by default. */
  readonly readyMs?: Millis;
  /** What it prints when it listens, by default on standard output. */
  log?(server: AppServer): readonly string[];
  readonly logsTo?: 'stdout' | 'stderr';
  /** What it says when a port cannot be bound; by default what Go's net package does. */
  taken?(port: number, why: string): string;
  /** A message instead of a start, and the exit code. */
  refuse?(argv: readonly Bytes[], env: Readonly<Record<string, Bytes>>): { message: string; code: number } | undefined;
  answer(request: AppRequest, server: AppServer): AppReply;
  told?(note: Plain, told: readonly Told[], server: AppServer): AnswerParts;
  /** A line for each answer. */
  access?(request: HttpRequest, answer: AnswerParts, server: AppServer, connection: Connection): string | undefined;
  /** CPU time of each request. */
  readonly cpu?: Millis;
  /** Bytes that it holds. */
  readonly memory?: number;
  headers?(server: AppServer): Readonly<Record<string, string>>;
  /** How it answers SIGTERM; by default it ends with 0. `ignores`: as process 1 it does not hear it. */
  readonly stop?: { readonly afterMs: Millis; readonly code: number; readonly lines?: readonly string[] } | 'ignores';
}

type Task = {
  until: number;
  work: Work | null;
  answer: Plain;
  asks: Ask[];
  told: Told[];
  dial: Dial | null;
  note: Plain;
};

const READY_MS = 50;
const ASK_MS = 5_000;
const GREETING_MS = 1_000;
const MAX_ASKS = 20;

/** A sample application as a program of the kernel. */
export function defineApp(app: App): Program {
  const print = (server: AppServer, line: string): void =>
    app.logsTo === 'stderr' ? server.err(`${bytesOf(line)}\n`) : server.out(`${bytesOf(line)}\n`);
  return defineServer<AppState>({
    start: (argv, sys) => ({
      ...{ argv: [...argv], startedAt: sys.now, isListening: false, busyUntil: 0, endsAt: null, data: {} },
    }),
    begin(server) {
      const { sys, own } = server;
      const refusal = app.refuse?.(own.argv, sys.env);
      if (refusal) {
        server.err(bytesOf(refusal.message));
        return server.exit(refusal.code);
      }
      if (app.memory !== undefined) sys.setMemory(app.memory);
      server.tickAt(sys.now + (app.readyMs ?? READY_MS));
    },
    tick(server) {
      if (server.own.endsAt !== null) return server.exit(typeof app.stop === 'object' ? app.stop.code : 0);
      if (!server.own.isListening) listen(app, server, print);
    },
    ...(app.stop === 'ignores' ? {} : { signals: ['TERM', 'INT'] as const }),
    signal(server) {
      const { own, sys } = server;
      if (own.endsAt !== null) return;
      const { afterMs = 0, lines = [] } = typeof app.stop === 'object' ? app.stop : {};
      for (const line of lines) print(server, line);
      own.endsAt = sys.now + afterMs;
      server.tickAt(own.endsAt);
    },
    ...speakHttp<AppState>({
      headers: (server) => app.headers?.(server) ?? { date: httpDate(server.sys.now) },
      answer: (request, server, connection) => begin(app, { ...request, connection }, server),
      resume: (task, _request, server) => goOn(app, task as Task, server),
      log(request, answer, server, connection) {
        const line = app.access?.(request, answer, server, connection);
        if (line !== undefined) print(server, line);
      },
    }),
  });
}

function listen(app: App, server: AppServer, print: (server: AppServer, line: string) => void): void {
  const { own, sys } = server;
  own.isListening = true;
  const address = app.address?.(own.argv);
  for (const port of new Set(app.ports(own.argv, sys.env))) {
    try {
      server.listen(port, address === undefined ? {} : { address });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      server.err(app.taken?.(port, error.message) ?? `listen tcp :${port}: bind: ${errnoText(error)}\n`);
      return server.exit(1);
    }
  }
  for (const line of app.log?.(server) ?? []) print(server, line);
}

function begin(app: App, request: AppRequest, server: AppServer): HttpReply {
  const reply = app.answer(request, server);
  const work = app.cpu === undefined ? null : beginWork(server.sys, server.own, app.cpu);
  const after = 'after' in reply ? reply.after : 0;
  const until = Math.max(server.sys.now + after, work?.until ?? 0);
  const answer = 'after' in reply ? reply.answer : 'ask' in reply ? null : reply;
  const asks = 'ask' in reply ? reply.ask.slice(0, MAX_ASKS).map((ask) => ({ ...ask })) : [];
  const note = 'ask' in reply ? (reply.note ?? null) : null;
  return goOn(app, { until, work, answer: answer as Plain, asks, told: [], dial: null, note }, server);
}

function goOn(app: App, task: Task, server: AppServer): HttpReply {
  const { sys } = server;
  for (let ask = task.asks[0]; ask !== undefined; ask = task.asks[0]) {
    const outcome = put(sys, ask, task);
    if ('wait' in outcome) return { task: task as Plain, wait: outcome.wait };
    if ((ask.tries ?? 1) > 1 && !isWell(outcome)) {
      ask.tries = ask.tries! - 1;
      task.dial = null;
      continue;
    }
    task.told.push(
      'error' in outcome ? { received: '', error: explain(ask, outcome) } : { received: outcome.received, error: '' },
    );
    task.asks.shift();
    task.dial = null;
  }
  if (sys.now < task.until) return { task: task as Plain, wait: { until: task.until } };
  if (task.work) finishWork(sys, task.work);
  if (task.answer !== null) return task.answer as unknown as AnswerParts;
  return app.told?.(task.note, task.told, server) ?? { status: 500 };
}

const isWell = (outcome: DialOutcome): boolean => 'received' in outcome && /^HTTP\/1\.\d 200/.test(outcome.received);

/** Asks one server, or goes on asking it. */
function put(sys: Syscalls, ask: Ask, task: Task): ReturnType<typeof continueDial> {
  if (task.dial === null) {
    const [address] = lookUp(sys, bytesOf(ask.host)).addresses;
    if (address === undefined) return { error: 'ENOENT', isConnected: false };
    try {
      const timeout = ask.timeout ?? (ask.protocol === 'greeting' ? GREETING_MS : ASK_MS);
      task.dial = dial(sys, address, ask.port, 'tcp', ask.bytes, timeout);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return { error: error.code, isConnected: false };
    }
  }
  return continueDial(sys, task.dial, IS_WHOLE[ask.protocol]);
}

const IS_WHOLE: Readonly<Record<Ask['protocol'], (received: Bytes) => boolean>> = {
  http: isWholeAnswer,
  redis: (received) => isWholeRedisAnswer(received),
  greeting: (received) => received !== '',
};

function explain({ host, port }: Ask, { error }: Extract<DialOutcome, { error: unknown }>): string {
  if (error === 'ENOENT') return `lookup ${host}: no such host`;
  if (error === 'TIMEOUT') return `dial tcp ${host}:${port}: i/o timeout`;
  return `dial tcp ${host}:${port}: connect: ${errnoText(new SystemError(error))}`;
}

/** One reply that is no array. */
export function isWholeRedisAnswer(received: Bytes): boolean {
  const end = received.indexOf('\r\n');
  if (end < 0) return false;
  const length = received.startsWith('$') ? Number(received.slice(1, end)) : -1;
  return length < 0 || received.length >= end + 2 + length + 2;
}

/** The text of a bulk or simple reply; undefined for none or an error. */
export function redisText(received: Bytes): Bytes | undefined {
  const end = received.indexOf('\r\n');
  if (received.startsWith('$-') || received.startsWith('-') || end < 0) return undefined;
  return received.startsWith('$') ? received.slice(end + 2, -2) : received.slice(1, end);
}

/** A GET of another server. */
export const httpAsk = (host: string, port: number, path: string, headers: readonly string[] = []): Ask => ({
  ...{ host, port, protocol: 'http' },
  bytes: bytesOf(
    [`GET ${path} HTTP/1.1`, `Host: ${host}:${port}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
  ),
});

/** A command of Redis. */
export const redisAsk = (host: string, port: number, words: readonly string[]): Ask => ({
  ...{ host, port, protocol: 'redis' },
  bytes: `*${words.length}\r\n${words.map((word) => `$${bytesOf(word).length}\r\n${bytesOf(word)}\r\n`).join('')}`,
});

export const html = (text: string, status = 200): AnswerParts => ({
  ...{ status, headers: { 'content-type': 'text/html; charset=utf-8' } },
  body: bytesOf(text),
});

export const json = (value: unknown, status = 200, indent?: number): AnswerParts => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  body: bytesOf(`${JSON.stringify(value, null, indent)}\n`),
});

/** The value of `--name=value`, `--name value` or `-name value` of a command line. */
export function option(argv: readonly Bytes[], name: string): Bytes | undefined {
  for (const [i, word] of argv.entries()) {
    const bare = word.replace(/^--?/, '');
    if (bare === word) continue;
    if (bare === name) return argv[i + 1] ?? '';
    if (bare.startsWith(`${name}=`)) return bare.slice(name.length + 1);
  }
  return undefined;
}
