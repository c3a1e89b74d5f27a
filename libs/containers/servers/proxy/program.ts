import type { Reader } from '@terrarium/engine';
import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import {
  formatAnswer,
  parseRequest,
  type AnswerParts,
  type ParsedRequest,
} from '../../../engine/node/cni/http-bytes.js';
import { provenCertificate } from '../../../engine/node/cni/client-proof.js';
import { encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { formatHello, parseHello, type ClientHello } from '../../../engine/node/cni/tls.js';
import { connectError } from '../dial.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import type { Forward, Look, Proxy, ProxyRequest, Step } from './proxy.js';
import { askUpstream, continueUpstream, type Asked } from './upstream.js';

type Own = { memory: Record<string, Plain>; startedAt: number; written: number; isReady: boolean; copies: Asked[] };
/** A request under way, or two connections that are joined. */
type Task =
  | { type: 'ask'; request: Plain; keepsAlive: boolean; forward: Plain; asked: Asked }
  | { type: 'delay'; request: Plain; keepsAlive: boolean; until: number; step: Plain }
  | {
      type: 'join';
      descriptor: number;
      isConnecting: boolean;
      toUpstream: Bytes;
      isUpstreamOver: boolean;
      /** What has come of the greeting that the other server begins with. */
      greeting?: Bytes;
    };

const CHUNK = 65_536;
/** Servers that are asked for one request: after authentication, after a failure, for a page. */
const MAX_STEPS = 8;
/** Copies of requests that are under way. */
const MAX_COPIES = 50;
/** How often copies that are under way are looked after. */
const COPY_MS = 10;
const STOP_MS = 50;

/** A proxy as a program of its pod's machine. */
export function proxyProgram(proxy: Proxy, read: Reader): Program {
  const lookOf = ({ own, sys, connections }: Running<Own>): Look => ({
    ...{ read, now: sys.now, memory: own.memory, random: () => sys.random() },
    active: connections.flatMap(({ task }) => (isAsking(task) ? [(task.forward as unknown as Forward).note] : [])),
  });

  function writeLines({ own, sys, out }: Running<Own>): number | undefined {
    const lines = proxy.lines();
    for (; own.written < lines.length; own.written++) {
      const { at, text } = lines[own.written]!;
      if (own.startedAt + at > sys.now) return own.startedAt + at;
      out(`${bytesOf(text)}\n`);
    }
    return undefined;
  }

  function beginAll(server: Running<Own>): void {
    const { own, sys } = server;
    const next = writeLines(server);
    const readyAt = own.startedAt + proxy.readyAfterMs;
    if (!own.isReady && sys.now >= readyAt) {
      own.isReady = true;
      for (const port of new Set([...proxy.ports, ...proxy.ownPorts])) listen(server, port);
    }
    own.copies = own.copies.filter((asked) => 'wait' in continueUpstream(sys, asked));
    const times = [next, own.isReady ? undefined : readyAt, own.copies.length > 0 ? sys.now + COPY_MS : undefined];
    const known = times.filter((time) => time !== undefined);
    if (known.length > 0) server.tickAt(Math.min(...known));
  }

  /** False while the client's hello is not there. */
  function greet(server: Running<Own>, connection: Connection): boolean {
    if (connection.own !== null) return true;
    const look = lookOf(server);
    const opened = proxy.open && proxy.ports.includes(connection.port) ? open(server, connection, look) : undefined;
    if (opened !== undefined) return opened;
    if (!proxy.tlsPorts.includes(connection.port) && !proxy.speaksTls?.(connection.port, look)) {
      connection.own = 'http';
      return true;
    }
    const hello = parseHello<ClientHello>(connection.received);
    if (hello === undefined) return false;
    if (hello === null) {
      connection.unsent += formatAnswer(proxy.refuse(true), 'GET', true);
      connection.closes = true;
      return false;
    }
    const serverName = String(hello.hello.serverName ?? '');
    const target = proxy.passes?.(connection.port, serverName, look);
    if (target) {
      connection.own = 'passed';
      passOn(server, connection, target);
      return false;
    }
    const own = proxy.hello(serverName, { ...look, port: connection.port });
    if (!own) {
      connection.closes = true;
      return false;
    }
    const shown = hello.hello.proof && provenCertificate(hello.hello, server.sys.now);
    connection.own = shown ? `https ${encodeBase64(shown)}` : 'https';
    connection.unsent += formatHello(own);
    connection.received = hello.rest;
    return true;
  }

  /** The same by what the proxy makes of the first bytes; undefined: it is for its port to say. */
  function open(server: Running<Own>, connection: Connection, look: Look): boolean | undefined {
    const { port, original, address: client, received } = connection;
    const opened = proxy.open!({ port, client, received, ...(original ? { original } : {}) }, look);
    if (opened === 'wait') return false;
    if (opened === 'default') return undefined;
    if (opened === 'close') {
      connection.closes = true;
      return false;
    }
    if (opened.hello) connection.unsent += formatHello(opened.hello);
    if ('http' in opened) {
      connection.own = opened.peer === undefined ? 'http' : `peer ${opened.peer}`;
      connection.received = opened.http;
      return true;
    }
    connection.own = 'passed';
    connection.received = opened.bytes;
    if (opened.line !== undefined) server.out(`${bytesOf(opened.line)}\n`);
    passOn(server, connection, opened.pass, opened.greets);
    return false;
  }

  function receive(server: Running<Own>, connection: Connection): void {
    if (!greet(server, connection)) return;
    while (connection.task === null && !connection.closes) {
      const parsed = parseRequest(connection.received);
      if (parsed === undefined) return;
      if (parsed === 'bad') {
        connection.unsent += formatAnswer(proxy.refuse(false), 'GET', true);
        connection.closes = true;
        return;
      }
      connection.received = connection.received.slice(parsed.length);
      if (!proxy.ports.includes(connection.port)) serveOwn(server, connection, parsed);
      else {
        const request = requestOf(parsed, connection, server.sys.now);
        act(server, connection, request, parsed.keepsAlive, proxy.take(request, lookOf(server)));
      }
    }
  }

  function serveOwn(server: Running<Own>, connection: Connection, parsed: ParsedRequest): void {
    const { method, path, headers, keepsAlive } = parsed;
    const request = { scheme: schemeOf(connection), port: connection.port, method, path, headers } as const;
    const answer = proxy.serve?.({ ...request, body: textOf(parsed.body) }, lookOf(server)) ?? { status: 404 };
    connection.unsent += formatAnswer({ ...answer, body: bytesOf(answer.body ?? '') }, method, !keepsAlive);
    connection.closes ||= !keepsAlive;
  }

  function act(
    server: Running<Own>,
    connection: Connection,
    request: ProxyRequest,
    keepsAlive: boolean,
    first: Step,
  ): void {
    let step = first;
    for (let count = 0; count < MAX_STEPS; count++) {
      if (step.after) return delay(server, connection, request, keepsAlive, step);
      if (!('forward' in step)) break;
      for (const copy of step.copies ?? [])
        if (server.own.copies.length < MAX_COPIES) server.own.copies.push(askUpstream(server.sys, copy));
      if (server.own.copies.length > 0) server.tickAt(server.sys.now + COPY_MS);
      const asked = askUpstream(server.sys, step.forward);
      const forward = step.forward as unknown as Plain;
      connection.task = { type: 'ask', request: request as unknown as Plain, keepsAlive, forward, asked };
      const next = proceed(server, connection, connection.task as Task & { type: 'ask' });
      if (next === undefined) return;
      step = next;
    }
    if ('forward' in step) step = { answer: proxy.refuse(false) };
    connection.task = null;
    answer(server, connection, request, keepsAlive, step.answer);
    if (step.line !== undefined) server.out(`${bytesOf(step.line)}\n`);
  }

  /** The next step; undefined while the other server has not answered, or is joined with the client. */
  function proceed(server: Running<Own>, connection: Connection, task: Task & { type: 'ask' }): Step | undefined {
    const { sys } = server;
    const found = continueUpstream(sys, task.asked);
    if ('wait' in found) {
      connection.wait = found.wait;
      return undefined;
    }
    if ('upgraded' in found) {
      connection.unsent += found.upgraded.received;
      const { descriptor } = found.upgraded;
      const rest = { toUpstream: connection.received, isUpstreamOver: false };
      connection.task = { type: 'join', descriptor, isConnecting: false, ...rest };
      connection.received = '';
      join(server, connection, connection.task as Task & { type: 'join' });
      return undefined;
    }
    const request = task.request as unknown as ProxyRequest;
    return proxy.finish(request, task.forward as unknown as Forward, found.outcome, lookOf(server));
  }

  return defineServer<Own>({
    start: (_argv, sys) => ({ memory: {}, startedAt: sys.now, written: 0, isReady: false, copies: [] }),
    signals: ['TERM', 'INT', 'QUIT'],
    signal: ({ exit, own }) => {
      own.isReady = true;
      exit(0);
    },
    begin: beginAll,
    tick: beginAll,
    receive,
    ...(proxy.open
      ? {
          // A server may be the one to speak first; and nothing is read of who is not to be spoken to.
          connect: (server: Running<Own>, connection: Connection) => void greet(server, connection),
          readSize: ({ own, received }: Connection) => (own === null && received === '' ? 1 : CHUNK),
        }
      : {}),
    resume(server, connection) {
      const task = connection.task as Task;
      if (task.type === 'join') return join(server, connection, task);
      if (task.type === 'delay' && server.sys.now < task.until) return;
      const step = task.type === 'delay' ? (task.step as unknown as Step) : proceed(server, connection, task);
      if (step === undefined) return;
      act(server, connection, task.request as unknown as ProxyRequest, task.keepsAlive, step);
      if (connection.task === null && !connection.closes) receive(server, connection);
    },
    disconnect({ sys }, { task }) {
      const open = task as Task | null;
      const asked = open?.type === 'ask' ? open.asked.dial?.descriptor : undefined;
      const descriptor = open?.type === 'join' ? open.descriptor : asked;
      if (descriptor !== undefined) closeQuietly(() => sys.close(descriptor));
    },
  });
}

export { STOP_MS };

const isAsking = (task: Plain): task is Task & { type: 'ask' } => (task as Task | null)?.type === 'ask';

const schemeOf = ({ own }: Connection): 'http' | 'https' => (String(own).startsWith('https') ? 'https' : 'http');

function listen(server: Running<Own>, port: number): void {
  try {
    server.listen(port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(`listen tcp :${port}: bind: ${error.message.toLowerCase()}\n`);
  }
}

function requestOf(parsed: ParsedRequest, connection: Connection, at: number): ProxyRequest {
  const { method, path, headers, body, length } = parsed;
  const { port, address: client, remotePort: clientPort } = connection;
  const [, certificate] = String(connection.own).split(' ');
  const { original, own } = connection;
  const known = {
    ...{ scheme: schemeOf(connection), port, method, path, headers, body, client, clientPort, length, at },
    ...(original ? { original } : {}),
  };
  if (String(own).startsWith('peer ')) return { ...known, peer: String(own).slice('peer '.length) };
  return certificate === undefined ? known : { ...known, certificate };
}

/** The step is taken later. */
function delay(
  { sys }: Running<Own>,
  connection: Connection,
  request: ProxyRequest,
  keepsAlive: boolean,
  { after = 0, ...step }: Step,
): void {
  const until = sys.now + after;
  const rest = { request: request as unknown as Plain, keepsAlive, step: step as unknown as Plain };
  connection.task = { type: 'delay', until, ...rest };
  connection.wait = { until };
}

function answer(
  server: Running<Own>,
  connection: Connection,
  { method }: ProxyRequest,
  keepsAlive: boolean,
  parts: AnswerParts,
): void {
  const { connection: _one, 'transfer-encoding': _two, 'keep-alive': _three, ...headers } = parts.headers ?? {};
  const kept = keepsAlive && !parts.isLowerCase ? { ...headers, connection: 'keep-alive' } : headers;
  connection.unsent += formatAnswer({ ...parts, headers: kept }, method, !keepsAlive);
  connection.closes ||= !keepsAlive;
  server.sys.charge(10 + ((parts.body?.length ?? 0) >> 6));
}

/** All that has come and will come goes to another server as it is. */
function passOn(
  server: Running<Own>,
  connection: Connection,
  { address, port }: { readonly address: string; readonly port: number },
  hello?: ClientHello,
): void {
  try {
    const descriptor = server.sys.connect(address, port);
    const toUpstream = (hello ? formatHello(hello) : '') + connection.received;
    const rest = { toUpstream, isUpstreamOver: false, ...(hello ? { greeting: '' } : {}) };
    connection.task = { type: 'join', descriptor, isConnecting: true, ...rest };
    connection.received = '';
    join(server, connection, connection.task as Task & { type: 'join' });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    connection.closes = true;
  }
}

/** Bytes pass both ways until both have ended. */
function join({ sys }: Running<Own>, connection: Connection, task: Task & { type: 'join' }): void {
  const { descriptor } = task;
  try {
    if (task.isConnecting) {
      const code = connectError(sys, descriptor);
      if (code === 'EAGAIN') {
        connection.wait = { writable: [descriptor] };
        return;
      }
      if (code !== undefined) throw new SystemError(code);
      task.isConnecting = false;
    }
    if (!connection.isEnded && task.toUpstream.length < CHUNK) {
      const typed = sys.read(connection.descriptor, CHUNK);
      if (typed === '') connection.isEnded = true;
      task.toUpstream += typed ?? '';
    }
    if (task.toUpstream !== '') task.toUpstream = task.toUpstream.slice(sys.write(descriptor, task.toUpstream));
    if (!task.isUpstreamOver && connection.unsent.length < CHUNK) {
      const said = sys.read(descriptor, CHUNK);
      if (said === '') task.isUpstreamOver = true;
      connection.unsent += afterGreeting(task, said ?? '');
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    task.isUpstreamOver = true;
  }
  if (task.isUpstreamOver || (connection.isEnded && task.toUpstream === '')) {
    closeQuietly(() => sys.close(descriptor));
    connection.task = null;
    connection.closes = true;
    return;
  }
  connection.wait = {
    readable: [descriptor, ...(connection.isEnded ? [] : [connection.descriptor])],
    ...(task.toUpstream === '' ? {} : { writable: [descriptor] }),
  };
}

/** What a server says behind its greeting. */
function afterGreeting(task: Task & { type: 'join' }, said: Bytes): Bytes {
  if (task.greeting === undefined) return said;
  const found = parseHello(task.greeting + said);
  if (found === undefined) task.greeting += said;
  else delete task.greeting;
  return found?.rest ?? '';
}

function closeQuietly(close: () => void): void {
  try {
    close();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
