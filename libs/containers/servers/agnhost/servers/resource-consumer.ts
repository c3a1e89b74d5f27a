import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import {
  httpDate,
  httpError,
  parseQuery,
  plainText,
  speakHttp,
  type AnswerParts,
  type HttpRequest,
} from '../../http.js';
import { defineServer, type Running } from '../../serve.js';
import { logTo, readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';
import { listenOrFail } from '../command/listening.js';

const FLAGS: FlagTable = { port: ['int', '8080'] };
const READY_MS = 50;
/** CPU is booked so often. */
const BOOK_MS = 10_000;
const MEGABYTE = 2 ** 20;
const OWN_MEMORY = 10 * MEGABYTE;
/** Uses at the same time. */
const MAX_USES = 1_000;

type Use = { kind: 'cpu' | 'memory' | 'metric'; name: string; amount: number; until: number };
type Own = {
  argv: Bytes[];
  startedAt: number;
  mark: string;
  isListening: boolean;
  bookedAt: number;
  uses: Use[];
  metrics: string[];
};
type Server = Running<Own>;

/** Uses CPU, memory and metrics as it is told. Models test/images/agnhost/resource-consumer. */
export const resourceConsumer: Command = {
  flags: FLAGS,
  program: defineServer<Own>({
    start: (argv) => ({
      ...{ argv: [...argv], startedAt: 0, mark: '', isListening: false, bookedAt: 0, uses: [], metrics: [] },
    }),
    begin(server) {
      server.sys.setMemory(OWN_MEMORY);
      server.tickAt(server.sys.now + READY_MS);
    },
    tick(server) {
      const { own } = server;
      if (!own.isListening) {
        own.isListening = true;
        // The image's own program has no sub-command.
        const words = own.argv[0]?.endsWith('consumer') ? ['', ...own.argv] : own.argv;
        listenOrFail(server as Running<never>, readFlags(FLAGS, words).number('port'));
      }
      book(server);
    },
    ...speakHttp<Own>({ headers: ({ sys }) => ({ date: httpDate(sys.now) }), answer }),
  }),
};

/** Books what has been used since the last time, and forgets what is over. */
function book(server: Server): void {
  const { own, sys } = server;
  let cpu = 0;
  for (const use of own.uses)
    if (use.kind === 'cpu') cpu += (Math.max(0, Math.min(sys.now, use.until) - own.bookedAt) * use.amount) / 1_000;
  const limit = ((sys.cgroup().cpuLimit ?? Infinity) / 1_000) * (sys.now - own.bookedAt);
  own.uses = own.uses.filter(({ until }) => until > sys.now);
  const next = own.uses.reduce((sum, { kind, amount }) => sum + (kind === 'cpu' ? amount : 0), 0);
  sys.useCpu(Math.min(cpu, limit), Math.min(next, sys.cgroup().cpuLimit ?? Infinity));
  own.bookedAt = sys.now;
  const memory = own.uses.reduce((sum, { kind, amount }) => sum + (kind === 'memory' ? amount * MEGABYTE : 0), 0);
  sys.setMemory(OWN_MEMORY + memory);
  if (own.uses.length === 0) return;
  server.tickAt(Math.min(sys.now + BOOK_MS, ...own.uses.map(({ until }) => until)));
}

function answer(request: HttpRequest, server: Server): AnswerParts {
  const { route, method } = request;
  if (route === '/metrics') return showMetrics(server);
  if (method !== 'POST') return httpError('Bad request. Not a POST request', 400);
  const form = parseQuery(request.body);
  const value = (name: string): string => form.get(name) ?? request.query.get(name) ?? '';
  switch (route) {
    case '/ConsumeCPU':
      return begin(server, 'cpu', value, ['millicores', 'durationSec'], 'ConsumeCPU');
    case '/ConsumeMem':
      return begin(server, 'memory', value, ['megabytes', 'durationSec'], 'ConsumeMem');
    case '/BumpMetric':
      return begin(server, 'metric', value, ['metric', 'delta', 'durationSec'], 'BumpMetric');
    case '/GetCurrentStatus':
      return plainText('Warning: not implemented!\nGetCurrentStatus');
    default:
      return httpError(`unknown function: ${route}`, 404);
  }
}

function begin(
  server: Server,
  kind: Use['kind'],
  value: (name: string) => string,
  names: readonly string[],
  title: string,
): AnswerParts {
  const { own, sys } = server;
  if (names.some((name) => value(name) === '')) return httpError('not given function argument', 400);
  const numbers = names.filter((name) => name !== 'metric');
  if (numbers.some((name) => !/^[-+]?\d{1,9}(?:\.\d{1,9})?$/.test(value(name))))
    return httpError('incorrect function argument', 400);
  const amount = Number(value(numbers[0]!));
  const seconds = Number(value('durationSec'));
  if (own.uses.length >= MAX_USES) return httpError('too many requests', 429);
  if (own.bookedAt === 0) own.bookedAt = sys.now;
  book(server);
  own.uses.push({ kind, name: value('metric'), amount, until: sys.now + seconds * 1_000 });
  if (kind === 'metric' && !own.metrics.includes(value('metric'))) own.metrics.push(value('metric'));
  if (kind === 'memory') logTo(server, `ConsumeMem megabytes: ${amount}, durationSec: ${seconds}`);
  if (kind === 'cpu') logTo(server, `ConsumeCPU millicores: ${amount}, durationSec: ${seconds}`);
  book(server);
  return plainText(`${title}\n${names.map((name) => `${value(name)} ${name}\n`).join('')}`);
}

function showMetrics({ own, sys }: Server): AnswerParts {
  const lines = own.metrics.map((name) => {
    const value = own.uses
      .filter((use) => use.kind === 'metric' && use.name === name && use.until > sys.now)
      .reduce((sum, { amount }) => sum + amount, 0);
    return `# HELP ${name} info message.\n# TYPE ${name} gauge\n${name} ${value.toFixed(6)}\n`;
  });
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: bytesOf(lines.join('')) };
}
