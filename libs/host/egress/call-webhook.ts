import dns from 'node:dns';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { OutsideAnswer, OutsideCall } from '@terrarium/engine';
import { goErrorMessage, joinHostPort, type NodeError } from './go-errors.js';
import { isPublicAddress } from './public-address.js';
import { hostOf, portOf } from './webhook-url.js';

const MAX_SECONDS = 30;
/** Upstream's limit. One byte more tells that there was more. */
const MAX_ANSWER_BYTES = 3 * 1024 * 1024 + 1;
const HEADERS = {
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'user-agent': 'kube-apiserver-admission',
};

/** An address must not be called; the message is in the words of Go's net package. */
class DialError extends Error {}

/**
 * POSTs to a webhook, without following redirects. Never rejects: an error is an answer, in Go's words. Without
 * `allowPrivate` only public addresses are called.
 */
export function callWebhook(
  { url, caBundle, timeoutSeconds, body }: OutsideCall,
  allowPrivate: boolean,
): Promise<OutsideAnswer> {
  return new Promise((resolve) => {
    const fail = (error: unknown): void => resolve({ error: goErrorMessage(error as NodeError, url) });
    try {
      const host = hostOf(url);
      if (net.isIP(host)) checkAddress(host, url, allowPrivate);
      https
        .request(url, {
          method: 'POST',
          headers: HEADERS,
          agent: false,
          lookup: lookup(url, allowPrivate),
          signal: AbortSignal.timeout(Math.min(timeoutSeconds, MAX_SECONDS) * 1000),
          // Even when NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
          rejectUnauthorized: true,
          ...(caBundle ? { ca: Buffer.from(caBundle, 'base64') } : {}),
        })
        .on('response', (response) => void readAnswer(response).then(resolve, fail))
        .on('error', fail)
        .end(body);
    } catch (error) {
      fail(error);
    }
  });
}

async function readAnswer(response: IncomingMessage): Promise<OutsideAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size >= MAX_ANSWER_BYTES) break;
  }
  const type = response.headers['content-type'];
  return {
    status: response.statusCode ?? 0,
    headers: type ? { 'content-type': type } : {},
    body: Buffer.concat(chunks).toString(),
  };
}

/** Throws DialError. */
export function checkAddress(address: string, url: string, allowPrivate: boolean): void {
  if (allowPrivate || isPublicAddress(address)) return;
  const target = joinHostPort(address, portOf(url));
  throw new DialError(`dial tcp ${target}: calls of addresses that are not public are switched off here`);
}

/** Resolves a host name, and checks the very address that is then connected to. */
export const lookup =
  (url: string, allowPrivate: boolean): net.LookupFunction =>
  (hostname, options, done) =>
    dns.lookup(hostname, { ...options, all: false, order: 'ipv4first' }, (error, address, family) => {
      try {
        if (error) throw error;
        checkAddress(address, url, allowPrivate);
        done(null, options.all ? [{ address, family }] : address, family);
      } catch (reason) {
        done(reason as Error, '', 0);
      }
    });
