import type { Node, Pod, Service } from '../../../api/core_v1.js';
import { Endpoints as EndpointsKind, Nodes, Pods, Services } from '../../../kinds/index.js';
import type { PodHttpRequest, ReachAnswer } from '../../../machinery/requests/http.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ApiError, badRequest, notFound } from '../../../machinery/meta/status.js';
import { findServicePort, noEndpoints, noServicePort, podBackends } from '../../../runtime/state/backends.js';
import type { Call } from '../../call.js';

const KUBELET_PORT = '10250';
/** Loopback, link-local, multicast and unspecified addresses, which upstream's IsProxyableIP refuses. */
const NOT_GLOBAL = /^(127\.|169\.254\.|22[4-9]\.|23\d\.|0\.0\.0\.0$|255\.255\.255\.255$|::1?$|fe[89ab]|ff)/i;

/** What a backend answers, or why it cannot be reached. */
export type DialAnswer = ReachAnswer;
type Send = (request: PodHttpRequest) => DialAnswer;
/** The backend that a request is passed on to. */
export interface Target {
  readonly scheme: 'http' | 'https';
  /** A number, or text that is none; '' for the scheme's own. */
  readonly port: string;
  send: Send;
}

/** The name in the path: 'web', 'web:http', 'https:web:8443'. */
interface Location {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** '' without. */
  readonly port: string;
}

/** Throws 400, 404, 503. */
export function findTarget(call: Call): Target {
  const location = parseLocation(call);
  switch (call.kind.plural) {
    case 'pods':
      return podTarget(call, location);
    case 'services':
      return serviceTarget(call, location);
    default:
      return nodeTarget(call, location);
  }
}

/** Throws 400. Models apimachinery/pkg/util/net SplitSchemeNamePort. */
function parseLocation({ name: text, kind }: Call): Location {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || !name || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${kind.singular} request ${JSON.stringify(text)}`);
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

function storedObject<T extends KubeObject>({ server, namespace }: Call, kind: Kind<T>, name: string): T {
  const object = server.state.get(kind, { namespace: kind.scope === 'Cluster' ? '' : namespace, name });
  if (!object) throw notFound(kind, name);
  return object;
}

const connectionRefused = (ip: string, port: number | string): { readonly error: string } => ({
  error: `dial tcp ${ip}:${port}: connect: connection refused`,
});

const toPod =
  ({ server, now }: Call, pod: Pod): Send =>
  (request) =>
    (server.reach ?? server.dial)?.(pod, request, now) ?? connectionRefused(pod.status.podIP ?? '', request.port);

/** Models pkg/registry/core/pod ResourceLocation. */
function podTarget(call: Call, { scheme, name, port }: Location): Target {
  const pod = storedObject(call, Pods, name);
  const first = pod.spec.containers.find((c) => c.ports?.length)?.ports?.[0]?.containerPort;
  if (!pod.status.podIP || NOT_GLOBAL.test(pod.status.podIP)) throw badRequest('address not allowed');
  return { scheme, port: port || (first === undefined ? '' : String(first)), send: toPod(call, pod) };
}

/** Models pkg/registry/core/service/storage ResourceLocation. */
function serviceTarget(call: Call, { scheme, name, port }: Location): Target {
  const portName = /^\d+$/.test(port) ? portNameOf(storedObject(call, Services, name), Number(port)) : port;
  const endpoints = storedObject(call, EndpointsKind, name);
  if (!endpoints.subsets?.length) throw serviceUnavailable(noEndpoints(name));
  const backends = podBackends(call.server.state, endpoints, portName);
  // Upstream takes one at random.
  const backend = backends[call.now % backends.length];
  if (!backend) throw serviceUnavailable(noEndpoints(call.name));
  return { scheme, port: String(backend.port), send: toPod(call, backend.pod) };
}

function portNameOf(service: Service, port: number): string {
  const servicePort = findServicePort(service, port);
  if (!servicePort) throw serviceUnavailable(noServicePort(service.metadata.name ?? '', port));
  return servicePort.name ?? '';
}

/** Models pkg/registry/core/node ResourceLocation. */
function nodeTarget(call: Call, { name, port, scheme }: Location): Target {
  const node = storedObject(call, Nodes, name);
  if (port === '' || port === KUBELET_PORT) return { scheme: 'https', port: KUBELET_PORT, send: toKubelet(call, node) };
  return {
    scheme,
    port,
    send: (request) => connectionRefused(internalIp(node), request.port),
  };
}

const internalIp = ({ status }: Node): string => status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? '';

const toKubelet =
  ({ server, now }: Call, node: Node): Send =>
  (request) =>
    server.kubelet?.(node, request, now) ?? connectionRefused(internalIp(node), KUBELET_PORT);

export const serviceUnavailable = (message: string): ApiError => new ApiError(503, 'ServiceUnavailable', message);
