import type { Ingress } from '../../../../engine/api/networking_v1.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import { httpDate } from '../../http.js';
import type { Look, ProxyRequest } from '../../proxy/proxy.js';
import { md5 } from '../../databases/md5.js';
import { annotation, isOn, numberOf } from './config/annotations.js';
import type { Backend } from '../backends.js';

/** Services whose turn is remembered. */
const MAX_TURNS = 1_000;

export interface Choice {
  readonly backend: Backend;
  /** Set-Cookie of session affinity. */
  readonly cookie?: string;
}

/** Which of a Service's endpoints gets a request; `tried` are those that have failed. */
export function chooseEndpoint(
  ingress: Ingress,
  upstream: string,
  all: readonly Backend[],
  tried: readonly string[],
  request: ProxyRequest,
  look: Look,
  path: string,
): Choice | undefined {
  const left = all.filter((one) => !tried.includes(nameOf(one)));
  const backends = left.length > 0 ? left : all;
  if (backends.length === 0) return undefined;
  if (annotation(ingress, 'affinity') === 'cookie') return stick(ingress, upstream, backends, request, look, path);
  const by = annotation(ingress, 'upstream-hash-by');
  if (by !== undefined) return { backend: byHash(backends, expand(by, request)) };
  const turns = (look.memory['turns'] ??= {}) as Record<string, Plain>;
  const before = turns[upstream] as number | undefined;
  const turn = before === undefined ? Math.floor(look.random() * backends.length) : before + 1;
  delete turns[upstream];
  const [oldest] = Object.keys(turns);
  if (oldest !== undefined && Object.keys(turns).length >= MAX_TURNS) delete turns[oldest];
  turns[upstream] = turn % 1_000_000;
  return { backend: backends[turn % backends.length]! };
}

export const nameOf = ({ address, port }: Backend): string => `${address}:${port}`;

/** The endpoint whose own hash with the key is the greatest: others come and go without moving it. */
function byHash(backends: readonly Backend[], key: string): Backend {
  const scored = backends.map((backend) => ({ backend, score: hash32(`${key} ${nameOf(backend)}`) }));
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).backend;
}

/** Models balancer/sticky.lua. */
function stick(
  ingress: Ingress,
  upstream: string,
  backends: readonly Backend[],
  { headers, scheme }: ProxyRequest,
  { now, random }: Look,
  path: string,
): Choice {
  const name = annotation(ingress, 'session-cookie-name') ?? 'INGRESSCOOKIE';
  const known = cookieOf(headers['cookie'] ?? '', name)?.split('|', 1)[0];
  if (known) return { backend: byHash(backends, known) };
  const key = `${(now / 1_000 + 1).toFixed(3)}.${30 + Math.floor(random() * 30)}.${Math.floor(random() * 999_999)}`;
  const expires = numberOf(ingress, 'session-cookie-expires');
  const maxAge = numberOf(ingress, 'session-cookie-max-age');
  const domain = annotation(ingress, 'session-cookie-domain');
  const sameSite = annotation(ingress, 'session-cookie-samesite');
  const secure = annotation(ingress, 'session-cookie-secure');
  const isSecure = secure === undefined ? scheme === 'https' : secure === 'true';
  const cookie = [
    `${name}=${key}|${md5(md5(upstream) + upstream)}`,
    ...(expires === undefined ? [] : [`Expires=${httpDate(now + expires * 1_000)}`]),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    `Path=${annotation(ingress, 'session-cookie-path') ?? path}`,
    ...(isSecure ? ['Secure'] : []),
    'HttpOnly',
    ...(sameSite === undefined ? [] : [`SameSite=${sameSite}`]),
  ].join('; ');
  return { backend: byHash(backends, key), cookie };
}

/** Whether a request goes to the canary instead. Models balancer.lua route_to_alternative_balancer. */
export function isForCanary(ingress: Ingress, { headers }: ProxyRequest, random: () => number): boolean {
  const header = annotation(ingress, 'canary-by-header');
  const sent = header === undefined ? undefined : headers[header.toLowerCase()];
  if (sent !== undefined) {
    const [value, pattern] = ['canary-by-header-value', 'canary-by-header-pattern'].map((n) => annotation(ingress, n));
    if (value) {
      if (value === sent) return true;
    } else if (pattern) {
      if (isMatch(pattern, sent)) return true;
    } else if (sent === 'always' || sent === 'never') return sent === 'always';
  }
  const cookie = annotation(ingress, 'canary-by-cookie');
  const baked = cookie === undefined ? undefined : cookieOf(headers['cookie'] ?? '', cookie);
  if (baked === 'always' || baked === 'never') return baked === 'always';
  const total = Math.max(100, numberOf(ingress, 'canary-weight-total') ?? 100);
  return 1 + Math.floor(random() * total) <= (numberOf(ingress, 'canary-weight') ?? 0);
}

const isMatch = (pattern: string, text: string): boolean => compilePattern(pattern)?.groups(text) !== undefined;

export const cookieOf = (text: string, name: string): string | undefined =>
  text
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** nginx's variables, of those that speak of the request. */
export function expand(text: string, request: ProxyRequest): string {
  const { path, client, headers, scheme, method } = request;
  const at = path.indexOf('?');
  const uri = at < 0 ? path : path.slice(0, at);
  const query = at < 0 ? '' : path.slice(at + 1);
  const host = headers['host'] ?? '';
  const known: Readonly<Record<string, string>> = {
    ...{ request_uri: path, uri, document_uri: uri, args: query, query_string: query, remote_addr: client },
    ...{ binary_remote_addr: client, scheme, request_method: method, http_host: host },
    ...{ host: host.replace(/:\d{1,5}$/, ''), best_http_host: host, pass_access_scheme: scheme },
  };
  return text.replace(/\$(\{[a-z0-9_]+\}|[a-z0-9_]+)/gi, (_whole, found: string) => {
    const name = found.replace(/[{}]/g, '').toLowerCase();
    const own = known[name];
    if (own !== undefined) return own;
    if (name === 'escaped_request_uri') return encodeURIComponent(path);
    if (name.startsWith('http_')) return headers[name.slice(5).replaceAll('_', '-')] ?? '';
    if (name.startsWith('cookie_')) return cookieOf(headers['cookie'] ?? '', name.slice(7)) ?? '';
    if (name.startsWith('arg_'))
      return (
        new Map(query.split('&').map((p) => [p.split('=', 1)[0], p.slice(p.indexOf('=') + 1)])).get(name.slice(4)) ?? ''
      );
    return '';
  });
}

/** Whether an annotation asks for a connection that stays with its Service's address. */
export const usesServiceAddress = (ingress: Ingress): boolean => isOn(ingress, 'service-upstream');
