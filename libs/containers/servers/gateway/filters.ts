import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import { page } from '../ingress/nginx/pages.js';
import type { ProxyRequest } from '../proxy/proxy.js';
import type { Cors, Filter, HeaderChange, PathChange, Rule } from './resources.js';

type Headers = Record<string, string>;

export const filterOf = ({ filters = [] }: Rule, type: string): Filter | undefined =>
  filters.find((one) => one.type === type);

/** The headers of a request after a modifier; a second value stands behind the first one, as NGINX' map writes it. */
export function changeRequest(headers: Readonly<Headers>, change: HeaderChange | undefined): Headers {
  const all: Headers = { ...headers };
  for (const { name, value } of change?.set ?? []) all[name.toLowerCase()] = value;
  for (const { name, value } of change?.add ?? []) {
    const before = all[name.toLowerCase()];
    all[name.toLowerCase()] = before === undefined ? value : `${before},${value}`;
  }
  for (const name of change?.remove ?? []) delete all[name.toLowerCase()];
  return all;
}

/** The headers of an answer; a second value is a header of its own. */
export function changeAnswer(
  headers: NonNullable<AnswerParts['headers']>,
  change: HeaderChange | undefined,
): NonNullable<AnswerParts['headers']> {
  const all: Record<string, string | readonly string[]> = { ...headers };
  for (const { name, value } of change?.set ?? []) all[name.toLowerCase()] = value;
  for (const { name, value } of change?.add ?? []) {
    const before = all[name.toLowerCase()];
    all[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
  }
  for (const name of change?.remove ?? []) delete all[name.toLowerCase()];
  return all;
}

/** A path after a rewrite or in a redirect; without the query. */
export function changePath(path: string, change: PathChange | undefined, prefix: string): string {
  if (change?.replaceFullPath !== undefined) return change.replaceFullPath;
  if (change?.replacePrefixMatch === undefined) return path;
  const whole = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  const rest = path.slice(whole.length);
  const target = change.replacePrefixMatch.endsWith('/')
    ? change.replacePrefixMatch.slice(0, -1)
    : change.replacePrefixMatch;
  return target + rest || '/';
}

export const withQuery = (path: string, asked: string): string => {
  const at = asked.indexOf('?');
  return at < 0 || path.includes('?') ? path : path + asked.slice(at);
};

const WELL_KNOWN: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** RequestRedirect: the answer without asking anybody. */
export function redirect(
  rule: Rule,
  request: ProxyRequest,
  prefix: string,
  listenerPort: number,
): AnswerParts | undefined {
  const wanted = filterOf(rule, 'RequestRedirect')?.requestRedirect;
  if (!wanted) return undefined;
  const [path = ''] = request.path.split('?', 1);
  const scheme = wanted.scheme ?? request.scheme;
  const host = wanted.hostname ?? (request.headers['host'] ?? '').replace(/:\d{1,5}$/, '');
  const port = wanted.port ?? (wanted.scheme === undefined ? listenerPort : (WELL_KNOWN[scheme] ?? listenerPort));
  const authority = WELL_KNOWN[scheme] === port ? host : `${host}:${port}`;
  const target = withQuery(changePath(path, wanted.path, prefix), request.path);
  return page(wanted.statusCode ?? 302, { location: `${scheme}://${authority}${target}` });
}

/** The answer to a browser that asks first, and the headers of what it then gets; undefined: of no use to it. */
export function corsOf(
  rule: Rule,
  { method, headers }: ProxyRequest,
): { isPreflight: boolean; headers: Headers } | undefined {
  const cors = filterOf(rule, 'CORS')?.cors;
  if (!cors) return undefined;
  const origin = headers['origin'];
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (origin === undefined || !isOrigin(cors, origin)) return { isPreflight, headers: {} };
  const credentials: Headers = cors.allowCredentials === true ? { 'access-control-allow-credentials': 'true' } : {};
  const isAny = cors.allowOrigins?.includes('*') === true && cors.allowCredentials !== true;
  const allowed = { 'access-control-allow-origin': isAny ? '*' : origin, ...credentials };
  const { allowMethods = [], allowHeaders = [], exposeHeaders = [], maxAge = 5 } = cors;
  if (!isPreflight)
    return {
      isPreflight,
      headers: { ...allowed, ...listed('access-control-expose-headers', exposeHeaders) },
    };
  const asked = headers['access-control-request-headers'];
  const methods = allowMethods.includes('*') ? [headers['access-control-request-method'] ?? ''] : allowMethods;
  const names = allowHeaders.includes('*') && asked !== undefined ? [asked] : allowHeaders;
  return {
    isPreflight,
    headers: {
      ...allowed,
      ...listed('access-control-allow-methods', methods),
      ...listed('access-control-allow-headers', names),
      ...listed('access-control-expose-headers', exposeHeaders),
      'access-control-max-age': String(maxAge),
    },
  };
}

const listed = (name: string, values: readonly string[]): Headers =>
  values.length > 0 ? { [name]: values.join(', ') } : {};

const isOrigin = ({ allowOrigins = [] }: Cors, origin: string): boolean =>
  allowOrigins.some((allowed) => {
    if (allowed === '*' || allowed === origin) return true;
    const [scheme = '', host = ''] = allowed.split('://');
    if (!host.startsWith('*.')) return false;
    return origin.startsWith(`${scheme}://`) && origin.endsWith(host.slice(1));
  });
