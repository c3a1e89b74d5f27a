import { type Bytes, textOf } from '../../../engine/kernel/bytes.js';
import { type ErrorCode, SystemError } from '../../../engine/kernel/errno.js';
import type { Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { x509 } from '@terrarium/engine';
import { decodeBase64 } from '../../../engine/machinery/text/base64.js';
import { PUBLIC_ISSUER } from '../../../engine/node/network/web/web-server.js';
import { alertIn, type ClientHello, formatHello, parseHello, type ServerHello } from '../../../engine/node/cni/tls.js';
import { continueDial, dial, type Dial, isWholeAnswer, readAnswer } from '../../servers/dial.js';
import { lookUp, type Family } from '../../servers/lookup.js';
import { readSmallFile } from '../accounts.js';
import { proveHolder } from './client-certificate.js';

export interface Url {
  readonly scheme: string;
  readonly user: Bytes;
  readonly host: Bytes;
  readonly port: number;
  /** With the query. */
  readonly path: Bytes;
}

/** A URL; without a scheme it is http. Undefined for what is none. */
export function parseUrl(text: Bytes): Url | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const found = /^([a-z\d+.-]+):\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?([^#]*)/i.exec(whole);
  if (!found) return undefined;
  const [, scheme = '', user = '', host = '', port, rest = ''] = found;
  const number = port === undefined || port === '' ? (scheme.toLowerCase() === 'https' ? 443 : 80) : Number(port);
  if (host === '' || number > 65_535) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return { scheme: scheme.toLowerCase(), user, host, port: number, path: path.replaceAll(' ', '%20') };
}

export const withoutQuery = (path: Bytes): Bytes => path.split('?', 1)[0]!;
export const baseName = (path: Bytes): Bytes => path.slice(path.lastIndexOf('/') + 1);
/** With the slash at its end. */
export const directoryOf = (path: Bytes): Bytes => path.slice(0, path.lastIndexOf('/') + 1);

/** One HTTP exchange as data. */
export type Fetch = {
  host: Bytes;
  port: number;
  isTls: boolean;
  request: Bytes;
  isHead: boolean;
  /** PEM of the client's certificate and its key; '' without one. */
  credentials: string;
  addresses: string[];
  startedAt: number;
  lookupUntil: number;
  connectUntil: number;
  until: number;
  dial: Dial | null;
};

export interface FetchRequest {
  readonly url: Url;
  readonly request: Bytes;
  readonly isHead: boolean;
  /** PEM of the client's certificate, and of its key. */
  readonly credentials?: string;
  /** ms; undefined: as long as the kernel tries. */
  readonly connectTimeout?: number;
  readonly timeout?: number;
  /** Instead of those that a lookup gives. */
  readonly addresses?: readonly string[];
  /** Of a lookup. */
  readonly family?: Family | undefined;
}

export interface FetchAnswer {
  readonly status: number;
  /** Lines of the answer's head, without the empty line. */
  readonly head: readonly Bytes[];
  readonly body: Bytes;
  readonly tls?: ServerHello;
}

export type FetchOutcome =
  | { readonly wait: Wait }
  | { readonly answer: FetchAnswer }
  | { readonly failure: 'lookup' | 'empty' | 'not-http' | 'not-tls' }
  | { readonly failure: 'connect' | 'receive'; readonly code: ErrorCode }
  /** The server has shown its certificate, and ended the handshake: it wants another one of the client. */
  | { readonly failure: 'alert'; readonly alert: number; readonly tls: ServerHello }
  | { readonly failure: 'timeout'; readonly isConnected: boolean; readonly isResolving: boolean };

const FOR_EVER = 365 * 86_400_000;
const CONNECT_TIMEOUT = 300_000;

export function beginFetch(sys: Syscalls, request: FetchRequest): Fetch {
  const { host, port, scheme } = request.url;
  const found = request.addresses ? { addresses: request.addresses, delay: 0 } : lookUp(sys, host, request.family);
  const until = sys.now + (request.timeout ?? FOR_EVER);
  return {
    ...{ host, port, isTls: scheme === 'https', request: request.request, isHead: request.isHead, until },
    credentials: request.credentials ?? '',
    ...{ addresses: [...found.addresses], startedAt: sys.now, lookupUntil: sys.now + found.delay, dial: null },
    connectUntil: Math.min(until, sys.now + (request.connectTimeout ?? CONNECT_TIMEOUT)),
  };
}

export function continueFetch(sys: Syscalls, fetch: Fetch): FetchOutcome {
  const lookedUpAt = Math.min(fetch.lookupUntil, fetch.connectUntil);
  if (sys.now < lookedUpAt) return { wait: { type: 'wait', until: lookedUpAt } };
  if (fetch.lookupUntil > lookedUpAt) return { failure: 'timeout', isConnected: false, isResolving: true };
  const [address] = fetch.addresses;
  if (address === undefined) return { failure: 'lookup' };
  try {
    const hello = fetch.isTls ? formatHello(helloOf(fetch, sys.now)) : '';
    fetch.dial ??= dial(sys, address, fetch.port, 'tcp', hello + fetch.request, 0);
  } catch (error) {
    if (error instanceof SystemError) return { failure: 'connect', code: error.code };
    throw error;
  }
  const { dial: dialed } = fetch;
  dialed.until = dialed.isConnected ? fetch.until : fetch.connectUntil;
  const outcome = continueDial(sys, dialed, (received) => isWhole(fetch, received));
  if ('wait' in outcome) {
    const until = dialed.isConnected ? fetch.until : fetch.connectUntil;
    return { wait: { ...outcome.wait, type: 'wait', until } as Wait };
  }
  if ('error' in outcome) {
    if (outcome.error === 'TIMEOUT') {
      return { failure: 'timeout', isConnected: outcome.isConnected, isResolving: false };
    }
    return { failure: outcome.isConnected ? 'receive' : 'connect', code: outcome.error };
  }
  return readOutcome(fetch, outcome.received);
}

function helloOf({ host, credentials }: Fetch, now: number): ClientHello {
  const proof = credentials === '' ? undefined : proveHolder(credentials, now);
  return { serverName: /^[\d.]+$|^\[/.test(host) ? '' : host, ...(proof ? { proof } : {}) };
}

function isWhole(fetch: Fetch, received: Bytes): boolean {
  const plain = fetch.isTls ? parseHello<ServerHello>(received)?.rest : received;
  if (plain === undefined) return fetch.isTls && parseHello(received) === null;
  return fetch.isHead ? plain.includes('\r\n\r\n') : isWholeAnswer(plain);
}

function readOutcome(fetch: Fetch, received: Bytes): FetchOutcome {
  if (received === '') return { failure: 'empty' };
  const hello = fetch.isTls ? parseHello<ServerHello>(received) : undefined;
  if (fetch.isTls && !hello) return { failure: 'not-tls' };
  const plain = hello ? hello.rest : received;
  if (plain === '') return { failure: 'empty' };
  const alert = hello ? alertIn(hello.rest) : undefined;
  if (hello && alert !== undefined) return { failure: 'alert', alert, tls: hello.hello };
  const answer = readAnswer(plain);
  if (answer === undefined) return { failure: 'not-http' };
  const { status, head, body } = answer;
  return { answer: { status, head: head.split('\r\n'), body, ...(hello && { tls: hello.hello }) } };
}

export const headerOf = (head: readonly Bytes[], name: string): Bytes | undefined =>
  head
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim();

/** The bundle of images and nodes: the authorities of the web, which are not read here. */
const PUBLIC_AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** Why a client that trusts the certificates of a file does not trust a server; undefined: it does. */
export function findTlsFault(
  sys: Syscalls,
  hello: ServerHello,
  host: Bytes,
  trusted: Bytes,
): 'issuer' | 'name' | undefined {
  if (hello.issuer === PUBLIC_ISSUER && trusted === PUBLIC_AUTHORITIES)
    return hello.names.includes(host.toLowerCase()) ? undefined : 'name';
  const subjects = readSubjects(textOf(readSmallFile(sys, trusted)));
  const issuer = /CN ?= ?([^,]+)/.exec(hello.issuer)?.[1]?.trim();
  if (issuer === undefined || !subjects.includes(issuer)) return 'issuer';
  const isNamed = hello.names.some((name) => {
    if (name === host) return true;
    return name.startsWith('*.') && host.endsWith(name.slice(1)) && !host.slice(0, -name.length + 1).includes('.');
  });
  return isNamed ? undefined : 'name';
}

/** The common names of the certificates of a PEM file. */
function readSubjects(pem: string): string[] {
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)].flatMap(([, body = '']) => {
    try {
      return [x509.parseCertificate(decodeBase64(body.replace(/\s/g, ''))).subject.commonName];
    } catch {
      return [];
    }
  });
}
