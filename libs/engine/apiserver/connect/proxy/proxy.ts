import type {
  ApiRequest,
  BodyResponse,
  PodHttpAnswer,
  PodHttpRequest,
  ProxiedResponse,
  ReachAnswer,
} from '../../../machinery/requests/http.js';
import { fromBytes, toBytes } from '../../../machinery/text/latin1.js';
import { decodeUtf8Lossy, encodeUtf8 } from '../../../machinery/text/utf8.js';
import type { Call } from '../../call.js';
import { readBody } from '../../request/decode.js';
import { rewriteLinks } from './html-links.js';
import { findTarget, serviceUnavailable, type DialAnswer } from './proxy-target.js';

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const CREDENTIALS = /^(authorization|impersonate-.*)$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/;
/** Headers that the host sets itself. */
const HOST_HEADERS = /^(content-length|date|access-control-allow-(credentials|headers|methods|origin))$/;

/**
 * pods/proxy, services/proxy and nodes/proxy. `tail` is the path behind the proxy. Models apimachinery/pkg/util/proxy
 * UpgradeAwareHandler.
 */
export function proxy(call: Call, tail: string): BodyResponse | ProxiedResponse {
  const { scheme, port, send } = findTarget(call);
  const { method, query, path: whole } = call.request;
  // Relative: the host may serve the cluster below a path that the engine does not know.
  if (tail === '' && (method === 'GET' || method === 'HEAD')) return redirect(`proxy/${query && `?${query}`}`);
  const portNumber = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  const path =
    encodeURI(tail || '/')
      .replaceAll('?', '%3F')
      .replaceAll('#', '%23') + (query && `?${query}`);
  const answer: DialAnswer = Number.isInteger(portNumber)
    ? send({
        scheme,
        port: portNumber,
        method,
        path,
        headers: { ...forwardedHeaders(call.request), ...ownCredentials(call.request) },
        ...bodyOf(readBody(call)),
      })
    : { error: `dial tcp: lookup tcp/${port}: unknown port` };
  if ('error' in answer) throw serviceUnavailable(`error trying to reach service: ${answer.error}`);
  const prefix = whole.endsWith(tail) ? whole.slice(0, whole.length - tail.length) : whole;
  // At a host of its own its paths are what they are.
  const hasHost = call.request.visit !== undefined;
  const below = (link: string): string =>
    /^\/(?!\/)/.test(link) && !link.startsWith(prefix) ? `${prefix}${link}` : link;
  const finish = (own: PodHttpAnswer): BodyResponse =>
    hasHost
      ? proxyResponse({ ...own, headers: ownCookies(own.headers, true) }, tail, (link) => link)
      : proxyResponse(own, tail, below);
  return passAnswer(answer, isUpgrade(call.request), {
    finish,
    refuse: (why) => serviceUnavailable(`error trying to reach service: ${why}`),
  });
}

/** A body that may be no text. */
export const bodyOf = (body: Uint8Array): Pick<PodHttpRequest, 'body' | 'bytes'> => ({
  body: decodeUtf8Lossy(body),
  bytes: fromBytes(body),
});

/** The credentials for the server, where they are none of ours. */
export const ownCredentials = ({ visit }: ApiRequest): Record<string, string> =>
  visit?.authorization === undefined ? {} : { authorization: visit.authorization };

/**
 * Cookies stay with who has set them: no other host gets them, nor, where the service's own host is shared, another
 * path than the one below which the answer stands.
 */
export function ownCookies(headers: PodHttpAnswer['headers'], hasHost: boolean): Record<string, string> {
  const { 'set-cookie': cookies, ...others } = headers ?? {};
  if (cookies === undefined) return others;
  const left = hasHost ? /^\s*domain\s*(=|$)/i : /^\s*(?:domain|path)\s*(=|$)/i;
  const own = cookies.split('\n').map((one) => {
    const [pair = '', ...attributes] = one.split(';');
    return [pair, ...attributes.filter((text) => !left.test(text))].join(';');
  });
  return { ...others, 'set-cookie': own.join('\n') };
}

/** What has come of a request, now or later. */
export function passAnswer(
  answer: Exclude<ReachAnswer, { readonly error: string }>,
  upgrades: boolean,
  { finish, refuse }: Pick<ProxiedResponse, 'finish' | 'refuse'>,
): BodyResponse | ProxiedResponse {
  if (!('session' in answer)) return finish(answer);
  return {
    ...{ type: 'proxied', status: 200, headers: {}, pending: answer, isUpgrade: upgrades },
    wantsBody: (headers) => isPage(headers),
    finish,
    refuse,
  };
}

export const isUpgrade = ({ headers }: Pick<ApiRequest, 'headers'>): boolean => headers['upgrade'] !== undefined;

const isPage = (headers: PodHttpAnswer['headers']): boolean =>
  /^\s*text\/html\s*(;|$)/i.test(headers?.['content-type'] ?? '') && headers?.['content-encoding'] === undefined;

const redirect = (location: string): BodyResponse => ({
  type: 'body',
  status: 301,
  headers: { location, 'cache-control': 'no-cache, private' },
  body: '',
});

/**
 * What the server behind a proxy gets of the client's headers: neither its credentials nor those of one hop, except for
 * an upgrade.
 */
export function forwardedHeaders(request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = { 'x-forwarded-uri': request.path };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || CREDENTIALS.test(name)) continue;
    if (!HOP_BY_HOP.has(name) || name === 'upgrade') headers[name] = value;
  }
  return headers;
}

/**
 * The backend's answer. Redirects within the backend are made relative to the proxy's path; `rewrite` does with the
 * links of a page what it does.
 */
export function proxyResponse(
  { status, headers = {}, body = '', bytes }: PodHttpAnswer,
  tail: string,
  rewrite: (link: string) => string,
): BodyResponse {
  const passed: Record<string, string | readonly string[]> = { 'content-type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(headers))
    if (!HOP_BY_HOP.has(name) && !HOST_HEADERS.test(name) && TOKEN.test(name))
      passed[name] = value.includes('\n') ? value.split('\n').map(oneLine) : oneLine(value);
  const { location } = headers;
  if (location?.startsWith('/')) passed['location'] = oneLine(relativePath(location, tail));
  const sent = bytes ?? body;
  const shown = isPage(headers) ? rewriteLinks(sent, rewrite) : sent;
  return {
    type: 'body',
    // Others are none of an answer.
    status: status >= 200 && status <= 599 ? status : 502,
    headers: { ...passed, 'cache-control': 'no-cache, private' },
    body: bytes === undefined ? shown : toBytes(shown),
  };
}

/** UTF-8 as bytes, without what ends a line: nothing in a value begins another header. */
const oneLine = (value: string): string => fromBytes(encodeUtf8(value)).replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');

/** A path of the backend, as a client gets there that is at `tail`. */
export const relativePath = (path: string, tail: string): string =>
  '../'.repeat(Math.max(0, tail.split('/').length - 2)) + path.slice(1);
