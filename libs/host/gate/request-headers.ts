import type { IncomingMessage } from 'node:http';
import type { ApiRequest } from '@terrarium/engine';

const IMPERSONATION = /^impersonate-/i;

/**
 * Headers as the engine reads them. Those of impersonation may repeat, and commas are part of them: line feeds stand
 * between their values.
 */
export function headersOf({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): ApiRequest['headers'] {
  const repeated: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!IMPERSONATION.test(rawHeaders[i]!)) continue;
    const name = rawHeaders[i]!.toLowerCase();
    repeated[name] = name in repeated ? `${repeated[name]}\n${rawHeaders[i + 1]!}` : rawHeaders[i + 1]!;
  }
  for (const _ in repeated) return { ...(headers as ApiRequest['headers']), ...repeated };
  return headers as ApiRequest['headers'];
}
