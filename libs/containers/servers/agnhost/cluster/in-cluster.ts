import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { sleepUntil } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { encodeBase64Url } from '../../../../engine/machinery/text/base64.js';
import { sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import { readSmallFile } from '../../../tools/accounts.js';
import {
  beginFetch,
  continueFetch,
  type Fetch,
  type FetchAnswer,
  type FetchOutcome,
} from '../../../tools/network/fetch.js';
import { klogHead } from '../../go.js';
import { defineJob, readFlags, type Command, type Job } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const CONNECT_MS = 30_000;
const NOT_IN_CLUSTER =
  'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined';

/** The API server as rest.InClusterConfig finds it, or why it does not. */
export interface ClusterConfig {
  readonly host: string;
  readonly port: number;
  readonly token: Bytes;
}

export function inClusterConfig(sys: Syscalls): ClusterConfig | { readonly error: string } {
  const host = sys.env['KUBERNETES_SERVICE_HOST'];
  const port = sys.env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return { error: NOT_IN_CLUSTER };
  const token = readSmallFile(sys, `${ACCOUNT}/token`).trim();
  if (token === '') return { error: `open ${ACCOUNT}/token: no such file or directory` };
  return { host, port: Number(port), token };
}

/** A GET over TLS with the pod's token. */
export function getWithToken(sys: Syscalls, host: string, port: number, path: Bytes, token: Bytes): Fetch {
  const lines = [`Host: ${host}:${port}`, 'User-Agent: agnhost/v1.36', 'Accept: application/json'];
  const head = [`GET ${path} HTTP/1.1`, ...lines, `Authorization: Bearer ${token}`, 'Connection: close'];
  const url = { scheme: 'https', user: '', host, port, path };
  return beginFetch(sys, {
    ...{ url, isHead: false, connectTimeout: CONNECT_MS, timeout: CONNECT_MS },
    request: `${head.join('\r\n')}\r\n\r\n`,
  });
}

/** The answer, what it waits for, or the words of a failure. */
export function awaitAnswer(
  sys: Syscalls,
  fetch: Fetch,
): { readonly wait: Wait } | { readonly answer: FetchAnswer } | { readonly error: string } {
  const outcome = continueFetch(sys, fetch);
  return 'failure' in outcome ? { error: explain(fetch, outcome) } : outcome;
}

function explain({ host, port }: Fetch, outcome: Extract<FetchOutcome, { failure: unknown }>): string {
  const url = `Get "https://${host}:${port}"`;
  switch (outcome.failure) {
    case 'lookup':
      return `${url}: dial tcp: lookup ${host}: no such host`;
    case 'connect':
      return `${url}: dial tcp ${host}:${port}: connect: ${outcome.code === 'ECONNREFUSED' ? 'connection refused' : 'no route to host'}`;
    case 'timeout':
      return `${url}: dial tcp ${host}:${port}: i/o timeout`;
    default:
      return `${url}: EOF`;
  }
}

const FLAGS: FlagTable = { 'poll-interval': ['int', '30'] };

type State = { next: number; fetch: Fetch | null };

/** Asks for /healthz again and again, and shows a hash of the token. Models test/images/agnhost/inclusterclient. */
export const inClusterClient: Command = {
  flags: FLAGS,
  program: defineJob<State>(() => ({ next: 0, fetch: null }), poll),
};

const SOURCE = 'main.go';

function poll(job: Job<State>): number | Wait {
  const { sys, own } = job;
  const interval = Math.max(1, readFlags(FLAGS, job.argv).number('poll-interval')) * 1_000;
  const info = (line: number, text: Bytes, level: 'I' | 'E' = 'I'): void =>
    job.err(`${klogHead(level, sys.now, sys.pid, `${SOURCE}:${line}`)}${text}\n`);
  if (own.next === 0) {
    info(61, 'started');
    const config = inClusterConfig(sys);
    if ('error' in config) {
      job.log(`err: ${config.error}`);
      return 1;
    }
    own.next = sys.now + interval;
  }
  if (own.fetch === null) {
    if (sys.now < own.next) return sleepUntil(own.next);
    own.next = sys.now + interval;
    const config = inClusterConfig(sys);
    info(80, 'calling /healthz');
    if ('error' in config) {
      info(98, 'authz_header=<empty>', 'E');
      return sleepUntil(own.next);
    }
    info(96, `authz_header=${encodeBase64Url(sha256(`salt|Bearer ${config.token}`))}`);
    own.fetch = getWithToken(sys, config.host, config.port, '/healthz', config.token);
  }
  const outcome = awaitAnswer(sys, own.fetch);
  if ('wait' in outcome) return outcome.wait;
  own.fetch = null;
  const status = 'answer' in outcome ? outcome.answer.status : 0;
  if (status < 200 || status >= 300) {
    info(83, 'status=failed', 'E');
    const error = 'error' in outcome ? outcome.error : `the server responded with the status code ${status}`;
    info(84, `error checking /healthz: ${error}\n${'answer' in outcome ? outcome.answer.body : ''}\n`, 'E');
  }
  return sleepUntil(own.next);
}
