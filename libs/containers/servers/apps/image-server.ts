import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { readSmallFile } from '../../tools/accounts.js';
import { httpDate, speakHttp, type AnswerParts, type HttpReply, type HttpRequest } from '../http.js';
import { defineServer, type Running } from '../serve.js';
import { beginWork, finishWork, type Work } from './work.js';

/** What an author's image does by itself, as JSON in a file of the image. Times in ms, sizes in bytes. */
export interface ImageServerSettings {
  readonly ports: readonly { readonly port: number; readonly answers: readonly CannedAnswer[] }[];
  readonly startup: Millis;
  readonly exit?: { readonly after: Millis; readonly code: number };
  readonly memory: number;
  /** In each second. */
  readonly leak: number;
  readonly load: { readonly cpu: Millis; readonly memory: number };
  /** A script to run beside. */
  readonly entrypoint?: string;
}

export interface CannedAnswer {
  readonly path: string;
  readonly method?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delay: Millis;
}

export const SETTINGS_PATH = '/usr/local/share/terrarium/image.json';
/** A leak is looked at when it has grown by a tenth, and not more often than once a second. */
const GROWTH = 1.1;
const SECOND = 1_000;
const MAX_MEMORY = 2 ** 40;
/** What a program needs before it does anything. */
const OWN_MEMORY = 2 * 1_048_576;

type Own = {
  settings: string;
  args: Bytes[];
  startedAt: number;
  isListening: boolean;
  script: number | null;
  /** Bytes that requests hold. */
  held: number;
  /** When the work of requests that have come is done. */
  busyUntil: number;
};
type Server = Running<Own>;
type Task = { answer: number; port: number; isUnknown: boolean; until: number; work: Work | null };

const settingsOf = ({ own }: Server): ImageServerSettings => JSON.parse(own.settings) as ImageServerSettings;

/** The main program of an author's image: it answers, waits, leaks and ends as the image's settings say. */
const imageServer: Program = defineServer<Own>({
  start: (argv, sys) => ({
    ...{ settings: textOf(readSmallFile(sys, SETTINGS_PATH)), args: argv.slice(1) as Bytes[], startedAt: sys.now },
    ...{ isListening: false, script: null, held: 0, busyUntil: 0 },
  }),
  begin(server) {
    const { own, sys } = server;
    if (own.settings === '') {
      server.err(`image-server: ${SETTINGS_PATH}: No such file or directory\n`);
      return server.exit(1);
    }
    const { entrypoint } = settingsOf(server);
    if (entrypoint !== undefined) startScript(server, entrypoint);
    own.startedAt = sys.now;
    tick(server);
  },
  tick,
  signals: ['TERM', 'INT'],
  signal(server, signal) {
    const { own, sys } = server;
    if (own.script !== null) sys.kill(own.script, signal);
    server.exit(0);
  },
  hasChild: ({ script }) => script !== null,
  child(server) {
    const { own, sys } = server;
    if (own.script === null) return;
    const ended = sys.wait(own.script);
    if (ended === undefined) return;
    own.script = null;
    if (ended.state === 'killed') server.exit(137);
    else if (ended.code !== 0) server.exit(ended.code);
  },
  ...speakHttp<Own>({
    headers: ({ sys }) => ({ date: httpDate(sys.now) }),
    answer: (request, server, connection) => beginAnswer(request, server, connection.port),
    resume: (task, _request, server) => continueAnswer(task as Task, server),
  }),
});

function startScript(server: Server, entrypoint: string): void {
  try {
    server.own.script = server.sys.spawn({ path: entrypoint, argv: [entrypoint, ...server.own.args] });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(`image-server: ${entrypoint}: ${error.message}\n`);
    server.exit(127);
  }
}

function tick(server: Server): void {
  const { own, sys } = server;
  const settings = settingsOf(server);
  const since = sys.now - own.startedAt;
  const { exit, startup } = settings;
  if (exit && since >= exit.after) return server.exit(exit.code);
  if (!own.isListening && since >= startup) listen(server, settings);
  const leaksAt = holdMemory(server, settings);
  const times = [
    ...(exit ? [own.startedAt + exit.after] : []),
    ...(own.isListening ? [] : [own.startedAt + startup]),
    ...(leaksAt === undefined ? [] : [leaksAt]),
  ];
  if (times.length > 0) server.tickAt(Math.min(...times));
}

function listen(server: Server, { ports }: ImageServerSettings): void {
  server.own.isListening = true;
  for (const { port } of ports) {
    try {
      server.listen(port);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      server.err(`listen tcp :${port}: bind: ${error.message.toLowerCase()}\n`);
      return server.exit(1);
    }
  }
}

/** Takes what the image holds by now; returns when it will be noticeably more. */
function holdMemory({ own, sys }: Server, { memory, leak }: ImageServerSettings): number | undefined {
  const at = (when: Millis): number => OWN_MEMORY + memory + Math.floor((leak * (when - own.startedAt)) / SECOND);
  const now = Math.min(MAX_MEMORY, at(sys.now));
  sys.setMemory(now + own.held);
  if (leak === 0 || now >= MAX_MEMORY) return undefined;
  const limit = sys.cgroup().memoryLimit ?? Infinity;
  const next = Math.min(now * GROWTH, limit + 1);
  return sys.now + Math.max(1, Math.min(Math.ceil(((next - now) / leak) * SECOND), 86_400_000));
}

function beginAnswer({ route, method }: HttpRequest, server: Server, port: number): HttpReply {
  const { sys, own } = server;
  const { ports, load } = settingsOf(server);
  const answers = ports.find((one) => one.port === port)?.answers ?? [];
  const index = answers.findIndex((one) => fits(one, method, textOf(route)));
  const work = load.cpu > 0 ? beginWork(sys, own, load.cpu) : null;
  const until = Math.max(sys.now + (answers[index]?.delay ?? 0), work?.until ?? 0);
  own.held += load.memory;
  if (load.memory > 0) holdMemory(server, settingsOf(server));
  return continueAnswer({ answer: index, port, isUnknown: answers.length > 0 && index < 0, until, work }, server);
}

function fits({ path, method }: CannedAnswer, asked: string, route: string): boolean {
  if (method !== undefined && method !== asked && !(method === 'GET' && asked === 'HEAD')) return false;
  return path.endsWith('*') ? route.startsWith(path.slice(0, -1)) : route === path;
}

function continueAnswer(task: Task, server: Server): HttpReply {
  const { sys, own } = server;
  if (sys.now < task.until) return { task, wait: { until: task.until } };
  if (task.work) finishWork(sys, task.work);
  const settings = settingsOf(server);
  if (settings.load.memory > 0) {
    own.held -= settings.load.memory;
    holdMemory(server, settings);
  }
  if (task.isUnknown) return PAGE_NOT_FOUND;
  const answer = settings.ports.find((one) => one.port === task.port)?.answers[task.answer];
  return answer ? { status: answer.status, headers: headersOf(answer), body: bytesOf(answer.body) } : { status: 200 };
}

const PAGE_NOT_FOUND: AnswerParts = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404 page not found\n',
};

function headersOf({ headers, body }: CannedAnswer): Record<string, string> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...(body === '' ? {} : { 'content-type': guessType(body) }), ...own };
}

const guessType = (body: string): string => {
  const start = body.trimStart();
  if (/^<(?:!doctype|html)/i.test(start)) return 'text/html; charset=utf-8';
  return start.startsWith('{') || start.startsWith('[') ? 'application/json' : 'text/plain; charset=utf-8';
};

export const programs: Readonly<Record<string, Program>> = { 'terrarium:image-server': imageServer };
