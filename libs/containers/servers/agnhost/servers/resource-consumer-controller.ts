import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial, type DialOutcome } from '../../dial.js';
import { errnoText, quote } from '../../go.js';
import { httpDate, httpError, parseQuery, plainText, speakHttp, type HttpReply, type HttpRequest } from '../../http.js';
import { goLookupError, lookUp, readResolverSettings } from '../../lookup.js';
import { defineServer, type Running } from '../../serve.js';
import { readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';
import { beginListening, listenOrFail, newServer, type Own } from '../command/listening.js';

const FLAGS: FlagTable = {
  port: ['int', '8080'],
  'consumer-port': ['int', '8080'],
  'consumer-service-name': ['string', 'resource-consumer'],
  'consumer-service-namespace': ['string', 'default'],
};
const TIMEOUT_MS = 30_000;
/** Requests that one of its own becomes. */
const MAX_REQUESTS = 1_000;
const INTEGER = /^[-+]?\d{1,9}$/;

/** What a path spreads: the form's field with the amount, that with the size of one request, and its words. */
interface Kind {
  readonly amount: string;
  readonly size: string;
  plan(count: number, size: number, rest: number): string;
  done(amount: number, metric: string): string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  '/ConsumeCPU': {
    amount: 'millicores',
    size: 'requestSizeMillicores',
    plan: (count, size, rest) =>
      `sending ${count} requests to consume ${size} millicores each and 1 request to consume ${rest} millicores`,
    done: (amount) => `Consumed ${amount} millicores`,
  },
  '/ConsumeMem': {
    amount: 'megabytes',
    size: 'requestSizeMegabytes',
    plan: (count, size, rest) =>
      `sending ${count} requests to consume ${size} MB each and 1 request to consume ${rest} MB`,
    done: (amount) => `Consumed ${amount} megabytes`,
  },
  '/BumpMetric': {
    amount: 'delta',
    size: 'requestSizeMetrics',
    plan: (count, size, rest) =>
      `sending ${count} requests to bump custom metric by ${size} each and 1 request to bump by ${rest}`,
    done: (amount, metric) => `Bumped metric ${metric} by ${amount}`,
  },
};

type Task = {
  route: string;
  seconds: string;
  metric: string;
  /** Amounts of the requests that are not sent yet. */
  left: number[];
  text: string;
  host: string;
  address: string;
  startsAt: number;
  dial: Dial | null;
};

/**
 * Spreads what it is asked for over the consumers behind a Service. Models test/images/agnhost/
 * resource-consumer-controller; its requests follow each other here.
 */
export const resourceConsumerController: Command = {
  flags: FLAGS,
  program: defineServer<Own>({
    start: newServer,
    begin: beginListening,
    tick: (server) => listenOrFail(server, readFlags(FLAGS, server.own.argv).number('port')),
    ...speakHttp<Own>({
      headers: ({ sys }) => ({ date: httpDate(sys.now) }),
      answer,
      resume: (task, _request, server) => goOn(server, task as Task),
    }),
  }),
};

function answer(request: HttpRequest, server: Running<Own>): HttpReply {
  if (request.method !== 'POST') return httpError('Bad request. Not a POST request', 400);
  const kind = Object.hasOwn(KINDS, request.route) ? KINDS[request.route] : undefined;
  if (kind === undefined) return httpError('unknown function', 404);
  const form = parseQuery(request.body);
  const value = (name: string): string => form.get(name) ?? request.query.get(name) ?? '';
  const metric = kind.amount === 'delta' ? value('metric') : '-';
  const numbers = [value(kind.amount), value('durationSec'), value(kind.size)];
  if (numbers.includes('') || metric === '') return httpError('not given function argument', 400);
  const [amount = 0, , size = 0] = numbers.map(Number);
  if (numbers.some((text) => !INTEGER.test(text)) || size <= 0) return httpError('incorrect function argument', 400);
  const count = Math.trunc(amount / size);
  const rest = amount - count * size;
  if (count > MAX_REQUESTS) return httpError('too many requests', 429);
  const left = Array.from({ length: Math.max(0, count) }, () => size);
  return begin(server, {
    ...{ route: request.route, seconds: value('durationSec'), metric, left: rest > 0 ? [...left, rest] : left },
    ...{ text: `RC manager: ${kind.plan(count, size, rest)}\n`, host: '', address: '', startsAt: 0, dial: null },
  });
}

function begin(server: Running<Own>, task: Task): HttpReply {
  const flags = readFlags(FLAGS, server.own.argv);
  const domain = readResolverSettings(server.sys).search.find((name) => name.startsWith('svc.')) ?? 'svc.cluster.local';
  task.host = `${flags.text('consumer-service-name')}.${flags.text('consumer-service-namespace')}.${domain}`;
  const found = lookUp(server.sys, bytesOf(task.host));
  const [address] = found.addresses;
  if (address === undefined) {
    const failed = `${failure(server, task)}: dial tcp: ${goLookupError(task.host, found)}\n`;
    return plainText(task.text + failed.repeat(task.left.length));
  }
  task.address = address;
  task.startsAt = server.sys.now + found.delay;
  return goOn(server, task);
}

const portOf = ({ own }: Running<Own>): number => readFlags(FLAGS, own.argv).number('consumer-port');

const failure = (server: Running<Own>, { host, route }: Task): string =>
  `Failed to connect to consumer: Post ${quote(`http://${host}:${portOf(server)}${route}`)}`;

function goOn(server: Running<Own>, task: Task): HttpReply {
  const { sys } = server;
  if (sys.now < task.startsAt) return { task, wait: { until: task.startsAt } };
  for (let amount = task.left[0]; amount !== undefined; amount = task.left[0]) {
    task.dial ??= ask(server, task, amount);
    const outcome = continueDial(sys, task.dial, isWholeAnswer);
    if ('wait' in outcome) return { task, wait: outcome.wait };
    const isAnswered = !('error' in outcome) && readAnswer(outcome.received) !== undefined;
    const line = isAnswered
      ? KINDS[task.route]!.done(amount, task.metric)
      : `${failure(server, task)}: ${explain(task.dial, outcome)}`;
    task.text += `${line}\n`;
    task.left.shift();
    task.dial = null;
  }
  return plainText(task.text);
}

function ask(server: Running<Own>, { route, seconds, metric, address, host }: Task, amount: number): Dial {
  const named = KINDS[route]!.amount === 'delta' ? `&metric=${encodeURIComponent(metric)}` : '';
  const body = bytesOf(`durationSec=${seconds}&${KINDS[route]!.amount}=${amount}${named}`);
  const lines = [
    ...[`POST ${route} HTTP/1.1`, `Host: ${host}:${portOf(server)}`, 'Connection: close'],
    ...['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`],
  ];
  return dial(server.sys, address, portOf(server), 'tcp', `${lines.join('\r\n')}\r\n\r\n${body}`, TIMEOUT_MS);
}

function explain({ address, port }: Dial, outcome: DialOutcome): string {
  if (!('error' in outcome)) return 'EOF';
  if (outcome.error === 'TIMEOUT') return `dial tcp ${address}:${port}: i/o timeout`;
  return `dial tcp ${address}:${port}: connect: ${errnoText(new SystemError(outcome.error))}`;
}
