import type { Reader } from '@terrarium/engine';
import { Secrets } from '../../../engine/kinds/index.js';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import { compilePattern } from '../../../engine/machinery/text/regex.js';
import { parseDuration } from '../go.js';
import { credentialsOf } from '../ingress/nginx/access/access.js';
import { isInRanges } from '../ingress/nginx/config/annotations.js';
import { fill } from '../ingress/nginx/access/limits.js';
import { isPassword } from '../ingress/nginx/access/passwords.js';
import { textOfSecret } from '../ingress/secrets.js';
import type { Look, ProxyRequest } from '../proxy/proxy.js';
import { plain, redirectTo } from './answers.js';
import { Middlewares, type Middleware, type MiddlewareSpec } from './resources.js';
import { middlewareName, normalize } from './routers.js';
import type { Static } from './static.js';

/** What a request has become on its way, and what its answer gets. */
export interface Way {
  readonly request: ProxyRequest;
  readonly added: Readonly<Record<string, string>>;
  readonly user: string;
}
export type Passed = Way | { readonly answer: AnswerParts };

const MAX_CHAIN = 50;
const PASSES = ['compress', 'retry', 'buffering', 'circuitBreaker', 'inFlightReq', 'contentType', 'grpcWeb'];
const SERVED = [
  ...['stripPrefix', 'stripPrefixRegex', 'addPrefix', 'replacePath', 'replacePathRegex', 'redirectScheme'],
  ...['redirectRegex', 'basicAuth', 'headers', 'rateLimit', 'ipAllowList', 'ipWhiteList', 'chain'],
];

/** All middlewares by their name with the provider. */
export function middlewaresOf(read: Reader, { providers }: Static): Map<string, Middleware> {
  const all = providers.includes('kubernetescrd') ? Middlewares.flatMap((resource) => [...read.list(resource)]) : [];
  return new Map(
    all.map((one) => [`${normalize(`${one.metadata.namespace}-${one.metadata.name}`)}@kubernetescrd`, one]),
  );
}

/** Those of a router in their order, with what chains hold; a text says why the router cannot have them. */
export function chainOf(
  names: readonly string[],
  known: ReadonlyMap<string, Middleware>,
  config: Static,
): (readonly [name: string, middleware: Middleware])[] | string {
  const found: (readonly [string, Middleware])[] = [];
  const queue = [...names];
  for (let count = 0; queue.length > 0 && count < MAX_CHAIN; count++) {
    const name = queue.shift()!;
    const middleware = known.get(name);
    if (!middleware) return `middleware "${name}" does not exist`;
    const { chain, ...others } = middleware.spec;
    const strange = Object.keys(others).find((type) => !SERVED.includes(type) && !PASSES.includes(type));
    if (strange !== undefined) return `middleware "${name}": ${strange} is not simulated`;
    if (!chain) {
      found.push([name, middleware]);
      continue;
    }
    const inner = (chain.middlewares ?? []).map((ref) =>
      middlewareName(ref, middleware.metadata.namespace ?? '', config),
    );
    queue.unshift(...inner.filter((one) => one !== undefined));
  }
  return queue.length > 0 ? 'too many middlewares' : found;
}

/** One middleware after the other, until one of them answers. */
export function passThrough(
  chain: readonly (readonly [name: string, middleware: Middleware])[],
  request: ProxyRequest,
  look: Look,
): Passed {
  let way: Way = { request, added: {}, user: '' };
  for (const [name, middleware] of chain) {
    const next = passOne(name, middleware, way, look);
    if ('answer' in next) return { answer: { ...next.answer, headers: { ...next.answer.headers, ...way.added } } };
    way = next;
  }
  return way;
}

function passOne(name: string, { metadata, spec }: Middleware, way: Way, look: Look): Passed {
  if (spec.redirectScheme) return redirectScheme(spec.redirectScheme, way);
  if (spec.redirectRegex) return redirectPattern(spec.redirectRegex, way);
  if (spec.basicAuth) return authenticate(spec.basicAuth, metadata.namespace ?? '', way, look.read);
  if (spec.headers) return changeHeaders(spec.headers, way);
  if (spec.rateLimit) return limit(name, spec.rateLimit, way, look);
  const allowed = spec.ipAllowList ?? spec.ipWhiteList;
  if (allowed && !isInRanges(way.request.client, allowed.sourceRange ?? [])) {
    const status = spec.ipAllowList?.rejectStatusCode ?? 403;
    return { answer: { status, headers: {}, body: status === 403 ? 'Forbidden' : '' } };
  }
  return changePath(spec, way);
}

const withPath = (way: Way, path: string, headers: Readonly<Record<string, string>> = {}): Way => ({
  ...way,
  request: { ...way.request, path, headers: { ...way.request.headers, ...headers } },
});

function changePath(spec: MiddlewareSpec, way: Way): Way {
  const { path: whole } = way.request;
  const at = whole.indexOf('?');
  const [path, query] = at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at)];
  const slashed = (text: string): string => (text.startsWith('/') ? text : `/${text}`);
  const prefix = spec.stripPrefix?.prefixes?.find((one) => path.startsWith(one));
  if (prefix !== undefined)
    return withPath(way, slashed(path.slice(prefix.length)) + query, { 'x-forwarded-prefix': prefix });
  for (const pattern of spec.stripPrefixRegex?.regex ?? []) {
    const [found] = compilePattern(`^(?:${pattern})`)?.groups(path) ?? [];
    if (found) return withPath(way, slashed(path.slice(found.length)) + query, { 'x-forwarded-prefix': found });
  }
  if (spec.addPrefix?.prefix) return withPath(way, slashed(spec.addPrefix.prefix) + path + query);
  if (spec.replacePath?.path) return withPath(way, slashed(spec.replacePath.path) + query, { 'x-replaced-path': path });
  const { regex = '', replacement = '' } = spec.replacePathRegex ?? {};
  const groups = regex === '' ? undefined : compilePattern(regex)?.groups(path);
  if (!groups) return way;
  const [found = ''] = groups;
  return withPath(way, path.replace(found, () => expand(replacement, groups)) + query, { 'x-replaced-path': path });
}

