import type { IncomingMessage } from 'node:http';
import type { ApiRequest } from '@terrarium/engine';

const IMPERSONATION = /^impersonate-/i;

/**
 * Headers as the engine reads them. Impersonation headers may repeat, and their values may have commas: they are joined
 * by line feeds.
 */
export function requestHeaders({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): ApiRequest['headers'] {
  const impersonation: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!IMPERSONATION.test(rawHeaders[i]!)) continue;
    const name = rawHeaders[i]!.toLowerCase();
    const value = rawHeaders[i + 1]!;
    impersonation[name] = name in impersonation ? `${impersonation[name]}\n${value}` : value;
  }
  // Most requests impersonate nobody: their headers are not copied.
  for (const _ in impersonation) return { ...(headers as ApiRequest['headers']), ...impersonation };
  return headers as ApiRequest['headers'];
}
