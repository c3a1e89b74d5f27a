import { type Bytes, textOf, toArray } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { waitToRead } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import { unescapeBytes } from '../../format.js';
import { defineSteps } from '../../framework/steps.js';
import { readSmallFile } from '../../accounts.js';
import { pairFault } from '../client-certificate.js';
import { findBindFault } from './curl-source.js';
import { readCurl, type CurlRequest } from './curl-options.js';
import { curlVersion, isOldCurl } from './curl-version.js';
import {
  baseName,
  beginFetch,
  continueFetch,
  directoryOf,
  type Fetch,
  type FetchAnswer,
  headerOf,
  parseUrl,
  type Url,
  withoutQuery,
} from '../fetch.js';
import { writeWholeFile } from '../../whole-file.js';
import { distrust, showAlert } from './trust.js';

type CurlState = {
  request: CurlRequest;
  index: number;
  /** The URL after redirections. */
  url: Bytes;
  method: string;
  redirects: number;
  retries: number;
  retryAt: number;
  fetch: Fetch | null;
  startedAt: number;
  hasProgress: boolean;
  code: number;
};

const PROGRESS_HEAD =
  '  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n' +
  '                                 Dload  Upload   Total   Spent    Left  Speed\n';
const NO_PROGRESS = '\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0';

export const curl = defineSteps<CurlState>({
  start(tool) {
    const request = readCurl(tool);
    if (typeof request === 'number') return request;
    return {
      ...{ request, index: 0, url: request.urls[0]!, method: '', redirects: 0, retries: 0, retryAt: 0, fetch: null },
      ...{ startedAt: tool.sys.now, hasProgress: false, code: 0 },
    };
  },
  step(tool, state) {
    const { sys } = tool;
    if (state.request.stdin !== '' && !takeStdin(tool, state.request)) return waitToRead(0);
    if (sys.now < state.retryAt) return { type: 'wait', until: state.retryAt };
    if (state.fetch === null) {
      const failed = begin(tool, state);
      if (failed !== undefined) return next(tool, state, failed);
    }
    const outcome = continueFetch(sys, state.fetch!);
    if ('wait' in outcome) return outcome.wait;
    const fetch = state.fetch!;
    state.fetch = null;
    if ('answer' in outcome) return answer(tool, state, fetch, outcome.answer);
    const took = sys.now - fetch.startedAt;
    const untrusted = 'tls' in outcome ? distrust(tool, state.request, fetch, outcome.tls) : undefined;
    const failure = untrusted ?? describeFailure(tool, fetch, outcome, took);
    return retryOr(tool, state, outcome.failure === 'connect', failure);
  },
});

/** False while standard input has no end. */
function takeStdin({ sys }: FilterContext, request: CurlRequest): boolean {
  for (;;) {
    const bytes = sys.read(0);
    if (bytes === undefined) return false;
    if (bytes === '') break;
    request.body = (request.body ?? '') + bytes;
    sys.setMemory(request.body.length);
  }
  if (request.stdin === 'lines') request.body = (request.body ?? '').replace(/[\r\n]/g, '');
  request.stdin = '';
  return true;
}

function begin(tool: FilterContext, state: CurlState): [code: number, message: string] | undefined {
  const { request } = state;
  const url = parseUrl(state.url);
  if (url === undefined) return [3, 'URL rejected: No host part in the URL'];
  if (url.scheme !== 'http' && url.scheme !== 'https') return [1, `Protocol "${url.scheme}" not supported`];
  state.hasProgress ||= showProgress(tool, request);
  const credentials = readCredentials(tool, request);
  if (typeof credentials !== 'string') return credentials;
  const unbound = findBindFault(tool.sys, request.source);
  if (unbound !== undefined) return [45, unbound];
  const method = state.method || request.method;
  const bytes = formatRequest(tool, request, url, method);
  const resolved = request.resolve.find((entry) => entry.startsWith(`${url.host}:${url.port}:`));
  const addresses = resolved === undefined ? undefined : [resolved.slice(`${url.host}:${url.port}:`.length)];
  state.fetch = beginFetch(tool.sys, {
    ...{ url, request: bytes, isHead: method === 'HEAD' },
    ...(request.connectTimeout > 0 && { connectTimeout: request.connectTimeout }),
    ...(request.timeout > 0 && { timeout: request.timeout }),
    ...(credentials && { credentials }),
    ...(addresses && { addresses }),
    ...(request.family !== '' && { family: request.family }),
  });
  if (request.isVerbose) sayTrying(tool, state.fetch);
  return undefined;
}

