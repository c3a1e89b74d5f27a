import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { readSmallFile } from '../../accounts.js';
import type { FilterContext } from '../../framework/filter.js';
import { FormFault, makeForm } from './curl-form.js';
import { curlVersion } from './curl-version.js';

export type CurlRequest = {
  urls: Bytes[];
  method: string;
  headers: Bytes[];
  body: Bytes | null;
  /** The body is standard input: `-d @-` without its newlines, or as it is. */
  stdin: '' | 'lines' | 'raw';
  contentType: Bytes;
  user: Bytes;
  agent: Bytes;
  output: Bytes;
  namesAfterUrl: boolean;
  showsHead: boolean;
  /** Of addresses; '' for both. */
  family: '4' | '6' | '';
  isSilent: boolean;
  showsErrors: boolean;
  isVerbose: boolean;
  isInsecure: boolean;
  fails: boolean;
  follows: boolean;
  trusted: Bytes;
  /** Files of the client's certificate, and of its key; '' without one. */
  certificate: Bytes;
  key: Bytes;
  /** ms; 0: none. */
  timeout: number;
  connectTimeout: number;
  retries: number;
  retryDelay: number;
  retriesRefused: boolean;
  maxRedirects: number;
  resolve: Bytes[];
  /** Of -F. */
  fields: { text: Bytes; isLiteral: boolean }[];
  /** The interface or the address that it sends from; empty: the kernel's choice. */
  source: Bytes;
  format: Bytes;
};

const FORM = 'application/x-www-form-urlencoded';

/** Letters of options and their long names; a colon after those that take a value. */
const OPTIONS: Readonly<Record<string, string>> = {
  ...{ s: 'silent', S: 'show-error', f: 'fail', i: 'include', I: 'head', v: 'verbose', k: 'insecure', L: 'location' },
  ...{ 'o:': 'output', O: 'remote-name', 'X:': 'request', 'H:': 'header', 'd:': 'data', 'u:': 'user', G: 'get' },
  ...{ 'm:': 'max-time', 'w:': 'write-out', 'A:': 'user-agent', 'e:': 'referer', 'b:': 'cookie', 'c:': 'cookie-jar' },
  ...{ 'T:': 'upload-file', N: 'no-buffer', g: 'globoff', '4': 'ipv4', '6': 'ipv6', '#': 'progress-bar', 'E:': 'cert' },
  ...{ V: 'version', h: 'help', '0': 'http1.0', q: 'disable', 'x:': 'proxy', 'F:': 'form', 'Y:': 'speed-limit' },
};
const LONG_ONLY = [
  ...['data-raw:', 'data-binary:', 'data-urlencode:', 'data-ascii:', 'json:', 'url:', 'connect-timeout:', 'resolve:'],
  ...['cacert:', 'key:', 'retry:', 'retry-delay:', 'retry-connrefused', 'retry-all-errors', 'retry-max-time:'],
  ...['http1.1', 'http2', 'compressed', 'no-progress-meter', 'fail-with-body', 'oauth2-bearer:', 'location-trusted'],
  ...[
    'create-dirs',
    'no-keepalive',
    'tlsv1.2',
    'tlsv1.3',
    'capath:',
    'max-redirs:',
    'noproxy:',
    'interface:',
    'form-string:',
    'path-as-is',
  ],
];
const LETTERS = new Map(Object.entries(OPTIONS).map(([key, name]) => [key[0]!, { name, takes: key.endsWith(':') }]));
const NAMES = new Map([
  ...[...LETTERS.values()].map(({ name, takes }) => [name, takes] as const),
  ...LONG_ONLY.map((word) => [word.replace(':', ''), word.endsWith(':')] as const),
]);

/** Ends the reading of a command line with curl's exit code 2. */
class CurlUsage extends Error {}

export function readCurl(tool: FilterContext): CurlRequest | number {
  try {
    return read(tool);
  } catch (error) {
    if (error instanceof FormFault) {
      tool.err(error.message);
      return error.code;
    }
    if (!(error instanceof CurlUsage)) throw error;
    tool.err(`curl: ${error.message}\n`);
    return 2;
  }
}

const TRY = "curl: try 'curl --help' or 'curl --manual' for more information";

