import dns from 'node:dns';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { OutsideAnswer, OutsideCall } from '@terrarium/engine';
import { isPublic } from './addresses.js';

const HTTPS_PORT = 443;
const MAX_SECONDS = 30;
/** Upstream's limit. One byte more tells that there was more. */
const MAX_ANSWER = 3 * 1024 * 1024 + 1;
const HEADERS = {
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'user-agent': 'kube-apiserver-admission',
};

/** Fails with an error in the words of Go's net package. */
class DialError extends Error {}

/** Makes a call, without following redirects. Never rejects. `anywhere`: at addresses that are not public, too. */
export function post({ url, caBundle, timeoutSeconds, body }: OutsideCall, anywhere: boolean): Promise<OutsideAnswer> {
  return new Promise((resolve) => {
    const fail = (error: unknown): void => resolve({ error: inGo(error as NodeError, url) });
    try {
      const host = hostOf(url);
      if (net.isIP(host)) checkAddress(host, url, anywhere);
      https
        .request(url, {
          method: 'POST',
          headers: HEADERS,
          agent: false,
          lookup: lookup(url, anywhere),
          signal: AbortSignal.timeout(Math.min(timeoutSeconds, MAX_SECONDS) * 1000),
          // Whatever the environment says.
          rejectUnauthorized: true,
          ...(caBundle ? { ca: Buffer.from(caBundle, 'base64') } : {}),
        })
        .on('response', (response) => void answerOf(response).then(resolve, fail))
        .on('error', fail)
        .end(body);
    } catch (error) {
      fail(error);
    }
  });
}

async function answerOf(response: IncomingMessage): Promise<OutsideAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size >= MAX_ANSWER) break;
  }
  const type = response.headers['content-type'];
  return {
    status: response.statusCode ?? 0,
    headers: type ? { 'content-type': type } : {},
    body: Buffer.concat(chunks).toString(),
  };
}

// ---- where to ----

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

function checkAddress(address: string, url: string, anywhere: boolean): void {
  if (anywhere || isPublic(address)) return;
  throw new DialError(
    `dial tcp ${join(address, new URL(url).port || HTTPS_PORT)}: calls of addresses that are not public are switched off here`,
  );
}

/** Checks the very address that is then connected to. */
const lookup =
  (url: string, anywhere: boolean): net.LookupFunction =>
  (hostname, options, done) =>
    dns.lookup(hostname, { ...options, all: false, order: 'ipv4first' }, (error, address, family) => {
      try {
        if (error) throw error;
        checkAddress(address, url, anywhere);
        done(null, options.all ? [{ address, family }] : address, family);
      } catch (reason) {
        done(reason as Error, '', 0);
      }
    });

const join = (address: string, port: string | number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

// ---- what went wrong ----

interface NodeError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cert?: { readonly subjectaltname?: string };
}

const CERTIFICATE = 'tls: failed to verify certificate: x509: ';
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);
const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** As Go says it. */
function inGo(error: NodeError, url: string): string {
  const { name, code = '', message, address = '', port = HTTPS_PORT, cert } = error;
  if (name === 'AbortError' || name === 'TimeoutError') return 'context deadline exceeded';
  if (UNKNOWN_AUTHORITY.has(code)) return `${CERTIFICATE}certificate signed by unknown authority`;
  if (CONNECT[code]) return `dial tcp ${join(address, port)}: connect: ${CONNECT[code]}`;
  switch (code) {
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostOf(url)}: no such host`;
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostOf(url)}: server misbehaving`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `${CERTIFICATE}certificate has expired or is not yet valid`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${CERTIFICATE}certificate is valid for ${(cert?.subjectaltname ?? '').replace(/(DNS|IP Address):/g, '')}, not ${hostOf(url)}`;
    case 'ECONNRESET':
      return 'EOF';
    case 'EPROTO':
      return message.includes('wrong version number')
        ? 'http: server gave HTTP response to HTTPS client'
        : 'remote error: tls: handshake failure';
    default:
      return message;
  }
}
