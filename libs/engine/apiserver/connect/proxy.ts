import type { ApiRequest, BodyResponse, PodHttpAnswer } from '../../machinery/http.js';
import { decodeUtf8 } from '../../machinery/utf8.js';
import type { Call } from '../call.js';
import { readBody } from '../request/decode.js';
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
/** Headers that the host sets itself. */
const HOST_HEADERS = /^(content-length|date|access-control-allow-(credentials|headers|methods|origin))$/;

/**
 * pods/proxy, services/proxy and nodes/proxy. `tail` is the path behind the proxy. Models apimachinery/pkg/util/proxy
 * UpgradeAwareHandler.
 */
export function proxy(call: Call, tail: string): BodyResponse {
  const { scheme, port, send } = findTarget(call);
  const { method, query } = call.request;
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
        headers: forwardedHeaders(call.request),
        body: decodeUtf8(readBody(call)),
      })
    : { error: `dial tcp: lookup tcp/${port}: unknown port` };
  if ('error' in answer) throw serviceUnavailable(`error trying to reach service: ${answer.error}`);
  return proxyResponse(answer, tail);
}

const redirect = (location: string): BodyResponse => ({
  type: 'body',
  status: 301,
  headers: { location, 'cache-control': 'no-cache, private' },
  body: '',
});

/** What the server behind a proxy gets of the client's headers: neither its credentials nor those of one hop. */
export function forwardedHeaders(request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = { 'x-forwarded-uri': request.path };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !CREDENTIALS.test(name)) headers[name] = value;
  }
  return headers;
}

/** The backend's answer. Redirects within the backend are made relative to the proxy's path. */
export function proxyResponse({ status, headers = {}, body = '' }: PodHttpAnswer, tail: string): BodyResponse {
  const passed: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(headers))
    if (!HOP_BY_HOP.has(name) && !HOST_HEADERS.test(name)) passed[name] = value;
  const { location } = passed;
  if (location?.startsWith('/'))
    passed['location'] = '../'.repeat(Math.max(0, tail.split('/').length - 2)) + location.slice(1);
  return { type: 'body', status, headers: { ...passed, 'cache-control': 'no-cache, private' }, body };
}
