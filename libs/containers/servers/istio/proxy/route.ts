import type { Plain } from '../../../../engine/kernel/process/program.js';
import { parseDuration } from '../../go.js';
import type { Forward, Look, ProxyRequest, Step } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import type { Destination, Fault, HttpMatch, HttpRoute, Percent, Retries, WeightedDestination } from '../resources.js';
import { clusterOf, type Cluster } from '../routing/clusters.js';
import { findHost, fullName, type Host } from '../routing/hosts.js';
import { changeHeaders, redirectTarget, rewritePath } from '../routing/request-change.js';
import { aborted, direct, noCluster, noHealthyUpstream, redirected, type Said } from './answers.js';
import { newRequestId, sendTo, withoutHops, type Note } from './send.js';

/** Whose routes are followed: where its short names belong, and what it calls itself. */
export interface Router {
  readonly workload: Workload;
  /** 'envoy', or 'istio-envoy' where the client is no part of the mesh. */
  readonly server: string;
  /** The port that a destination without one has. */
  readonly port: number;
  /** What the log calls the place that the request has come to. */
  readonly destination: string;
  readonly isGateway: boolean;
  say(request: ProxyRequest, said: Said, note: Note, look: Look): Step;
}

/** pkg/config/mesh DefaultMeshConfig's default retries; releases before 1.24 list 503 as well. */
const DEFAULT_RETRY = 'connect-failure,refused-stream,unavailable,cancelled';
const DEFAULT_ATTEMPTS = 2;
const MAX_ATTEMPTS = 6;
const MAX_MIRRORS = 5;

export function newNote(router: Router, request: ProxyRequest, look: Look): Note {
  const known = request.headers['x-request-id'];
  const before = request.headers['x-forwarded-for'];
  return {
    ...{ cluster: '', upstream: '', flags: '-', route: '', serverName: '', destination: router.destination },
    requestId: known !== undefined && !router.isGateway ? known : newRequestId(look),
    forwardedFor: router.isGateway
      ? before === undefined
        ? request.client
        : `${before},${request.client}`
      : (before ?? ''),
    ...{ tried: 0, left: DEFAULT_ATTEMPTS, retryOn: DEFAULT_RETRY, perTry: 0, deadline: 0, response: [] },
    server: router.server,
  };
}

/** What a proxy does with a request that one of its routes is for. */
export function follow(
  router: Router,
  route: HttpRoute,
  match: HttpMatch | undefined,
  namespace: string,
  request: ProxyRequest,
  look: Look,
): Step {
  const note: Note = { ...newNote(router, request, look), route: route.name ?? '' };
  const delay = delayOf(route.fault, look);
  const flags = delay > 0 ? 'DI' : '-';
  const said = answerOf(route, request, look);
  const step = said
    ? router.say(request, { ...said, flags: joinFlags(flags, said.flags) }, note, look)
    : forward(router, route, match, namespace, request, { ...note, flags }, delay, look);
  return delay > 0 ? { ...step, after: delay } : step;
}

const joinFlags = (one: string, other: string): string => [one, other].filter((flag) => flag !== '-').join(',') || '-';

const isOneOf = (percentage: Percent | undefined, { random }: Look): boolean => {
  const share = percentage === undefined ? 100 : (percentage.value ?? 0);
  return share >= 100 || random() * 100 < share;
};

/** None is none, and so is one that cannot be read. */
const millisOf = (text: string | undefined): number => parseDuration(text ?? '') ?? 0;

function delayOf(fault: Fault | undefined, look: Look): number {
  const { delay } = fault ?? {};
  const percentage = delay?.percent === undefined ? delay?.percentage : { value: delay.percent };
  return delay && isOneOf(percentage, look) ? millisOf(delay.fixedDelay) : 0;
}

function answerOf(route: HttpRoute, request: ProxyRequest, look: Look): Said | undefined {
  const { abort } = route.fault ?? {};
  if (abort?.httpStatus !== undefined && isOneOf(abort.percentage, look)) return aborted(abort.httpStatus);
  if (route.redirect) {
    const { status, location } = redirectTarget(route, request);
    return redirected(status, location);
  }
  const { directResponse } = route;
  return directResponse && direct(directResponse.status, directResponse.body?.string ?? '');
}

