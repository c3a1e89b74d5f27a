import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import { beginFetch, continueFetch, type Fetch, headerOf } from '../../network/fetch.js';
import type { ClientConfig } from './config.js';

const CHUNK = 65_536;
const MAX_REQUEST = 4 << 20;
const CONNECT_TIMEOUT = 30_000;

/** A connection to `kubectl proxy`, one request after the other. */
export type Proxied = {
  client: number;
  received: string;
  isOver: boolean;
  fetch: Fetch | null;
  toClient: string;
  /** The connection ends with this answer. */
  isLast: boolean;
};

export const newProxied = (client: number): Proxied => ({
  ...{ client, received: '', isOver: false, fetch: null, toClient: '', isLast: false },
});

/** Paths and hosts that are refused, and accepted. Models k8s.io/kubectl/pkg/proxy FilterServer. */
const REFUSED = /^\/api\/.*\/pods\/.*\/(?:exec|attach)/;
const HOSTS = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** Of the client's request, or of the connection that it came by. */
const OWN_HEADERS = /^(?:host|connection|authorization|content-length|transfer-encoding|upgrade):/i;
const OWN_ANSWER = /^(?:connection|content-length|transfer-encoding):/i;

/** Undefined: the connection is closed. */
export function proceedProxied(
  tool: FilterContext,
  link: Proxied,
  prefix: string,
  config: ClientConfig,
): Wait | undefined {
  const { sys } = tool;
  try {
    readRequests(tool, link);
    if (!link.fetch && link.toClient === '') answerNext(tool, link, prefix, config);
    if (link.fetch) {
      const outcome = continueFetch(sys, link.fetch);
      if ('wait' in outcome) return outcome.wait;
      link.fetch = null;
      if ('answer' in outcome) {
        const { head, body } = outcome.answer;
        const [status = '', ...headers] = head;
        respond(
          link,
          status,
          headers.filter((line) => line !== '' && !OWN_ANSWER.test(line)),
          body,
        );
      } else respond(link, 'HTTP/1.1 502 Bad Gateway', [], '');
    }
    if (link.toClient !== '') link.toClient = link.toClient.slice(sys.write(link.client, link.toClient));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    link.isLast = true;
    link.toClient = '';
  }
  if (link.toClient !== '') return { type: 'wait', writable: [link.client] };
  if (link.isLast || (link.isOver && !isWhole(link.received))) {
    sys.close(link.client);
    return undefined;
  }
  return isWhole(link.received) ? { type: 'yield' } : { type: 'wait', readable: [link.client] };
}

function readRequests({ sys }: FilterContext, link: Proxied): void {
  while (!link.isOver && link.received.length < MAX_REQUEST) {
    const bytes = sys.read(link.client, CHUNK);
    if (bytes === undefined) return;
    link.isOver = bytes === '';
    link.received += bytes;
  }
}

function lengthOf(received: string): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length:\s*(\d+)/i.exec(received.slice(0, end))?.[1] ?? '0';
  return end + 4 + Number(length);
}

const isWhole = (received: string): boolean => received.length >= (lengthOf(received) ?? Infinity);

function answerNext({ sys }: FilterContext, link: Proxied, prefix: string, config: ClientConfig): void {
  if (!isWhole(link.received)) return;
  const request = link.received.slice(0, lengthOf(link.received));
  link.received = link.received.slice(request.length);
  const end = request.indexOf('\r\n\r\n');
  const [first = '', ...lines] = request.slice(0, end).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const path = target.replace(/^https?:\/\/[^/]*/, '');
  link.isLast = headerOf(lines, 'connection')?.toLowerCase() === 'close' || first.endsWith('HTTP/1.0');
  const host = (headerOf(lines, 'host') ?? '').replace(/:\d+$/, '');
  if (!path.startsWith(prefix)) return respond(link, 'HTTP/1.1 404 Not Found', TEXT, '404 page not found\n');
  const inner = `/${path.slice(prefix.length)}`;
  if (REFUSED.test(inner) || !HOSTS.test(host)) return respond(link, 'HTTP/1.1 403 Forbidden', TEXT, 'Forbidden\n');
  const { scheme, port, token } = config;
  const head = [
    `${method} ${config.prefix}${inner} HTTP/1.1`,
    `Host: ${config.host}:${port}`,
    ...lines.filter((line) => !OWN_HEADERS.test(line)),
    ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
    ...config.headers,
    ...(request.length > end + 4 ? [`Content-Length: ${request.length - end - 4}`] : []),
  ];
  link.fetch = beginFetch(sys, {
    url: { scheme, user: '', host: config.host, port, path: inner },
    request: `${head.join('\r\n')}\r\n\r\n${request.slice(end + 4)}`,
    isHead: method === 'HEAD',
    connectTimeout: CONNECT_TIMEOUT,
    ...(config.certificate === '' ? {} : { credentials: config.certificate + config.key }),
  });
}

const TEXT = ['Content-Type: text/plain; charset=utf-8'];

function respond(link: Proxied, status: string, headers: readonly string[], body: string): void {
  link.toClient = `${[status, ...headers, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}