/** PEM of the client's certificate and its key; '' without one. Models lib/vtls/openssl.c. */
function readCredentials({ sys }: FilterContext, { certificate, key }: CurlRequest): string | [number, string] {
  if (certificate === '') return '';
  const keyFile = key === '' ? certificate : key;
  if (!sys.access(certificate, 'r'))
    return [
      58,
      `could not load PEM client certificate from ${certificate}, OpenSSL error error:80000002:system library::No such file or directory, (no key found, wrong pass phrase, or wrong file format?)`,
    ];
  const [pem, keyPem] = [textOf(readSmallFile(sys, certificate)), textOf(readSmallFile(sys, keyFile))];
  if (pairFault(pem, keyPem) !== undefined) return [58, `unable to set private key file: '${keyFile}' type PEM`];
  return pem + keyPem;
}

function sayTrying(tool: FilterContext, { host, port, addresses }: Fetch): void {
  const [address] = addresses;
  if (address === undefined) return tool.err(`* Could not resolve host: ${host}\n`);
  if (!isOldCurl(tool.sys) && address !== withoutBrackets(host)) {
    const [sixth, fourth] = [true, false].map((isSixth) => addresses.filter((one) => one.includes(':') === isSixth));
    const list = (found: readonly string[] = []): string => found.join(', ') || '(none)';
    tool.err(`* Host ${host}:${port} was resolved.\n* IPv6: ${list(sixth)}\n* IPv4: ${list(fourth)}\n`);
  }
  tool.err(`*   Trying ${address.includes(':') ? `[${address}]` : address}:${port}...\n`);
}

const withoutBrackets = (host: Bytes): Bytes => (host.startsWith('[') ? host.slice(1, -1) : host);

/** The meter is shown when the answer does not go to a terminal. */
function showProgress(tool: FilterContext, request: CurlRequest): boolean {
  if (request.isSilent || request.isVerbose || (request.output === '' && tool.sys.isTerminal(1))) return false;
  tool.err(PROGRESS_HEAD + NO_PROGRESS);
  return true;
}

function formatRequest(tool: FilterContext, request: CurlRequest, url: Url, method: string): Bytes {
  const isDefaultPort = url.port === (url.scheme === 'https' ? 443 : 80);
  const user = request.user || url.user;
  const lines: [name: string, value: Bytes][] = [
    ['Host', isDefaultPort ? url.host : `${url.host}:${url.port}`],
    ...(user === '' ? [] : ([['Authorization', `Basic ${encodeBase64(toArray(user))}`]] as [string, Bytes][])),
    ['User-Agent', request.agent || `curl/${curlVersion(tool.sys)}`],
    ['Accept', '*/*'],
    ...request.headers.map((header): [string, Bytes] => {
      const [name = '', value = ''] = header.split(/:\s*(.*)/s);
      return [name, value];
    }),
  ];
  if (request.body !== null) {
    lines.push(['Content-Length', String(request.body.length)], ['Content-Type', request.contentType]);
  }
  const own = new Set(request.headers.map((header) => header.split(':')[0]!.toLowerCase()));
  const kept = lines.filter(([name, value], i) => {
    const isOwn = i >= lines.length - request.headers.length - (request.body === null ? 0 : 2);
    const isGiven = own.has(name.toLowerCase());
    return (!isGiven || (isOwn && request.headers.some((header) => header.startsWith(`${name}:`)))) && value !== '';
  });
  const head = `${method} ${url.path} HTTP/1.1\r\n${kept.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return head + (request.body ?? '');
}

function answer(tool: FilterContext, state: CurlState, fetch: Fetch, got: FetchAnswer): ReturnType<typeof next> {
  const { request } = state;
  if (request.isVerbose) sayExchange(tool, fetch, got);
  if (got.tls) {
    const failure = distrust(tool, request, fetch, got.tls);
    if (failure) return retryOr(tool, state, false, failure);
  }
  const location = headerOf(got.head, 'location');
  const shown = `${got.head.join('\r\n')}\r\n\r\n`;
  if (request.follows && location !== undefined && got.status >= 300 && got.status < 400) {
    if (++state.redirects > request.maxRedirects)
      return next(tool, state, [47, `Maximum (${request.maxRedirects}) redirects followed`]);
    if (request.showsHead) tool.out(shown);
    state.url = new UrlBase(state.url).resolve(location);
    if (got.status <= 303 && state.request.method === 'POST') state.method = 'GET';
    return { type: 'yield' };
  }
  if ([408, 429, 500, 502, 503, 504].includes(got.status) && state.retries < request.retries) {
    return retryOr(tool, state, true, [22, '']);
  }
  if (request.fails && got.status >= 400) {
    writeOut(tool, state, fetch, got, 0);
    return next(tool, state, [22, `The requested URL returned error: ${got.status}`]);
  }
  const body = request.method === 'HEAD' ? '' : got.body;
  if (state.hasProgress) tool.err(progressLine(body.length, Math.max(1, tool.sys.now - state.startedAt)));
  const failed = store(tool, state, (request.showsHead ? shown : '') + body);
  writeOut(tool, state, fetch, got, body.length);
  return next(tool, state, failed);
}

/** Resolves a redirection against the URL that it came from. */
class UrlBase {
  constructor(private readonly base: Bytes) {}

  resolve(location: Bytes): Bytes {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(location)) return location;
    const url = parseUrl(this.base)!;
    const origin = `${url.scheme}://${url.host}:${url.port}`;
    if (location.startsWith('/')) return origin + location;
    return `${origin}${directoryOf(withoutQuery(url.path))}${location}`;
  }
}

