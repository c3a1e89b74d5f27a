import { bytesOf, textOf, type Bytes } from '../../kernel/bytes.js';

/** An HTTP request that was read from bytes. Header names are lower case. */
export interface ParsedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  /** The client keeps the connection for another request. */
  readonly keepsAlive: boolean;
  /** How many bytes it took. */
  readonly length: number;
}

/** Undefined while the request is not complete; 'bad' when the bytes are no HTTP. */
export function parseRequest(received: Bytes): ParsedRequest | 'bad' | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return received.length > MAX_HEAD || isMalformed(received) ? 'bad' : undefined;
  const [line = '', ...lines] = received.slice(0, end).split('\r\n');
  const [, method, path, version] = REQUEST_LINE.exec(line) ?? [];
  if (!method || !path) return 'bad';
  const headers: Record<string, string> = {};
  for (const text of lines) {
    const colon = text.indexOf(':');
    if (colon > 0) headers[text.slice(0, colon).trim().toLowerCase()] = textOf(text.slice(colon + 1).trim());
  }
  const start = end + 4;
  const body = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '')
    ? readChunks(received, start)
    : readLength(received, start, Number(headers['content-length'] ?? 0));
  if (body === undefined || body === 'bad') return body;
  const connection = headers['connection']?.toLowerCase() ?? '';
  const keepsAlive = version === '1' ? connection !== 'close' : connection === 'keep-alive';
  return { method, path, headers, body: body.content, keepsAlive, length: body.end };
}

const MAX_HEAD = 65_536;
const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.([01])$/;

/** A server looks at the first line before the others have come. */
function isMalformed(received: Bytes): boolean {
  const end = received.indexOf('\n');
  return end >= 0 && !REQUEST_LINE.test(received.slice(0, end).replace('\r', ''));
}

/** What Go's server says to what is no request, before it closes the connection. */
export const BAD_REQUEST: Bytes =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

interface Body {
  readonly content: Bytes;
  /** Where the request ends. */
  readonly end: number;
}

function readLength(received: Bytes, start: number, length: number): Body | 'bad' | undefined {
  if (!Number.isInteger(length) || length < 0) return 'bad';
  const end = start + length;
  return received.length < end ? undefined : { content: received.slice(start, end), end };
}

/** The content of a body that came in chunks, as far as it is there. */
export function joinChunks(received: Bytes): Bytes {
  const parts: Bytes[] = [];
  for (let at = 0; at < received.length;) {
    const lineEnd = received.indexOf('\r\n', at);
    const size = lineEnd < 0 ? 0 : Number.parseInt(received.slice(at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(received.slice(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return parts.join('');
}

function readChunks(received: Bytes, start: number): Body | 'bad' | undefined {
  let content = '';
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const text = received.slice(at, lineEnd).split(';', 1)[0]!.trim();
    if (!/^[\da-f]{1,8}$/i.test(text)) return 'bad';
    const size = Number.parseInt(text, 16);
    const end = lineEnd + 2 + size + 2;
    if (received.length < end) return undefined;
    if (size === 0) return { content, end };
    content += received.slice(lineEnd + 2, end - 2);
    at = end;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  101: 'Switching Protocols',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  418: "I'm a teapot",
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const reasonOf = (status: number): string => REASONS[status] ?? 'status code';

export interface AnswerParts {
  readonly status: number;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Bytes;
  /** A file of so many bytes is the body, which the server sends piece by piece. */
  readonly file?: { readonly path: Bytes; readonly size: number };
  /** The names of its headers are sent as they are here, as Envoy does it. */
  readonly isLowerCase?: boolean;
}

export const sizeOfBody = ({ body = '', file }: AnswerParts): number => file?.size ?? body.length;

/**
 * An HTTP/1.1 answer with its length; `method` HEAD gets no body, nor does an answer that is a file. Header names as Go
 * writes them.
 */
export function formatAnswer(answer: AnswerParts, method: string, closes: boolean): Bytes {
  const { status, headers = {}, body = '' } = answer;
  const length = { 'content-length': String(sizeOfBody(answer)) };
  const all = { ...headers, ...length, ...(closes ? { connection: 'close' } : {}) };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    (typeof value === 'string' ? value.split('\n') : value).map(
      (text) => `${answer.isLowerCase ? name : canonicalName(name)}: ${bytesOf(text)}\r\n`,
    ),
  );
  const head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join('')}\r\n`;
  return method === 'HEAD' ? head : head + body;
}

/** As servers other than Go's write them. */
const UPPER_CASE: Readonly<Record<string, string>> = { etag: 'ETag', 'www-authenticate': 'WWW-Authenticate' };

const canonicalName = (name: string): string =>
  UPPER_CASE[name] ?? name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());
