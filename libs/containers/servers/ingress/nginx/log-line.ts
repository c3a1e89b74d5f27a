import type { Millis } from '../../../../engine/machinery/time/time.js';
import { sizeOfBody, type AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import type { ProxyRequest } from '../../proxy/proxy.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What nginx knows of the servers that it has asked for one request. */
export interface Upstream {
  /** $proxy_upstream_name. */
  readonly name: string;
  /** $proxy_alternative_upstream_name: a canary's. */
  readonly alternative: string;
  readonly tries: readonly {
    readonly address: string;
    readonly length: number;
    readonly took: Millis;
    readonly status: number;
  }[];
}

/** A line of the access log. Models log-format-upstream's default. */
export function accessLine(
  request: ProxyRequest,
  answer: AnswerParts,
  { name, alternative, tries }: Upstream,
  { user, id, now }: { readonly user: string; readonly id: string; readonly now: Millis },
): string {
  const { client, method, path, headers, at } = request;
  const sent = method === 'HEAD' ? 0 : sizeOfBody(answer);
  const list = (text: (one: Upstream['tries'][number]) => string): string =>
    tries.length === 0 ? '-' : tries.map(text).join(', ');
  const asked = [
    list((one) => one.address),
    list((one) => String(one.length)),
    list((one) => seconds(one.took)),
    list((one) => String(one.status)),
  ];
  return (
    `${client} - ${user || '-'} [${localTime(now)}] "${quote(`${method} ${path} HTTP/1.1`)}" ${answer.status} ${sent} ` +
    `"${quote(headers['referer'] ?? '-')}" "${quote(headers['user-agent'] ?? '-')}" ${request.length} ` +
    `${seconds(now - at)} [${name}] [${alternative}] ${asked.join(' ')} ${id}`
  );
}

const seconds = (ms: Millis): string => (ms / 1_000).toFixed(3);

/** As nginx escapes what is in its log. */
export const quote = (text: string): string =>
  text.replace(/["\\\0-\x1f\x7f-\uffff]/g, (char) =>
    char.charCodeAt(0) > 0xff ? char : `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** 22/Nov/2026:12:00:00 +0000 */
export function localTime(at: Millis): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