function read(tool: FilterContext): CurlRequest | number {
  const request: CurlRequest = {
    ...{ urls: [], method: '', headers: [], body: null, stdin: '', contentType: FORM, user: '', agent: '', output: '' },
    ...{
      namesAfterUrl: false,
      showsHead: false,
      family: '',
      isSilent: false,
      showsErrors: false,
      isVerbose: false,
      format: '',
    },
    ...{ isInsecure: false, fails: false, follows: false, timeout: 0, connectTimeout: 0, retries: 0, retryDelay: 0 },
    ...{
      retriesRefused: false,
      maxRedirects: 50,
      resolve: [],
      fields: [],
      source: '',
      trusted: '/etc/ssl/certs/ca-certificates.crt',
      ...{ certificate: '', key: '' },
    },
  };
  const seen = new Set<string>();
  const rest = [...tool.args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('--')) {
      const name = word.slice(2);
      const takes = NAMES.get(name);
      if (takes === undefined) throw new CurlUsage(`option ${word}: is unknown\n${TRY}`);
      if (takes && rest.length === 0) throw new CurlUsage(`option ${word}: requires parameter\n${TRY}`);
      seen.add(name);
      setOption(tool, request, name, takes ? rest.shift()! : '');
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      request.urls.push(word);
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const option = LETTERS.get(word[i]!);
      if (option === undefined) throw new CurlUsage(`option -${word.slice(i)}: is unknown\n${TRY}`);
      const attached = word.slice(i + 1);
      const value = option.takes ? attached || rest.shift() : '';
      if (value === undefined) throw new CurlUsage(`option -${word[i]}: requires parameter\n${TRY}`);
      seen.add(option.name);
      setOption(tool, request, option.name, value);
      if (option.takes) break;
    }
  }
  if (seen.has('version')) {
    tool.out(`curl ${curlVersion(tool.sys)} (x86_64-pc-linux-gnu) libcurl/${curlVersion(tool.sys)} OpenSSL/3.0.16\n`);
    return 0;
  }
  if (seen.has('help')) {
    tool.out('Usage: curl [options...] <url>\n');
    return 0;
  }
  if (request.urls.length === 0) throw new CurlUsage(`(2) no URL specified\n${TRY}`);
  if (seen.has('get') && request.body !== null) {
    request.urls = request.urls.map((url) => `${url}${url.includes('?') ? '&' : '?'}${request.body}`);
    request.body = null;
  }
  if (request.fields.length > 0) takeForm(tool, request);
  if (request.method === '') request.method = seen.has('head') ? 'HEAD' : request.body === null ? 'GET' : 'POST';
  return request;
}

function takeForm(tool: FilterContext, request: CurlRequest): void {
  if (request.body !== null) {
    const both = '(-d, --data) and multipart formpost (-F, --form).\n';
    throw new FormFault(
      2,
      `Warning: You can only select one HTTP request method! You asked for both POST \nWarning: ${both}`,
    );
  }
  Object.assign(request, makeForm(tool, request.fields));
}

