import type { Bytes } from '../../../kernel/bytes.js';
import { bytesOf, fromArray } from '../../../kernel/bytes.js';
import type { Remote } from '../../../kernel/network.js';
import { WebFiles } from '../../../kinds/index.js';
import { readWebUrl, type WebFile, type WebUrl } from '../../../kinds/terrarium/webfile/kind.js';
import { hash32 } from '../../../machinery/random.js';
import type { Reader } from '../../../machinery/reader.js';
import { decodeBase64 } from '../../../machinery/text/base64.js';
import { isKnownHost, KNOWN_PAGES } from './known-pages.js';
import { BAD_REQUEST, formatAnswer, parseRequest } from '../../cni/http-bytes.js';
import { type ClientHello, formatHello, parseHello } from '../../cni/tls.js';

/** TEST-NET-3 of RFC 5737: hosts of the web that an author has files for. */
const NETWORK = '203.0.113.';
/** Who has signed the certificates of the web. Clients trust it as they trust any authority of their images. */
export const PUBLIC_ISSUER = "C = US, O = Let's Encrypt, CN = R11";

/** The address of a host that there are files for; undefined: there are none. */
export function webAddressOf(read: Reader, host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return isKnownHost(name) || read.byIndex(WebFiles, 'host', name).length > 0 ? addressOf(name) : undefined;
}

const addressOf = (host: string): string => `${NETWORK}${(hash32(host) % 254) + 1}`;

interface Site {
  readonly url: WebUrl;
  readonly file: WebFile;
}

/** Who answers at a port of the web; undefined: nothing is there. */
export function webServerAt(read: Reader, address: string, port: number): Remote | undefined {
  if (!address.startsWith(NETWORK)) return undefined;
  const sites = [...read.list(WebFiles), ...KNOWN_PAGES].flatMap((file): Site[] => {
    const url = readWebUrl(file.spec.url);
    return url && addressOf(url.host) === address ? [{ url, file }] : [];
  });
  const here = sites.filter(({ url }) => url.port === port);
  // A host of https sends those there who come without it.
  const others = port === 80 ? sites.filter(({ url }) => url.port === 443 && url.scheme === 'https') : [];
  return here.length + others.length === 0 ? undefined : new WebRemote(here, others);
}

const WAITING = { send: '', close: false };

/** One connection to hosts of the web. */
class WebRemote implements Remote {
  private isGreeted = false;

  constructor(
    private readonly here: readonly Site[],
    private readonly secured: readonly Site[],
  ) {}

  answer(received: Bytes): ReturnType<Remote['answer']> {
    if (!this.here.some(({ url }) => url.scheme === 'https') || this.isGreeted) return this.serve(received);
    const hello = parseHello<ClientHello>(received);
    if (hello === undefined) return WAITING;
    if (hello === null) return { send: BAD_REQUEST, close: true };
    this.isGreeted = true;
    const names = [...new Set(this.here.map(({ url }) => url.host))];
    const subject = names.includes(hello.hello.serverName) ? hello.hello.serverName : names[0]!;
    const { send, close } = this.serve(hello.rest);
    return { send: formatHello({ subject: `CN = ${subject}`, issuer: PUBLIC_ISSUER, names, chain: [] }) + send, close };
  }

  private serve(received: Bytes): ReturnType<Remote['answer']> {
    const request = received === '' ? undefined : parseRequest(received);
    if (request === undefined) return WAITING;
    if (request === 'bad') return { send: BAD_REQUEST, close: true };
    const { method, path, headers, keepsAlive, length } = request;
    const host = (headers['host'] ?? '').replace(/:\d+$/, '').toLowerCase();
    const send = formatAnswer(this.answerOf(method, host, path), method, !keepsAlive);
    if (!keepsAlive) return { send, close: true };
    const next = this.serve(received.slice(length));
    return { send: send + next.send, close: next.close };
  }

  private answerOf(method: string, host: string, path: string): Parameters<typeof formatAnswer>[0] {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' } };
    const isMeant = ({ url }: Site): boolean => url.host === host && url.path === path;
    const found =
      this.here.find(isMeant) ?? this.here.find(({ url }) => url.host === host && withoutQuery(path) === url.path);
    if (found) return { status: 200, headers: { 'content-type': typeOf(found) }, body: contentOf(found.file) };
    if (this.secured.some(({ url }) => url.host === host))
      return { status: 301, headers: { location: `https://${host}${path}` } };
    return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404: Not Found' };
  }
}

const withoutQuery = (path: string): string => path.split('?', 1)[0]!;

const contentOf = ({ spec: { content, binaryContent } }: WebFile): Bytes =>
  content === undefined ? fromArray(decodeBase64(binaryContent ?? '')) : bytesOf(content);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  zip: 'application/zip',
};

function typeOf({ url, file }: Site): string {
  const ending = /\.([a-z0-9]+)$/.exec(withoutQuery(url.path))?.[1] ?? '';
  if (Object.hasOwn(TYPES, ending)) return TYPES[ending]!;
  if (url.path.endsWith('/')) return TYPES['html']!;
  return file.spec.content === undefined ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
