import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { exit, sleepUntil, type Plain, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { parseUrl, type Url } from '../../tools/network/fetch.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../dial.js';
import { parseDuration } from '../go.js';
import { plainText } from '../http.js';
import { lookUp } from '../lookup.js';
import { defineApp } from './app.js';

/** A generator sends no more than this in a second, however fast it is told to be: what it loads is simulated, too. */
const MAX_PER_SECOND = 200;
const MAX_CONNECTIONS = 100;
const MAX_REQUESTS = 100_000;
const MAX_SAMPLES = 5_000;
const TIMEOUT_MS = 20_000;

type Plan = { url: string; total: number; connections: number; duration: Millis; perSecond: number; start: string };
type Tally = {
  times: number[];
  statuses: Record<string, number>;
  errors: Record<string, number>;
  bytes: number;
  sent: number;
  done: number;
};
type State = {
  plan: Plan | null;
  failure: string;
  code: number;
  address: string;
  startedAt: number;
  hasBegun: boolean;
  open: { dial: Dial; at: number }[];
  tally: Tally;
};

interface Generator {
  read(argv: readonly Bytes[]): Plan | { readonly failure: string; readonly code: number };
  report(tally: Tally, plan: Plan, seconds: number): string;
}

const newTally = (): Tally => ({ times: [], statuses: {}, errors: {}, bytes: 0, sent: 0, done: 0 });

/** A program that sends requests to one URL, and reports how they were answered. */
const makeGenerator = (generator: Generator): Program => ({
  start(argv, sys): Plain {
    const plan = generator.read(argv);
    const state: State = {
      ...('failure' in plan ? { plan: null, failure: plan.failure, code: plan.code } : { plan, failure: '', code: 0 }),
      ...{ address: '', startedAt: sys.now, hasBegun: false, open: [], tally: newTally() },
    };
    return state;
  },
  step: (plain, sys) => step(plain as State, generator, sys),
});

function step(state: State, generator: Generator, sys: Syscalls): Wait {
  const { plan, tally } = state;
  if (plan === null) {
    sys.write(2, state.failure);
    return exit(state.code);
  }
  const url = parseUrl(plan.url)!;
  if (!state.hasBegun) {
    state.hasBegun = true;
    sys.write(1, plan.start);
    const found = lookUp(sys, url.host);
    state.address = found.addresses[0] ?? '';
    state.startedAt = sys.now;
  }
  state.open = state.open.filter((one) => !finish(state, one, sys));
  const isOver = sys.now - state.startedAt >= plan.duration || tally.sent >= plan.total;
  const next = isOver ? undefined : sendDue(state, plan, url, sys);
  if (isOver && state.open.length === 0) {
    sys.write(1, generator.report(tally, plan, Math.max(sys.now - state.startedAt, 1) / 1_000));
    return exit(0);
  }
  const readable = state.open.filter(({ dial: one }) => one.isConnected).map(({ dial: one }) => one.descriptor);
  const writable = state.open.filter(({ dial: one }) => !one.isConnected).map(({ dial: one }) => one.descriptor);
  const times = [...state.open.map(({ dial: one }) => one.until), ...(next === undefined ? [] : [next])];
  if (readable.length + writable.length === 0) return sleepUntil(next ?? sys.now + 1);
  return { type: 'wait', readable, writable, until: Math.min(...times) };
}

/** Sends what is due by now; returns when the next request is. */
function sendDue(state: State, plan: Plan, url: Url, sys: Syscalls): number | undefined {
  const { tally } = state;
  const dueAt = (): number => state.startedAt + Math.ceil((tally.sent * 1_000) / plan.perSecond);
  while (state.open.length < plan.connections && tally.sent < plan.total && dueAt() <= sys.now) {
    tally.sent++;
    if (state.address === '') {
      tally.done++;
      count(tally.errors, `Get "${plan.url}": dial tcp: lookup ${url.host}: no such host`);
      continue;
    }
    const head = `GET ${url.path} HTTP/1.1\r\nHost: ${url.host}${url.port === 80 ? '' : `:${url.port}`}\r\nUser-Agent: hey/0.0.1\r\nConnection: close\r\n\r\n`;
    const one = { dial: dial(sys, state.address, url.port, 'tcp', head, TIMEOUT_MS), at: sys.now };
    if (!finish(state, one, sys)) state.open.push(one);
  }
  return tally.sent < plan.total && state.open.length < plan.connections ? Math.max(dueAt(), sys.now + 1) : undefined;
}

/** True: it is answered, or has failed. */
function finish({ tally, plan }: State, { dial: one, at }: State['open'][number], sys: Syscalls): boolean {
  const outcome = continueDial(sys, one, isWholeAnswer);
  if ('wait' in outcome) return false;
  tally.done++;
  const answer = 'error' in outcome ? undefined : readAnswer(outcome.received);
  if (answer === undefined) {
    const reason = 'error' in outcome && outcome.error === 'ECONNREFUSED' ? 'connect: connection refused' : 'EOF';
    count(tally.errors, `Get "${plan!.url}": dial tcp ${one.address}:${one.port}: ${reason}`);
    return true;
  }
  count(tally.statuses, String(answer.status));
  tally.bytes += answer.body.length;
  if (tally.times.length < MAX_SAMPLES) tally.times.push(Math.max(sys.now - at, 0.4));
  return true;
}

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Words of a command line by the names of flags that take a value. */
function readWords(
  words: readonly Bytes[],
  withValue: readonly string[],
): { flags: Record<string, string>; operands: string[] } {
  const flags: Record<string, string> = {};
  const operands: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) operands.push(textOf(word));
    else {
      const [name = '', attached] = word.replace(/^--?/, '').split(/=(.*)/s);
      const short = withValue.find(
        (one) => one.length === 1 && name.startsWith(one) && name.length > 1 && !withValue.includes(name),
      );
      if (short !== undefined && attached === undefined) flags[short] = name.slice(1);
      else flags[name] = attached ?? (withValue.includes(name) ? (rest.shift() ?? '') : 'true');
    }
  }
  return { flags, operands };
}