function forward(
  router: Router,
  route: HttpRoute,
  match: HttpMatch | undefined,
  namespace: string,
  request: ProxyRequest,
  before: Note,
  delay: number,
  look: Look,
): Step {
  const chosen = pickDestination(route.route ?? [], look);
  const cluster = chosen && clusterAt(router, chosen.destination, namespace, look);
  if (!chosen || !cluster) return router.say(request, noCluster(), before, look);
  const timeout = millisOf(route.timeout);
  const note: Note = {
    ...{ ...before, ...retriesOf(route.retries) },
    deadline: timeout > 0 ? look.now + delay + timeout : 0,
    response: [chosen.headers?.response, route.headers?.response].map((one) => one ?? null) as unknown as Plain,
  };
  const headers = headersFor(router, request, note);
  const authority = route.rewrite?.authority;
  const changed = changeHeaders(
    authority === undefined ? headers : { ...headers, host: authority },
    route.headers?.request,
    chosen.headers?.request,
  );
  const { method, body } = request;
  const asked = { method, body, path: rewritePath(route, match, request), headers: changed };
  const sent = sendTo(cluster, router.workload, asked, note, { ...look, now: look.now + delay });
  if (!sent) return router.say(request, noHealthyUpstream(), { ...note, cluster: cluster.name }, look);
  return { forward: sent, copies: mirrorsOf(router, route, namespace, asked, note, look) };
}

/** By weight; a single one gets all. */
function pickDestination(all: readonly WeightedDestination[], { random }: Look): WeightedDestination | undefined {
  if (all.length <= 1) return all[0];
  let left = random() * all.reduce((sum, { weight = 0 }) => sum + weight, 0);
  return all.find(({ weight = 0 }) => (left -= weight) < 0) ?? all.find(({ weight = 0 }) => weight > 0);
}

function clusterAt(
  { workload, port }: Router,
  { host, subset = '', port: own }: Destination,
  namespace: string,
  look: Look,
): Cluster | undefined {
  const { mesh } = workload;
  const found = findHost(look.read, fullName(host, namespace, mesh), namespace, mesh);
  const asker = { namespace: workload.namespace, mesh, now: look.now };
  return found && clusterOf(look.read, found, own?.number ?? portFor(found, port), subset, asker);
}

/** Of a Service with one port that one is meant. */
function portFor(host: Host, port: number): number {
  const ports = 'service' in host ? (host.service.spec.ports ?? []) : [];
  return ports.length === 1 ? ports[0]!.port : port;
}

function retriesOf(retries: Retries | undefined): Pick<Note, 'left' | 'retryOn' | 'perTry'> {
  return {
    left: Math.min(retries?.attempts ?? DEFAULT_ATTEMPTS, MAX_ATTEMPTS),
    retryOn: retries?.retryOn ?? DEFAULT_RETRY,
    perTry: millisOf(retries?.perTryTimeout),
  };
}

export function headersFor(
  { isGateway }: Router,
  { headers, scheme }: ProxyRequest,
  { requestId, forwardedFor }: Note,
): Record<string, string> {
  const sent = withoutHops(headers);
  return {
    ...sent,
    ...(isGateway ? { 'x-forwarded-for': forwardedFor, 'x-envoy-internal': 'true' } : {}),
    ...{ 'x-forwarded-proto': isGateway ? scheme : (headers['x-forwarded-proto'] ?? scheme) },
    'x-request-id': requestId,
  };
}

/** Copies, whose host says so. */
function mirrorsOf(
  router: Router,
  { mirror, mirrorPercentage, mirrors = [] }: HttpRoute,
  namespace: string,
  asked: Parameters<typeof sendTo>[2],
  note: Note,
  look: Look,
): Forward[] {
  const all = [...(mirror ? [{ destination: mirror, percentage: mirrorPercentage }] : []), ...mirrors];
  return all.slice(0, MAX_MIRRORS).flatMap(({ destination, percentage }) => {
    const cluster = isOneOf(percentage, look) ? clusterAt(router, destination, namespace, look) : undefined;
    const { upgrade: _upgrade, ...headers } = asked.headers;
    const [host = '', port] = (headers['host'] ?? '').split(':', 2);
    const shadow = { ...headers, host: `${host}-shadow${port === undefined ? '' : `:${port}`}` };
    return (cluster && sendTo(cluster, router.workload, { ...asked, headers: shadow }, note, look)) ?? [];
  });
}
