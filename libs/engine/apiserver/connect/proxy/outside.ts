import type { Service } from '../../../api/core_v1.js';
import type { Ingress } from '../../../api/networking_v1.js';
import { EndpointSlices, Ingresses, Nodes, Services } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { ApiRequest, BodyResponse, PodHttpAnswer, ProxiedResponse } from '../../../machinery/requests/http.js';
import { parseAddress } from '../../../machinery/net/netip.js';
import { ApiError } from '../../../machinery/meta/status.js';
import type { Millis } from '../../../machinery/time/time.js';
import { unescapePath } from '../../../machinery/requests/unescape.js';
import type { Server } from '../../server.js';
import {
  bodyOf,
  forwardedHeaders,
  isUpgrade,
  ownCookies,
  ownCredentials,
  passAnswer,
  proxyResponse,
  relativePath,
} from './proxy.js';

const ROOT = '/outside/';
const TLS = 'https:';
const PORTS = { http: 80, https: 443 } as const;
const HOST = /^[a-z0-9.-]{1,253}$/i;
const SERVICE_NAME = 'kubernetes.io/service-name';

export const isOutside = ({ path }: Pick<ApiRequest, 'path'>): boolean => path.startsWith(ROOT);

/**
 * /outside/WHERE/PATH is how a browser outside the cluster reaches what is in it. WHERE is a node port (30080), an
 * address with or without a port (172.18.255.200, 172.18.0.3:30080), or an Ingress's host (shop.example.com); with
 * `https:` before it, the server is spoken to by TLS. It is no path of upstream's; who may ask is said by roles for
 * nonResourceURLs.
 */
export function serveOutside(server: Server, request: ApiRequest, now: Millis): BodyResponse | ProxiedResponse {
  const rest = request.path.slice(ROOT.length);
  const end = rest.indexOf('/');
  const where = unescapePath(end < 0 ? rest : rest.slice(0, end));
  // As the client has escaped it.
  const tail = end < 0 ? '' : rest.slice(end);
  const target = findTarget(server.state, where);
  if (!target || !server.enter) throw new ApiError(404, 'NotFound', `nothing in the cluster is called "${where}"`);
  const answer = server.enter(
    target.address,
    {
      ...{ scheme: target.scheme, port: target.port, method: request.method },
      path: (tail || '/') + (request.query && `?${request.query}`),
      headers: { ...browserHeaders(request), ...ownCredentials(request), host: target.host },
      ...bodyOf(request.body ?? NO_BODY),
    },
    now,
  );
  const refuse = (why: string): ApiError => new ApiError(502, '', `no answer from ${target.host}: ${why}`);
  if ('error' in answer) throw refuse(answer.error);
  const place = { ...target, where, tail, visit: request.visit };
  const own = `${target.scheme}://${target.host}`;
  const below = (link: string): string => {
    const path = link.startsWith(`${own}/`) ? link.slice(own.length) : link;
    return /^\/(?!\/)/.test(path) ? relativePath(path, tail) : path;
  };
  const finish = (found: PodHttpAnswer): BodyResponse => proxyResponse(stayBelow(found, place), tail, below);
  return passAnswer(answer, isUpgrade(request), { finish, refuse });
}

const NO_BODY = new Uint8Array();

/** What a browser would have sent: nothing of what the way here has added, nor the cookies of the service itself. */
function browserHeaders(request: ApiRequest): Record<string, string> {
  const headers = forwardedHeaders(request);
  delete headers['x-forwarded-uri'];
  return headers;
}

interface Place {
  readonly visit: ApiRequest['visit'];
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly where: string;
  readonly tail: string;
}

/** A redirect of the server to itself becomes one to a path of its own, below ours; so does one to its other scheme. */
function stayBelow(found: PodHttpAnswer, { scheme, host, where, tail, visit }: Place): PodHttpAnswer {
  const answer = { ...found, headers: ownCookies(found.headers, visit !== undefined) };
  const { location: to, ...headers } = answer.headers ?? {};
  if (to === undefined) return answer;
  const origin = `${scheme}://${host}`;
  const other = scheme === 'http' ? 'https' : 'http';
  const name = host.replace(/:\d{1,5}$/, '');
  const isOther = to === `${other}://${name}` || to.startsWith(`${other}://${name}/`);
  if (isOther) {
    const path = to.slice(`${other}://${name}`.length) || '/';
    if (visit) return { ...answer, headers: { ...headers, location: `${other}://${visit.host}${path}` } };
    const up = tail === '' ? './' : '../'.repeat(Math.max(1, tail.split('/').length - 1));
    return { ...answer, headers: { ...headers, location: `${up}${other === 'https' ? 'https:' : ''}${name}${path}` } };
  }
  const path = to === origin ? '/' : to.startsWith(`${origin}/`) ? to.slice(origin.length) : to;
  const location = tail === '' && path.startsWith('/') ? `./${where}${path}` : path;
  return { ...answer, headers: { ...headers, location } };
}