const whole = (text: string | undefined, otherwise: number, max: number): number => {
  const value = Number(text ?? otherwise);
  return Number.isFinite(value) && value > 0 ? Math.min(Math.floor(value), max) : otherwise;
};

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
const seconds = (ms: number): string => (ms / 1_000).toFixed(4);

const HEY_VALUES = [...'ncqzomtHTaxhD', 'host', 'cpus'];

/** rakyll/hey. Left out: methods other than GET, bodies, headers, proxies; no more than 200 requests a second. */
const hey = makeGenerator({
  read(argv) {
    const { flags, operands } = readWords(argv.slice(1), HEY_VALUES);
    const url = operands[0];
    if (url === undefined || !/^https?:/.test(url) || parseUrl(url) === undefined)
      return {
        failure:
          'Usage: hey [options...] <url>\n\nOptions:\n  -n  Number of requests to run. Default is 200.\n  -c  Number of workers to run concurrently. Total number of requests cannot\n      be smaller than the concurrency level. Default is 50.\n  -q  Rate limit, in queries per second (QPS) per worker. Default is no rate limit.\n  -z  Duration of application to send requests.\n',
        code: 1,
      };
    if (flags['m'] !== undefined && flags['m'] !== 'GET')
      return { failure: `hey: method ${flags['m']} is not simulated\n`, code: 1 };
    const connections = whole(flags['c'], 50, MAX_CONNECTIONS);
    const perWorker = Number(flags['q'] ?? 0);
    const duration = flags['z'] === undefined ? Infinity : (parseDuration(flags['z']) ?? 0);
    const total = flags['z'] === undefined ? whole(flags['n'], 200, MAX_REQUESTS) : MAX_REQUESTS;
    if (flags['z'] === undefined && total < connections && flags['c'] !== undefined)
      return { failure: '-n cannot be less than -c.\n', code: 1 };
    const perSecond = Math.min(perWorker > 0 ? perWorker * connections : Infinity, MAX_PER_SECOND);
    return { url, total, connections, duration: Math.min(duration, 1e12), perSecond, start: '' };
  },
  report({ times, statuses, errors, bytes }, _plan, took) {
    const sorted = [...times].sort((a, b) => a - b);
    const answered = Object.values(statuses).reduce((sum, one) => sum + one, 0);
    const lines = [
      '',
      'Summary:',
      `  Total:\t${took.toFixed(4)} secs`,
      `  Slowest:\t${seconds(sorted.at(-1) ?? 0)} secs`,
      `  Fastest:\t${seconds(sorted[0] ?? 0)} secs`,
      `  Average:\t${seconds(mean(sorted))} secs`,
      `  Requests/sec:\t${(answered / took).toFixed(4)}`,
      '  ',
    ];
    if (bytes > 0)
      lines.push(
        `  Total data:\t${bytes} bytes`,
        `  Size/request:\t${Math.floor(bytes / Math.max(answered, 1))} bytes`,
        '',
      );
    lines.push('Response time histogram:', ...histogram(sorted), '', '', 'Latency distribution:');
    if (sorted.length > 0)
      for (const share of [10, 25, 50, 75, 90, 95, 99])
        lines.push(`  ${share}%% in ${seconds(percentile(sorted, share / 100))} secs`.replace('%%', '%'));
    lines.push(
      '',
      'Status code distribution:',
      ...Object.entries(statuses).map(([code, many]) => `  [${code}]\t${many} responses`),
    );
    if (Object.keys(errors).length > 0)
      lines.push('', 'Error distribution:', ...Object.entries(errors).map(([error, many]) => `  [${many}]\t${error}`));
    return `${lines.join('\n')}\n\n\n`;
  },
});

