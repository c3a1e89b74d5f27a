import type { Reader } from '@terrarium/engine';
import type { Ingress } from '../../../../engine/api/networking_v1.js';
import { Services } from '../../../../engine/kinds/index.js';
import type { Forward, Look, ProxyRequest } from '../../proxy/proxy.js';
import { endpointsOf, type Backend } from '../backends.js';
import { annotation, numberOf } from './config/annotations.js';
import { chooseEndpoint, expand, isForCanary, usesServiceAddress } from './balancer.js';
import { certificateHeaders } from './access/client-certificates.js';
import { asPlain, type Note } from './note.js';
import { rewritten, upstreamName, type Plan } from './config/plan.js';
import type { Route } from './routes.js';

const CONNECT_SECONDS = 5;
const READ_SECONDS = 60;
const OF_ONE_HOP = new Set([
  ...['connection', 'keep-alive', 'te', 'transfer-encoding', 'expect', 'content-length', 'proxy'],
  ...['x-forwarded-for', 'x-forwarded-host'],
]);

/** The request to the next endpoint of the backend; undefined: there is none. `note` is changed. */
export function backendForward(plan: Plan, request: ProxyRequest, note: Note, look: Look): Forward | undefined {
  const { match, canary } = plan;
  if (note.tries.length === 0 && canary && isForCanary(canary.ingress, request, look.random)) note.isCanary = true;
  const route = note.isCanary && canary ? canary : match.route;
  const namespace = route.ingress.metadata.namespace ?? '';
  note.name = upstreamName(match.route.ingress.metadata.namespace ?? '', match.route.backend);
  note.alternative = route === match.route ? '' : upstreamName(namespace, route.backend);
  note.phase = 'backend';
  const tried = note.tries.map(({ address }) => address);
  const all = backendsOfRoute(look.read, route, look.now);
  const upstream = note.alternative || note.name;
  const choice = chooseEndpoint(route.ingress, upstream, all, tried, request, look, match.route.path);
  if (!choice) return undefined;
  if (choice.cookie !== undefined && note.tries.length === 0) note.cookies.push(choice.cookie);
  const { ingress } = match.route;
  return {
    ...{ address: choice.backend.address, port: choice.backend.port, isTls: isTlsBackend(ingress) },
    ...{ method: request.method, path: rewritten(ingress, match.groups, request.path), body: request.body },
    headers: {
      ...backendHeaders(ingress, request, plan, note),
      ...certificateHeaders(look.read, ingress, request, look.now),
    },
    timeout: timeoutOf(ingress),
    note: asPlain(note),
  };
}

const isTlsBackend = (ingress: Ingress): boolean => annotation(ingress, 'backend-protocol')?.toUpperCase() === 'HTTPS';

function timeoutOf(ingress: Ingress): number {
  const seconds = (name: string, otherwise: number): number => Math.max(1, numberOf(ingress, name) ?? otherwise);
  return (seconds('proxy-connect-timeout', CONNECT_SECONDS) + seconds('proxy-read-timeout', READ_SECONDS)) * 1_000;
}

/** With service-upstream, the address of the Service. */
function backendsOfRoute(read: Reader, { ingress, backend }: Route, now: number): Backend[] {
  const namespace = ingress.metadata.namespace ?? '';
  if (!usesServiceAddress(ingress) || !backend.service) return endpointsOf(read, namespace, backend, now);
  const { name, port: wanted } = backend.service;
  const service = read.get(Services, { namespace, name });
  const port = service?.spec.ports?.find((one) =>
    wanted?.name === undefined ? one.port === wanted?.number : one.name === wanted.name,
  );
  const address = service?.spec.clusterIP;
  return port && address && address !== 'None' ? [{ address, port: port.port }] : [];
}

/** Models the proxy_set_header lines of nginx.tmpl. */
function backendHeaders(
  ingress: Ingress,
  { headers, scheme, client, port }: ProxyRequest,
  { host }: Plan,
  note: Note,
): Record<string, string> {
  const { 'x-forwarded-for': from, 'x-forwarded-host': own } = headers;
  const isSecured = annotation(ingress, 'auth-type') !== undefined;
  const sent = Object.entries(headers).filter(
    ([name]) => !OF_ONE_HOP.has(name) && !(isSecured && name === 'authorization'),
  );
  const asked = headers['host'] ?? host;
  const prefix = annotation(ingress, 'x-forwarded-prefix');
  return {
    ...Object.fromEntries(sent),
    host: annotation(ingress, 'upstream-vhost') ?? asked,
    ...{ 'x-request-id': note.id, 'x-real-ip': client, 'x-forwarded-for': client, 'x-forwarded-host': asked },
    ...{ 'x-forwarded-port': String(port), 'x-forwarded-proto': scheme, 'x-forwarded-scheme': scheme },
    'x-scheme': scheme,
    ...(from === undefined ? {} : { 'x-original-forwarded-for': from }),
    ...(own === undefined ? {} : { 'x-original-forwarded-host': own }),
    ...(prefix === undefined ? {} : { 'x-forwarded-prefix': prefix }),
    ...note.extra,
  };
}

/** mirror-target: a copy of the request, whose answer nobody waits for. */
export function mirrorOf(ingress: Ingress, request: ProxyRequest, note: Note): Forward[] {
  const target = annotation(ingress, 'mirror-target');
  const text = target === undefined ? '' : expand(target, request);
  const [, scheme, host = '', path = ''] = /^(https?):\/\/([^/?#\s]{1,253})(\S{0,8000})/i.exec(text) ?? [];
  if (host === '') return [];
  const [address = '', port] = host.split(':');
  const isTls = scheme?.toLowerCase() === 'https';
  const { 'content-length': _length, upgrade: _upgrade, ...headers } = request.headers;
  return [
    {
      ...{ address, port: Number(port ?? (isTls ? 443 : 80)), isTls, method: request.method },
      ...{ path: path.startsWith('/') ? path : `/${path}`, timeout: READ_SECONDS * 1_000, note: asPlain(note) },
      headers: { ...headers, host: annotation(ingress, 'mirror-host') ?? address },
      body: annotation(ingress, 'mirror-request-body') === 'off' ? '' : request.body,
    },
  ];
}
