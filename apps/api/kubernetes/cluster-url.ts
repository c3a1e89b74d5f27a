import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { ApiError } from '@terrarium/engine';
import { clusterDomains, type Settings } from '@terrarium/platform';

/** Longest id that is looked at; find-my-way's own limit is set to the same. */
export const MAX_ID_LENGTH = 500;

/** The URL of a request to one cluster, as the cluster's own API server sees it. */
export interface ClusterUrl {
  readonly id: string;
  /** Begins with a slash; escapes are left as they are. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** The moment of the past that is asked for, behind an @: a revision, a time, or how long ago. */
  readonly at?: string;
  /**
   * The host, with its port, by which a browser has asked for something in the cluster: `path` is below /outside, or
   * below the proxy of a pod or a Service.
   */
  readonly outsideHost?: string;
  /** Of such a request: what its host names in the cluster, "80.web.shop.svc". */
  readonly where?: string;
  /** Of such a request: its path as the browser has it. */
  readonly outsidePath?: string;
}

/** A cluster's API server, or what is called by a name in it. */
export interface ClusterRoot {
  readonly id: string;
  /** '' for the API server; else as in /outside/WHERE, or as in {@link proxiedPath}. */
  readonly where: string;
}

/** Finds the cluster whose root a host name is; undefined when the name is none of a cluster. */
export type ClusterRoots = (hostname: string) => ClusterRoot | undefined;

/** The parts of a request that say which cluster is meant. */
export type AddressedRequest = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>;