function histogram(sorted: readonly number[]): string[] {
  if (sorted.length === 0) return [];
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const marks = Array.from({ length: 11 }, (_, i) => least + ((most - least) * i) / 10);
  const counts = marks.map(
    (mark, i) => sorted.filter((time) => time <= mark && (i === 0 || time > marks[i - 1]!)).length,
  );
  const max = Math.max(...counts, 1);
  return marks
    .map(
      (mark, i) => `  ${(mark / 1_000).toFixed(3)} [${counts[i]}]\t|${'■'.repeat(Math.round((40 * counts[i]!) / max))}`,
    )
    .map(bytesOf);
}

/** fortio load. Left out: gRPC, TCP and UDP loads, and its other commands but the server. */
const fortioLoad = makeGenerator({
  read(argv) {
    const { flags, operands } = readWords(argv.slice(2), [
      'qps',
      'c',
      't',
      'n',
      'p',
      'r',
      'H',
      'timeout',
      'loglevel',
      'labels',
      'json',
      'a',
    ]);
    const url = operands[0];
    if (url === undefined || parseUrl(url) === undefined)
      return { failure: 'Error: fortio load needs a url or destination\n', code: 1 };
    const connections = whole(flags['c'], 4, MAX_CONNECTIONS);
    const qps = Number(flags['qps'] ?? 8);
    const total = flags['n'] === undefined ? MAX_REQUESTS : whole(flags['n'], 1, MAX_REQUESTS);
    const duration =
      flags['n'] !== undefined && flags['t'] === undefined ? 1e12 : (parseDuration(flags['t'] ?? '5s') ?? 5_000);
    const perSecond = qps > 0 ? Math.min(qps, MAX_PER_SECOND) : MAX_PER_SECOND;
    const start = `Fortio 1.69.5 running at ${qps} queries per second, 2->2 procs, for ${flags['t'] ?? '5s'}: ${url}\nStarting at ${qps} qps with ${connections} thread(s) [gomax 2] for ${flags['t'] ?? '5s'}\n`;
    return { url, total, connections, duration, perSecond, start };
  },
  report({ times, statuses, errors, done }, { connections }, took) {
    const sorted = [...times].sort((a, b) => a - b);
    const lines = [
      `Ended after ${took}s : ${done} calls. qps=${(done / took).toFixed(5)}`,
      `Aggregated Function Time : count ${done} avg ${(mean(sorted) / 1_000).toFixed(8)} +/- 0.0001 min ${(sorted[0] ?? 0) / 1_000} max ${(sorted.at(-1) ?? 0) / 1_000} sum ${(mean(sorted) * sorted.length) / 1_000}`,
    ];
    for (const share of [50, 75, 90, 99, 99.9])
      lines.push(`# target ${share}% ${(percentile(sorted, share / 100) / 1_000).toFixed(8)}`);
    lines.push(`Sockets used: ${connections} (for perfect keepalive, would be ${connections})`);
    const failed = Object.values(errors).reduce((sum, one) => sum + one, 0);
    for (const [code, many] of Object.entries(statuses))
      lines.push(`Code ${code} : ${many} (${((100 * many) / Math.max(done, 1)).toFixed(1)} %)`);
    if (failed > 0) lines.push(`Code  -1 : ${failed} (${((100 * failed) / Math.max(done, 1)).toFixed(1)} %)`);
    lines.push(
      `All done ${done} calls (plus 0 warmup) ${mean(sorted).toFixed(3)} ms avg, ${(done / took).toFixed(1)} qps`,
    );
    return `${lines.join('\n')}\n`;
  },
});

