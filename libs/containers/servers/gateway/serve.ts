import { OF_ONE_HOP_BY_NGINX } from '../proxy/hops.js';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { httpDate } from '../http.js';
import { backendsOf } from '../ingress/backends.js';
import { localTime, quote } from '../ingress/nginx/log-line.js';
import { page } from '../ingress/nginx/pages.js';
import type { Forward, Look, Outcome, ProxyRequest, Step } from '../proxy/proxy.js';
import type { Wired } from './attach.js';
import { changeAnswer, changePath, changeRequest, corsOf, filterOf, redirect, withQuery } from './filters.js';
import { closeness, isHost } from './hostnames.js';
import { choose, type Chosen } from './match.js';
import { backendFault } from './references.js';
import type { BackendRef, HeaderChange, Mirror } from './resources.js';

const READ_MS = 60_000;
const CONNECT_MS = 60_000;
/** What is kept of a request while a backend has it: plain data. */
type Note = { change: Plain; cors: Record<string, string>; count: number };

type Server = Wired['listeners'][number] & { readonly namespace: string };

/** The listener that a request to a port and a host belongs to: the closest name of all of the port. */
export function listenerFor(wired: readonly Wired[], port: number, host: string): Server | undefined {
  const found = wired
    .flatMap(({ gateway, listeners }) =>
      listeners.map((one) => ({ ...one, namespace: gateway.metadata.namespace ?? '' })),
    )
    .filter(({ isValid, listener }) => isValid && listener.port === port && isHost(listener.hostname ?? '', host));
  return found.sort((a, b) => closeness(b.listener.hostname ?? '') - closeness(a.listener.hostname ?? ''))[0];
}

export const hostOf = ({ headers }: Pick<ProxyRequest, 'headers'>): string =>
  (headers['host'] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();

/** What NGINX does with a request, by the routes of the moment. */
export function takeRequest(wired: readonly Wired[], request: ProxyRequest, look: Look): Step {
  const host = hostOf(request);
  const server = listenerFor(wired, request.port, host);
  const chosen = server && choose(server.attached, host, request);
  if (!chosen) return finishWith(request, page(404), look);
  const redirected = redirect(chosen.rule, request, chosen.prefix, request.port);
  if (redirected) return finishWith(request, redirected, look);
  const cors = corsOf(chosen.rule, request);
  if (cors?.isPreflight) return finishWith(request, { status: 200, headers: cors.headers }, look);
  const change = filterOf(chosen.rule, 'ResponseHeaderModifier')?.responseHeaderModifier ?? null;
  const note: Note = { change: change as Plain, cors: cors?.headers ?? {}, count: 0 };
  const ref = pick(chosen, look);
  if (typeof ref === 'number') return finishWith(request, page(ref), look);
  const forward = forwardTo(chosen, ref, request, note, look);
  if (typeof forward === 'number') return finishWith(request, page(forward), look);
  return { forward, copies: mirrorsOf(chosen, request, note, look) };
}

/** A backend by the weights; a number is the answer that it cannot be. Models split_clients.go. */
function pick({ rule }: Chosen, { random }: Look): BackendRef | number {
  const refs = rule.backendRefs ?? [];
  const total = refs.reduce((sum, { weight = 1 }) => sum + weight, 0);
  if (total <= 0) return 500;
  let left = random() * total;
  for (const ref of refs) {
    left -= ref.weight ?? 1;
    if (left < 0) return ref;
  }
  return 500;
}

function forwardTo(
  { kind, route, rule, prefix }: Chosen,
  ref: BackendRef,
  request: ProxyRequest,
  note: Note,
  look: Look,
): Forward | number {
  const namespace = route.metadata.namespace ?? '';
  if (backendFault(look.read, kind, namespace, ref, '')) return 500;
  const backend = endpointOf(look, ref.namespace ?? namespace, ref);
  if (!backend) return 503;
  const rewrite = filterOf(rule, 'URLRewrite')?.urlRewrite;
  const [path = ''] = request.path.split('?', 1);
  const change = filterOf(rule, 'RequestHeaderModifier')?.requestHeaderModifier;
  return {
    ...backend,
    ...{ isTls: false, method: request.method, body: request.body, timeout: CONNECT_MS + READ_MS },
    path: rewrite?.path ? withQuery(changePath(path, rewrite.path, prefix), request.path) : request.path,
    headers: headersFor(request, change, rewrite?.hostname),
    note,
  };
}

function endpointOf(
  { read, now, random }: Look,
  namespace: string,
  { name, port }: BackendRef,
): { address: string; port: number } | undefined {
  const all = backendsOf(read, namespace, name, port === undefined ? undefined : { number: port }, now);
  return all[Math.floor(random() * all.length)];
}

/** Models the proxy_set_header lines of servers.go. */
function headersFor(
  { headers, client, scheme, port }: ProxyRequest,
  change: HeaderChange | undefined,
  hostname: string | undefined,
): Record<string, string> {
  const host = headers['host'] ?? '';
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_HOP_BY_NGINX.has(name)));
  const before = headers['x-forwarded-for'];
  const own = {
    ...sent,
    host: hostname ?? host,
    'x-forwarded-for': before === undefined ? client : `${before}, ${client}`,
    ...{ 'x-real-ip': client, 'x-forwarded-proto': scheme, 'x-forwarded-host': host.replace(/:\d{1,5}$/, '') },
    'x-forwarded-port': String(port),
  };
  return changeRequest(own, change);
}

