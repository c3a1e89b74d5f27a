import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import type { AnswerParts } from '../../../../../engine/node/cni/http-bytes.js';
import type { Forward, Outcome, ProxyRequest } from '../../../proxy/proxy.js';
import { annotation, listOf } from '../config/annotations.js';
import { expand } from '../balancer.js';
import { page } from '../pages.js';

const TIMEOUT = 60_000;

/** What is asked of the server of auth-url; undefined: the annotation is no address. */
export function authForward(ingress: Ingress, request: ProxyRequest): Omit<Forward, 'note'> | undefined {
  const url = parseUrl(expand(annotation(ingress, 'auth-url') ?? '', request));
  if (!url) return undefined;
  const { 'content-length': _length, 'x-forwarded-proto': _proto, upgrade: _upgrade, ...sent } = request.headers;
  return {
    ...{ address: url.hostname, port: url.port, isTls: url.isTls, path: url.path, body: '', timeout: TIMEOUT },
    method: annotation(ingress, 'auth-method') ?? 'GET',
    headers: {
      ...sent,
      ...{ host: url.host, 'x-original-url': `${request.scheme}://${request.headers['host'] ?? ''}${request.path}` },
      ...{ 'x-original-method': request.method, 'x-sent-from': 'nginx-ingress-controller' },
      ...{ 'x-real-ip': request.client, 'x-forwarded-for': request.client },
      'x-auth-request-redirect': annotation(ingress, 'auth-request-redirect') ?? request.path,
    },
  };
}

interface Url {
  readonly isTls: boolean;
  readonly host: string;
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
}

function parseUrl(text: string): Url | undefined {
  const [, scheme = '', host = '', path = ''] = /^(https?):\/\/([^/?#\s]{1,253})([^\s#]{0,8000})/i.exec(text) ?? [];
  const [hostname = '', port] = host.split(':');
  if (hostname === '' || (port !== undefined && !/^\d{1,5}$/.test(port))) return undefined;
  const isTls = scheme.toLowerCase() === 'https';
  const number = port === undefined ? (isTls ? 443 : 80) : Number(port);
  return { isTls, host, hostname, port: number, path: path.startsWith('/') ? path : `/${path}` };
}

/** Who may pass brings headers for the backend, and cookies for the client; any other gets an answer. */
export type Verdict =
  | { readonly answer: AnswerParts }
  | { readonly extra: Readonly<Record<string, string>>; readonly cookies: readonly string[] };

/** Models nginx's auth_request: 2xx lets pass, 401 and 403 refuse, all else is an error of the server's own. */
export function judge(ingress: Ingress, request: ProxyRequest, outcome: Outcome): Verdict {
  if (!('answer' in outcome)) return { answer: page(500) };
  const { status, headers = {} } = outcome.answer;
  const cookies = [headers['set-cookie'] ?? []].flat();
  if (status >= 200 && status < 300) {
    const wanted = listOf(ingress, 'auth-response-headers').map((name) => name.toLowerCase());
    const extra = wanted.map((name): [string, string] => [name, [headers[name] ?? []].flat().join(', ')]);
    return { extra: Object.fromEntries(extra.filter(([, value]) => value !== '')), cookies };
  }
  if (status === 403) return { answer: page(403) };
  if (status !== 401) return { answer: page(500) };
  const signin = annotation(ingress, 'auth-signin');
  if (signin !== undefined) return { answer: page(302, { location: signinUrl(ingress, signin, request) }) };
  const challenge = [headers['www-authenticate'] ?? []].flat()[0];
  return { answer: page(401, challenge === undefined ? {} : { 'www-authenticate': challenge }) };
}

/** Models template.go buildAuthSignURL: the way back is in `rd`, unless the address says so itself. */
function signinUrl(ingress: Ingress, signin: string, request: ProxyRequest): string {
  const name = annotation(ingress, 'auth-signin-redirect-param') ?? 'rd';
  const url = expand(signin, request);
  if (url.includes(`${name}=`)) return url;
  const { scheme, headers, path } = request;
  const back = `${scheme}://${headers['host'] ?? ''}${encodeURIComponent(path)}`;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${back}`;
}
