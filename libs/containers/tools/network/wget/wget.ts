import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { joinHostPort } from '../../../../engine/machinery/net/netip.js';
import { formatDate } from '../../coreutils/time/date-format.js';
import type { FilterContext } from '../../framework/filter.js';
import { defineSteps } from '../../framework/steps.js';
import {
  baseName,
  beginFetch,
  continueFetch,
  type Fetch,
  type FetchAnswer,
  findTlsFault,
  headerOf,
  parseUrl,
  withoutQuery,
} from '../fetch.js';
import { readWget, type WgetState } from './wget-options.js';

const MAX_NAMES = 1_000;
const MAX_DEPTH = 64;
const REFUSALS = (['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH'] as const).map(
  (code) => new SystemError(code).message,
);

export const wget = defineSteps<WgetState>(
  {
    start(tool) {
      return readWget(tool);
    },
    step(tool, state) {
      if (tool.sys.now < state.retryAt) return { type: 'wait', until: state.retryAt };
      if (state.fetch === null) {
        if (state.url === '') {
          const url = state.urls.shift();
          if (url === undefined) return state.code;
          state.url = url;
        }
        const failed = begin(tool, state);
        if (failed !== undefined) return finish(state, failed);
      }
      const outcome = continueFetch(tool.sys, state.fetch!);
      if ('wait' in outcome) return outcome.wait;
      const fetch = state.fetch!;
      state.fetch = null;
      if ('answer' in outcome) return takeAnswer(tool, state, fetch, outcome.answer);
      const word = 'code' in outcome ? new SystemError(outcome.code).message : outcome.failure;
      if (tool.flavour === 'busybox') return finish(state, failBusybox(tool, fetch, word));
      const isResolving = outcome.failure === 'timeout' && outcome.isResolving;
      return retryOr(tool, state, word, failGnu(tool, state, fetch, word, isResolving));
    },
  },
  { usage: '[OPTION]... [URL]...', usageCode: 1, version: 'GNU Wget 1.21.3 built on linux-gnu.' },
);

/** GNU's wget tries again what may pass: not a refusal, not an unknown name. */
function retryOr(tool: FilterContext, state: WgetState, word: string, code: number): Wait {
  const isRefused = REFUSALS.includes(word);
  if (word === 'lookup' || word === 'not-tls' || (isRefused && !state.retriesRefused)) return finish(state, code);
  if (state.tries > 0 && state.attempt >= state.tries) {
    say(tool, state, 'Giving up.\n\n');
    return finish(state, code);
  }
  say(tool, state, 'Retrying.\n\n');
  state.retryAt = tool.sys.now + Math.min(state.patience, state.attempt++ * 1_000);
  return { type: 'wait', until: state.retryAt };
}

function finish(state: WgetState, code: number): { type: 'yield' } {
  state.code = code || state.code;
  Object.assign(state, { url: '', attempt: 1, retryAt: 0, redirects: 0 });
  return { type: 'yield' };
}

/** GNU's lines go to standard error. */
const say = (tool: FilterContext, state: WgetState, text: Bytes): void => {
  if (!state.isQuiet && !state.isTerse) tool.err(text);
};

const hostOf = (host: Bytes): Bytes => (host.startsWith('[') ? host.slice(1, -1) : host);

function begin(tool: FilterContext, state: WgetState): number | undefined {
  const url = parseUrl(state.url);
  const isGnu = tool.flavour === 'gnu';
  if (url === undefined || !['http', 'https'].includes(url.scheme)) {
    if (isGnu) tool.err(`${state.url}: Unsupported scheme '${url?.scheme ?? ''}'.\n`);
    else tool.warn(`not an http or ftp url: ${state.url}`);
    return 1;
  }
  const isDefaultPort = url.port === (url.scheme === 'https' ? 443 : 80);
  if (isGnu && state.keepsOld && state.output === '' && tool.sys.access(targetOf(state), '')) {
    say(tool, state, `File '${targetOf(state)}' already there; not retrieving.\n\n`);
    return 0;
  }
  const method = state.method || (state.body !== null ? 'POST' : state.isSpider && isGnu ? 'HEAD' : 'GET');
  const host = isDefaultPort ? url.host : `${url.host}:${url.port}`;
  const length =
    state.body === null
      ? []
      : [`Content-Type: application/x-www-form-urlencoded`, `Content-Length: ${state.body.length}`];
  const lines = [
    `Host: ${host}`,
    `User-Agent: ${state.agent}`,
    ...(isGnu ? ['Accept: */*'] : []),
    'Connection: close',
    ...state.headers,
    ...length,
  ];
  const request = `${method} ${url.path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${state.body ?? ''}`;
  state.fetch = beginFetch(tool.sys, {
    url,
    request,
    isHead: method === 'HEAD',
    connectTimeout: state.timeout,
    timeout: state.timeout,
  });
  const { addresses } = state.fetch;
  if (isGnu) {
    const time = formatDate('%Y-%m-%d %H:%M:%S', tool.sys.now);
    if (state.isSpider && state.attempt === 1 && state.redirects === 0)
      say(tool, state, 'Spider mode enabled. Check if remote file exists.\n');
    const attempt = state.attempt > 1 ? `(try:${String(state.attempt).padStart(2)})  ` : '';
    say(tool, state, `--${time}--  ${attempt}${url.scheme}://${host}${url.path}\n`);
    if (addresses[0] !== hostOf(url.host)) {
      say(
        tool,
        state,
        `Resolving ${url.host} (${url.host})... ${addresses.length > 0 ? `${addresses.join(', ')}\n` : ''}`,
      );
    }
    const shown = addresses[0] === hostOf(url.host) ? url.host : `${url.host} (${url.host})|${addresses[0]}|`;
    if (addresses.length > 0) say(tool, state, `Connecting to ${shown}:${url.port}... `);
  } else if (addresses.length > 0)
    say(tool, state, `Connecting to ${host} (${joinHostPort(addresses[0]!, url.port)})\n`);
  return undefined;
}