/** Scheme and authority only stand in the absolute form (RFC 9112, 3.2.2). */
const REQUEST_TARGET = /^(?:https?:\/\/([^/?#]*))?(\/[^?]*)?(?:\?([^]*))?$/i;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?(?::\d{0,5})?$/i;
const CLUSTER_PATH = '/clusters/';
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const DASHED_ADDRESS = /^\d{1,3}(?:-\d{1,3}){3}$/;
const OUTSIDE_PATH = '/outside/';
/** 80.web.shop.svc, https-8443.web-0.shop.pod. Names of pods may have dots. */
const PROXIED = /^(?:(https?)-)?(\d{1,5})\.(.+)\.([^.]+)\.(svc|pod)$/;

/**
 * Every cluster has a root at `<id>.<domain>`, for each of the domains; what it has inside is at
 * `<where>.<id>.<domain>`: a host of an Ingress, a node port, an address with dashes. The public host itself is the
 * platform's, also when it lies below one of them.
 */
export function clusterRoots(settings: Pick<Settings, 'baseDomain' | 'publicUrl'>): ClusterRoots {
  const publicHost = new URL(settings.publicUrl).hostname;
  const domains = clusterDomains(settings);
  return (hostname) => {
    if (hostname === publicHost) return undefined;
    const domain = domains.find((one) => hostname.endsWith(`.${one}`));
    if (domain === undefined) return undefined;
    const labels = hostname.slice(0, -domain.length - 1).split('.');
    if (!labels.every((label) => LABEL.test(label))) return undefined;
    return { id: labels.at(-1)!, where: whereOf(labels.slice(0, -1)) };
  };
}

const whereOf = (labels: readonly string[]): string => {
  const [first = ''] = labels;
  return labels.length === 1 && DASHED_ADDRESS.test(first) ? first.replaceAll('-', '.') : labels.join('.');
};

/**
 * The cluster that a request is for, and the path there. A root named by TLS (SNI) or by the request's host comes
 * first: below a root every path is the cluster's own, so that `/clusters/<other>` leads to no other cluster; its own
 * `/clusters/<id>` may stand there, as in a kubeconfig file that has both. Else the path begins with `/clusters/<id>`,
 * or, for its past, `/clusters/<id>@<moment>`. Undefined when the request is for the platform.
 *
 * Throws ApiError 421 when TLS and host name the roots of two clusters.
 */
export function clusterUrlOf(request: AddressedRequest, roots: ClusterRoots): ClusterUrl | undefined {
  const target = parseTarget(request.url ?? '');
  if (!target) return undefined;
  const { authority, path, query } = target;
  const [byTls, byHost] = rootsOf(request, authority, roots);
  if (byTls !== undefined && byHost !== undefined && byTls.id !== byHost.id)
    throw new ApiError(421, '', 'Misdirected Request: the TLS server name and the host name two clusters');
  const root = byHost ?? byTls;
  if (root === undefined) return urlOfPath(path, query);
  const { id, where } = root;
  if (where === '') {
    const byPath = urlOfPath(path, query);
    return byPath?.id === id ? byPath : { id, path, query };
  }
  const visit = { outsideHost: authority ?? request.headers.host ?? '', outsidePath: path, where };
  const proxied = proxiedPath(where);
  if (proxied !== undefined) return { id, path: `${proxied}${path}`, query, ...visit };
  // The server of a host is spoken to as the browser speaks; ports of nodes and addresses speak plain HTTP.
  const scheme = isTls(request) && /[a-z]/.test(where) ? 'https:' : '';
  return { id, path: `${OUTSIDE_PATH}${scheme}${where}${path}`, query, ...visit };
}

/**
 * A port of a pod or a Service has a host, too, `<port>.<name>.<namespace>.svc` or `.pod`: who may come is who may use
 * the proxy of the API server there. Undefined for what is no such name.
 */
export function proxiedPath(where: string): string | undefined {
  const [, scheme = '', port, name, namespace, kind] = PROXIED.exec(where) ?? [];
  if (port === undefined) return undefined;
  const plural = kind === 'svc' ? 'services' : 'pods';
  return `/api/v1/namespaces/${namespace}/${plural}/${scheme && `${scheme}:`}${name}:${port}/proxy`;
}

/** Also when a proxy has ended TLS. */
export const isTls = ({ socket, headers }: Pick<AddressedRequest, 'socket' | 'headers'>): boolean =>
  socket instanceof TLSSocket || headers['x-forwarded-proto'] === 'https';

/** Something in the cluster is asked for, by host or by path: who may is said by the cluster, of nobody too. */
export const isOutsideUrl = ({ path }: Pick<ClusterUrl, 'path'>): boolean => path.startsWith(OUTSIDE_PATH);

/** The request's TLS server name or host is a cluster's root: none of the platform's routes is meant. */
export function hasClusterRoot(request: AddressedRequest, roots: ClusterRoots): boolean {
  const [byTls, byHost] = rootsOf(request, authorityOf(request.url ?? ''), roots);
  return byTls !== undefined || byHost !== undefined;
}

interface RequestTarget {
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string;
}

/** Nearly every target is a path: this runs for each request. */
function parseTarget(url: string): RequestTarget | undefined {
  if (url.startsWith('/')) {
    const end = url.indexOf('?');
    if (end < 0) return { authority: undefined, path: url, query: '' };
    return { authority: undefined, path: url.slice(0, end), query: url.slice(end + 1) };
  }
  const target = REQUEST_TARGET.exec(url);
  if (!target) return undefined;
  const [, authority, path = '/', query = ''] = target;
  return { authority, path, query };
}

const authorityOf = (url: string): string | undefined =>
  url.startsWith('/') ? undefined : REQUEST_TARGET.exec(url)?.[1];

/** By TLS, and by host: in the absolute form the authority stands for the Host header. */
function rootsOf(
  { headers, socket }: AddressedRequest,
  authority: string | undefined,
  roots: ClusterRoots,
): [byTls: ClusterRoot | undefined, byHost: ClusterRoot | undefined] {
  const serverName = socket instanceof TLSSocket ? socket.servername : undefined;
  return [rootOf(serverName || undefined, roots), rootOf(authority ?? headers.host, roots)];
}

function rootOf(host: string | undefined, roots: ClusterRoots): ClusterRoot | undefined {
  if (host === undefined || !HOST.test(host)) return undefined;
  const port = host.indexOf(':');
  const hostname = port < 0 ? host : host.slice(0, port);
  return roots((hostname.endsWith('.') ? hostname.slice(0, -1) : hostname).toLowerCase());
}

function urlOfPath(whole: string, query: string): ClusterUrl | undefined {
  if (!whole.startsWith(CLUSTER_PATH)) return undefined;
  const end = whole.indexOf('/', CLUSTER_PATH.length);
  const escapedId = whole.slice(CLUSTER_PATH.length, end < 0 ? undefined : end);
  const path = end < 0 ? '/' : whole.slice(end);
  if (escapedId === '' || escapedId.length > MAX_ID_LENGTH) return undefined;
  const id = decodeId(escapedId);
  if (id === undefined) return undefined;
  const mark = id.indexOf('@');
  return mark < 0 ? { id, path, query } : { id: id.slice(0, mark), at: id.slice(mark + 1), path, query };
}

/** Undefined for what is no escape: the client is answered 404. */
function decodeId(escapedId: string): string | undefined {
  if (!escapedId.includes('%')) return escapedId;
  try {
    return decodeURIComponent(escapedId);
  } catch {
    // What is not escaped rightly names no cluster: 404.
    return undefined;
  }
}
