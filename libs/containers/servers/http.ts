import { bytesOf, textOf, type Bytes } from '../../engine/kernel/bytes.js';
import type { Plain } from '../../engine/kernel/process/program.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import {
  formatAnswer,
  parseRequest,
  sizeOfBody,
  type AnswerParts,
  type ParsedRequest,
} from '../../engine/node/cni/http-bytes.js';
import { formatHello, parseHello, type ClientHello, type ServerHello } from '../../engine/node/cni/tls.js';
import type { Connection, Running, ServerProgram, Waits } from './serve.js';

export { sizeOfBody };
export type { AnswerParts, ParsedRequest };

export interface HttpRequest extends ParsedRequest {
  /** Without the query, as it was sent. */
  readonly route: Bytes;
  readonly query: ReadonlyMap<string, string>;
  readonly queryText: Bytes;
}

/** An answer, or what it waits for: then `resume` is asked again, with the task as it left it. */
export type HttpReply = AnswerParts | { readonly task: Plain; readonly wait: Waits } | 'close';

export interface HttpHandlers<Own extends Plain> {
  answer(request: HttpRequest, server: Running<Own>, connection: Connection): HttpReply;
  resume?(task: Plain, request: HttpRequest, server: Running<Own>, connection: Connection): HttpReply;
  /** What it shows in a TLS handshake; undefined: it speaks plain HTTP at this port. */
  tls?(server: Running<Own>, port: number): ServerHello | undefined;
  /** An answer is complete: for access logs. */
  log?(request: HttpRequest, answer: AnswerParts, server: Running<Own>, connection: Connection): void;
  /** The answer to bytes that are no HTTP. */
  refuse?(server: Running<Own>, connection: Connection): AnswerParts;
  /** The answer to plain HTTP at a port of TLS; by default Go's. */
  refusePlain?(server: Running<Own>): AnswerParts;
  /** The headers of each answer, before the answer's own: Date, Server. */
  headers?(server: Running<Own>): Readonly<Record<string, string>>;
}

type Task = { request: Plain; task: Plain };
type Own = { isGreeted: boolean };

const BAD_REQUEST: AnswerParts = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '400 Bad Request',
};

/** The two functions of a server that speaks HTTP/1.1. */
export function speakHttp<State extends Plain>(
  handlers: HttpHandlers<State>,
): Pick<ServerProgram<State>, 'receive' | 'resume'> {
  function receive(server: Running<State>, connection: Connection): void {
    if (connection.protocol === 'udp' || !greet(server, connection)) return;
    while (connection.task === null && connection.file === null && !connection.closes) {
      const parsed = parseRequest(connection.received);
      if (parsed === undefined) return;
      if (parsed === 'bad') return refuse(server, connection);
      connection.received = connection.received.slice(parsed.length);
      const request = withQuery(parsed);
      reply(server, connection, request, handlers.answer(request, server, connection));
    }
  }

  /** False while the client's hello is not there. */
  function greet(server: Running<State>, connection: Connection): boolean {
    const tls = handlers.tls?.(server, connection.port);
    if (tls === undefined || (connection.own as Own | null)?.isGreeted) return true;
    const hello = parseHello<ClientHello>(connection.received);
    if (hello === undefined) return false;
    if (hello === null) {
      const own = handlers.refusePlain?.(server);
      const headers = { ...handlers.headers?.(server), ...own?.headers };
      connection.unsent += own
        ? formatAnswer({ ...own, headers }, 'GET', true)
        : 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
      connection.closes = true;
      return false;
    }
    connection.own = { isGreeted: true };
    connection.unsent += formatHello(tls);
    connection.received = hello.rest;
    return true;
  }

  function refuse(server: Running<State>, connection: Connection): void {
    const answer = handlers.refuse?.(server, connection) ?? BAD_REQUEST;
    connection.unsent += formatAnswer(answer, 'GET', true);
    connection.closes = true;
  }

  function reply(server: Running<State>, connection: Connection, request: HttpRequest, answer: HttpReply): void {
    if (answer === 'close') {
      connection.task = null;
      connection.closes = true;
      return;
    }
    if ('task' in answer) {
      const { query: _query, ...plain } = request;
      connection.task = { request: plain as unknown as Plain, task: answer.task } satisfies Task;
      connection.wait = answer.wait;
      return;
    }
    connection.task = null;
    const closes = !request.keepsAlive;
    const headers = { ...handlers.headers?.(server), ...answer.headers };
    connection.unsent += formatAnswer({ ...answer, headers }, request.method, closes);
    if (answer.file !== undefined && answer.file.size > 0 && request.method !== 'HEAD') {
      const { path, size } = answer.file;
      connection.file = { descriptor: server.sys.open(path, { read: true }), left: size };
    }
    connection.closes ||= closes;
    handlers.log?.(request, answer, server, connection);
  }

  return {
    receive,
    resume(server, connection) {
      const { request: plain, task } = connection.task as Task;
      const request = withQuery(plain as unknown as ParsedRequest);
      const answer = handlers.resume?.(task, request, server, connection) ?? 'close';
      reply(server, connection, request, answer);
      if (connection.task === null && !connection.closes) receive(server, connection);
    },
  };
}

function withQuery(request: ParsedRequest): HttpRequest {
  const at = request.path.indexOf('?');
  const route = at < 0 ? request.path : request.path.slice(0, at);
  const queryText = at < 0 ? '' : request.path.slice(at + 1);
  return { ...request, route, queryText, query: parseQuery(queryText) };
}

/** The first value of each name, as text. */
export function parseQuery(text: Bytes): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of text.split('&')) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    const key = unescapeUrl(name.replaceAll('+', ' '));
    if (part !== '' && !values.has(key)) values.set(key, unescapeUrl(value.replaceAll('+', ' ')));
  }
  return values;
}

/** Text, %XX decoded; what is no escape stays. */
export const unescapeUrl = (text: Bytes): string =>
  textOf(text.replace(/%([\da-fA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));

export const plainText = (text: string, status = 200): AnswerParts => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: bytesOf(text),
});

/** net/http's Error. */
export const httpError = (message: string, status: number): AnswerParts => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: bytesOf(`${message}\n`),
});

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 22 Nov 2026 12:00:00 GMT`. */
export function httpDate(at: Millis): string {
  const date = new Date(at);
  const iso = date.toISOString();
  return `${DAYS[date.getUTCDay()]}, ${iso.slice(8, 10)} ${MONTHS[date.getUTCMonth()]} ${iso.slice(0, 4)} ${iso.slice(11, 19)} GMT`;
}