/** wget's exit codes: 4 is a failure of the network, 5 of TLS, 8 an error of the server. */
function failGnu(tool: FilterContext, state: WgetState, fetch: Fetch, word: string, isResolving: boolean): number {
  if (isResolving) {
    say(tool, state, 'failed: Connection timed out.\n');
    say(tool, state, `${tool.name}: unable to resolve host address '${fetch.host}'\n`);
    return 4;
  }
  if (word === 'lookup') {
    say(tool, state, 'failed: Name or service not known.\n');
    say(tool, state, `${tool.name}: unable to resolve host address '${fetch.host}'\n`);
    return 4;
  }
  if (word === 'not-tls') {
    say(
      tool,
      state,
      'connected.\nOpenSSL: error:0A00010B:SSL routines::wrong version number\nUnable to establish SSL connection.\n',
    );
    return 4;
  }
  if (word === 'empty' || word === 'alert') {
    say(tool, state, 'connected.\nHTTP request sent, awaiting response... No data received.\n');
    return 4;
  }
  const reason = word === 'timeout' ? 'Connection timed out' : word;
  say(tool, state, `failed: ${reason}.\n`);
  return 4;
}

function failBusybox(tool: FilterContext, fetch: Fetch, word: string): number {
  const { host, port } = fetch;
  if (word === 'lookup') tool.warn(`bad address '${port === 80 || port === 443 ? host : `${host}:${port}`}'`);
  else if (word === 'timeout') tool.warn('download timed out');
  else if (word === 'empty' || word === 'alert' || word === 'not-http' || word === 'not-tls')
    tool.warn('error getting response');
  else tool.warn(`can't connect to remote host (${fetch.addresses[0]}): ${word}`);
  return 1;
}

function takeAnswer(tool: FilterContext, state: WgetState, fetch: Fetch, got: FetchAnswer) {
  const isGnu = tool.flavour === 'gnu';
  const status = got.head[0]!;
  const reason = status.replace(/^HTTP\/\S+ /, '');
  if (isGnu) say(tool, state, 'connected.\n');
  if (got.tls && !state.isUnchecked) {
    const fault = findTlsFault(tool.sys, got.tls, fetch.host, '/etc/ssl/certs/ca-certificates.crt');
    if (fault !== undefined) {
      tool.err(`ERROR: The certificate of '${fetch.host}' is not trusted.\n`);
      return finish(state, 5);
    }
  }
  if (isGnu) say(tool, state, `HTTP request sent, awaiting response... ${state.showsHead ? '' : reason}\n`);
  if (state.showsHead) tool.err(got.head.map((line) => `  ${line}\n`).join(''));
  const location = headerOf(got.head, 'location');
  if (location !== undefined && got.status >= 300 && got.status < 400 && ++state.redirects <= 20) {
    const url = parseUrl(state.url)!;
    state.url = /^https?:/.test(location) ? location : `${url.scheme}://${url.host}:${url.port}${location}`;
    if (isGnu) say(tool, state, `Location: ${location} [following]\n`);
    return { type: 'yield' } as const;
  }
  if (got.status >= 400) {
    if (isGnu && state.isSpider) {
      say(tool, state, 'Remote file does not exist -- broken link!!!\n\n');
      return finish(state, 8);
    }
    if (isGnu && state.isTerse) tool.err(`${state.url}:\n`);
    if (isGnu && state.isTerse)
      tool.err(`${formatDate('%Y-%m-%d %H:%M:%S', tool.sys.now)} ERROR ${reason.replace(' ', ': ')}.\n`);
    if (isGnu)
      say(tool, state, `${formatDate('%Y-%m-%d %H:%M:%S', tool.sys.now)} ERROR ${reason.replace(' ', ': ')}.\n\n`);
    else tool.warn(`server returned error: ${status}`);
    return finish(state, isGnu ? 8 : 1);
  }
  if (state.isSpider) {
    say(tool, state, isGnu ? `Length: ${lengthText(got)}\nRemote file exists.\n\n` : 'remote file exists\n');
    return finish(state, 0);
  }
  return finish(state, save(tool, state, got));
}