function sayExchange(tool: FilterContext, fetch: Fetch, got: FetchAnswer): void {
  const [address] = fetch.addresses;
  tool.err(
    `* Connected to ${withoutBrackets(fetch.host)} (${address}) port ${fetch.port}${isOldCurl(tool.sys) ? ' (#0)' : ''}\n`,
  );
  if (got.tls) {
    tool.err('* ALPN: curl offers h2,http/1.1\n* SSL connection using TLSv1.3 / TLS_AES_128_GCM_SHA256\n');
    tool.err(`* Server certificate:\n*  subject: ${got.tls.subject}\n*  issuer: ${got.tls.issuer}\n`);
  }
  const sent = fetch.request.slice(0, fetch.request.indexOf('\r\n\r\n')).split('\r\n');
  tool.err([...sent, ''].map((line) => `> ${line}\n`).join(''));
  if (!isOldCurl(tool.sys)) tool.err('* Request completely sent off\n');
  tool.err([...got.head, ''].map((line) => `< ${line}\n`).join(''));
  if (got.body !== '' && !tool.sys.isTerminal(1)) tool.err(`{ [${got.body.length} bytes data]\n`);
  const closes = headerOf(got.head, 'connection')?.toLowerCase() === 'close';
  tool.err(closes ? '* Closing connection\n' : `* Connection #0 to host ${withoutBrackets(fetch.host)} left intact\n`);
}

/** Five characters: 615, 9000, 12345, 600k, 12.3M. */
function shortRate(rate: number): string {
  if (rate < 100_000) return String(Math.floor(rate));
  if (rate < 10_000 * 1_024) return `${Math.floor(rate / 1_024)}k`;
  return `${(rate / 1_048_576).toFixed(rate < 100 * 1_048_576 ? 1 : 0)}M`;
}

function progressLine(size: number, ms: number): string {
  const count = String(size).padStart(5);
  const rate = shortRate((size * 1_000) / ms);
  const percent = size === 0 ? '  0' : '100';
  return `\r${percent} ${count}  ${percent} ${count}    0     0 ${rate.padStart(6)}      0 --:--:-- --:--:-- --:--:-- ${rate.padStart(5)}`;
}

function store(tool: FilterContext, state: CurlState, bytes: Bytes): [number, string] | undefined {
  const { output, namesAfterUrl } = state.request;
  const url = parseUrl(state.request.urls[state.index]!)!;
  const path = namesAfterUrl ? baseName(withoutQuery(url.path)) : output;
  if (namesAfterUrl && path === '') return [23, 'Failed to extract a filename to use for storage'];
  if (path === '' || path === '-') {
    tool.out(bytes);
    return undefined;
  }
  try {
    writeWholeFile(tool.sys, path, bytes, { mode: 0o666 });
    return undefined;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.err(`Warning: Failed to open the file ${path}: ${error.message}\n`);
    return [23, `client returned ERROR on write, ${bytes.length} bytes written`];
  }
}

