import { type Bytes, bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { ALERTS } from '../../../../engine/node/cni/tls.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import {
  beginFetch,
  continueFetch,
  type Fetch,
  type FetchOutcome,
  findTlsFault,
  headerOf,
  parseUrl,
} from '../../network/fetch.js';
import { readSmallFile } from '../../accounts.js';
import type { ClientConfig } from './config.js';
import { PlainFailure } from './failure.js';
import type { ApiCall } from './session.js';
import type { Answer } from './task.js';

const CONNECT_TIMEOUT = 30_000;
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: v5.channel.k8s.io'];

/** Begins a request. `agent`: the User-Agent. */
export function send(sys: Syscalls, config: ClientConfig, agent: string, call: ApiCall): Fetch {
  const { scheme, host, port, token } = config;
  const path = config.prefix + call.path;
  const bytes = bytesOf(call.body);
  const lines = [
    `Host: ${host}:${port}`,
    `User-Agent: ${agent}`,
    `Accept: ${call.accept}`,
    ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
    ...config.headers,
    ...(call.isUpgrade ? UPGRADE : []),
    ...(call.contentType === '' ? [] : [`Content-Type: ${call.contentType}`]),
    ...(call.body === '' ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  const head = `${call.method} ${path} HTTP/1.1\r\n${lines.map((line) => `${bytesOf(line)}\r\n`).join('')}\r\n`;
  const url = { scheme, user: '', host, port, path };
  const credentials = config.certificate === '' ? {} : { credentials: config.certificate + config.key };
  return beginFetch(sys, {
    url,
    request: head + bytes,
    isHead: false,
    connectTimeout: CONNECT_TIMEOUT,
    ...credentials,
  });
}

/** Begins a request to the web; undefined: that is no URL. */
export function sendToWeb(sys: Syscalls, agent: string, call: ApiCall): Fetch | undefined {
  const url = parseUrl(bytesOf(call.web ?? ''));
  if (!url) return undefined;
  const isUsual = url.port === (url.scheme === 'https' ? 443 : 80);
  const host = isUsual ? url.host : `${url.host}:${url.port}`;
  const body = bytesOf(call.body);
  const lines = [
    ...[`Host: ${host}`, `User-Agent: ${agent}`, `Accept: ${call.accept}`],
    ...(call.contentType === '' ? [] : [`Content-Type: ${bytesOf(call.contentType)}`]),
    ...(call.method === 'GET' ? [] : [`Content-Length: ${body.length}`]),
  ];
  const request = `${call.method} ${url.path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
  const connectTimeout = Math.min(CONNECT_TIMEOUT, call.timeout ?? Infinity);
  const timeout = call.timeout === undefined ? {} : { timeout: call.timeout };
  return beginFetch(sys, { url, request, isHead: false, connectTimeout, ...timeout });
}

/** The same of the web: its answer has status 0 when there is none, and says why. */
export function receiveFromWeb(
  sys: Syscalls,
  fetch: Fetch,
  trustsAll: boolean,
): { readonly answer: Answer } | Extract<FetchOutcome, { readonly wait: unknown }> {
  const outcome = continueFetch(sys, fetch);
  if ('wait' in outcome) return outcome;
  if (!('answer' in outcome)) return { answer: { ...UNREACHED, failure: explainWebFailure(sys, fetch, outcome) } };
  const { tls, status, head, body } = outcome.answer;
  const fault = tls && !trustsAll ? findTlsFault(sys, tls, fetch.host, AUTHORITIES) : undefined;
  if (fault) return { answer: { ...UNREACHED, failure: TLS_FAULTS[fault](fetch.host) } };
  const location = status >= 300 && status < 400 ? headerOf(head, 'location') : undefined;
  return { answer: { status, body: '', bytes: body, ...(location === undefined ? {} : { location }) } };
}

const TLS_FAULTS: Readonly<Record<'issuer' | 'name', (host: Bytes) => string>> = {
  issuer: () => 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  name: (host) => `tls: failed to verify certificate: x509: certificate is not valid for ${textOf(host)}`,
};

const CODE_WORDS: Readonly<Record<string, string>> = {
  ...{ ECONNREFUSED: 'connection refused', EHOSTUNREACH: 'no route to host', ECONNRESET: 'connection reset by peer' },
};

/** Models what net/http's client says, without the method and the URL. */
function explainWebFailure(
  sys: Syscalls,
  { host, port, addresses }: Fetch,
  outcome: Extract<FetchOutcome, { readonly failure: string }>,
): string {
  const address = `${addresses[0] ?? host}:${port}`;
  switch (outcome.failure) {
    case 'lookup':
      return `dial tcp: lookup ${textOf(host)} on ${serverOf(sys)}:53: no such host`;
    case 'connect':
      return `dial tcp ${address}: connect: ${CODE_WORDS[outcome.code] ?? 'network is unreachable'}`;
    case 'receive':
      return `read tcp ${address}: read: ${CODE_WORDS[outcome.code] ?? 'connection reset by peer'}`;
    case 'timeout':
      return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    case 'not-tls':
      return 'http: server gave HTTP response to HTTPS client';
    case 'alert':
      return `remote error: tls: ${ALERT_WORDS[outcome.alert] ?? outcome.alert}`;
    case 'not-http':
      return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
    case 'empty':
      return 'EOF';
  }
}

/** The name server that the container asks. */
const serverOf = (sys: Syscalls): string =>
  /^nameserver\s+(\S+)/m.exec(textOf(readSmallFile(sys, '/etc/resolv.conf')))?.[1] ?? '127.0.0.1';

export const UNREACHED: Answer = { status: 0, body: '' };
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** The answer, or what to wait for. Throws PlainFailure when there is none. */
export function receive(
  sys: Syscalls,
  fetch: Fetch,
  config: ClientConfig,
): { readonly answer: Answer } | Extract<FetchOutcome, { readonly wait: unknown }> {
  const outcome = continueFetch(sys, fetch);
  if ('wait' in outcome) return outcome;
  if (!('answer' in outcome)) throw new PlainFailure(explainFailure(outcome, config));
  const { tls, status, head, body } = outcome.answer;
  if (tls && config.authority !== '' && !config.authority.includes(tls.chain.at(-1)?.trim() ?? '\0'))
    throw new PlainFailure(
      'Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  const warnings = warningsOf(head);
  return { answer: { status, body: textOf(body), ...(warnings.length > 0 ? { warnings } : {}) } };
}

const MAX_WARNINGS = 100;

/** The texts of Warning headers: `299 - "text"`. Models apimachinery's util/net ParseWarningHeaders. */
function warningsOf(head: readonly Bytes[]): string[] {
  return head
    .filter((line) => /^warning:/i.test(line))
    .flatMap((line) => [...textOf(line).matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)])
    .slice(0, MAX_WARNINGS)
    .map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

/** As Go has them. */
const ALERT_WORDS: Readonly<Record<number, string>> = {
  [ALERTS.badCertificate]: 'bad certificate',
  [ALERTS.unknownAuthority]: 'unknown certificate authority',
  [ALERTS.certificateRequired]: 'certificate required',
};

/** Models kubectl's checkErr over a url.Error. */
function explainFailure(outcome: Extract<FetchOutcome, { readonly failure: string }>, config: ClientConfig): string {
  const { host, port } = config;
  const unable = (why: string): string => `Unable to connect to the server: ${why}`;
  switch (outcome.failure) {
    case 'lookup':
      return unable(`dial tcp: lookup ${host}: no such host`);
    case 'connect':
      return outcome.code === 'ECONNREFUSED'
        ? `The connection to the server ${host}:${port} was refused - did you specify the right host or port?`
        : unable(
            `dial tcp ${host}:${port}: connect: ${outcome.code === 'EHOSTUNREACH' ? 'no route to host' : 'network is unreachable'}`,
          );
    case 'timeout':
      return unable(outcome.isConnected ? 'net/http: TLS handshake timeout' : `dial tcp ${host}:${port}: i/o timeout`);
    case 'not-tls':
      return unable('http: server gave HTTP response to HTTPS client');
    case 'empty':
    case 'receive':
      return unable('EOF');
    case 'alert':
      return unable(`remote error: tls: ${ALERT_WORDS[outcome.alert] ?? outcome.alert}`);
    case 'not-http':
      return unable('net/http: HTTP/1.x transport connection broken: malformed HTTP response');
  }
}