/** Copies for RequestMirror, as many as their share says. */
function mirrorsOf({ kind, route, rule }: Chosen, request: ProxyRequest, note: Note, look: Look): Forward[] {
  const namespace = route.metadata.namespace ?? '';
  return (rule.filters ?? []).flatMap(({ requestMirror }) => {
    if (!requestMirror || look.random() * 100 >= shareOf(requestMirror)) return [];
    const { backendRef } = requestMirror;
    if (backendFault(look.read, kind, namespace, backendRef, '')) return [];
    const backend = endpointOf(look, backendRef.namespace ?? namespace, backendRef);
    if (!backend) return [];
    const { method, path, body } = request;
    const { upgrade: _upgrade, ...headers } = headersFor(request, undefined, undefined);
    return [{ ...backend, isTls: false, method, path, headers, body, timeout: READ_MS, note }];
  });
}

const shareOf = ({ percent, fraction }: Mirror): number =>
  percent ?? (fraction ? (fraction.numerator * 100) / (fraction.denominator ?? 100) : 100);

/** What comes of a backend's answer. */
export function finishRequest(request: ProxyRequest, forward: Forward, outcome: Outcome, look: Look): Step {
  const note = forward.note as Note;
  if (!('answer' in outcome)) return finishWith(request, page(outcome.failure === 'timeout' ? 504 : 502), look);
  const { server: _server, ...headers } = outcome.answer.headers ?? {};
  const changed = changeAnswer(headers, (note.change ?? undefined) as HeaderChange | undefined);
  return finishWith(request, { ...outcome.answer, headers: { ...changed, ...note.cors } }, look);
}

/** The line is that of the log format `main`, which the image's nginx.conf has not changed. */
function finishWith(request: ProxyRequest, parts: AnswerParts, { now }: Look): Step {
  const { client, method, path, headers } = request;
  const size = method === 'HEAD' ? 0 : (parts.body ?? '').length;
  const line =
    `${client} - - [${localTime(now)}] "${quote(`${method} ${path} HTTP/1.1`)}" ${parts.status} ${size} ` +
    `"${quote(headers['referer'] ?? '-')}" "${quote(headers['user-agent'] ?? '-')}"`;
  return { answer: { ...parts, headers: { server: 'nginx', date: httpDate(now), ...parts.headers } }, line };
}

/** The endpoint that a TLS connection goes to as it is, by the name that its client asks for. */
export function passthrough(
  wired: readonly Wired[],
  port: number,
  serverName: string,
  look: Look,
): { address: string; port: number } | undefined {
  const server = listenerFor(wired, port, serverName);
  if (server?.listener.tls?.mode !== 'Passthrough') return undefined;
  for (const { route, hosts } of server.attached) {
    const ref = hosts.some((name) => isHost(name, serverName)) ? route.spec.rules?.[0]?.backendRefs?.[0] : undefined;
    const namespace = route.metadata.namespace ?? '';
    if (!ref || backendFault(look.read, 'TLSRoute', namespace, ref, '')) continue;
    return endpointOf(look, ref.namespace ?? namespace, ref);
  }
  return undefined;
}
