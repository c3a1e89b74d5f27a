import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { checkAddress, lookup } from './call-webhook.js';
import { hostOf } from './webhook-url.js';

const TIMEOUT_MS = 10_000;

/**
 * POSTs JSON, without following redirects. Rejects unless it is answered 2xx. Without `allowPrivate` only public
 * addresses are called, by https.
 */
export function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  allowPrivate: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    if (net.isIP(host)) checkAddress(host, url, allowPrivate);
    const { request } = url.startsWith('https:') ? https : http;
    request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: lookup(url, allowPrivate),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .on('response', (response) => {
        const { statusCode = 0 } = response;
        // Nothing of it is read.
        response.destroy();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Error(`answered ${statusCode}`));
      })
      .on('error', reject)
      .end(body);
  });
}