interface Target {
  readonly scheme: 'http' | 'https';
  readonly address: string;
  readonly port: number;
  /** What the browser would send as Host. */
  readonly host: string;
}

export function findTarget(read: Reader, text: string): Target | undefined {
  const isTls = text.startsWith(TLS);
  const where = isTls ? text.slice(TLS.length) : text;
  const colon = where.lastIndexOf(':');
  const [name, portText] = colon < 0 ? [where, undefined] : [where.slice(0, colon), where.slice(colon + 1)];
  if (portText !== undefined && !isPort(portText)) return undefined;
  const scheme = isTls ? 'https' : 'http';
  if (isPort(where)) {
    const address = nodeAddress(read, read.byIndex(Services, 'nodePort', `${where}/TCP`)[0]);
    return address === undefined ? undefined : { scheme, address, port: Number(where), host: `${address}:${where}` };
  }
  const port = Number(portText ?? PORTS[scheme]);
  const target =
    parseAddress(name)?.kind() === 'ipv4'
      ? (behindBalancer(read, name, port, where) ?? { address: name, port, host: where })
      : HOST.test(name)
        ? doorOf(read, name.toLowerCase(), where, port)
        : undefined;
  return target && { scheme: port === PORTS.https ? 'https' : scheme, ...target };
}

type Door = Omit<Target, 'scheme'>;

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;

/**
 * Of the first node: every node has all node ports. A Service that keeps traffic local is asked where it has pods; one
 * that has none drops what comes, at any node.
 */
function nodeAddress(read: Reader, service: Service | undefined): string | undefined {
  const nodes = read.list(Nodes);
  const local = service?.spec.externalTrafficPolicy === 'Local' ? nodesBehind(read, service) : [];
  const node = nodes.find(({ metadata }) => local.includes(metadata.name)) ?? nodes[0];
  return node?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address;
}

/** Where pods are ready; as kube-proxy does, without any of these where they serve while they end. */
function nodesBehind(read: Reader, { metadata }: Service): (string | undefined)[] {
  const endpoints = read
    .list(EndpointSlices, metadata.namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === metadata.name)
    .flatMap((slice) => slice.endpoints ?? []);
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
  const found = ready.length > 0 ? ready : endpoints.filter(({ conditions }) => conditions?.serving);
  return found.map(({ nodeName }) => nodeName);
}

/** A load balancer stands before the nodes, and sends to their node ports. */
function behindBalancer(read: Reader, ip: string, port: number, host: string): Door | undefined {
  const service = read
    .list(Services)
    .find(({ status }) => status?.loadBalancer?.ingress?.some((ingress) => ingress.ip === ip));
  return service && atNodePort(read, service, port, host);
}

function atNodePort(read: Reader, service: Service, port: number, host: string): Door | undefined {
  const nodePort = service.spec.ports?.find((own) => own.port === port)?.nodePort;
  const address = nodeAddress(read, service);
  return nodePort && address !== undefined ? { address, port: nodePort, host } : undefined;
}

/**
 * Where the Ingress or the Gateway of a host says that it is; behind an address of a Service, by its node port, and at
 * an address of a node, which a container has there as its own, by that.
 */
function doorOf(read: Reader, name: string, host: string, port: number): Door | undefined {
  const ingress = read.list(Ingresses).find((one) => hasHost(one, name) && one.status?.loadBalancer?.ingress?.length);
  const [status] = ingress?.status?.loadBalancer?.ingress ?? [];
  if (status?.ip === undefined) return undefined;
  const service = read.byIndex(Services, 'clusterIP', status.ip)[0];
  if (service) return atNodePort(read, service, port, host);
  return behindBalancer(read, status.ip, port, host) ?? { address: status.ip, port, host };
}

const hasHost = ({ spec }: Ingress, name: string): boolean =>
  (spec.rules ?? []).some(({ host = '' }) => host === name || (host.startsWith('*.') && name.endsWith(host.slice(1))));
