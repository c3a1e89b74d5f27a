import { type Bytes, bytesOf } from '../../../engine/kernel/bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { type Dial, continueDial, dial, isWholeAnswer, readAnswer } from '../dial.js';
import type { HttpReply, HttpRequest } from '../http.js';
import { lookUp } from '../lookup.js';
import type { Connection } from '../serve.js';
import { errorPage } from './answer.js';
import { find, findAll } from './configuration.js';
import type { Server } from './process/own.js';
import { slashed, versionOf } from './version.js';

export type Task = { dial: Dial; target: Bytes };

const PROXY_TIMEOUT_MS = 60_000;

export function proxy(
  server: Server,
  request: HttpRequest,
  connection: Connection,
  target: Bytes,
  uri: Bytes,
): HttpReply {
  const { sys, own } = server;
  const [, name = '', given] = /^https?:\/\/([^/:]+)(?::(\d+))?/.exec(target) ?? [];
  const upstream = findAll(find(own.configuration, 'http')?.block ?? [], 'upstream').find(
    ({ args }) => args[0] === name,
  );
  const servers = findAll(upstream?.block ?? null, 'server');
  const chosen =
    servers.length === 0 ? `${name}:${given ?? 80}` : servers[Math.floor(sys.random() * servers.length)]!.args[0]!;
  const [host = '', port = '80'] = chosen.split(':');
  const [address] = lookUp(sys, host).addresses;
  if (address === undefined) {
    writeError(server, request, connection, `${host} could not be resolved (3: Host not found)`);
    return errorPage({ version: versionOf(sys) }, 502);
  }
  const headers = Object.entries({ ...request.headers, host: name, connection: 'close' });
  const head = headers.map(([key, value]) => `${key}: ${bytesOf(value)}\r\n`).join('');
  const bytes = `${request.method} ${uri} HTTP/1.0\r\n${head}\r\n${request.body}`;
  const task: Task = { dial: dial(sys, address, Number(port), 'tcp', bytes, PROXY_TIMEOUT_MS), target };
  return goOn(server, request, task);
}

export function goOn(server: Server, request: HttpRequest, task: Task): HttpReply {
  const outcome = continueDial(server.sys, task.dial, isWholeAnswer);
  if ('wait' in outcome) return { task: task as Plain, wait: outcome.wait };
  const version = versionOf(server.sys);
  if ('error' in outcome) {
    const isTimeout = outcome.error === 'TIMEOUT' || outcome.error === 'ETIMEDOUT';
    server.err(
      `${errorHead(server)} *1 ${isTimeout ? 'upstream timed out (110: Operation timed out)' : 'connect() failed (111: Connection refused)'} while connecting to upstream, request: "${request.method} ${request.path} HTTP/1.1", upstream: "${task.target}"\n`,
    );
    return errorPage({ version }, isTimeout ? 504 : 502);
  }
  const received = readAnswer(outcome.received);
  if (received === undefined) return errorPage({ version }, 502);
  const headers = readHeaders(received.head);
  return { status: received.status, headers, body: received.body };
}

/** Workers say what goes wrong with a request. */
function errorHead({ sys, own }: Server): string {
  const [pid = sys.pid] = own.workers.pids;
  return `${slashed(sys.now)} [error] ${pid}#${pid}:`;
}

const OWN_HEADERS = ['connection', 'content-length', 'transfer-encoding', 'date', 'server'];

/** The headers of an upstream server's answer that are passed on. */
function readHeaders(head: Bytes): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !OWN_HEADERS.includes(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

export function writeError(
  server: Server,
  { method, path, headers }: HttpRequest,
  { address }: Connection,
  problem: Bytes,
): void {
  server.err(
    `${errorHead(server)} *1 ${problem}, client: ${address}, server: localhost, request: "${method} ${path} HTTP/1.1", host: "${bytesOf(headers['host'] ?? '')}"\n`,
  );
}
