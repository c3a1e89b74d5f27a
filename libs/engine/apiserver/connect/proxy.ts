import type { Endpoints, Node, Pod, Service } from '../../api/core_v1.js';
import { Endpoints as EndpointsKind, Nodes, Pods, Services } from '../../kinds/index.js';
import type { BodyResponse, PodHttpAnswer, PodHttpRequest } from '../../machinery/http.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError, badRequest, notFound } from '../../machinery/meta/status.js';
import { decodeUtf8 } from '../../machinery/utf8.js';
import type { Call } from '../call.js';
import { readBody } from '../request/decode.js';

const KUBELET_PORT = '10250';
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
const OF_THE_EDGE = /^(content-length|date|access-control-allow-(credentials|headers|methods|origin))$/;
/** Loopback, link-local, multicast and no address at all: not to be reached from the API server. */
const NOT_GLOBAL = /^(127\.|169\.254\.|22[4-9]\.|23\d\.|0\.0\.0\.0$|255\.255\.255\.255$|::1?$|fe[89ab]|ff)/i;

const unavailable = (message: string): ApiError => new ApiError(503, 'ServiceUnavailable', message);

type Answer = PodHttpAnswer | { readonly error: string };
type Send = (request: PodHttpRequest) => Answer;
interface Target {
  readonly scheme: 'http' | 'https';
  readonly port: string;
  send: Send;
}

/**
 * pods/proxy, services/proxy and nodes/proxy. `tail` is the path behind it. Models apimachinery/pkg/util/proxy
 * UpgradeAwareHandler.
 */
export function proxy(call: Call, tail: string): BodyResponse {
  const { scheme, port, send } = target(call);
  const { method, query } = call.request;
  // Relative, because a cluster may be served below a path that it does not know.
  if (tail === '' && (method === 'GET' || method === 'HEAD')) return redirect(`proxy/${query && `?${query}`}`);
  const number = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  const path =
    encodeURI(tail || '/')
      .replaceAll('?', '%3F')
      .replaceAll('#', '%23') + (query && `?${query}`);
  const answer: Answer = Number.isInteger(number)
    ? send({ scheme, port: number, method, path, headers: forwarded(call), body: decodeUtf8(readBody(call)) })
    : { error: `dial tcp: lookup tcp/${port}: unknown port` };
  if ('error' in answer) throw unavailable(`error trying to reach service: ${answer.error}`);
  return passedOn(answer, tail);
}

const redirect = (location: string): BodyResponse => ({
  type: 'body',
  status: 301,
  headers: { location, 'cache-control': 'no-cache, private' },
  body: '',
});

function forwarded({ request }: Call): Record<string, string> {
  const headers: Record<string, string> = { 'x-forwarded-uri': request.path };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !CREDENTIALS.test(name)) headers[name] = value;
  }
  return headers;
}

function passedOn({ status, headers = {}, body = '' }: PodHttpAnswer, tail: string): BodyResponse {
  const passed: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(headers))
    if (!HOP_BY_HOP.has(name) && !OF_THE_EDGE.test(name)) passed[name] = value;
  const { location } = passed;
  if (location?.startsWith('/'))
    passed['location'] = '../'.repeat(Math.max(0, tail.split('/').length - 2)) + location.slice(1);
  return { type: 'body', status, headers: { ...passed, 'cache-control': 'no-cache, private' }, body };
}

// ---- where to ----

function target(call: Call): Target {
  const parts = call.name.split(':');
  const [scheme, name, port] = parts.length === 3 ? parts : ['', parts[0]!, parts[1] ?? ''];
  const what = call.kind.singular;
  if (parts.length > 3 || !name || !['', 'http', 'https'].includes(scheme!))
    throw badRequest(`invalid ${what} request ${JSON.stringify(call.name)}`);
  const wanted = { scheme: scheme === 'https' ? ('https' as const) : ('http' as const), name, port: port! };
  switch (call.kind.plural) {
    case 'pods':
      return podTarget(call, wanted);
    case 'services':
      return serviceTarget(call, wanted);
    default:
      return nodeTarget(call, wanted);
  }
}

interface Wanted {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

function existing<T extends KubeObject>({ server, namespace }: Call, kind: Kind<T>, name: string): T {
  const found = server.state.get(kind, { namespace: kind.scope === 'Cluster' ? '' : namespace, name });
  if (!found) throw notFound(kind, name);
  return found;
}

const toPod =
  ({ server, now }: Call, pod: Pod): Send =>
  (request) =>
    server.dial?.(pod, request, now) ?? {
      error: `dial tcp ${pod.status.podIP}:${request.port}: connect: connection refused`,
    };

/** Models pkg/registry/core/pod ResourceLocation. */
function podTarget(call: Call, { scheme, name, port }: Wanted): Target {
  const pod = existing(call, Pods, name);
  const first = pod.spec.containers.find((c) => c.ports?.length)?.ports?.[0]?.containerPort;
  if (!pod.status.podIP || NOT_GLOBAL.test(pod.status.podIP)) throw badRequest('address not allowed');
  return { scheme, port: port || (first === undefined ? '' : String(first)), send: toPod(call, pod) };
}

/** Models pkg/registry/core/service/storage ResourceLocation. */
function serviceTarget(call: Call, { scheme, name, port }: Wanted): Target {
  const portName = /^\d+$/.test(port) ? nameOfPort(existing(call, Services, name), Number(port)) : port;
  const { subsets = [] } = existing(call, EndpointsKind, name);
  if (subsets.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  for (const subset of subsets) {
    const found = subset.ports?.find((p) => (p.name ?? '') === portName);
    const pods = found ? podsOf(call, subset) : [];
    if (pods.length > 0) return { scheme, port: String(found!.port), send: toPod(call, pods[call.now % pods.length]!) };
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(call.name)}`);
}

function nameOfPort({ spec, metadata }: Service, port: number): string {
  const found = spec.ports?.find((p) => p.port === port);
  if (!found) throw unavailable(`no service port ${port} found for service ${JSON.stringify(metadata.name)}`);
  return found.name ?? '';
}

/** Only addresses that are pods are proxied to. */
function podsOf({ server, namespace }: Call, subset: NonNullable<Endpoints['subsets']>[number]): Pod[] {
  const found = (subset.addresses ?? []).map(({ ip, targetRef }) => {
    const pod =
      targetRef?.kind === 'Pod'
        ? server.state.get(Pods, { namespace: targetRef.namespace ?? namespace, name: targetRef.name ?? '' })
        : undefined;
    return pod?.status.podIP === ip ? pod : undefined;
  });
  return found.filter((p) => p !== undefined);
}

/** Models pkg/registry/core/node ResourceLocation. */
function nodeTarget(call: Call, { name, port, scheme }: Wanted): Target {
  const node = existing(call, Nodes, name);
  if (port === '' || port === KUBELET_PORT) return { scheme: 'https', port: KUBELET_PORT, send: toKubelet(call, node) };
  return {
    scheme,
    port,
    send: (request) => ({ error: `dial tcp ${addressOf(node)}:${request.port}: connect: connection refused` }),
  };
}

const addressOf = ({ status }: Node): string => status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? '';

const toKubelet =
  ({ server, now }: Call, node: Node): Send =>
  (request) =>
    server.kubelet?.(node, request, now) ?? {
      error: `dial tcp ${addressOf(node)}:${KUBELET_PORT}: connect: connection refused`,
    };
