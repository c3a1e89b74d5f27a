import type { Bytes } from '../../../kernel/bytes.js';
import type { Destination, Remote, StreamFilter } from '../../../kernel/network.js';
import { compilePattern } from '../../../machinery/text/regex.js';
import type { Millis } from '../../../machinery/time/time.js';
import { parseRequest, type ParsedRequest } from '../../cni/http-bytes.js';
import type { HttpMatch } from '../packet.js';

const BODY = 'Access denied\r\n';
const WAITING = { send: '', close: false };
/** Requests of one connection that come at once. */
const MAX_PIPELINED = 64;

/**
 * Envoy between a client and a server of HTTP: requests that no rule allows get 403, and what is no HTTP 400. `rules`:
 * of each direction that has some. Models cilium/proxy's cilium_l7policy.cc.
 */
export class HttpFilter implements Remote, StreamFilter {
  constructor(
    private readonly server: Remote | undefined,
    private readonly rules: readonly (readonly HttpMatch[])[],
  ) {}

  answer(received: Bytes, now: Millis): { readonly send: Bytes; readonly close: boolean } {
    let [rest, sent] = [received, ''];
    for (let i = 0; i < MAX_PIPELINED && rest !== ''; i++) {
      const request = parseRequest(rest);
      if (request === undefined) break;
      if (request === 'bad') return { send: `${sent}${answerOf('400 Bad Request', '', now)}`, close: true };
      const { length, keepsAlive } = request;
      const answer = this.allows(request)
        ? (this.server?.answer(rest.slice(0, length), now, now) ?? WAITING)
        : { send: answerOf('403 Forbidden', BODY, now), close: !keepsAlive };
      // The server has no answer yet: all of it comes again.
      if (answer.send === '' && !answer.close) return sent === '' ? WAITING : { send: sent, close: false };
      sent += answer.send;
      if (answer.close) return { send: sent, close: true };
      rest = rest.slice(length);
    }
    return { send: sent, close: false };
  }

  /** The same before a machine, whose answers come by themselves. */
  pass(sent: Bytes, now: Millis): ReturnType<StreamFilter['pass']> {
    let [rest, forward, send] = [sent, '', ''];
    for (let i = 0; i < MAX_PIPELINED && rest !== ''; i++) {
      const request = parseRequest(rest);
      if (request === undefined) break;
      if (request === 'bad')
        return { forward, send: `${send}${answerOf('400 Bad Request', '', now)}`, close: true, left: '' };
      const { length, keepsAlive } = request;
      if (this.allows(request)) forward += rest.slice(0, length);
      else send += answerOf('403 Forbidden', BODY, now);
      rest = rest.slice(length);
      if (send !== '' && !keepsAlive) return { forward, send, close: true, left: '' };
    }
    return { forward, send, close: false, left: rest };
  }

  private allows(request: ParsedRequest): boolean {
    return this.rules.every((rules) => rules.some((one) => matches(one, request)));
  }
}

/** Where a connection ends, with Envoy before it. */
export function withHttpRules(destination: Destination, rules: readonly (readonly HttpMatch[])[]): Destination {
  if ('remote' in destination) return { ...destination, remote: new HttpFilter(destination.remote, rules) };
  return 'machine' in destination ? { ...destination, filter: new HttpFilter(undefined, rules) } : destination;
}

const matchesAll = (pattern: string, text: string): boolean =>
  pattern === '' || (compilePattern(`^(?:${pattern})$`)?.test(text) ?? false);

const matches = ({ method, path, host, headers }: HttpMatch, request: ParsedRequest): boolean =>
  matchesAll(method, request.method) &&
  matchesAll(path, request.path) &&
  matchesAll(host, request.headers['host'] ?? '') &&
  headers.every(([name, value]) => {
    const found = request.headers[name];
    return value === undefined ? found !== undefined : found === value;
  });

const answerOf = (status: string, body: string, now: Millis): Bytes =>
  [
    `HTTP/1.1 ${status}`,
    `content-length: ${body.length}`,
    ...(body === '' ? [] : ['content-type: text/plain']),
    `date: ${new Date(now).toUTCString()}`,
    'server: envoy',
    '',
    body,
  ].join('\r\n');