function lengthText(got: FetchAnswer): string {
  const type = headerOf(got.head, 'content-type')?.split(';')[0];
  const length = headerOf(got.head, 'content-length') ?? 'unspecified';
  return type === undefined ? length : `${length} [${type}]`;
}

/** The name that a URL is saved as. */
function targetOf({ url, prefix }: WgetState): Bytes {
  const name = baseName(withoutQuery(parseUrl(url)!.path)) || 'index.html';
  return prefix === '' ? name : `${prefix.replace(/\/$/, '')}/${name}`;
}

function fullUrl(text: Bytes): Bytes {
  const { scheme, host, port, path } = parseUrl(text)!;
  return `${scheme}://${host}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}${path}`;
}

/** GNU's wget does not write over a file: x, x.1, x.2. */
function freeName(tool: FilterContext, path: Bytes): Bytes {
  if (!tool.sys.access(path, '')) return path;
  for (let number = 1; number < MAX_NAMES; number++) {
    if (!tool.sys.access(`${path}.${number}`, '')) return `${path}.${number}`;
  }
  return path;
}

function makePrefix(tool: FilterContext, prefix: Bytes): void {
  const parts = prefix.split('/').slice(0, MAX_DEPTH);
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = parts.slice(0, depth).join('/');
    if (path !== '' && !tool.sys.access(path, '')) tool.sys.makeDirectory(path, 0o777);
  }
}

function save(tool: FilterContext, state: WgetState, got: FetchAnswer): number {
  const isGnu = tool.flavour === 'gnu';
  const path = state.output || (isGnu ? freeName(tool, targetOf(state)) : targetOf(state));
  const bar = `${path.slice(0, 20).padEnd(20)} 100% |${'*'.repeat(32)}| ${String(got.body.length).padStart(5)}  0:00:00 ETA\n`;
  if (path !== '-') {
    try {
      if (isGnu && state.output === '') makePrefix(tool, state.prefix);
      const flags = {
        write: true,
        create: true,
        truncate: state.output !== '',
        exclusive: !isGnu && state.output === '',
      };
      const file = tool.sys.open(path, { ...flags, truncate: true });
      if (tool.sys.write(file, got.body) < got.body.length) throw new SystemError('ENOSPC');
      tool.sys.close(file);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (isGnu) tool.err(`${path}: ${error.message}\n\nCannot write to '${path}' (${error.message}).\n`);
      else tool.warn(`can't open '${path}': ${error.message}`);
      return isGnu ? 3 : 1;
    }
  }
  if (!isGnu) {
    say(tool, state, path === '-' ? 'writing to stdout\n' : `saving to '${path}'\n`);
    if (path === '-') tool.out(got.body);
    say(tool, state, bar + (path === '-' ? 'written to stdout\n' : `'${path}' saved\n`));
    return 0;
  }
  if (state.isTerse) {
    if (path === '-') tool.out(got.body);
    const time = formatDate('%Y-%m-%d %H:%M:%S', tool.sys.now);
    const size = `${got.body.length}/${got.body.length}`;
    if (!state.isQuiet) tool.err(`${time} URL:${fullUrl(state.url)} [${size}] -> "${path}" [1]\n`);
    return 0;
  }
  const target = path === '-' ? 'STDOUT' : path;
  say(tool, state, `Length: ${lengthText(got)}\nSaving to: '${target}'\n\n`);
  if (path === '-') tool.out(got.body);
  const size = `${got.body.length}/${got.body.length}`;
  say(tool, state, `     0K ${'100%'.padStart(56)} ${'0.00'.padStart(5)}=0s\n\n`);
  const time = formatDate('%Y-%m-%d %H:%M:%S', tool.sys.now);
  say(
    tool,
    state,
    path === '-'
      ? `${time} (0.00 B/s) - written to stdout [${size}]\n\n`
      : `${time} (0.00 B/s) - '${path}' saved [${size}]\n\n`,
  );
  return 0;
}