/** wrk. Left out: scripts in Lua. */
const wrk = makeGenerator({
  read(argv) {
    const { flags, operands } = readWords(argv.slice(1), [
      't',
      'c',
      'd',
      's',
      'H',
      'threads',
      'connections',
      'duration',
    ]);
    const url = operands[0];
    if (url === undefined || parseUrl(url) === undefined)
      return {
        failure:
          'Usage: wrk <options> <url>\n  Options:\n    -c, --connections <N>  Connections to keep open\n    -d, --duration    <T>  Duration of test\n    -t, --threads     <N>  Number of threads to use\n',
        code: 1,
      };
    const connections = whole(flags['c'] ?? flags['connections'], 10, MAX_CONNECTIONS);
    const text = flags['d'] ?? flags['duration'] ?? '10s';
    const duration = parseDuration(/^\d+$/.test(text) ? `${text}s` : text) ?? 10_000;
    const start = `Running ${text} test @ ${url}\n  ${flags['t'] ?? flags['threads'] ?? 2} threads and ${connections} connections\n`;
    return { url, total: MAX_REQUESTS, connections, duration, perSecond: MAX_PER_SECOND, start };
  },
  report({ times, statuses, errors, done, bytes }, _plan, took) {
    const sorted = [...times].sort((a, b) => a - b);
    const failed = Object.entries(statuses)
      .filter(([code]) => Number(code) >= 400)
      .reduce((sum, [, many]) => sum + many, 0);
    const lines = [
      '  Thread Stats   Avg      Stdev     Max   +/- Stdev',
      `    Latency   ${mean(sorted).toFixed(2)}ms    0.21ms   ${(sorted.at(-1) ?? 0).toFixed(2)}ms   91.20%`,
      `  ${done} requests in ${took.toFixed(2)}s, ${(bytes / 1_024).toFixed(2)}KB read`,
    ];
    const broken = Object.values(errors).reduce((sum, one) => sum + one, 0);
    if (broken > 0) lines.push(`  Socket errors: connect ${broken}, read 0, write 0, timeout 0`);
    if (failed > 0) lines.push(`  Non-2xx or 3xx responses: ${failed}`);
    lines.push(
      `Requests/sec: ${(done / took).toFixed(2).padStart(10)}`,
      `Transfer/sec: ${(bytes / 1_024 / took).toFixed(2).padStart(10)}KB`,
    );
    return `${lines.join('\n')}\n`;
  },
});

const fortioServer = defineApp({
  ports: () => [8_080],
  logsTo: 'stderr',
  log: () => [
    'Fortio 1.69.5 tcp-echo server listening on tcp [::]:8078',
    'Fortio 1.69.5 http-echo server listening on tcp [::]:8080',
  ],
  answer: ({ route, body, query }, { sys }) => {
    if (route.startsWith('/fortio'))
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=UTF-8' },
        body: '<!DOCTYPE html><html><head><title>Fortio</title></head></html>\n',
      };
    if (route === '/debug') return plainText(`\u03a6 version 1.69.5 on ${textOf(sys.hostname)}\n`);
    const status = Number(query.get('status') ?? 200);
    return { ...plainText(''), status: status >= 200 && status <= 599 ? status : 200, body };
  },
});

/** fortio's server and its load. */
const fortio: Program = {
  start: (argv, sys) => {
    const isLoad = argv[1] === 'load';
    return { isLoad, inner: (isLoad ? fortioLoad : fortioServer).start(argv, sys) };
  },
  step(state, sys) {
    const { isLoad, inner } = state as { isLoad: boolean; inner: Plain };
    return (isLoad ? fortioLoad : fortioServer).step(inner, sys);
  },
};

export const programs: Readonly<Record<string, Program>> = {
  'apps:hey': hey,
  'apps:fortio': fortio,
  'apps:wrk': wrk,
};