function setOption(tool: FilterContext, request: CurlRequest, name: string, value: Bytes): void {
  const add = (text: Bytes): void => void (request.body = request.body === null ? text : `${request.body}&${text}`);
  switch (name) {
    case 'silent':
      return void (request.isSilent = true);
    case 'ipv4':
      return void (request.family = '4');
    case 'ipv6':
      return void (request.family = '6');
    case 'no-progress-meter':
      return void (request.isSilent = request.showsErrors = true);
    case 'show-error':
      return void (request.showsErrors = true);
    case 'fail':
    case 'fail-with-body':
      return void (request.fails = true);
    case 'include':
    case 'head':
      return void (request.showsHead = true);
    case 'verbose':
      return void (request.isVerbose = true);
    case 'insecure':
      return void (request.isInsecure = true);
    case 'location':
    case 'location-trusted':
      return void (request.follows = true);
    case 'output':
      return void (request.output = value);
    case 'remote-name':
      return void (request.namesAfterUrl = true);
    case 'request':
      return void (request.method = value);
    case 'header':
      return void request.headers.push(...(value.startsWith('@') ? readLines(tool, value.slice(1)) : [value]));
    case 'data':
    case 'data-ascii':
      if (value === '@-') return takeStdin(request, 'lines');
      return add(value.startsWith('@') ? readData(tool, value.slice(1)).replace(/[\r\n]/g, '') : value);
    case 'data-raw':
      return add(value);
    case 'data-binary':
      if (value === '@-') return takeStdin(request, 'raw');
      return add(value.startsWith('@') ? readData(tool, value.slice(1)) : value);
    case 'data-urlencode':
      return add(encodeData(tool, value));
    case 'max-redirs':
      return void (request.maxRedirects = readSeconds(value, '--max-redirs') / 1_000);
    case 'json':
      request.contentType = 'application/json';
      if (value === '@-') return takeStdin(request, 'raw');
      return add(value.startsWith('@') ? readData(tool, value.slice(1)) : value);
    case 'upload-file':
      request.method ||= 'PUT';
      request.contentType = '';
      if (value === '-') return takeStdin(request, 'raw');
      return add(readData(tool, value));
    case 'url':
      return void request.urls.push(value);
    case 'user':
      return void (request.user = value);
    case 'user-agent':
      return void (request.agent = value);
    case 'referer':
      return void request.headers.push(`Referer: ${value}`);
    case 'cookie':
      if (!value.includes('=')) throw new CurlUsage(`option --cookie: a file is not simulated here\n${TRY}`);
      return void request.headers.push(`Cookie: ${value}`);
    case 'oauth2-bearer':
      return void request.headers.push(`Authorization: Bearer ${value}`);
    case 'max-time':
      return void (request.timeout = readSeconds(value, '--max-time'));
    case 'connect-timeout':
      return void (request.connectTimeout = readSeconds(value, '--connect-timeout'));
    case 'retry':
      return void (request.retries = readSeconds(value, '--retry') / 1_000);
    case 'retry-delay':
      return void (request.retryDelay = readSeconds(value, '--retry-delay'));
    case 'retry-connrefused':
    case 'retry-all-errors':
      return void (request.retriesRefused = true);
    case 'resolve':
      return void request.resolve.push(value);
    case 'cacert':
      if (!tool.sys.access(value, 'r')) throw new CurlUsage(`(77) error setting certificate file: ${value}`);
      return void (request.trusted = value);
    case 'interface':
      return void (request.source = value);
    case 'write-out':
      return void (request.format = value);
    case 'form':
    case 'form-string':
      return void request.fields.push({ text: value, isLiteral: name === 'form-string' });
    case 'cert':
      return void (request.certificate = value);
    case 'key':
      return void (request.key = value);
    case 'proxy':
    case 'capath':
    case 'cookie-jar':
    case 'speed-limit':
    case 'retry-max-time':
    case 'create-dirs':
      throw new CurlUsage(`option --${name}: is not simulated here\n${TRY}`);
    default:
      return;
  }
}

function readSeconds(text: Bytes, name: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text))
    throw new CurlUsage(`option ${name}: expected a proper numerical parameter\n${TRY}`);
  return Math.round(Number(text) * 1_000);
}

function takeStdin(request: CurlRequest, kind: 'lines' | 'raw'): void {
  request.stdin = kind;
  request.body ??= '';
}

function readData(tool: FilterContext, path: Bytes): Bytes {
  try {
    const descriptor = tool.sys.open(path, { read: true });
    const bytes = readDescriptor(tool, descriptor);
    tool.sys.close(descriptor);
    return bytes;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new CurlUsage(`option -d: error encountered when reading a file\n${TRY}`);
  }
}

function readDescriptor({ sys }: FilterContext, descriptor: number): Bytes {
  let bytes = '';
  for (let chunk = sys.read(descriptor); chunk !== undefined && chunk !== ''; chunk = sys.read(descriptor))
    bytes += chunk;
  return bytes;
}

const readLines = (tool: FilterContext, path: Bytes): Bytes[] =>
  readSmallFile(tool.sys, path).split(/\r?\n/).filter(Boolean);

/** content, =content, name=content, @file or name@file. */
function encodeData(tool: FilterContext, value: Bytes): Bytes {
  const equals = value.indexOf('=');
  const at = value.indexOf('@');
  const isFile = equals < 0 && at >= 0;
  const cut = isFile ? at : equals;
  const name = cut > 0 ? `${value.slice(0, cut)}=` : '';
  const rest = value.slice(cut + 1);
  return name + encodeUrl(isFile ? readData(tool, rest) : rest);
}

const encodeUrl = (text: Bytes): Bytes =>
  text.replace(/[^A-Za-z0-9\-._~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