function writeOut(
  tool: FilterContext,
  state: CurlState,
  fetch: Fetch | null,
  got: FetchAnswer | null,
  size: number,
): void {
  const { format } = state.request;
  if (format === '') return;
  const total = ((tool.sys.now - state.startedAt) / 1_000).toFixed(6);
  const values: Readonly<Record<string, string>> = {
    http_code: String(got?.status ?? 0).padStart(3, '0'),
    response_code: String(got?.status ?? 0).padStart(3, '0'),
    size_download: String(size),
    remote_ip: fetch?.addresses[0] ?? '',
    remote_port: String(fetch?.port ?? 0),
    num_redirects: String(state.redirects),
    url_effective: /:\/\//.test(state.url) ? state.url : `http://${state.url}/`,
    url: state.request.urls[state.index]!,
    content_type: got ? (headerOf(got.head, 'content-type') ?? '') : '',
    redirect_url: got ? (headerOf(got.head, 'location') ?? '') : '',
    method: state.method || state.request.method,
    http_version: got ? '1.1' : '0',
    exitcode: String(state.code),
    ...Object.fromEntries(
      ['total', 'namelookup', 'connect', 'pretransfer', 'starttransfer', 'appconnect'].map((name) => [
        `time_${name}`,
        total,
      ]),
    ),
  };
  const filled = unescapeBytes(format).bytes.replace(/%\{([a-z_]+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) tool.err(`curl: unknown --write-out variable: '${name}'\n`);
    return value ?? '';
  });
  tool.out(filled.replaceAll('%%', '%'));
}

function describeFailure(
  tool: FilterContext,
  fetch: Fetch,
  outcome: Exclude<ReturnType<typeof continueFetch>, { wait: unknown } | { answer: unknown }>,
  took: number,
): [number, string] {
  const { host, port } = fetch;
  const isOld = isOldCurl(tool.sys);
  const where = `Failed to connect to ${withoutBrackets(host)} port ${port} after ${took} ms`;
  const could = isOld ? "Couldn't connect to server" : 'Could not connect to server';
  switch (outcome.failure) {
    case 'lookup':
      return [6, `Could not resolve host: ${withoutBrackets(host)}`];
    case 'connect':
      return [outcome.code === 'ETIMEDOUT' ? 28 : 7, `${where}: ${could}`];
    case 'receive':
      return [56, `Recv failure: ${new SystemError(outcome.code).message}`];
    case 'timeout':
      if (outcome.isResolving) return [28, `Resolving timed out after ${took} milliseconds`];
      if (outcome.isConnected) return [28, `Operation timed out after ${took} milliseconds with 0 bytes received`];
      return [28, isOld ? `${where}: Timeout was reached` : `Connection timed out after ${took} milliseconds`];
    case 'empty':
      return [52, 'Empty reply from server'];
    case 'not-http':
      return [1, 'Received HTTP/0.9 when not allowed'];
    case 'alert':
      return [56, showAlert(outcome.alert)];
    case 'not-tls':
      return [35, 'OpenSSL/3.0.16: error:0A00010B:SSL routines::wrong version number'];
  }
}

function retryOr(
  tool: FilterContext,
  state: CurlState,
  isTransient: boolean,
  failure: [number, string],
): ReturnType<typeof next> {
  const { request } = state;
  const isRefused = failure[0] === 7;
  if (isTransient && (!isRefused || request.retriesRefused) && state.retries < request.retries) {
    const delay = request.retryDelay > 0 ? request.retryDelay : 1_000 * 2 ** Math.min(state.retries, 9);
    const left = request.retries - state.retries++;
    state.retryAt = tool.sys.now + delay;
    const reason = isRefused ? 'connection refused' : failure[0] === 28 ? 'timeout' : 'HTTP error';
    const seconds = Math.round(delay / 1_000);
    tool.err(
      `Warning: Problem: ${reason}. Will retry in ${seconds} second${seconds === 1 ? '' : 's'}. ${left} retr${left === 1 ? 'y' : 'ies'} left.\n`,
    );
    return { type: 'wait', until: state.retryAt };
  }
  writeOut(tool, state, null, null, 0);
  return next(tool, state, failure);
}

/** Prints a failure and goes on with the next URL. */
function next(
  tool: FilterContext,
  state: CurlState,
  failed: [number, string] | undefined,
): number | { type: 'yield' } | { type: 'wait'; until: number } {
  const { request } = state;
  if (state.hasProgress) tool.err('\n');
  if (failed !== undefined) {
    state.code = failed[0];
    if (!request.isSilent || request.showsErrors) tool.err(`curl: (${failed[0]}) ${failed[1]}\n`);
  }
  const url = request.urls[++state.index];
  if (url === undefined) return state.code;
  Object.assign(state, { url, method: '', redirects: 0, retries: 0, startedAt: tool.sys.now, hasProgress: false });
  return { type: 'yield' };
}