/** `$1` and `${1}`, as Go's regexp expands them. */
const expand = (text: string, groups: readonly (string | undefined)[]): string =>
  text.replace(
    /\$(?:\{(\d{1,2})\}|(\d{1,2}))/g,
    (_whole, a: string | undefined, b: string | undefined) => groups[Number(a ?? b)] ?? '',
  );

const urlOf = ({ scheme, headers, path }: ProxyRequest): string => `${scheme}://${headers['host'] ?? ''}${path}`;

/** 302 and 301 for what asks; 307 and 308 for what changes. Models pkg/middlewares/redirect. */
const statusOf = ({ method }: ProxyRequest, isPermanent: boolean): number =>
  method === 'GET' ? (isPermanent ? 301 : 302) : isPermanent ? 308 : 307;

function redirectScheme(
  { scheme = '', port = '', permanent = false }: NonNullable<MiddlewareSpec['redirectScheme']>,
  way: Way,
): Passed {
  const { request } = way;
  const host = (request.headers['host'] ?? '').replace(/:\d{1,5}$/, '');
  const isUsual = port === '' || (scheme === 'https' && port === '443') || (scheme === 'http' && port === '80');
  const target = `${scheme}://${host}${isUsual ? '' : `:${port}`}${request.path}`;
  if (request.scheme === scheme) return way;
  return { answer: redirectTo(statusOf(request, permanent), target) };
}

function redirectPattern(
  { regex = '', replacement = '', permanent = false }: NonNullable<MiddlewareSpec['redirectRegex']>,
  way: Way,
): Passed {
  const url = urlOf(way.request);
  const groups = compilePattern(regex)?.groups(url);
  if (!groups) return way;
  const target = url.replace(groups[0] ?? '', () => expand(replacement, groups));
  return target === url ? way : { answer: redirectTo(statusOf(way.request, permanent), target) };
}

/** Of a Secret's key `users`, or of its username and password. Models pkg/middlewares/auth/basic_auth.go. */
function authenticate(
  { secret = '', realm = 'traefik', removeHeader = false, headerField }: NonNullable<MiddlewareSpec['basicAuth']>,
  namespace: string,
  way: Way,
  read: Reader,
): Passed {
  const { headers } = way.request;
  const [user, password] = credentialsOf(headers) ?? [];
  const data = read.get(Secrets, { namespace, name: secret })?.data ?? {};
  const isRight = user !== undefined && password !== undefined && isOfUser(data, user, password);
  if (!isRight) return { answer: plain(401, '401 Unauthorized', { 'www-authenticate': `Basic realm="${realm}"` }) };
  const { authorization: _authorization, ...others } = headers;
  const kept = removeHeader ? others : headers;
  const sent = headerField ? { ...kept, [headerField.toLowerCase()]: user } : kept;
  return { ...way, user, request: { ...way.request, headers: sent } };
}

function isOfUser(data: Readonly<Record<string, string>>, user: string, password: string): boolean {
  const name = textOfSecret(data['username']);
  if (name !== undefined) return name === user && textOfSecret(data['password']) === password;
  const [lines] = Object.values(data);
  const line = (textOfSecret(lines) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
  return line !== undefined && isPassword(password, line.slice(user.length + 1).trim()) === true;
}

/** Models pkg/middlewares/headers. */
function changeHeaders(spec: NonNullable<MiddlewareSpec['headers']>, way: Way): Way {
  const lower = (all: Readonly<Record<string, string>> = {}): [string, string][] =>
    Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]);
  const asked = lower(spec.customRequestHeaders);
  const removed = asked.filter(([, value]) => value === '').map(([name]) => name);
  const kept = Object.entries(way.request.headers).filter(([name]) => !removed.includes(name));
  const set = asked.filter(([, value]) => value !== '');
  return {
    ...way,
    request: { ...way.request, headers: { ...Object.fromEntries(kept), ...Object.fromEntries(set) } },
    added: {
      ...way.added,
      ...Object.fromEntries(lower(spec.customResponseHeaders)),
      ...(spec.frameDeny ? { 'x-frame-options': 'DENY' } : {}),
      ...(spec.contentTypeNosniff ? { 'x-content-type-options': 'nosniff' } : {}),
      ...(spec.browserXssFilter ? { 'x-xss-protection': '1; mode=block' } : {}),
      ...(spec.stsSeconds && way.request.scheme === 'https'
        ? { 'strict-transport-security': `max-age=${spec.stsSeconds}` }
        : {}),
    },
  };
}

/** Models pkg/middlewares/ratelimiter, without the half of a period that it lets a request wait. */
function limit(
  name: string,
  { average = 0, burst = 1, period = '1s' }: NonNullable<MiddlewareSpec['rateLimit']>,
  way: Way,
  look: Look,
): Passed {
  if (average <= 0) return way;
  const span = typeof period === 'number' ? period * 1_000 : (parseDuration(period) ?? 1_000);
  const perSecond = (average * 1_000) / Math.max(1, span);
  if (fill(look, `${name} ${way.request.client}`, perSecond, Math.max(1, burst) - 1)) return way;
  const wait = 1 / perSecond;
  const headers = { 'retry-after': String(Math.ceil(wait)), 'x-retry-in': `${wait}s` };
  return { answer: { status: 429, headers, body: 'Too Many Requests' } };
}
